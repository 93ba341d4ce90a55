import { build, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js';
import { histogramGeometry, type HistogramRecord } from '../../model/histogram.ts';

/** Records latencies on the hot path. `initWebAssembly()` must have been awaited; `destroy()` frees its memory. */
export class LatencyRecorder {
  private readonly histogram: Histogram;
  private count = 0;
  private min = Infinity;
  private max = 0;
  private sum = 0;
  private aboveHighest = 0;

  constructor() {
    this.histogram = build({
      bitBucketSize: 32,
      autoResize: false,
      lowestDiscernibleValue: histogramGeometry.lowestDiscernibleMicros,
      highestTrackableValue: histogramGeometry.highestTrackableMicros,
      numberOfSignificantValueDigits: histogramGeometry.significantDigits,
      // Ten times cheaper per value than the JavaScript histogram.
      useWebAssembly: true,
    });
  }

  /** Records a latency in milliseconds, to the microsecond. */
  record(latencyMs: number): void {
    const micros = Math.round(latencyMs * 1000);
    this.count += 1;
    this.sum += micros;
    if (micros < this.min) this.min = micros;
    if (micros > this.max) this.max = micros;
    if (micros > histogramGeometry.highestTrackableMicros) {
      this.aboveHighest += 1;
      this.histogram.recordValue(histogramGeometry.highestTrackableMicros);
    } else {
      this.histogram.recordValue(micros);
    }
  }

  toRecord(): HistogramRecord {
    const empty = this.count === 0;
    return {
      unit: 'microseconds',
      count: this.count,
      minMicros: empty ? null : this.min,
      maxMicros: empty ? null : this.max,
      sumMicros: this.sum,
      aboveHighest: this.aboveHighest,
      encoded: encodeIntoCompressedBase64(this.histogram),
    };
  }

  destroy(): void {
    this.histogram.destroy();
  }
}
