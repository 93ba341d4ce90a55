import { Client } from 'undici';
import { LabError, messageOf } from '../model/errors.ts';

/** One response, whole, as it came. */
export interface Response {
  readonly status: number;
  /** Names in lower case (HTTP compares them so), in the order sent; a name may occur twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Longer than any limit of a stack: a slower answer is no answer. */
const timeoutMs = 15_000;

/**
 * One GET on a connection of its own.
 * @throws LabError ENVIRONMENT_FAILED when no response comes.
 */
export async function get(baseUrl: string, path: string): Promise<Response> {
  const client = new Client(baseUrl, { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connectTimeout: timeoutMs });
  try {
    const { statusCode, headers, body } = await client.request({ method: 'GET', path });
    return {
      status: statusCode,
      headers: Object.entries(headers).flatMap(([name, value]) => pairs(name, value)),
      body: Buffer.from(await body.arrayBuffer()),
    };
  } catch (error) {
    throw new LabError(
      'ENVIRONMENT_FAILED',
      `no answer from ${baseUrl}${path}: ${messageOf(error)}`,
      'is the API running?',
      {
        cause: error,
      },
    );
  } finally {
    await client.close();
  }
}

function pairs(name: string, value: string | string[] | undefined): [string, string][] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map((one) => [name.toLowerCase(), one]);
}

/** The value of a header, or null. `name` in lower case. */
export function header(response: Response, name: string): string | null {
  return response.headers.find(([candidate]) => candidate === name)?.[1] ?? null;
}
