import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parityGate } from '../../../lab/parity/index.ts';
import type { Bed } from '../bed.ts';
import type { Runner } from '../running.ts';

/** A digit near the body's end, where only a comparison of all bytes looks. */
const digit = /\d(?=\D*$)/;

/** A stack in which one byte is different: the lab refuses to load that endpoint, and says which byte. */
export function alteredByteTests(bed: Bed, runners: readonly Runner[]): void {
  describe('one byte changed in one stack', () => {
    const endpoints = bed.contract.endpoints.filter(({ query }) => query !== undefined);

    test.each(endpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
      '%s is refused',
      async (path, endpoint) => {
        const altered = await alteringProxy(runners.at(-1)!.process.baseUrl, path);
        const targets = [
          { variant: 'one', baseUrl: runners[0]!.process.baseUrl },
          { variant: 'other', baseUrl: altered.baseUrl },
        ];
        const deleteKey = async (key: string): Promise<void> => {
          for (const { db } of runners) await bed.services.redis.command(db, 'DEL', key);
        };
        const { result, referenceBody } = await parityGate(endpoint, targets, deleteKey);
        expect(result.passed).toBe(false);
        expect(referenceBody).toBeNull();
        const { at, was, is } = altered.change()!;
        expect(result.difference).toContain(`body, byte ${at + 1}: one has ${hex(was)} near`);
        expect(result.difference).toContain(`other ${hex(is)} near`);

        for (const { id } of bed.contract.endpoints.filter((other) => other !== endpoint)) {
          const untouched = bed.contract.endpoints.find((other) => other.id === id)!;
          expect((await parityGate(untouched, targets, deleteKey)).result.difference, id).toBeNull();
        }
      },
    );
  });
}

function hex(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0')}`;
}

interface Change {
  readonly at: number;
  readonly was: number;
  readonly is: number;
}

/** Passes everything on, and changes one digit in the bodies of `path`; it ends with the test. */
async function alteringProxy(behind: string, path: string): Promise<{ baseUrl: string; change: () => Change | null }> {
  let change: Change | null = null;
  const server: Server = createServer((request, response) => {
    get(`${behind}${request.url ?? ''}`, { agent: false }, (answer) => {
      void buffer(answer).then((body) => {
        if (request.url === path) {
          const at = digit.exec(body.toString('latin1'))?.index ?? 0;
          const was = body[at] ?? 0;
          const is = was ^ 1;
          body[at] = is;
          change = { at, was, is };
        }
        response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
        response.end(body);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, change: () => change };
}
