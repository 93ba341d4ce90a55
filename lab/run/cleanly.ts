import { messageOf } from '../model/errors.ts';

/**
 * Does `work`, then `end`, whatever came of the work. A failing end is a warning: it must neither hide what went wrong before nor
 * take back what went well.
 */
export async function cleanly<T>(
  work: () => Promise<T>,
  end: () => Promise<void>,
  warn: (line: string) => void,
): Promise<T> {
  try {
    return await work();
  } finally {
    await end().catch((error: unknown) => {
      warn(`could not stop everything in order: ${messageOf(error)}`);
    });
  }
}
