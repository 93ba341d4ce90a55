/** Random numbers for simulations in tests: the same seed, the same numbers, so a simulation cannot flake. */
export interface TestRandom {
  /** Uniform in [0, 1). */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
}

/** xorshift32 (Marsaglia 2003, Journal of Statistical Software 8(14)); normals by Box and Muller (1958). */
export function testRandom(seed: number): TestRandom {
  let state = seed | 0 || 1;
  const uniform = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

/** `length` values from `next`. */
export function sampleOf(length: number, next: () => number): number[] {
  return Array.from({ length }, next);
}
