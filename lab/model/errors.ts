/**
 * Exit codes of every `loadlab` command, in one place. (`make` turns any failure into its own 2; these are the lab's.)
 */
export const exitCodes = {
  /** All well. */
  ok: 0,
  /** The study ran, and a threshold was crossed, a cell is invalid, or parity failed for an endpoint. */
  notAllValid: 1,
  /** Bad input: arguments, a study, the contract, a result set that cannot be read. */
  badInput: 2,
  /** Something is missing on this machine (Go, redis-server, k6, …). */
  missing: 3,
  /** The environment failed: a server did not start, or died in the middle. */
  environment: 4,
  /** The load generator failed. */
  generator: 5,
  /** A defect in loadlab itself. */
  internal: 70,
  /** Interrupted by Ctrl-C or SIGTERM; what was measured is kept. */
  interrupted: 130,
} as const;

export type ExitCodeName = keyof typeof exitCodes;

/** What went wrong, as a closed set: each code belongs to one exit code. */
export const errorCodes = {
  BAD_ARGUMENT: 'badInput',
  BAD_CONTRACT: 'badInput',
  BAD_STUDY: 'badInput',
  BAD_STACK: 'badInput',
  BAD_RESULT_SET: 'badInput',
  NO_RESULT_SET: 'badInput',
  TOOL_MISSING: 'missing',
  TOOL_TOO_OLD: 'missing',
  BUILD_FAILED: 'environment',
  START_FAILED: 'environment',
  NOT_OURS: 'environment',
  SERVER_DIED: 'environment',
  ENVIRONMENT_FAILED: 'environment',
  CANNOT_WRITE: 'environment',
  GENERATOR_FAILED: 'generator',
  INTERRUPTED: 'interrupted',
  INTERNAL: 'internal',
} as const satisfies Record<string, ExitCodeName>;

export type ErrorCode = keyof typeof errorCodes;

/**
 * The one error type of the lab: a code, one line that says what is wrong and where, and a hint that says what to do.
 * Caught once, in cli.ts.
 */
export class LabError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  /** Last lines of a log that explain the failure; empty when there are none. */
  readonly logTail: readonly string[];

  constructor(
    code: ErrorCode,
    message: string,
    hint: string,
    options: { logTail?: readonly string[]; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'LabError';
    this.code = code;
    this.hint = hint;
    this.logTail = options.logTail ?? [];
  }

  /** The exit code that this error ends the process with. */
  get exitCode(): number {
    return exitCodes[errorCodes[this.code]];
  }
}

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
