import type { Redis } from 'ioredis';
import type pg from 'pg';
import { LabError } from '../../model/errors.ts';
import type { WorkDone } from '../../model/measurement.ts';
import { ownQuestion } from './own-question.ts';
import { isDatabaseWorking, settle } from './settle.ts';
import { readWorkCounters, type Counting } from './work-counters.ts';

/** A queue inside an API moves every few milliseconds; one that stands still for so long is empty. */
const quietAfterCutMs = 150;

/** The lab's connections to a database and a cache of its own, and what it needs to count the APIs' work there. */
export interface LabConnections extends Counting {
  readonly pool: pg.Pool;
  readonly redis: Redis;
}

/** What the lab asks database and cache around every run, wherever they are. */
export class LabQuestions {
  readonly #to: Counting;

  constructor(connections: Counting) {
    this.#to = connections;
  }

  /** Environment.deleteCacheKey. Throws a LabError ENVIRONMENT_FAILED when Redis does not answer. */
  async deleteCacheKey(key: string): Promise<void> {
    const { redis } = this.#to;
    if (redis === null) throw new LabError('INTERNAL', 'there is no Redis to empty', 'Refuse cached endpoints before.');
    await ownQuestion('Redis', () => redis.del(key));
  }

  /** Environment.settle; says so when the limit came first. */
  async settle(afterCut: boolean): Promise<void> {
    const { pool, role, report } = this.#to;
    const look = async () => ({
      isWorking: pool !== null && (await isDatabaseWorking(pool, role)),
      // What cannot be read does not move; the slice's own reading reports it.
      done: afterCut ? JSON.stringify(await readWorkCounters({ ...this.#to, report: () => undefined })) : '',
    });
    if (!(await settle(look, afterCut ? quietAfterCutMs : 0)))
      report('database or cache is still at work for an API, 5 s after the load ended');
  }

  /** Environment.workCounters. */
  async workCounters(): Promise<WorkDone> {
    return readWorkCounters(this.#to);
  }
}
