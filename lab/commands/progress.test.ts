import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { sets } from '../../tests/fixtures/sets.ts';
import type { LabEvent } from '../model/events.ts';
import type { ResultSet } from '../model/result.ts';
import { openProgress, type ProgressStream } from './progress.ts';

/** Everything that happens when this set is made. */
function eventsOf(set: ResultSet): LabEvent[] {
  return [
    { kind: 'environment', line: 'native environment' },
    ...set.parity.map((result): LabEvent => ({ kind: 'parity', result })),
    ...set.plan.generations.flatMap(({ number, warmUps, slices }) => [
      ...(number === 1 ? [] : [{ kind: 'restart-started', generation: number } as const]),
      ...(number === 1 ? [] : [{ kind: 'restart-ended', generation: number } as const]),
      ...warmUps.map((warmUp): LabEvent => ({ kind: 'warm-up-started', warmUp })),
      ...slices.flatMap((slice): LabEvent[] => {
        const record = set.slices.find((each) => each.slice.id === slice.id);
        return [
          { kind: 'slice-started', slice },
          ...(record === undefined ? [] : [{ kind: 'slice-ended', record } as const]),
        ];
      }),
    ]),
    { kind: 'saved', folder: 'results/a', status: set.status },
  ];
}

async function shown(set: ResultSet, terminal: { columns: number } | null, until = Infinity): Promise<string> {
  const pipe = new PassThrough();
  const size = { isTTY: terminal !== null, columns: terminal?.columns ?? 0, rows: 24 };
  const stream = Object.assign(pipe, size) as unknown as ProgressStream;
  const controller = new AbortController();
  const view = openProgress(set.plan, stream, controller.signal);
  for (const [index, event] of eventsOf(set).entries()) {
    if (index === until) {
      stream.write('stopping\n');
      controller.abort();
    }
    view.listen(event);
  }
  view.close();
  view.close();
  pipe.end();
  return text(pipe);
}

describe('where there is no terminal', () => {
  test('a generation is one line, with its share of the study and the time left', async () => {
    const lines = (await shown(sets.healthy(), null)).trimEnd().split('\n');
    expect(lines).toHaveLength(1 + 4 + 5 + 1);
    expect(lines[1]).toBe('parity: hello is the same from every variant (20 bytes)');
    expect(lines[5]).toMatch(
      /^ \d\d % {2}generation 1 of 5: 32 runs, [\d,]+ requests, 0 failed · about \d+:\d\d left$/,
    );
    expect(lines[10]).toBe('saved: results/a');
  });

  test('with one generation, an endpoint under one load is one line', async () => {
    const lines = (await shown(sets.published(), null)).trimEnd().split('\n');
    expect(lines).toHaveLength(1 + 4 + 8 + 1);
    expect(
      lines.filter((line) => /^ ?\d{2,3} % {2}products, 100 VUs: go 1,\d+ req\/s, node 1,\d+ req\/s/.test(line)),
    ).toHaveLength(1);
  });

  test('a refused endpoint and a failed run are said at once', async () => {
    const out = await shown(sets.parityFailed(), null);
    expect(out).toContain('parity: products DIFFERS, it will not be loaded: body byte 1204');
    expect(out).toContain('-products-constant-vus-20-go failed: no summary was written');
  });

  test('there is no escape sequence', async () => {
    // eslint-disable-next-line no-control-regex
    expect(await shown(sets.quick(), null)).not.toMatch(/\u001b/);
  });
});

describe('on a terminal', () => {
  test('one line is drawn over and over, and gone at the end; nothing is left to restore', async () => {
    const out = await shown(sets.quick(), { columns: 80 });
    expect(out.match(/round 1\/2/g)?.length).toBeGreaterThan(10);
    expect(out).not.toContain('parity:');
    // Cursor hidden, alternate screen, mouse: modes that a killed process would leave behind.
    expect(out).not.toContain('[?25l');
    expect(out).not.toContain('[?1049h');
    // The last thing written erases the line.
    expect(out.endsWith('saved: results/a\n')).toBe(false);
    // eslint-disable-next-line no-control-regex
    expect(out).toMatch(/\u001b\[2K\u001b\[1A\u001b\[2K\u001b\[G(\u001b\[\?2026l)?$/);
  });

  test('after an interruption nothing is drawn over, and lines follow one another', async () => {
    const out = await shown(sets.partial(), { columns: 80 }, 60);
    const rest = out.slice(out.indexOf('stopping\n'));
    // eslint-disable-next-line no-control-regex
    expect(rest).not.toMatch(/\u001b/);
    expect(rest).toContain('saved (partial): results/a');
  });
});
