import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../contract/root.ts';
import type { OwnEnvironment } from '../../model/environment.ts';
import { fakeRequest, ownDataHome, removeDataHome } from './fixtures/request.ts';
import { startNative } from './index.ts';
import { apiRole } from '../servers/database-login.ts';
import { settle, type Look } from '../servers/settle.ts';

describe('settle', () => {
  /** Looks as they come; the last one stays. Returns the number of looks that were taken. */
  async function looksTaken(looks: readonly Look[], quietMs: number): Promise<number> {
    let taken = 0;
    const look = (): Promise<Look> => {
      taken += 1;
      return Promise.resolve(looks[Math.min(taken, looks.length) - 1]!);
    };
    expect(await settle(look, quietMs)).toBe(true);
    return taken;
  }
  const at = (done: string, isWorking = false): Look => ({ isWorking, done });

  it('returns with the first idle look when no quiet is asked for', async () => {
    expect(await looksTaken([at('')], 0)).toBe(1);
    expect(await looksTaken([at('', true), at('', true), at('')], 0)).toBe(3);
  });

  it('starts the quiet anew when a counter moves, also between two idle looks', async () => {
    // 25 ms of quiet take at least two looks after the one that begins it, 20 ms apart.
    const calm = await looksTaken([at('1')], 25);
    expect(calm).toBeGreaterThanOrEqual(3);
    expect(await looksTaken([at('1'), at('2'), at('3', true), at('4'), at('4')], 25)).toBeGreaterThan(calm + 3);
  });
});

describe('the native environment', () => {
  let home: string;
  let environment: OwnEnvironment;
  let api: pg.Client;
  let redis: Redis;
  let sql: string;

  beforeAll(async () => {
    home = await ownDataHome();
    environment = await startNative(await fakeRequest(home));
    api = new pg.Client({ connectionString: environment.databaseUrl, options: `-c role=${apiRole}` });
    await api.connect();
    redis = new Redis(environment.redisUrl);
    sql = await readFile(join(repositoryRoot, 'contract/sql/products.sql'), 'utf8');
  });

  afterAll(async () => {
    redis.disconnect();
    await api.end();
    await environment.stop();
    await removeDataHome(home);
  });

  /** Work in pieces with idle moments between, as an API's queue makes it. */
  async function inPieces(piece: () => Promise<unknown>): Promise<void> {
    for (let index = 0; index < 8; index += 1) {
      await piece();
      await pause(50);
    }
  }

  it.each([
    ['queries', () => api.query(sql)],
    ['gets', () => redis.get('nothing')],
  ] as const)('waits for a queue of %s after a cut, though it is idle in between', async (_, piece) => {
    let isOver = false;
    const queue = inPieces(piece).then(() => {
      isOver = true;
    });
    await environment.settle(true);
    expect(isOver).toBe(true);
    await queue;
  });
});
