/** What one would write by hand with Express and pg for speed alone: `npm run bench:apis` measures node-api against it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Response } from 'express';
import { Redis } from 'ioredis';
import pg from 'pg';

const { HOST = '', PORT, DATABASE_URL, REDIS_URL = '', CONTRACT_DIR = '', LOADLAB_NONCE } = process.env;
const database = Number(process.env.DB_POOL_SIZE);
// Idle under these endpoints, as in node-api: a process pays for what it holds (25 open clients took 5 to 17 % of /hello, measured).
const cache = Array.from({ length: Number(process.env.REDIS_POOL_SIZE) }, () => new Redis(REDIS_URL));
const pool = new pg.Pool({
  connectionString: DATABASE_URL ?? '',
  max: database,
  idleTimeoutMillis: 0,
  // A bounded wait is part of the contract's pool, and costs a timer a query.
  connectionTimeoutMillis: Number(process.env.POOL_TIMEOUT_MS),
});
const products = { name: 'products', text: readFileSync(join(CONTRACT_DIR, 'sql/products.sql'), 'utf8') };
const hello = JSON.stringify({ message: 'Hello!' });

function send(response: Response, body: string): void {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

const app = express().disable('x-powered-by').disable('etag').set('query parser', false);
app.get('/hello', (_request, response) => {
  send(response, hello);
});
app.get('/products', (_request, response, next) => {
  pool
    .query<{ id: number; name: string; price: string; sold_at: string | null }>(products)
    .then(({ rows }) => {
      const page = rows.map(({ id, name, price, sold_at: soldAt }) => ({ id, name, price, soldAt }));
      send(response, JSON.stringify({ count: page.length, products: page }));
    })
    .catch(next);
});
app.get('/health', (_request, response) => {
  response.json({
    status: 'ok',
    stack: 'minimal-express',
    nonce: LOADLAB_NONCE,
    version: '0.0.0',
    pid: process.pid,
    runtime: { name: 'node', version: process.versions.node, parallelism: 1, cpuQuota: null },
    pools: { database, redis: cache.length },
    preparedStatements: true,
    contractVersion: 1,
    seedVersion: '1',
  });
});
app.listen(Number(PORT), HOST).keepAliveTimeout = Number(process.env.KEEP_ALIVE_TIMEOUT_MS);
