import type { Random } from '../../lab/plan/random.ts';

/** One to `most` pieces in a row, chosen by `random`. */
export function randomText(random: Random, pieces: readonly string[], most: number): string {
  const below = (limit: number): number => Math.floor(random() * limit);
  return Array.from({ length: 1 + below(most) }, () => pieces[below(pieces.length)] ?? '').join('');
}
