import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { closeOverdue } from './overdue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watched(limitMs: number) {
  const pool = new EventEmitter();
  const report = vi.fn();
  const stop = closeOverdue(pool as unknown as Pool, limitMs, report);
  const connect = () => {
    const client = { end: vi.fn(() => Promise.resolve()) };
    pool.emit('connect', client);
    pool.emit('acquire', client);
    return client;
  };
  return { pool, report, stop, connect };
}

it('closes a connection that is in use beyond the limit, once, and no sooner', () => {
  const { report, connect } = watched(500);
  const client = connect();
  vi.advanceTimersByTime(500);
  expect(client.end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(client.end).toHaveBeenCalledOnce();
  expect(report).toHaveBeenCalledExactlyOnceWith(new Error('no answer within 500 ms'));
  vi.advanceTimersByTime(5000);
  expect(client.end).toHaveBeenCalledOnce();
});

it('counts each use by itself, and lets idle and removed connections be', () => {
  const { pool, report, connect } = watched(500);
  const [used, gone] = [connect(), connect()];
  for (let use = 0; use < 5; use += 1) {
    vi.advanceTimersByTime(400);
    pool.emit('release', undefined, used);
    pool.emit('remove', gone);
    vi.advanceTimersByTime(1000);
    pool.emit('acquire', used);
  }
  expect(report).not.toHaveBeenCalled();
});

it('ends when it is told to', () => {
  const { stop, connect } = watched(500);
  const client = connect();
  stop();
  vi.advanceTimersByTime(5000);
  expect(client.end).not.toHaveBeenCalled();
});
