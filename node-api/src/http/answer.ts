/** What an endpoint answers: everything that is not the business of HTTP's connections. */
export interface Answer {
  readonly status: number;
  /** JSON. */
  readonly body: string | Buffer;
  /** Its own headers, names and values in turn: made with the answer, so once for one that is the same each time. */
  readonly head: readonly string[];
}

/** An answer with a body that is JSON already, and headers beside Content-Type and Content-Length: names and values in turn. */
export function answer(status: number, body: string | Buffer, headers: readonly string[] = []): Answer {
  const length = String(Buffer.byteLength(body));
  const head = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', length, ...headers];
  return { status, body, head };
}

export function ok(body: string | Buffer, headers?: readonly string[]): Answer {
  return answer(200, body, headers);
}

/** An answer that says what is wrong: `{"error":"…"}`. */
export function problem(status: number, error: string, headers?: readonly string[]): Answer {
  return answer(status, JSON.stringify({ error }), headers);
}
