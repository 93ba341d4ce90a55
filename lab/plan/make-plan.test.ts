import { describe, expect, test } from 'vitest';
import type { Contract } from '../model/contract.ts';
import type { Stack } from '../model/stack.ts';
import { Study } from '../model/study.ts';
import { makePlan, type PlanOptions } from './make-plan.ts';

const endpoints = ['hello', 'products'];
const contract = {
  endpoints: endpoints.map((id) => ({ id, path: `/${id}`, title: id, touches: [] })),
} as unknown as Contract;
const stacks = ['go-api', 'node-api'].map((id) => ({ folder: id, manifest: { id, endpoints } }) as unknown as Stack);
const study = Study.parse({
  version: 1,
  id: 'small',
  title: 'small',
  question: 'which?',
  variants: [
    { id: 'go', title: 'Go', stack: 'go-api' },
    { id: 'node', title: 'Node', stack: 'node-api' },
  ],
  baseline: 'node',
  endpoints,
  loads: [
    { executor: 'constant-vus', vus: 20 },
    { executor: 'constant-vus', vus: 100 },
  ],
  durationMs: 10_000,
  rounds: 10,
});
const options: PlanOptions = { seed: 7, check: 'bytes', restarts: true };
const plan = makePlan(study, contract, stacks, options);

describe('the order of a plan', () => {
  test('ten rounds are five generations, and every cell is measured once in every round', () => {
    expect(plan.generations).toHaveLength(5);
    const slices = plan.generations.flatMap((generation) => generation.slices);
    expect(slices).toHaveLength(8 * 10);
    expect(new Set(slices.map((slice) => slice.id)).size).toBe(80);
    for (const cell of plan.cells) {
      const rounds = slices
        .filter((slice) => JSON.stringify(slice.cell) === JSON.stringify(cell))
        .map((slice) => slice.round);
      expect(rounds.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
  });

  test('within an endpoint and load the variants run in an order, then in that order reversed', () => {
    for (const generation of plan.generations) {
      for (let first = 0; first < generation.slices.length; first += 4) {
        const four = generation.slices.slice(first, first + 4);
        const [a, b, c, d] = four.map((slice) => slice.cell.variant);
        expect([c, d]).toEqual([b, a]);
        expect(a).not.toBe(b);
        expect(new Set(four.map((slice) => slice.cell.endpoint + String(slice.cell.load.vus))).size).toBe(1);
      }
    }
  });

  test('each process is warmed up on each endpoint at the largest load, in every generation', () => {
    for (const generation of plan.generations) {
      expect(generation.warmUps).toHaveLength(4);
      expect(generation.warmUps.every((warmUp) => warmUp.cell.load.vus === 100)).toBe(true);
    }
  });

  test('the same seed gives the same order, another seed another one', () => {
    expect(makePlan(study, contract, stacks, options)).toEqual(plan);
    expect(makePlan(study, contract, stacks, { ...options, seed: 8 }).generations).not.toEqual(plan.generations);
  });

  test('both variants begin somewhere: the order is not always the same one', () => {
    const beginners = plan.generations.flatMap((generation) =>
      generation.slices.filter((_, index) => index % 4 === 0).map((slice) => slice.cell.variant),
    );
    expect(new Set(beginners)).toEqual(new Set(['go', 'node']));
  });

  test('a first look is one generation with less time than the study asks for, however it was asked for', () => {
    const look = (change: Partial<PlanOptions>): boolean =>
      makePlan(study, contract, stacks, { ...options, ...change }).firstLook;
    expect(look({ rounds: 2, durationMs: 2000 })).toBe(true);
    expect(look({ rounds: 1, durationMs: 30_000 })).toBe(false);
    expect(look({ rounds: 10, durationMs: 5000 })).toBe(false);
    expect(look({})).toBe(false);
  });

  test('without restarts: one generation of all rounds, each pair of them over all cells, AB BA', () => {
    const remote = makePlan(study, contract, stacks, { ...options, restarts: false });
    expect(remote.generations).toHaveLength(1);
    const { warmUps, slices } = remote.generations[0]!;
    expect(warmUps).toHaveLength(4);
    expect(slices).toHaveLength(8 * 10);
    expect(new Set(slices.map((slice) => slice.id)).size).toBe(80);
    for (let first = 0; first < slices.length; first += 16) {
      const pair = slices.slice(first, first + 16);
      expect(new Set(pair.map((slice) => slice.round))).toEqual(new Set([first / 8 + 1, first / 8 + 2]));
    }
    const [a, b, c, d] = slices.map((slice) => slice.cell.variant);
    expect([c, d]).toEqual([b, a]);
    expect(remote.firstLook).toBe(false);
  });

  test('an odd number of rounds ends with a generation of one round', () => {
    const odd = makePlan(study, contract, stacks, { ...options, rounds: 5 });
    expect(odd.generations.map((generation) => generation.slices.length)).toEqual([16, 16, 8]);
    expect(odd.sliceMs).toBe(2000);
  });
});

describe('what does not fit together is refused in one line', () => {
  test.each<[string, Partial<PlanOptions>, RegExp]>([
    ['an unknown endpoint', { endpoints: ['goodbye'] }, /no endpoint "goodbye"/],
    ['an endpoint named twice', { endpoints: ['hello', 'hello'] }, /"hello" is named twice/],
    ['a load named twice', { vus: [20, 20] }, /"constant-vus-20" is named twice/],
    ['slices too short', { durationMs: 1000 }, /slices of 100\.0 ms/],
    ['slices of a broken length', { durationMs: 10_001 }, /slices of 1000\.1 ms/],
  ])('%s', (_, change, message) => {
    expect(() => makePlan(study, contract, stacks, { ...options, ...change })).toThrow(message);
  });

  test('a baseline, a stack or an endpoint of a stack that is not there', () => {
    expect(() => makePlan({ ...study, baseline: 'rust' }, contract, stacks, options)).toThrow(/no variant "rust"/);
    expect(() => makePlan(study, contract, stacks.slice(1), options)).toThrow(/variant go wants stack "go-api"/);
    const without = stacks.map((stack) => ({ ...stack, manifest: { ...stack.manifest, endpoints: ['hello'] } }));
    expect(() => makePlan(study, contract, without, options)).toThrow(/stack go-api does not have products/);
  });
});
