/** What an endpoint answers: everything that is not the business of HTTP's connections. */
export interface Answer {
  readonly status: number;
  /** JSON. */
  readonly body: string | Buffer;
  /** Names and values in turn, beside Content-Type and Content-Length. */
  readonly headers?: readonly string[];
}

/** A 200 with a body that is JSON already. */
export function ok(body: string | Buffer, headers: readonly string[] = []): Answer {
  return { status: 200, body, headers };
}

/** An answer that says what is wrong: `{"error":"…"}`. */
export function problem(status: number, error: string, headers: readonly string[] = []): Answer {
  return { status, body: JSON.stringify({ error }), headers };
}
