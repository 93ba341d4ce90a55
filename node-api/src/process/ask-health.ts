import { get } from 'node:http';
import { z } from 'zod';

/** How long an answer may take, in milliseconds. */
const limitMs = 2000;
/** Of an answer, in characters: a stranger may listen. */
const longestBody = 65_536;

const NotReady = z.object({ database: z.string().min(1), cache: z.string(), seedVersion: z.string().nullable() });

/** Whether a stack is ready, and one line that says so or why not. */
export interface Verdict {
  readonly ready: boolean;
  readonly line: string;
}

/** Asks the stack at `base` (http://host:port); it never rejects. */
export async function askHealth(base: string, signal = AbortSignal.timeout(limitMs)): Promise<Verdict> {
  try {
    const { status, body } = await request(`${base}/health?ready=1`, signal);
    return status === 200 ? { ready: true, line: 'ready' } : notReady(why(status, body));
  } catch (error) {
    if (signal.aborted) return notReady(`${base} did not answer within ${limitMs / 1000}s`);
    return notReady(error instanceof Error ? error.message : String(error));
  }
}

function notReady(reason: string): Verdict {
  return { ready: false, line: `not ready: ${reason.replace(/\s+/g, ' ')}` };
}

function request(url: string, signal: AbortSignal): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, signal }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        if (body.length < longestBody) body += text;
      });
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, body });
      });
    }).once('error', reject);
  });
}

function why(status: number, body: string): string {
  const state = NotReady.safeParse(parsed(body)).data;
  if (state === undefined) return `status ${status}, with a body that is not a stack's`;
  const { database, cache, seedVersion } = state;
  // A database with another seed: init scripts run on an empty volume only.
  const cure = seedVersion === null ? '' : ' (`docker compose down --volumes` removes the old one)';
  const wrong = [];
  if (database !== 'ok') wrong.push(`database: ${database}${cure}`);
  if (cache !== 'ok') wrong.push(`cache: ${cache}`);
  return wrong.join('; ');
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
