import type { Response } from '../../../lab/parity/response.ts';

export type { Response };

/** A response and what was left of the bytes behind it. */
export interface Taken {
  readonly response: Response;
  readonly rest: Buffer;
}

const headEnd = '\r\n\r\n';

/**
 * Takes one whole response from the front of `bytes`; null: more has to come. `method` is the request's, for HEAD has no
 * body whatever its headers say. A body without a length ends with the connection.
 * Throws at bytes that are no response, and at chunks: every stack has to say a length.
 */
export function takeResponse(bytes: Buffer, method: string, ended: boolean): Taken | null {
  const end = bytes.indexOf(headEnd);
  if (end === -1) return null;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1];
  if (status === undefined) throw new Error(`no status line: ${JSON.stringify(statusLine.slice(0, 80))}`);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  if (headers.some(([name]) => name === 'transfer-encoding')) throw new Error(`chunked: ${statusLine}`);
  const start = end + headEnd.length;
  const length = lengthOf(headers, method, ended ? bytes.length - start : null);
  if (length === null || bytes.length < start + length) return null;
  return {
    response: { status: Number(status), headers, body: bytes.subarray(start, start + length) },
    rest: bytes.subarray(start + length),
  };
}

function lengthOf(headers: readonly [string, string][], method: string, untilClose: number | null): number | null {
  if (method === 'HEAD') return 0;
  const said = headers.find(([name]) => name === 'content-length')?.[1];
  return said === undefined ? untilClose : Number(said);
}

/** A header's value, or null. `name` in lower case. */
export function headerOf(response: Response, name: string): string | null {
  return response.headers.find(([candidate]) => candidate === name)?.[1] ?? null;
}
