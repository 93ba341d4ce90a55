import { get } from 'node:http';

const requestLimitMs = 3_000;
const bodyLimit = 65_536;

/**
 * Asks once, on a connection of its own: none stays open that a restart would have to close. A body is cut at 64 KiB.
 * Rejects when nobody answers within 3 s, or with the signal's reason.
 */
export async function getText(url: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
  const limit = AbortSignal.timeout(requestLimitMs);
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, signal: AbortSignal.any([signal, limit]) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (text.length < bodyLimit) text += chunk;
      });
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    request.once('error', (error) => {
      reject(limit.aborted ? new Error(`no answer within ${requestLimitMs / 1000} s`) : error);
    });
  });
}
