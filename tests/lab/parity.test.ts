import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ResultSet } from '../../lab/model/result.ts';
import { copyOfClone, loadlab, onlySet, resultsFolder } from './loadlab.ts';

/**
 * A third stack, as anybody would add one: a folder with a stack.json. It stands in front of node-api and changes one byte of
 * one endpoint's answer.
 */
const server = `
import { spawn } from 'node:child_process';
import { createServer, request } from 'node:http';

const port = Number(process.env.PORT);
const behind = createServer();
await new Promise((resolve) => behind.listen(0, '127.0.0.1', resolve));
const innerPort = behind.address().port;
await new Promise((resolve) => behind.close(resolve));
const inner = spawn(process.execPath, ['../node-api/dist/main.js'], {
  stdio: 'inherit',
  env: { ...process.env, PORT: String(innerPort) },
});
process.on('SIGTERM', () => inner.kill('SIGTERM'));
inner.on('exit', (code) => process.exit(code ?? 1));

createServer((incoming, outgoing) => {
  const { method, url, headers } = incoming;
  const inward = request({ port: innerPort, host: '127.0.0.1', method, path: url, headers }, (answer) => {
    const chunks = [];
    answer.on('data', (chunk) => chunks.push(chunk));
    answer.on('end', () => {
      let body = Buffer.concat(chunks);
      if (url === '/products') body[100] ^= 1;
      if (url.startsWith('/health')) {
        body = Buffer.from(body.toString().replace('node-api', 'wrong-api'));
        answer.headers['content-length'] = String(body.length);
      }
      outgoing.writeHead(answer.statusCode, answer.headers);
      outgoing.end(body);
    });
  });
  inward.on('error', () => outgoing.destroy());
  inward.end();
}).listen(port, '127.0.0.1');
`;

describe('a stack whose answer differs in one byte', () => {
  const out = resultsFolder();
  let set: ResultSet;
  let all = '';

  beforeAll(async () => {
    const root = copyOfClone();
    const manifest = JSON.parse(readFileSync(join(root, 'node-api/stack.json'), 'utf8')) as Record<string, unknown>;
    mkdirSync(join(root, 'wrong-api'));
    writeFileSync(join(root, 'wrong-api/server.mjs'), server);
    writeFileSync(
      join(root, 'wrong-api/stack.json'),
      JSON.stringify({
        ...manifest,
        id: 'wrong-api',
        title: 'one byte off',
        build: { command: ['node', '--version'], environment: {} },
        start: { command: ['node', 'server.mjs'], environment: {} },
      }),
    );
    const study = JSON.parse(readFileSync(join(root, 'studies/go-vs-node/study.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    delete study.published;
    mkdirSync(join(root, 'studies/wrong'));
    writeFileSync(
      join(root, 'studies/wrong/study.json'),
      JSON.stringify({
        ...study,
        id: 'wrong',
        endpoints: ['hello', 'products'],
        variants: [
          { id: 'node', title: 'Node', stack: 'node-api' },
          { id: 'wrong', title: 'Wrong', stack: 'wrong-api' },
        ],
      }),
    );
    const run = await loadlab(
      ['bench', '--study', 'wrong', '--vus', '2', '--duration', '400ms', '--rounds', '2', '--out', out],
      { root },
    );
    all = run.all;

    expect(run.exitCode, all).toBe(1);
    set = JSON.parse(readFileSync(join(onlySet(out), 'result.json'), 'utf8')) as ResultSet;
  });

  test('its cells are not loaded, and the first differing byte is printed', () => {
    expect(all).toMatch(/body, byte 101: node has 0x.*wrong 0x/);
    expect(set.parity.find(({ endpoint }) => endpoint === 'products')).toMatchObject({ passed: false });
    expect(set.slices.filter(({ slice }) => slice.cell.endpoint === 'products')).toEqual([]);
    expect(set.warmUps.filter(({ warmUp }) => warmUp.cell.endpoint === 'products')).toEqual([]);
  });

  test('the other endpoint is measured, and the comparison is withheld', () => {
    expect(set.slices.filter(({ slice }) => slice.cell.endpoint === 'hello')).toHaveLength(4);
    const products = set.comparisons.find(({ endpoint }) => endpoint === 'products');
    expect(products).toMatchObject({ outcome: 'withheld', ratio: null });
  });
});
