import type { Measurement, SliceRecord } from '../../model/measurement.ts';
import type { SummaryFigures } from '../../model/result.ts';
import type { Evidence } from '../evidence.ts';
import { kept, notEvaluated, tripped, type Outcome, type Rule } from '../rule.ts';
import { count } from '../wording.ts';

/** Hop-by-hop headers may differ between stacks: `Keep-Alive: timeout=75` and its like are some 50 bytes. */
const headerAllowanceBytes = 128;

/**
 * The same bytes under load as at the gate. Where a generator counts bodies alone, their sum must be the reference body
 * times the requests, to the byte. k6 counts headers too, and a run's end cuts off one response a VU, whose bytes and
 * whose request may each be counted or not. There fewer bytes than bodies prove short bodies, and variants that differ by more than
 * headers and cut-offs explain are suspect only.
 * Rounds with failed requests are left to the rule failed-requests.
 */
export const bodyBytes: Rule = {
  name: 'body-bytes',
  scope: 'both',
  effects: ['invalid', 'suspect'],
  looksAt: 'bytes per response, in rounds without failed requests',
  limit: () => `the reference body; k6: variants within ${headerAllowanceBytes} bytes + 1 response a VU`,
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
  return wrong === undefined ? kept : differsFromReference(wrong, reference);
}

function judgeWholeResponses(clean: readonly Measurement[], { figures, peers, parity }: Evidence): Outcome {
  const reference = parity?.bodyBytes ?? 0;
  const { vus } = figures.cell.load;
  const short = clean.find(({ bytesReceived, requests }) => bytesReceived < (requests - vus) * reference);
  if (short !== undefined) return differsFromReference(short, reference);
  const own = wholeResponseBytes(figures);
  if (own === null) return notEvaluated('some requests failed');
  for (const peer of peers) {
    const other = wholeResponseBytes(peer);
    if (other === null) continue;
    if (Math.abs(own.mean - other.mean) > headerAllowanceBytes + own.cutOff + other.cutOff) {
      return tripped(
        'suspect',
        `${count(own.mean)} bytes per response, ${peer.cell.variant} sends ${count(other.mean)}`,
      );
    }
  }
  return kept;
}

/** Bytes per response, and by how much one response a VU and run may have moved them; null where some requests failed. */
function wholeResponseBytes({
  bytesPerResponse,
  failedRequests,
  cell,
  rounds,
  requests,
}: SummaryFigures): { readonly mean: number; readonly cutOff: number } | null {
  if (bytesPerResponse === null || failedRequests > 0) return null;
  return { mean: bytesPerResponse, cutOff: (bytesPerResponse * cell.load.vus * rounds) / requests };
}

function differsFromReference({ bytesReceived, requests }: Measurement, reference: number): Outcome {
  const expected = count(requests * reference);
  return tripped('invalid', `${count(bytesReceived)} bytes in ${count(requests)} responses, not ${expected}`);
}
