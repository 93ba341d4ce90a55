import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contract } from '../model/contract.ts';
import { StackManifest, type Stack } from '../model/stack.ts';
import { readJsonFile, refuseIfAny, type JsonFile, type Problem } from './json-file.ts';
import { readContract } from './read-contract.ts';

/**
 * Every folder of `root` with a stack.json, in order of name: a third stack is a new folder.
 * Throws a LabError BAD_STACK that names file and JSON path. `contract` defaults to the one in `root`.
 */
export async function readStacks(root: string, contract?: Contract): Promise<Stack[]> {
  const known = contract ?? (await readContract(join(root, 'contract')));
  const entries = await readdir(root, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory() && existsSync(join(root, entry.name, 'stack.json')))
    .map((entry) => entry.name)
    .sort();
  const stacks: Stack[] = [];
  for (const name of names) {
    const file: JsonFile = { path: join(root, name, 'stack.json'), label: `${name}/stack.json`, code: 'BAD_STACK' };
    const manifest = await readJsonFile(file, StackManifest);
    refuseIfAny(file, [...takenId(manifest, stacks), ...unknownEndpoints(manifest, known), ...badPatterns(manifest)]);
    stacks.push({ manifest, folder: join(root, name) });
  }
  return stacks;
}

function takenId(manifest: StackManifest, earlier: readonly Stack[]): Problem[] {
  const twin = earlier.find((stack) => stack.manifest.id === manifest.id);
  return twin ? [{ path: ['id'], message: `"${manifest.id}" is taken by ${join(twin.folder, 'stack.json')}` }] : [];
}

function unknownEndpoints(manifest: StackManifest, contract: Contract): Problem[] {
  const ids = contract.endpoints.map((endpoint) => endpoint.id);
  return manifest.endpoints.flatMap((id, index) =>
    ids.includes(id)
      ? []
      : [{ path: ['endpoints', index], message: `the contract has no endpoint "${id}" (it has: ${ids.join(', ')})` }],
  );
}

function badPatterns(manifest: StackManifest): Problem[] {
  return manifest.requires.flatMap(({ pattern }, index) => {
    const path = ['requires', index, 'pattern'];
    try {
      // An empty alternative always matches: the match then has as many entries as the pattern has groups, plus one.
      const groups = (new RegExp(`${pattern}|`).exec('')?.length ?? 1) - 1;
      return groups >= 1 ? [] : [{ path, message: 'needs a group that captures the version, e.g. "go(\\\\d+)"' }];
    } catch (error) {
      return [{ path, message: error instanceof Error ? error.message : String(error) }];
    }
  });
}
