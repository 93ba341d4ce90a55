import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configure, Misconfigured } from './configure.ts';

const stackFolder = join(import.meta.dirname, '../..');
const urls = { DATABASE_URL: 'postgres://u:p@localhost/lab', REDIS_URL: 'redis://localhost' };

it("reads the contract beside the stack's folder, the environment and the version", () => {
  const { config, loaded, version } = configure(urls, stackFolder);
  expect(config.databasePoolSize).toBe(loaded.contract.pools.database);
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

it('names what is wrong in the contract and in the environment at once', () => {
  try {
    configure({ ...urls, CONTRACT_DIR: '/nowhere', PORT: 'high' }, stackFolder);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(Misconfigured);
    const { problems } = error as Misconfigured;
    expect(problems.map((line) => line.split(':')[0])).toEqual(['contract.json', 'PORT']);
  }
});
