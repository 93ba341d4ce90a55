/** A test or check that did not run, and why. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

/** What a step of `make test` found. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly Skipped[];
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: [] };

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: [...a.skipped, ...b.skipped] };
}

/** Skipped tests grouped by reason, then one line with the totals. */
export function printSummary(tally: Tally): void {
  const reasons = new Map<string, string[]>();
  for (const { name, reason } of tally.skipped) reasons.set(reason, [...(reasons.get(reason) ?? []), name]);
  for (const [reason, names] of reasons) {
    process.stdout.write(`\nSkipped, ${reason}:\n${names.map((name) => `  ${name}\n`).join('')}`);
  }
  process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped.length} skipped\n`);
}
