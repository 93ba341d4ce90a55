import { get } from 'node:http';

// No zod here: to load it would take three quarters of a check's CPU time, every few seconds, beside the server.

/** How long an answer may take, in milliseconds. */
const limitMs = 2000;
/** Of an answer, in characters: a stranger may listen. */
const longestBody = 65_536;

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
  const { database, cache } = parsed(body);
  if (typeof database !== 'string' || typeof cache !== 'string') {
    return `status ${status}, with a body that is not a stack's`;
  }
  // Init scripts run on an empty volume only, so that another seed, or half of one, stays.
  const cure = /^(seed version|not seeded)/.test(database) ? ' (`docker compose down --volumes` removes it)' : '';
  const wrong = [];
  if (database !== 'ok') wrong.push(`database: ${database}${cure}`);
  if (cache !== 'ok') wrong.push(`cache: ${cache}`);
  return wrong.join('; ');
}

function parsed(body: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
