import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What came back on a connection, as text in which each char is a byte. */
export interface Exchange {
  readonly text: string;
  /** Whether the server closed; otherwise the test was satisfied before. */
  readonly closed: boolean;
}

/** Opens a connection to a server on this host. */
export async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes as they stand, and reads until the server closes or `answers` final status lines have come. */
export async function exchange(url: string, request: string, answers: number): Promise<Exchange> {
  const socket = await open(url);
  socket.write(request, 'latin1');
  const result = await receive(socket, answers);
  socket.destroy();
  return result;
}

/** Reads until the server closes or `answers` responses have come, each with a Content-Length and a body as long. */
export async function receive(socket: Socket, answers: number): Promise<Exchange> {
  let text = '';
  return await new Promise<Exchange>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (completeAnswers(text) >= answers) resolve({ text, closed: false });
    });
    socket.once('end', () => {
      resolve({ text, closed: true });
    });
    socket.once('error', reject);
  });
}

function completeAnswers(text: string): number {
  let count = 0;
  let rest = text;
  for (;;) {
    const head = /^HTTP\/1\.1 \d{3}[^]*?\r\nContent-Length: (\d+)\r\n[^]*?\r\n\r\n/.exec(rest);
    if (head === null) return count;
    const end = head[0].length + Number(head[1]);
    if (rest.length < end) return count;
    rest = rest.slice(end);
    count += 1;
  }
}

/** The status codes in a text of responses. */
export function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}
