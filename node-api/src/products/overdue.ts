import type { Pool, PoolClient } from 'pg';

/** The turn in which a connection was lent. */
interface Loan {
  turn: number;
}

/** How often the connections are looked at, and so how much later than its limit a query may be given up. */
const turnMs = 100;

/** No turn: the connection is idle. */
const idle = -1;

/**
 * Closes connections that have been in use for longer than `limitMs`, which fails their query. For a server that does not
 * even say that it gives up.
 *
 * One timer for all: pg's own `query_timeout`, a timer and closures for each query, costs a fifth of the process's CPU
 * time at 20 queries at once, most of it in the garbage collector.
 * @returns what ends the watch
 */
export function closeOverdue(pool: Pool, limitMs: number, onOverdue: (error: Error) => void): () => void {
  const loans = new Map<PoolClient, Loan>();
  const limit = Math.ceil(limitMs / turnMs);
  let turn = 0;
  const note = (client: PoolClient, at: number) => {
    const loan = loans.get(client);
    if (loan !== undefined) loan.turn = at;
  };
  pool.on('connect', (client) => loans.set(client, { turn: idle }));
  pool.on('acquire', (client) => {
    note(client, turn);
  });
  pool.on('release', (_error, client) => {
    note(client, idle);
  });
  pool.on('remove', (client) => loans.delete(client));
  const timer = setInterval(() => {
    turn += 1;
    for (const [client, loan] of loans) {
      if (loan.turn === idle || turn - loan.turn <= limit) continue;
      loans.delete(client);
      onOverdue(new Error(`no answer within ${limitMs} ms`));
      void client.end();
    }
  }, turnMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
