/** Bodies by path: what a null server answers. */
export type Bodies = Readonly<Record<string, string>>;

const endOfHead = Buffer.from('\r\n\r\n');

interface Answer {
  readonly start: Buffer;
  readonly response: Buffer;
}

function response(status: string, body: string): Buffer {
  const content = Buffer.from(body);
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${content.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content]);
}

/**
 * Turns what arrives on one connection into responses, made in advance: it finds the end of each request's head and its path,
 * and looks at nothing else. Requests must be GET without a body.
 */
export class Answers {
  private readonly answers: readonly Answer[];
  private readonly notFound = response('404 Not Found', '{"error":"not found"}');

  constructor(bodies: Bodies) {
    this.answers = Object.entries(bodies).map(([path, body]) => ({
      start: Buffer.from(`GET ${path} `),
      response: response('200 OK', body),
    }));
  }

  /** Writes a response for each whole request in `bytes`; returns the rest, null when nothing is left. */
  answer(bytes: Buffer, write: (response: Buffer) => void): Buffer | null {
    let rest = bytes;
    for (;;) {
      const end = rest.indexOf(endOfHead);
      if (end < 0) return rest;
      write(this.responseTo(rest));
      if (end + endOfHead.length === rest.length) return null;
      rest = rest.subarray(end + endOfHead.length);
    }
  }

  private responseTo(request: Buffer): Buffer {
    for (const { start, response } of this.answers) {
      const length = start.length;
      if (request.length >= length && start.compare(request, 0, length, 0, length) === 0) return response;
    }
    return this.notFound;
  }
}
