import type { Measurement, SliceRecord } from '../../model/measurement.ts';
import type { Evidence } from '../evidence.ts';
import { kept, notEvaluated, tripped, type Outcome, type Rule } from '../rule.ts';
import { count } from '../wording.ts';

/** Hop-by-hop headers may differ between stacks: `Keep-Alive: timeout=75` and its like are some 50 bytes. */
const headerAllowanceBytes = 128;
/** k6 counts what it had received of responses that the end of a run cut off. */
const cutOffAllowance = 0.02;

/**
 * The same bytes under load as at the gate. Where a generator counts bodies alone, their sum must be the reference body
 * times the requests, to the byte. k6 counts headers too, and parts of responses that a run's end cut off: there a mean below the
 * reference body proves short bodies, and variants that differ by more than headers and cut-offs explain are suspect only.
 * Rounds with failed requests are left to the rule failed-requests.
 */
export const bodyBytes: Rule = {
  name: 'body-bytes',
  scope: 'both',
  effects: ['invalid', 'suspect'],
  looksAt: 'bytes per response, in rounds without failed requests',
  limit: () => `the reference body (k6: variants within ${headerAllowanceBytes} bytes + ${cutOffAllowance * 100} %)`,
  advice: 'compare one response of each stack: their bodies differ',
  evaluate(evidence) {
    const clean = evidence.records.flatMap(cleanMeasurement);
    const first = clean[0];
    if (first === undefined) return notEvaluated('no round without failed requests');
    return first.bytesInclude === 'bodies' ? judgeBodies(clean, evidence) : judgeWholeResponses(clean, evidence);
  },
};

function cleanMeasurement({ measurement }: SliceRecord): readonly Measurement[] {
  return measurement !== null && measurement.requests > 0 && measurement.failedRequests === 0 ? [measurement] : [];
}

function judgeBodies(clean: readonly Measurement[], { parity }: Evidence): Outcome {
  const reference = parity?.bodyBytes ?? null;
  if (reference === null) return notEvaluated('there is no reference body');
  const wrong = clean.find(({ bytesReceived, requests }) => bytesReceived !== requests * reference);
  return wrong === undefined ? kept : differsFromReference(wrong.bytesReceived / wrong.requests, reference);
}

function judgeWholeResponses(clean: readonly Measurement[], { figures, peers, parity }: Evidence): Outcome {
  const reference = parity?.bodyBytes ?? null;
  const short = clean.find(({ bytesReceived, requests }) => bytesReceived < requests * (reference ?? 0));
  if (short !== undefined) return differsFromReference(short.bytesReceived / short.requests, reference ?? 0);
  const own = figures.bytesPerResponse;
  if (own === null || figures.failedRequests > 0) return notEvaluated('some requests failed');
  const odd = peers.find(({ bytesPerResponse, failedRequests }) => {
    if (bytesPerResponse === null || failedRequests > 0) return false;
    const allowed = headerAllowanceBytes + cutOffAllowance * Math.max(own, bytesPerResponse);
    return Math.abs(own - bytesPerResponse) > allowed;
  });
  if (odd === undefined) return kept;
  return tripped(
    'suspect',
    `${count(own)} bytes per response, ${odd.cell.variant} sends ${count(odd.bytesPerResponse ?? 0)}`,
  );
}

function differsFromReference(bytesPerResponse: number, reference: number): Outcome {
  return tripped('invalid', `${count(bytesPerResponse)} bytes per response, the reference has ${count(reference)}`);
}
