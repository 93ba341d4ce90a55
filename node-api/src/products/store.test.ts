import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { readContract } from '../contract/read.ts';
import { createLog } from '../events/log.ts';
import { Outage } from '../events/outage.ts';
import { database as need } from '../testing/needs.ts';
import { containing } from './like.ts';
import { encodePage } from './product.ts';
import { Store, type Statement, type StoreOptions } from './store.ts';

const { contract, sql } = readContract(join(import.meta.dirname, '../../../contract'));
const statement = (id: string): Statement => {
  const file = contract.endpoints.find((endpoint) => endpoint.id === id)!.query!.file;
  return { name: file, text: sql.get(file)! };
};
const slow: Statement = {
  name: 'slow',
  text: `SELECT 1 AS id, 'x' AS name, '1' AS price, NULL AS sold_at FROM pg_sleep(30)`,
};

const stores: Store[] = [];
let lines: string[] = [];

function createStore(options: Partial<StoreOptions> = {}): Store {
  lines = [];
  const store = new Store(
    { url: need.url, poolSize: 2, poolTimeoutMs: 2000, queryTimeoutMs: 10_000, ...options },
    new Outage(
      createLog((line) => lines.push(line)),
      'database',
    ),
  );
  stores.push(store);
  return store;
}

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
});

describe.skipIf(need.missing)(`the store${need.note}`, () => {
  it('yields the rows of the seed', async () => {
    const rows = await createStore().products(statement('products'));
    expect(rows).toHaveLength(100);
    expect(encodePage(rows)).toMatch(
      /^\{"count":100,"products":\[\{"id":1,"name":"Café table","price":"89.19","soldAt":"2024-01-01T00:37:49.007907Z"\},/,
    );
    expect(rows[2]).toMatchObject({ id: 3, name: 'Salt & oil', sold_at: null });
  });

  it.each([
    ['Walnut', 'Walnut desk'],
    ['50%', 'Rug 50% wool'],
    ['a_b', 'Part a_b'],
    [String.raw`C:\t`, String.raw`Path C:\tmp`],
    ["O'", "Cup O'Neil"],
    ['\u2028', 'Line\u2028break'],
    ['🎁', 'Gift 🎁 bag'],
  ])('finds %j literally', async (text, name) => {
    const rows = await createStore().products(statement('products-where-like'), [containing(text)]);
    expect(new Set(rows.map((row) => row.name))).toEqual(new Set([name]));
  });

  it.each(['%', '_', '\\'])('takes no character of the search for a wildcard: %j', async (text) => {
    const rows = await createStore().products(statement('products-where-like'), [containing(text)]);
    expect(rows.every((row) => row.name.includes(text))).toBe(true);
  });

  it('knows which seed it has', async () => {
    expect(await createStore().seedVersion()).toBe('1');
  });

  it('is busy where the pool gives no connection in time', async () => {
    const store = createStore({ poolSize: 1, poolTimeoutMs: 100, queryTimeoutMs: 600 });
    const held = expect(store.products(slow)).rejects.toMatchObject({ failure: 'unavailable' });
    await expect(store.products(statement('products'))).rejects.toMatchObject({ failure: 'busy' });
    await held;
    expect(await store.products(statement('products'))).toHaveLength(100);
  });

  it('is unavailable where a query takes too long', async () => {
    const store = createStore({ queryTimeoutMs: 100 });
    await expect(store.products(slow)).rejects.toMatchObject({
      failure: 'unavailable',
      message: 'database unavailable',
    });
    expect(await store.products(statement('products'))).toHaveLength(100);
    expect(lines.join('')).toMatch(/"database-down".*statement timeout.*\n.*"database-up"/);
  });

  it('is unavailable where a table is missing, and goes on', async () => {
    const store = createStore();
    const missing = { name: 'missing', text: 'SELECT id FROM no_such_table' };
    await expect(store.products(missing)).rejects.toMatchObject({ failure: 'unavailable' });
    expect(await store.products(statement('products'))).toHaveLength(100);
  });

  it('survives connections that are terminated, in use or idle', async () => {
    const store = createStore();
    await Promise.all([store.products(statement('products')), store.products(statement('products'))]);
    const cut = expect(store.products(slow)).rejects.toMatchObject({ failure: 'unavailable' });
    const other = new pg.Client(need.url);
    await other.connect();
    await other.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE application_name = 'node-api' AND pid <> pg_backend_pid()`,
    );
    await other.end();
    await cut;
    expect(await store.products(statement('products'))).toHaveLength(100);
  });
});

describe('without a database', () => {
  it('is unavailable where nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const store = createStore({ url: `postgres://u:p@127.0.0.1:${port}/lab` });
    await expect(store.products(slow)).rejects.toMatchObject({ failure: 'unavailable' });
    expect(lines[0]).toContain('ECONNREFUSED');
  });

  it('is unavailable, not busy, where the server accepts and says nothing', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket.resume())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const store = createStore({ url: `postgres://u:p@127.0.0.1:${port}/lab`, poolSize: 1, poolTimeoutMs: 100 });
    const failures = await Promise.all([1, 2, 3].map(() => store.products(slow).catch((error: unknown) => error)));
    expect(failures).toMatchObject(failures.map(() => ({ failure: 'unavailable' })));
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});
