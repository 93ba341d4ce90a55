import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { Contract, Thresholds, type Endpoint } from '../model/contract.ts';
import { readJsonFile, refuseIfAny, type JsonFile, type Problem } from './json-file.ts';

/**
 * contract/contract.json, validated in itself and against the files that it names.
 * Throws a LabError BAD_CONTRACT that names file and JSON path.
 */
export async function readContract(contractDir: string): Promise<Contract> {
  const file = contractFile(contractDir, 'contract.json');
  const contract = await readJsonFile(file, Contract);
  refuseIfAny(file, [
    ...missingFiles(contract, contractDir),
    ...repeated(contract.endpoints, 'id'),
    ...repeated(contract.endpoints, 'path'),
    ...contract.endpoints.flatMap(contradictions),
  ]);
  return contract;
}

/** contract/thresholds.json. Throws a LabError BAD_CONTRACT that names file and JSON path. */
export async function readThresholds(contractDir: string): Promise<Thresholds> {
  return readJsonFile(contractFile(contractDir, 'thresholds.json'), Thresholds);
}

/**
 * sha256 over everything in contract/ that decides what stacks do or how they are judged: the two JSON files and all SQL,
 * each with its name and length, in order of name. Schemas and prose do not count.
 */
export async function contractSha256(contractDir: string): Promise<string> {
  const sql = (await readdir(join(contractDir, 'sql'))).filter((name) => name.endsWith('.sql'));
  const names = ['contract.json', 'thresholds.json', ...sql.map((name) => `sql/${name}`)].sort();
  const hash = createHash('sha256');
  for (const name of names) {
    const bytes = await readFile(join(contractDir, name));
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

function contractFile(contractDir: string, name: string): JsonFile {
  const folder = resolve(contractDir);
  return { path: join(folder, name), label: `${basename(folder)}/${name}`, code: 'BAD_CONTRACT' };
}

function missingFiles(contract: Contract, contractDir: string): Problem[] {
  const named = [
    ...contract.endpoints.flatMap((endpoint, index) =>
      endpoint.query ? [{ file: endpoint.query.file, path: ['endpoints', index, 'query', 'file'] }] : [],
    ),
    ...contract.seed.files.map((file, index) => ({ file, path: ['seed', 'files', index] })),
  ];
  return named.flatMap(({ file, path }) => {
    const inside = !relative(resolve(contractDir), resolve(contractDir, file)).startsWith('..');
    if (!inside) return [{ path, message: `"${file}" lies outside the contract's folder` }];
    return existsSync(join(contractDir, file)) ? [] : [{ path, message: `there is no file "${file}"` }];
  });
}

function repeated(endpoints: readonly Endpoint[], key: 'id' | 'path'): Problem[] {
  return endpoints.flatMap((endpoint, index) => {
    const first = endpoints.findIndex((other) => other[key] === endpoint[key]);
    return first === index
      ? []
      : [{ path: ['endpoints', index, key], message: `"${endpoint[key]}" is taken by $.endpoints[${first}]` }];
  });
}

/** `touches` decides which counters are checked: it must agree with what the endpoint says that it does. */
function contradictions(endpoint: Endpoint, index: number): Problem[] {
  const path = ['endpoints', index, 'touches'];
  const pairs = [
    { touch: 'database', section: 'query' },
    { touch: 'cache', section: 'cache' },
  ] as const;
  return pairs.flatMap(({ touch, section }) => {
    const touched = endpoint.touches.includes(touch);
    const described = endpoint[section] !== undefined;
    if (touched === described) return [];
    return [
      {
        path,
        message: touched
          ? `has "${touch}" and the endpoint no "${section}"`
          : `lacks "${touch}": there is a "${section}"`,
      },
    ];
  });
}
