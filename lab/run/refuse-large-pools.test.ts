import { expect, test } from 'vitest';
import type { ServerFingerprint } from '../model/result.ts';
import { refuseLargePools } from './refuse-large-pools.ts';

function server(pool: number | null, settings: Record<string, string> = {}): ServerFingerprint {
  const pools = pool === null ? null : { database: pool, redis: 1 };
  return { name: 'server', version: '1', parallelism: null, cpuQuota: null, pools, settings };
}

const postgres = server(null, { max_connections: '200' });

test.each([
  ['both pools of the contract', { 'api:go': server(25), 'api:node': server(25) }],
  ['exactly as many as there are', { 'api:go': server(98), 'api:node': server(98) }],
])('%s are let through', (_, apis) => {
  expect(() => {
    refuseLargePools({ postgres, ...apis });
  }).not.toThrow();
});

test.each([
  ['one more', { 'api:go': server(98), 'api:node': server(99) }, /may open 197 connections/],
  ['a pool in each of four processes', { 'api:go': server(50, { processes: '4' }) }, /may open 200 connections/],
])('%s is refused in one line', (_, apis, message) => {
  expect(() => {
    refuseLargePools({ postgres, ...apis });
  }).toThrow(message);
});

test('a PostgreSQL that cannot be asked has no known limit', () => {
  expect(() => {
    refuseLargePools({ 'api:go': server(1000) });
  }).not.toThrow();
});
