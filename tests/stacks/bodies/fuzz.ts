import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../lab/plan/random.ts';
import type { Bed } from '../bed.ts';
import { Catalogue } from '../oracle/catalogue.ts';
import { expected, refusal, seen } from '../oracle/expected.ts';
import { randomText } from '../random.ts';
import type { Runner } from '../running.ts';
import { Connection } from '../wire/connection.ts';
import { requestText } from '../wire/request.ts';

const seed = 20_240_101;
const queries = 300;
const paths = 100;

/** Pieces rather than chars: broken escapes, repeated names and names of rows would else hardly ever occur. */
const queryPieces = [
  ...['q', 'q=', '&q=', '&', '=', '+', '%', '%2', '%zz', ';', '?', '/', '\\', '_', '"', "'", '<', '>', '|', '{', '^'],
  ...['%71', '%20', '%26', '%3D', '%25', '%5C', '%5F', '%00', '%2B', '%C3%A9', '%C3', '%A9', '%FF', '%F0%9F%8E%81'],
  ...['%E2%80%A8', '%ED%A0%80', 'Oak', 'lamp', 'a', 'e', '+Rug', 'x=', 'Q=', '%51=', 'Walnut'],
];

const queryStarts = ['', 'q=', 'q=', 'q=', '%71=', 'x=1&q=', '&'];

const pathPieces = [
  '/',
  'hello',
  'products',
  '-where-like',
  '-with-cache',
  '%',
  '%68',
  '%zz',
  '.',
  '..',
  '//',
  'H',
  '?',
  ';',
  '~',
];

/** Random requests from a fixed seed: the catalogue says what each has to be answered with. */
export function fuzzTests(bed: Bed, runners: readonly Runner[]): void {
  describe('fuzz', () => {
    let catalogue: Catalogue;
    beforeAll(async () => {
      catalogue = await Catalogue.read(bed.services.database, bed.contract);
    });

    test(`${queries} random query strings`, async () => {
      const random = seededRandom(seed);
      const cases = Array.from(
        { length: queries },
        () => randomText(random, queryStarts, 1) + randomText(random, queryPieces, 6),
      ).map((query) => {
        const body = catalogue.search(query);
        return { query, wanted: expected(bed.contract, 'GET', body === null ? refusal(400) : { status: 200, body }) };
      });
      expect(cases.filter(({ wanted }) => wanted.status === 400).length).toBeGreaterThan(queries / 10);
      expect(cases.filter(({ wanted }) => wanted.status === 200).length).toBeGreaterThan(queries / 4);
      for (const { id, process } of runners) {
        // One connection for all: none of them may break it.
        const connection = await Connection.open(process.address);
        for (const { query, wanted } of cases) {
          connection.send(requestText('GET', `/products-where-like?${query}`));
          expect(seen(await connection.next()), `${id}: ?${query}`).toEqual(wanted);
        }
        connection.close();
      }
    });

    test(`${paths} random paths are answered alike`, async () => {
      const random = seededRandom(seed + 1);
      for (let left = paths; left > 0; left -= 1) {
        const target = `/${randomText(random, pathPieces, 5)}`;
        const answers: unknown[] = [];
        for (const { process, db } of runners) {
          await bed.services.redis.command(db, 'FLUSHDB');
          const connection = await Connection.open(process.address);
          connection.send(requestText('GET', target, { headers: ['Connection: close'] }));
          const { status, headers, body } = seen(await connection.next());
          connection.close();
          // Of what a parser refuses, only the status is promised.
          answers.push(/%(?![0-9A-Fa-f]{2})/.test(target.split('?')[0] ?? '') ? { status } : { status, headers, body });
        }
        for (const answer of answers) expect(answer, target).toEqual(answers[0]);
      }
    });
  });
}
