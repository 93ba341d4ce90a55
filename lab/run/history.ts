import { LabError } from '../model/errors.ts';
import type { Generator } from '../model/generator.ts';
import type { SliceRecord } from '../model/measurement.ts';

/** How a run ended; null: it was not made, because its endpoint did not pass the gate. */
export type RunEnd = Pick<SliceRecord, 'measurement' | 'failure'> | null;

/** What the runs so far mean for the next one. */
export class History {
  readonly #generator: Pick<Generator, 'cutsRequests'>;
  #failuresInARow = 0;
  /** The servers may still work for requests that the last run cut off. */
  endedWithCut = false;

  constructor(generator: Pick<Generator, 'cutsRequests'>) {
    this.#generator = generator;
  }

  /**
   * A generator that fails every time would fail a hundred times: three in a row end the study.
   * @throws LabError GENERATOR_FAILED with the third failure in a row.
   */
  note(end: RunEnd): void {
    if (end === null) return;
    const { measurement, failure } = end;
    const isUnfinished = measurement === null || measurement.unfinishedRequests > 0;
    this.endedWithCut = this.#generator.cutsRequests || isUnfinished;
    this.#failuresInARow = failure?.code === 'GENERATOR_FAILED' ? this.#failuresInARow + 1 : 0;
    if (this.#failuresInARow < 3 || failure === null) return;
    throw new LabError(
      'GENERATOR_FAILED',
      `the generator failed three times in a row: ${failure.message}`,
      'its output is in logs/lab.log of the result set; try the other one with --generator',
    );
  }
}
