/** A thing in which two sets differ. */
export interface EnvironmentDifference {
  /** e.g. `api:go: limits.cpus`. */
  readonly field: string;
  /** As text; null: that set does not say. */
  readonly before: string | null;
  readonly after: string | null;
  /** True: with this different, or not known, a ratio across the sets says nothing about the servers. */
  readonly isDecisive: boolean;
}
