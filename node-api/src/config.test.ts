import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BrokenConfig, contractFolder, readConfig, readPort, type Environment } from './config.ts';
import { readContract } from './contract/read.ts';

const { contract } = readContract(join(import.meta.dirname, '../../contract'));
const enough = { DATABASE_URL: 'postgres://u:p@localhost:5432/lab', REDIS_URL: 'redis://localhost:6379' };

function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment, contract);
  } catch (error) {
    if (error instanceof BrokenConfig) return error.problems;
    throw error;
  }
  return [];
}

describe('the configuration', () => {
  it('takes its defaults from the contract', () => {
    const config = readConfig(enough, contract);
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, nonce: '' });
    expect(config.databasePoolSize).toBe(contract.pools.database);
    expect(config.cacheTimeoutMs).toBe(contract.limits.cacheTimeoutMs);
  });

  it('takes what it is given', () => {
    const config = readConfig({ ...enough, PORT: '9', DB_POOL_SIZE: '2', LOADLAB_NONCE: 'x' }, contract);
    expect(config).toMatchObject({ port: 9, databasePoolSize: 2, nonce: 'x' });
  });

  it('says where the process listens, whatever else is wrong', () => {
    expect(readPort({})).toBe(8080);
    expect(readPort({ PORT: '9' })).toBe(9);
    expect(() => readPort({ PORT: 'x' })).toThrow('PORT: "x"; allowed: a whole number, 1–65535');
  });

  it('counts an empty variable as unset', () => {
    expect(readConfig({ ...enough, PORT: '', HOST: '' }, contract)).toMatchObject({ host: '127.0.0.1', port: 8080 });
    expect(problemsOf({ ...enough, REDIS_URL: '' })).toEqual(['REDIS_URL: missing; allowed: redis://host:port[/db]']);
  });

  it.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['PORT', ' 80'],
    ['PORT', '-1'],
    ['PORT', '1e3'],
    ['HOST', 'two words'],
    ['DB_POOL_SIZE', '1001'],
    ['REDIS_POOL_SIZE', '2.5'],
    ['POOL_TIMEOUT_MS', '600001'],
    ['QUERY_TIMEOUT_MS', '0'],
    ['CACHE_TIMEOUT_MS', 'fast'],
    ['SHUTDOWN_TIMEOUT_MS', '9999999999'],
    ['KEEP_ALIVE_TIMEOUT_MS', '0x10'],
    ['DATABASE_URL', 'localhost'],
    ['DATABASE_URL', 'mysql://u:p@localhost/lab'],
    ['DATABASE_URL', 'postgres://u:p@localhost'],
    ['DATABASE_URL', 'postgres://localhost/lab'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'http://localhost'],
    ['REDIS_URL', 'redis://localhost/first'],
    ['REDIS_URL', 'redis://localhost/0?enableOfflineQueue=true'],
  ])('refuses %s=%s by name', (name, value) => {
    const problems = problemsOf({ ...enough, [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name}: .+; allowed: .+`));
  });

  it('names everything that is wrong at once, and no password', () => {
    const problems = problemsOf({ PORT: 'x', DATABASE_URL: 'postgres://u:secret@', REDIS_POOL_SIZE: '0' });
    expect(problems.map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'REDIS_URL',
      'REDIS_POOL_SIZE',
    ]);
    expect(problems.join('\n')).not.toContain('secret');
  });
});

describe("the contract's folder", () => {
  it('is the one that is given', () => {
    expect(contractFolder({ CONTRACT_DIR: '/somewhere' }, '/project/node-api')).toBe('/somewhere');
  });

  it("is beside the stack's folder", () => {
    const stackFolder = join(import.meta.dirname, '..');
    expect(contractFolder({}, stackFolder)).toBe(join(stackFolder, '../contract'));
  });

  it('is in the working folder where no project is around', () => {
    expect(contractFolder({}, '/nowhere/at/all')).toBe('./contract');
  });
});
