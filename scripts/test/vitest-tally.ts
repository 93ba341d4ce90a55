import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { Skipped } from './tally.ts';

/** A vitest reporter that writes how many tests passed, failed and were skipped, and why, to the file that LOADLAB_TALLY names. */
export default class VitestTally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env.LOADLAB_TALLY;
    if (file === undefined) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    const skipped = tests.filter((test) => test.result().state === 'skipped').map(skipOf);
    writeFileSync(file, JSON.stringify({ passed: count('passed'), failed: count('failed'), skipped }));
  }
}

function skipOf(test: TestCase): Skipped {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  return { name: `${test.module.relativeModuleId} ${test.fullName}`, reason: note ?? 'no reason given' };
}
