import { LabError, messageOf } from '../../model/errors.ts';

/** A question of the lab's own to a server that does not answer is the environment's failure: ENVIRONMENT_FAILED, with its name. */
export async function ownQuestion<T>(server: 'PostgreSQL' | 'Redis', ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof LabError) throw error;
    throw new LabError(
      'ENVIRONMENT_FAILED',
      `${server} did not answer the lab: ${messageOf(error)}`,
      `See its log: ${server === 'Redis' ? 'redis.log' : 'postgres.log'} of this set where the lab started it.`,
      { cause: error },
    );
  }
}
