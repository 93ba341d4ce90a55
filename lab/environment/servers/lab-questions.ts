import type { Redis } from 'ioredis';
import type pg from 'pg';
import type { WorkDone } from '../../model/measurement.ts';
import { ownQuestion } from './own-question.ts';
import { isDatabaseWorking, settle } from './settle.ts';
import { readWorkCounters, type QueryIds } from './work-counters.ts';

/** A queue inside an API moves every few milliseconds; one that stands still for so long is empty. */
const quietAfterCutMs = 150;

/** The lab's connections to database and cache, and what it needs to count the APIs' work there. */
export interface LabConnections {
  readonly pool: pg.Pool;
  readonly redis: Redis;
  readonly queryIds: QueryIds;
  readonly report: (line: string) => void;
}

/** What the lab asks database and cache around every run, wherever they are. */
export class LabQuestions {
  readonly #to: LabConnections;

  constructor(connections: LabConnections) {
    this.#to = connections;
  }

  /** Environment.deleteCacheKey. Throws a LabError ENVIRONMENT_FAILED when Redis does not answer. */
  async deleteCacheKey(key: string): Promise<void> {
    await ownQuestion('Redis', () => this.#to.redis.del(key));
  }

  /** Environment.settle; says so when the limit came first. */
  async settle(afterCut: boolean): Promise<void> {
    const { pool, redis, queryIds, report } = this.#to;
    const look = async () => ({
      isWorking: await isDatabaseWorking(pool),
      // What cannot be read does not move; the slice's own reading reports it.
      done: afterCut ? JSON.stringify(await readWorkCounters(pool, redis, queryIds, () => undefined)) : '',
    });
    if (!(await settle(look, afterCut ? quietAfterCutMs : 0)))
      report('database or cache is still at work for an API, 5 s after the load ended');
  }

  /** Environment.workCounters. */
  async workCounters(): Promise<WorkDone> {
    const { pool, redis, queryIds, report } = this.#to;
    return readWorkCounters(pool, redis, queryIds, report);
  }
}
