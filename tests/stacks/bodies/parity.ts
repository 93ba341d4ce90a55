import { beforeAll, describe, expect, test } from 'vitest';
import { firstDifference, hopByHop } from '../../../lab/parity/difference.ts';
import { parityGate } from '../../../lab/parity/index.ts';
import type { Bed } from '../bed.ts';
import { Catalogue } from '../oracle/catalogue.ts';
import { expected, greeting, refusal, seen, type Seen } from '../oracle/expected.ts';
import type { Runner } from '../running.ts';
import { within } from '../until.ts';
import { Connection } from '../wire/connection.ts';
import { get, requestText } from '../wire/request.ts';
import type { Response } from '../wire/response.ts';
import { parityRequests, type ParityRequest } from './parity-requests.ts';

const followUp = requestText('GET', '/hello', { headers: ['Connection: close'] });

/** The same request to every stack: the same status, header names and values, and body bytes, and the ones promised. */
export function parityTests(bed: Bed, runners: readonly Runner[]): void {
  const { contract } = bed;
  describe('parity', () => {
    let catalogue: Catalogue;
    beforeAll(async () => {
      catalogue = await Catalogue.read(bed.services.database, contract);
    });

    test.each(parityRequests.map((request) => [request.title, request] as const))('%s', async (_, request) => {
      const wanted = wantedOf(request);
      const answers: { runner: Runner; response: Response }[] = [];
      for (const runner of runners) {
        if (request.wanted === 'cached') await bed.services.redis.command(runner.db, 'FLUSHDB');
        const response = await answerOf(runner, request);
        expect(seen(response), runner.id).toEqual(wanted);
        answers.push({ runner, response });
      }
      expect(differences(answers)).toEqual([]);
    });

    function wantedOf({ wanted, method, target }: ParityRequest): Seen {
      if (wanted === 404 || wanted === 405) return expected(contract, method, refusal(wanted));
      if (wanted === 'hello') return expected(contract, method, { status: 200, body: greeting });
      if (wanted === 'search') {
        const body = catalogue.search(target.includes('?') ? target.slice(target.indexOf('?') + 1) : '');
        return expected(contract, method, body === null ? refusal(400) : { status: 200, body });
      }
      const xCache = wanted === 'cached' ? 'MISS' : undefined;
      return expected(contract, method, { status: 200, body: catalogue.first(), xCache });
    }

    test('a HIT is the same as a MISS but for its header', async () => {
      for (const { process, db, id } of runners) {
        await bed.services.redis.command(db, 'FLUSHDB');
        for (const xCache of ['MISS', 'HIT', 'HIT'] as const) {
          const response = await get(process.address, '/products-with-cache');
          expect(seen(response), id).toEqual(
            expected(contract, 'GET', { status: 200, body: catalogue.first(), xCache }),
          );
        }
      }
    });

    test("passes the lab's own gate, endpoint by endpoint", async () => {
      for (const endpoint of contract.endpoints) {
        const targets = runners.map(({ id, process }) => ({ variant: id, baseUrl: process.baseUrl }));
        const { result } = await parityGate(endpoint, targets, async (key) => {
          for (const { db } of runners) await bed.services.redis.command(db, 'DEL', key);
        });
        expect(result).toMatchObject({ endpoint: endpoint.id, passed: true, difference: null });
      }
    });
  });
}

/** The answer, after which the connection serves another request, or closes, as the request wants it. */
async function answerOf({ process, id }: Runner, { bytes, method, keepsOpen }: ParityRequest): Promise<Response> {
  const connection = await Connection.open(process.address);
  try {
    connection.send(bytes);
    const response = await connection.next(method);
    if (keepsOpen) {
      // Its answer shows that the one before ended where its Content-Length said.
      connection.send(followUp);
      expect((await connection.next()).body.toString(), `${id}: what comes behind`).toBe(greeting);
    }
    await within('the server closes', connection.ended);
    expect(connection.unread.toString('latin1'), `${id}: bytes that belong to no response`).toBe('');
    return response;
  } finally {
    connection.close();
  }
}

function differences(answers: readonly { runner: Runner; response: Response }[]): string[] {
  const [first, ...others] = answers;
  if (first === undefined) return ['no stacks'];
  return others.flatMap(({ runner, response }) => {
    expect(hopByHop(response), `${runner.id}: a clock`).toHaveProperty('date');
    const difference = firstDifference(first.runner.id, first.response, runner.id, response);
    return difference === null ? [] : [difference];
  });
}
