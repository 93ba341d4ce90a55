import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readContract } from '../../contract/read.ts';
import { repositoryRoot } from '../../contract/root.ts';
import type { Contract } from '../../model/contract.ts';
import { LabError } from '../../model/errors.ts';
import { Study } from '../../model/study.ts';
import { remoteTarget, type RemoteOptions } from './options.ts';

const study = Study.parse({
  version: 1,
  id: 'small',
  title: 'small',
  question: 'which?',
  variants: [
    { id: 'go', title: 'Go', stack: 'go-api' },
    { id: 'node', title: 'Node', stack: 'node-api' },
  ],
  baseline: 'node',
  endpoints: ['hello', 'products-with-cache'],
  loads: [{ executor: 'constant-vus', vus: 20 }],
  durationMs: 1000,
  rounds: 2,
});
const good: RemoteOptions = {
  baseUrls: ['go=http://go-api:8080', 'node=http://node-api:8080/'],
  databaseUrl: 'postgres://loadlab:secret@postgres:5432/loadlab',
  redisUrl: 'redis://redis:6379',
};

let contract: Contract;
beforeAll(async () => {
  contract = await readContract(join(repositoryRoot, 'contract'));
});

describe('what is understood', () => {
  test('base URLs lose their slash; the others stay as they are', () => {
    expect(remoteTarget(good, study, contract)).toEqual({
      baseUrls: { go: 'http://go-api:8080', node: 'http://node-api:8080' },
      databaseUrl: good.databaseUrl,
      redisUrl: good.redisUrl,
      sameHost: false,
    });
  });

  test('without a cached endpoint neither database nor cache are needed', () => {
    const target = remoteTarget({ baseUrls: good.baseUrls }, { ...study, endpoints: ['hello'] }, contract);
    expect(target).toMatchObject({ databaseUrl: null, redisUrl: null });
  });

  test.each<[string[], boolean | undefined, boolean]>([
    [['go=http://127.0.0.1:1', 'node=http://localhost:2'], undefined, true],
    [['go=http://[::1]:1', 'node=http://127.0.0.2:2'], undefined, true],
    [['go=http://127.0.0.1:1', 'node=http://192.0.2.7:2'], undefined, true],
    // Both ends of a tunnel look alike.
    [['go=http://127.0.0.1:1', 'node=http://127.0.0.1:2'], false, false],
    [good.baseUrls.slice(), true, true],
  ])('%j, said: %s: one machine: %s', (baseUrls, sameHost, expected) => {
    expect(remoteTarget({ ...good, baseUrls, sameHost }, study, contract).sameHost).toBe(expected);
  });
});

describe('what is refused, in one line without a password', () => {
  const withNode = (...baseUrls: string[]): Partial<RemoteOptions> => ({ baseUrls: [...baseUrls, 'node=http://n:2'] });
  test.each<[string, Partial<RemoteOptions>, RegExp]>([
    ['no URL at all', { baseUrls: [] }, /^no base URL is given for go, node$/],
    ['one missing', withNode(), /^no base URL is given for go$/],
    ['an unknown variant', withNode('rust=http://r:1'), /no variant "rust"/],
    ['a variant named twice', withNode('go=http://a:1', 'go=http://b:1'), /go is named twice/],
    ['one URL for both', withNode('go=http://n:2/'), /http:\/\/n:2 is given for go and for node/],
    ['no equals sign', withNode('http//go'), /--base-url http\/\/go is no VARIANT=URL/],
    ['no URL', withNode('go=go-api:8080'), /go=go-api:8080 is no plain http URL/],
    ['https', withNode('go=https://go-api'), /is no plain http URL/],
    ['a path', withNode('go=http://go-api/api'), /is no plain http URL/],
    ['a user', withNode('go=http://u:secret@go-api'), /go=http:\/\/u:\*\*\*@go-api is no plain http URL/],
    [
      'no database URL',
      { databaseUrl: 'mysql://u:secret@h/d' },
      /--database-url mysql:\/\/u:\*\*\*@h\/d is not of the form/,
    ],
    ['a database URL with parameters', { databaseUrl: 'postgres://u:secret@h/d?a=b' }, /is not of the form postgres:/],
    ['a password not encoded', { databaseUrl: 'postgres://u:se/c?secret@h/d' }, /postgres:\/\/u:\*\*\*@h\/d is not/],
    ['no Redis URL', { redisUrl: 'rediss://:secret@h' }, /--redis-url rediss:\/\/:\*\*\*@h is not of the form/],
    ['a cached endpoint without Redis', { redisUrl: undefined }, /^products-with-cache: its cache must be emptied/],
  ])('%s', (_, change, message) => {
    const refusal = refusalOf({ ...good, ...change });
    expect(refusal.code).toBe('BAD_ARGUMENT');
    expect(refusal.message).toMatch(message);
    expect(`${refusal.message}${refusal.hint}`).not.toMatch(/secret|\n/);
  });

  test('the hint of a missing Redis names the endpoints that do without', () => {
    expect(refusalOf({ ...good, redisUrl: undefined }).hint).toContain('--endpoints hello.');
  });
});

function refusalOf(options: RemoteOptions): LabError {
  try {
    remoteTarget(options, study, contract);
  } catch (error) {
    if (error instanceof LabError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
