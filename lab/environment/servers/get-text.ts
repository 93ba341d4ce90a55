import { get } from 'node:http';
import { limitTo } from '../limit.ts';

const requestLimitMs = 3_000;
const bodyLimit = 65_536;

/**
 * Asks once, on a connection of its own: none stays open that a restart would have to close. A body is cut at 64 KiB.
 * Rejects when nobody answers within 3 s, or with the signal's reason.
 */
export async function getText(url: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
  const limit = limitTo(requestLimitMs, signal);
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      // The limit ends the connection, which then has an error of its own.
      reject(limit.aborted && !signal.aborted ? new Error(`no answer within ${requestLimitMs / 1000} s`) : error);
    };
    const request = get(url, { agent: false, signal: limit }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (text.length < bodyLimit) text += chunk;
      });
      response.once('error', fail);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    request.once('error', fail);
  });
}
