import { describe, expect, test } from 'vitest';
import { sets } from '../../tests/fixtures/sets.ts';
import type { ResultSet } from '../model/result.ts';
import { environmentDifferences } from './environment-differences.ts';

const base = sets.unequalLimits();

function changed(change: (set: ResultSet) => void): ResultSet {
  const copy = structuredClone(base);
  change(copy);
  return copy;
}

describe('two sets', () => {
  test('that were made alike do not differ', () => {
    expect(environmentDifferences(base, structuredClone(base))).toEqual([]);
  });

  test.each<[string, (set: ResultSet) => void, string, string | null]>([
    [
      'other limits',
      (set) => (set.provenance.environment.servers['api:go']!.limits!.cpus = 1),
      'api:go: limits.cpus',
      '1',
    ],
    [
      'another quota',
      (set) => (set.provenance.environment.servers['api:go']!.cpuQuota = null),
      'api:go: CPU quota',
      'none',
    ],
    [
      'another memory limit',
      (set) => (set.provenance.environment.servers.redis!.limits!.memoryBytes = null),
      'redis: limits.memoryBytes',
      'none',
    ],
    [
      'a component without limits',
      (set) => delete set.provenance.environment.servers['api:go']!.limits,
      'api:go: limits.cpus',
      null,
    ],
    ['another generator', (set) => (set.provenance.generator.name = 'k6'), 'generator', 'k6'],
    ['another contract', (set) => (set.provenance.contractSha256 = 'f'.repeat(64)), 'contract', 'ffffffffffff'],
    ['fewer cores', (set) => (set.provenance.host.cores = 1), 'cores', '1'],
    [
      'other pools',
      (set) => (set.provenance.environment.servers['api:go']!.pools!.database = 5),
      'api:go: pools',
      '5 database, 25 Redis',
    ],
  ])('with %s: decisive, and named', (_, change, field, after) => {
    const differences = environmentDifferences(base, changed(change));
    expect(differences.find((difference) => difference.field === field)).toMatchObject({ after, isDecisive: true });
  });

  test('of another version of a server: told, not decisive', () => {
    const other = changed((set) => (set.provenance.environment.servers['api:go']!.version = '9.9'));
    expect(environmentDifferences(base, other)).toEqual([
      { field: 'api:go: version', before: 'go1.24.4', after: '9.9', isDecisive: false },
    ]);
  });

  test('of processes and of containers differ decisively', () => {
    const fields = environmentDifferences(sets.healthy(), base).filter(({ isDecisive }) => isDecisive);
    expect(fields.map(({ field }) => field)).toContain('environment');
    expect(fields[0]?.isDecisive).toBe(true);
  });
});
