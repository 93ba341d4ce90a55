/**
 * Names for what went wrong with a request. Pure. Each kind is a k6 counter of its own, because a summary holds counts only of
 * metrics that were declared before the run: `failed_` and the kind, with `_` for a space.
 */

/** Statuses that have a counter of their own; all others are `status other`, whose example says which. */
const countedStatuses = [
  201, 204, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 408, 413, 429, 431, 500, 501, 502, 503, 504,
] as const;

const transportKinds = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'closed',
  'timeout',
  'dns',
  'connect',
  'tls',
  'other',
] as const;

/** Every kind that failureKind can answer. */
export const failureKinds: readonly string[] = [
  ...transportKinds,
  ...countedStatuses.map((status) => `status ${status}`),
  'status other',
];

/** The name of a kind's counter. */
export function failureMetric(kind: string): string {
  return `failed_${kind.replace(/ /g, '_')}`;
}

/** Kinds of k6's documented error codes; https://grafana.com/docs/k6/latest/javascript-api/error-codes/ */
const kindsByErrorCode: Readonly<Record<number, (typeof transportKinds)[number]>> = {
  1050: 'timeout',
  1201: 'EPIPE',
  1211: 'timeout',
  1212: 'ECONNREFUSED',
  1220: 'ECONNRESET',
};

/** The kind of a failed request: its status, or, when there was none (0), why there was no response. */
export function failureKind(status: number, errorCode: number, error: string): string {
  if (status !== 0) {
    const kind = `status ${status}`;
    return failureKinds.includes(kind) ? kind : 'status other';
  }
  const known = kindsByErrorCode[errorCode];
  if (known !== undefined) return known;
  if (/\bEOF\b|server closed/.test(error)) return 'closed';
  if (errorCode >= 1100 && errorCode < 1200) return 'dns';
  if (errorCode >= 1210 && errorCode < 1220) return 'connect';
  if (errorCode >= 1300 && errorCode < 1400) return 'tls';
  return 'other';
}

/** Where two bodies first differ, as one line; lengths and positions in characters. */
export function bodyDifference(body: string, reference: string): string {
  let at = 0;
  while (at < body.length && at < reference.length && body[at] === reference[at]) at += 1;
  const seen = body.slice(at, at + 20);
  const lengths = `${body.length} characters, the reference has ${reference.length}`;
  return `first difference at character ${at} (${seen === '' ? 'the body ends' : JSON.stringify(seen)}; ${lengths})`;
}
