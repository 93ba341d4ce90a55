import type { Rule } from '../rule.ts';
import { bodyBytes } from './body-bytes.ts';
import { checks } from './checks.ts';
import { failedRequests } from './failed-requests.ts';
import { incomplete } from './incomplete.ts';
import { noRequests } from './no-requests.ts';
import { oneGeneration } from './one-generation.ts';
import { p95 } from './p95.ts';
import { parityFailed } from './parity-failed.ts';
import { rawFile } from './raw-file.ts';
import { runFailed } from './run-failed.ts';
import { shareUnknown } from './share-unknown.ts';
import { throttled } from './throttled.ts';
import { unfinishedRequests } from './unfinished-requests.ts';
import { warmUp } from './warm-up.ts';
import { workDone } from './work-done.ts';

/** Every rule, in the order in which reasons are shown: what explains the most comes first. */
export const rules: readonly Rule[] = [
  parityFailed,
  runFailed,
  noRequests,
  failedRequests,
  unfinishedRequests,
  checks,
  bodyBytes,
  workDone,
  shareUnknown,
  p95,
  throttled,
  incomplete,
  oneGeneration,
  rawFile,
  warmUp,
];
