/** What stands where there is no number. Absent is not zero. */
export const notAvailable = 'n/a';

/** `12,345.6`; `n/a` for null. */
export function formatNumber(value: number | null, decimals: number): string {
  if (value === null) return notAvailable;
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/**
 * One number of decimals for a whole column, so that its points align: as few as leave the smallest value
 * `significant` digits, at most `most`.
 */
export function decimalsFor(values: readonly (number | null)[], significant: number, most: number): number {
  const known = values.filter((value) => value !== null && value !== 0).map((value) => Math.abs(value ?? 0));
  if (known.length === 0) return 0;
  const integerDigits = Math.floor(Math.log10(Math.min(...known))) + 1;
  return Math.min(most, Math.max(0, significant - integerDigits));
}

/** A rate of 0..1 as `4.10 %`. Nothing but 0 is shown as 0.00 %, and nothing but 1 as 100.00 %. */
export function formatRate(rate: number | null): string {
  if (rate === null) return notAvailable;
  if (rate > 0 && rate < 0.0001) return '< 0.01 %';
  if (rate < 1 && rate > 0.9999) return '> 99.99 %';
  return `${formatNumber(rate * 100, 2)} %`;
}

/** A share of 0..1 in words of a sentence: `62 %`. */
export function formatShare(share: number): string {
  return `${formatNumber(share * 100, 0)} %`;
}

/** A factor as a change: 1.04 is `+4 %`, 0.77 is `−23 %`. */
export function formatChange(factor: number | null): string {
  if (factor === null) return notAvailable;
  const percent = Math.round((factor - 1) * 100);
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±';
  return `${sign}${formatNumber(Math.abs(percent), 0)} %`;
}

/** `250 ms`, `1 s`, `2.5 s`. */
export function formatDuration(ms: number): string {
  return ms < 1000
    ? `${formatNumber(ms, 0)} ms`
    : `${(ms / 1000).toLocaleString('en-US', { maximumFractionDigits: 1 })} s`;
}

/** ISO 8601 as `2026-11-30 10:15 UTC`; whatever else is left as it is. */
export function formatTime(iso: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d.*Z$/.test(iso) ? `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC` : iso;
}
