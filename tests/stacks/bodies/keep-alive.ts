import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bed, StackProcess, StackUnderTest } from '../bed.ts';
import { greeting } from '../oracle/expected.ts';
import { started } from '../running.ts';
import { within } from '../until.ts';
import { Connection } from '../wire/connection.ts';
import { requestText } from '../wire/request.ts';
import { headerOf } from '../wire/response.ts';

/** How long a connection may stay idle: the contract's time, not a framework's own. */
export function keepAliveTests(bed: Bed, stack: StackUnderTest): void {
  describe('keep-alive', () => {
    let process: StackProcess;
    beforeAll(async () => {
      process = await stack.start();
    });
    afterAll(() => process.kill());

    test('a connection serves many requests, and nothing announces a shorter time than the contract', async () => {
      const connection = await Connection.open(process.address);
      const seconds = bed.contract.limits.keepAliveTimeoutMs / 1000;
      for (let asked = 0; asked < 50; asked += 1) {
        connection.send(requestText('GET', '/hello'));
        const response = await connection.next();
        expect(response.body.toString()).toBe(greeting);
        expect(headerOf(response, 'connection') ?? 'keep-alive').toBe('keep-alive');
        const announced = /timeout=(\d+)/.exec(headerOf(response, 'keep-alive') ?? '')?.[1];
        if (announced !== undefined) expect(Number(announced)).toBe(seconds);
      }
      connection.close();
    });

    test('requests that are sent at once are answered in order', async () => {
      const connection = await Connection.open(process.address);
      const targets = ['/hello', '/products', '/nothing', '/products-where-like?q=no+such+row', '/hello'];
      connection.send(targets.map((target) => requestText('GET', target)).join(''));
      const lengths: number[] = [];
      for (const status of [200, 200, 404, 200, 200]) {
        const response = await connection.next();
        expect(response.status).toBe(status);
        lengths.push(response.body.length);
      }
      expect(lengths[0]).toBe(lengths[4]);
      expect(connection.unread.length).toBe(0);
      connection.close();
    });

    test('a short KEEP_ALIVE_TIMEOUT_MS closes a connection once it is idle, and not before', async () => {
      const { address } = await started(stack, { environment: { KEEP_ALIVE_TIMEOUT_MS: '300' } });
      const connection = await Connection.open(address);
      for (let asked = 0; asked < 3; asked += 1) {
        connection.send(requestText('GET', '/hello'));
        expect((await connection.next()).status).toBe(200);
      }
      await within('the idle connection closes', connection.ended);
      expect(connection.unread.length).toBe(0);
    });
  });
}
