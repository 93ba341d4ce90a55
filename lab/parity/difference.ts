import type { Response } from './response.ts';

/** Headers that may differ between stacks: the clock's, and those of one hop (RFC 9110, section 7.6.1). Recorded, not compared. */
const apart = new Set([
  'date',
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers that parity leaves aside, as sent. */
export function hopByHop(response: Response): Record<string, string> {
  return Object.fromEntries(response.headers.filter(([name]) => apart.has(name)));
}

/**
 * The first difference between two responses in one line (status, then headers, then body), or null when they are the same.
 * `left` and `right` are the names to print.
 */
export function firstDifference(left: string, a: Response, right: string, b: Response): string | null {
  if (a.status !== b.status) return `status: ${left} answers ${a.status}, ${right} ${b.status}`;
  return headerDifference(left, a, right, b) ?? bodyDifference(left, a.body, right, b.body);
}

function headerDifference(left: string, a: Response, right: string, b: Response): string | null {
  const ours = compared(a);
  const theirs = compared(b);
  for (const name of [...new Set([...ours.keys(), ...theirs.keys()])].sort()) {
    const one = ours.get(name);
    const other = theirs.get(name);
    if (one !== other) return `header ${name}: ${left} sends ${quoted(one)}, ${right} ${quoted(other)}`;
  }
  return null;
}

/** Name -> values in order, joined: a header sent twice differs from one sent once. */
function compared(response: Response): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of response.headers) {
    if (apart.has(name)) continue;
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return values;
}

function quoted(value: string | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

/** Names the first differing byte, or null. */
export function bodyDifference(left: string, a: Buffer, right: string, b: Buffer): string | null {
  if (a.equals(b)) return null;
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a[at] === b[at]) at++;
  const where = `body, byte ${at + 1}: ${left} has ${byteAt(a, at)}, ${right} ${byteAt(b, at)}`;
  return a.length === b.length ? where : `${where} (${a.length} and ${b.length} bytes in all)`;
}

function byteAt(body: Buffer, at: number): string {
  const byte = body[at];
  if (byte === undefined) return 'ended';
  const hex = `0x${byte.toString(16).padStart(2, '0')}`;
  const near = JSON.stringify(body.subarray(Math.max(0, at - 8), at + 8).toString('utf8'));
  return `${hex} near ${near}`;
}
