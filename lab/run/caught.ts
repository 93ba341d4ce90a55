import { LabError, messageOf } from '../model/errors.ts';

/** What ended the work, as a LabError; null when nothing did. */
export async function caught(work: () => Promise<void>): Promise<LabError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof LabError) return error;
    const hint = 'this is a defect in loadlab: please report it with the log of the result set';
    return new LabError('INTERNAL', messageOf(error), hint, { cause: error });
  }
}
