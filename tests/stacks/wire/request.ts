import type { Address } from '../bed.ts';
import { within } from '../until.ts';
import { Connection } from './connection.ts';
import type { Response } from './response.ts';

/** What a request has beside method and target. */
export interface RequestParts {
  /** Lines without their line break; Host comes before them. */
  readonly headers?: readonly string[];
  readonly host?: string | null;
  readonly version?: string;
  readonly body?: string;
}

/** A request as it goes over the wire; each char is a byte. */
export function requestText(method: string, target: string, parts: RequestParts = {}): string {
  const { headers = [], host = 'stack.test', version = '1.1', body = '' } = parts;
  const lines = [`${method} ${target} HTTP/${version}`, ...(host === null ? [] : [`Host: ${host}`]), ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** One request on a connection of its own. */
export async function ask(address: Address, method: string, target: string, parts?: RequestParts): Promise<Response> {
  const connection = await Connection.open(address);
  try {
    connection.send(requestText(method, target, parts));
    return await connection.next(method);
  } finally {
    connection.close();
  }
}

/** One GET on a connection of its own. */
export async function get(address: Address, target: string): Promise<Response> {
  return ask(address, 'GET', target);
}

/** Sends the bytes and reads what comes until the server closes; each char is a byte. */
export async function untilClosed(address: Address, bytes: string): Promise<string> {
  const connection = await Connection.open(address);
  try {
    connection.send(bytes);
    await within('the server closes the connection', connection.ended);
    return connection.unread.toString('latin1');
  } finally {
    connection.close();
  }
}

/** The statuses in what a server sent, in order, whatever frames its bodies. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status));
}
