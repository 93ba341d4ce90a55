/** A server that tests need and that may not be there. */
export interface Need {
  readonly url: string;
  readonly missing: boolean;
  /** Goes into the title, so that a skipped test says why. */
  readonly note: string;
}

function need(variable: string, what: string): Need {
  const url = process.env[variable] ?? '';
  return { url, missing: url === '', note: url === '' ? ` (skipped: ${variable} names no ${what})` : '' };
}

/** A PostgreSQL with the contract's seed, which tests leave as it is. */
export const database = need('TEST_DATABASE_URL', 'seeded PostgreSQL');

/** A Redis whose entries tests may replace. */
export const redis = need('TEST_REDIS_URL', 'Redis');
