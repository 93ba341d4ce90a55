import { LabError, messageOf } from '../model/errors.ts';

interface Step {
  readonly what: string;
  readonly undo: () => Promise<void>;
}

/** What has to be undone, last first: however far a start came, everything that was started is stopped. */
export class Cleanup {
  readonly #steps: Step[] = [];
  #running: Promise<void> | null = null;

  add(what: string, undo: () => Promise<void>): void {
    this.#steps.push({ what, undo });
  }

  /** Undoes all, also after a step that fails; then throws a LabError that names those. Later calls wait for the first. */
  async run(): Promise<void> {
    this.#running ??= this.#run();
    await this.#running;
  }

  async #run(): Promise<void> {
    const failures: string[] = [];
    for (const { what, undo } of this.#steps.toReversed()) {
      try {
        await undo();
      } catch (error) {
        failures.push(`${what}: ${messageOf(error)}`);
      }
    }
    if (failures.length > 0) {
      throw new LabError(
        'ENVIRONMENT_FAILED',
        failures.join('\n'),
        'Look for what is left: ps -ef, and the data folder.',
      );
    }
  }
}
