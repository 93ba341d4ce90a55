/** How to read a report: what every word in its tables means. */
export const readingGuide: readonly string[] = [
  '**requests/s** counts requests whose last byte arrived inside a slice, over all rounds of the cell.',
  '**Ratio** is the Hodges–Lehmann estimate over paired rounds: variants take turns, so what the machine does meanwhile hits both. Above 1 the first-named variant served more.',
  '**Interval** is the exact Wilcoxon signed-rank interval of that ratio. Where it includes 1, this machine saw no difference; with too few rounds there is none, and nothing is ranked.',
  '**Ranked** rows also hold after Holm’s correction, since every row is one more chance to look different by luck.',
  '**Latency** in a closed loop is each variant at its own speed: the faster one does more work in the same time. It is shown, never ranked.',
  '**CPU µs/req** is the API process’s own CPU time per request; **peak MB** its largest resident memory at the ends of slices.',
  '**s** is the generator’s share of the CPU time of generator, API, PostgreSQL and Redis together. On one host a large s compresses the ratio.',
  '**Verdict**: valid; suspect (the direction holds, the size is qualified); invalid (withheld from the ranking). Reasons are numbered; notes, in letters, change nothing.',
  '**n/a** is a figure that could not be had. It is never zero.',
];
