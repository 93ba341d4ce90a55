import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { LabError } from '../model/errors.ts';
import { files } from './store.ts';

/** Sets that come with the clone, beside the ones made here. */
const published = 'published';

/**
 * Finds a set's folder: a folder, its result.json, an id under `resultsDir` or `resultsDir/published`, or, with
 * nothing given, the latest one made here. Published sets are never taken without being named.
 * @throws LabError NO_RESULT_SET.
 */
export async function findResultFolder(resultsDir: string, pathOrId: string | undefined): Promise<string> {
  if (pathOrId === undefined) return latest(resultsDir);
  const candidates = [resolve(pathOrId), resolve(resultsDir, pathOrId), resolve(resultsDir, published, pathOrId)];
  for (const candidate of candidates) {
    const folder = basename(candidate) === files.result ? dirname(candidate) : candidate;
    if (await holdsSet(folder)) return folder;
  }
  throw new LabError('NO_RESULT_SET', `there is no result set "${pathOrId}"`, await knownSets(resultsDir));
}

async function latest(resultsDir: string): Promise<string> {
  for (const name of (await namesOf(resultsDir)).reverse()) {
    const folder = join(resultsDir, name);
    if (name !== published && (await holdsSet(folder))) return folder;
  }
  throw new LabError('NO_RESULT_SET', `there is no result set in ${resultsDir}`, await knownSets(resultsDir));
}

/** A folder without either file is a lab that ended before there was anything to keep. */
async function holdsSet(folder: string): Promise<boolean> {
  return (await isFile(join(folder, files.result))) || (await isFile(join(folder, files.header)));
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}

/** By time: names begin with it. Numeric, so that `-10` of one second comes after `-9`. */
async function namesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** In an error, the latest only. */
const mostNamed = 3;

async function knownSets(resultsDir: string): Promise<string> {
  const own: string[] = [];
  for (const name of (await namesOf(resultsDir)).filter((each) => /^\d{8}-\d{6}-/.test(each)).reverse()) {
    if (own.length < mostNamed && (await holdsSet(join(resultsDir, name)))) own.push(name);
  }
  const shared = (await namesOf(join(resultsDir, published))).filter((name) => !name.includes('.'));
  const names = [...own, ...shared.map((name) => `${published}/${name}`)];
  const make = '`make bench` makes one';
  return names.length === 0 ? make : `${make}; these are here: ${names.join(', ')}`;
}
