import { mergeHistograms, type BuiltinRaw } from '../../model/histogram.ts';
import type { Measurement } from '../../model/measurement.ts';

/** The measurement that a raw file stands for. Pure: whoever has the file gets the same figures again. */
export function measurementOf(raw: BuiltinRaw, rawFile: string): Measurement {
  return {
    startedAt: raw.startedAt,
    windowMs: raw.windowMs,
    requests: raw.requests,
    requestsOutsideWindow: raw.requestsOutsideWindow,
    requestsPerSecond: (raw.requests * 1000) / raw.windowMs,
    failedRequests: raw.failedRequests,
    unfinishedRequests: raw.unfinishedRequests,
    checks: raw.checks,
    cache: raw.cache,
    bytesReceived: raw.bodyBytes,
    bytesInclude: 'bodies',
    connectionsOpened: raw.connectionsOpened,
    latencyMs: mergeHistograms([raw.latency]),
    timeToFirstByteMs: mergeHistograms([raw.timeToFirstByte]),
    phasesMs: null,
    errors: raw.errors,
    failedCheckExamples: raw.failedCheckExamples,
    exitCode: null,
    raw: rawFile,
  };
}
