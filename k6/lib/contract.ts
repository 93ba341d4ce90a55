/** Reads what the scenarios need of the contract. Runs in k6's init context, where alone files can be opened. */

export interface ContractEndpoint {
  readonly id: string;
  readonly path: string;
  /** The `count` that its body must hold; null where the contract gives none. */
  readonly expectedCount: number | null;
  /** Whether its responses carry X-Cache. */
  readonly cached: boolean;
}

export interface LoadThresholds {
  readonly p95Ms: number;
  readonly failedRate: number;
  readonly checksRate: number;
}

interface ContractFile {
  readonly endpoints: readonly {
    readonly id: string;
    readonly path: string;
    readonly query?: { readonly expectedCount: number };
    readonly cache?: unknown;
  }[];
}

/** Reads one file of the contract. Throws an Error that names the file when it is missing or no JSON. */
function readJson(dir: string | null, name: string): unknown {
  const file = dir === null ? import.meta.resolve(`../../contract/${name}`) : `file://${dir}/${name}`;
  try {
    return JSON.parse(open(file));
  } catch (error) {
    throw new Error(`cannot read the contract: ${file}: ${String(error)} (say where it is with CONTRACT_DIR)`, {
      cause: error,
    });
  }
}

/** An endpoint by its id. Throws an Error that lists the known ones when it is not in the contract. */
export function readEndpoint(dir: string | null, id: string): ContractEndpoint {
  const { endpoints } = readJson(dir, 'contract.json') as ContractFile;
  const found = endpoints.find((endpoint) => endpoint.id === id);
  if (found === undefined) {
    throw new Error(`the contract has no endpoint "${id}", but ${endpoints.map((known) => known.id).join(', ')}`);
  }
  return {
    id,
    path: found.path,
    expectedCount: found.query?.expectedCount ?? null,
    cached: found.cache !== undefined,
  };
}

/** The limits that a load must keep. Throws as readJson does. */
export function readThresholds(dir: string | null): LoadThresholds {
  return (readJson(dir, 'thresholds.json') as { load: LoadThresholds }).load;
}

/** Whether a folder exists: k6 opens no folder, but refuses one with another message than what is not there. */
export function folderExists(url: string): boolean {
  try {
    open(url);
    return true;
  } catch (error) {
    return !String(error).includes('no such file');
  }
}
