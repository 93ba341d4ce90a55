/** 12345.67 -> `12,345.7`: at most one decimal, thousands apart. */
export function count(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 });
}

/** 0.0123 -> `1.23 %`: three significant digits. */
export function percent(fraction: number): string {
  return `${Number((fraction * 100).toPrecision(3))} %`;
}
