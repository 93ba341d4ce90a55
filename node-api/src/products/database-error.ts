/** Why the database gave no rows; `busy`: the pool gave no connection in time. */
export type DatabaseFailure = 'busy' | 'unavailable';

/** The database gave no answer. `cause` is the driver's error. */
export class DatabaseError extends Error {
  readonly failure: DatabaseFailure;

  constructor(failure: DatabaseFailure, cause: Error) {
    super(`database ${failure}`, { cause });
    this.name = 'DatabaseError';
    this.failure = failure;
  }
}
