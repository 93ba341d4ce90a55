import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { repositoryRoot } from '../../lab/contract/root.ts';
import type { ResultSet } from '../../lab/model/result.ts';
import { loadlab } from './loadlab.ts';

const published = join(repositoryRoot, 'results/published');
const names = readdirSync(published, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
);
const json = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));

test('there is a set by our protocol, and one by the published one', () => {
  const protocols = names.map((name) => {
    const { provenance, plan, status } = json(published, name, 'result.json') as ResultSet;
    return `${name}: ${provenance.generator.name}, ${plan.rounds} × ${plan.sliceMs} ms, ${status}`;
  });
  expect(protocols).toEqual([
    'builtin: builtin, 10 × 3000 ms, complete',
    'k6-published-protocol: k6, 1 × 30000 ms, complete',
  ]);
});

describe.each(names)('the published set %s', (name) => {
  const set = json(published, name, 'result.json') as ResultSet;

  test('validates against the schema, by a validator that the lab does not use', () => {
    const schema = json(repositoryRoot, 'contract/result-set.schema.json') as object;
    const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
    validate(set);
    expect(validate.errors).toBeNull();
  });

  test('has every raw file, and was measured from a clean tree', () => {
    expect(set.provenance.dirty).toBe(false);
    const raw = set.slices.map(({ measurement }) => measurement?.raw ?? 'none');
    expect(raw).toHaveLength(set.headline.plannedRuns);
    const there = new Set(readdirSync(join(published, name, 'raw')).map((file) => `raw/${file}`));
    expect(raw.filter((file) => !there.has(file))).toEqual([]);
  });

  test('can be reviewed', async () => {
    const review = await loadlab(['review', `results/published/${name}`]);
    expect(review.exitCode, review.all).toBe(0);
    expect(review.stdout).toContain('Throughput');
  });
});
