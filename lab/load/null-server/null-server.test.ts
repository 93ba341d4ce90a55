import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { Answers } from './answers.ts';
import { startNullServer } from './start.ts';

test('answers each path with its body, others with 404, until it is closed', async () => {
  const server = await startNullServer({ '/hello': '{"a":1}', '/products': '{"ö":2}' });
  try {
    const hello = await fetch(`${server.baseUrl}/hello`);
    expect(hello.status).toBe(200);
    expect(await hello.text()).toBe('{"a":1}');
    expect(await (await fetch(`${server.baseUrl}/products`)).text()).toBe('{"ö":2}');
    expect((await fetch(`${server.baseUrl}/hello2`)).status).toBe(404);
  } finally {
    await server.close();
  }
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});

test('requests that come in pieces, or several at once, get one response each', () => {
  const answers = new Answers({ '/hello': 'x' });
  const written: string[] = [];
  const write = (response: Buffer): void => {
    written.push(response.toString().slice(0, 12));
  };
  const request = 'GET /hello HTTP/1.1\r\nHost: a\r\n\r\n';
  const bytes = Buffer.from(`${request}${request}GET /other HTTP/1.1\r\n\r\n${request.slice(0, 25)}`);
  const rest = answers.answer(bytes, write);
  expect(written).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
  expect(rest?.toString()).toBe(request.slice(0, 25));
  expect(answers.answer(Buffer.concat([rest!, Buffer.from(request.slice(25))]), write)).toBeNull();
  expect(written).toHaveLength(4);
});
