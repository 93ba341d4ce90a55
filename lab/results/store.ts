import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { LabError } from '../model/errors.ts';
import type { SliceRecord, WarmUpRecord } from '../model/measurement.ts';
import { ResultSet, type ResultHeader } from '../model/result.ts';
import { cannotWrite, writeWhole } from '../model/write-whole.ts';
import { describeIssues } from './issues.ts';
import type { RecordLine } from './record-line.ts';

/** Files of a set's folder. */
export const files = { header: 'header.json', slices: 'slices.jsonl', result: 'result.json' } as const;

/** A result set in the making. Methods may be called at any time: they take effect one after another. */
export interface ResultStore {
  /** Absolute path of the set's folder. */
  readonly folder: string;
  /** Resolves when the line is on the disk. @throws LabError CANNOT_WRITE. */
  appendSlice(record: SliceRecord): Promise<void>;
  /** Resolves when the line is on the disk. @throws LabError CANNOT_WRITE. */
  appendWarmUp(record: WarmUpRecord): Promise<void>;
  /** Validates the set, writes result.json, and returns its path. @throws LabError INTERNAL or CANNOT_WRITE. */
  finish(resultSet: ResultSet): Promise<string>;
  /** Lets go of the file; safe to call twice, and after finish(). */
  close(): Promise<void>;
}

/**
 * Makes `<resultsDir>/<yyyymmdd-hhmmss>-<study>/` with `raw/` and `logs/`; the time is UTC. The folder's name is the
 * set's id. mkdir decides who owns a name, so two labs that start in one second get two folders (`…-2`).
 * @returns the folder's path.
 * @throws LabError CANNOT_WRITE.
 */
export async function createResultFolder(resultsDir: string, studyId: string, now: Date): Promise<string> {
  const name = `${timestamp(now)}-${studyId}`;
  try {
    await mkdir(resultsDir, { recursive: true });
    const folder = await makeFirstFree(join(resultsDir, name));
    await mkdir(join(folder, 'raw'));
    await mkdir(join(folder, 'logs'));
    return folder;
  } catch (error) {
    throw cannotWrite(join(resultsDir, name), error);
  }
}

async function makeFirstFree(base: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const folder = attempt === 1 ? base : `${base}-${attempt}`;
    try {
      await mkdir(folder);
      return folder;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

/** `20261130-101500`, UTC: sorts by time. */
function timestamp(now: Date): string {
  return now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}

/**
 * Saves the header at once, so that a lab that is killed leaves a set that can be read.
 * @throws LabError CANNOT_WRITE, also when the folder already holds a set.
 */
export async function openStore(folder: string, header: ResultHeader): Promise<ResultStore> {
  const path = join(folder, files.slices);
  // 'x': a set never grows out of another one's.
  const handle = await open(path, 'ax').catch((error: unknown) => {
    throw cannotWrite(path, error);
  });
  try {
    await writeWhole(join(folder, files.header), toJson(header));
  } catch (error) {
    await handle.close();
    throw error;
  }
  return new FileStore(folder, path, handle);
}

class FileStore implements ResultStore {
  readonly folder: string;
  readonly #path: string;
  #handle: FileHandle | null;
  /** Length of the file as far as whole lines go. */
  #bytes = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, path: string, handle: FileHandle) {
    this.folder = folder;
    this.#path = path;
    this.#handle = handle;
  }

  appendSlice(record: SliceRecord): Promise<void> {
    return this.#inTurn(() => this.#append({ kind: 'slice', ...record }));
  }

  appendWarmUp(record: WarmUpRecord): Promise<void> {
    return this.#inTurn(() => this.#append({ kind: 'warm-up', ...record }));
  }

  finish(resultSet: ResultSet): Promise<string> {
    return this.#inTurn(async () => {
      const path = join(this.folder, files.result);
      const checked = ResultSet.safeParse(resultSet);
      if (!checked.success) {
        throw new LabError(
          'INTERNAL',
          `loadlab made a result set that its own schema refuses: ${describeIssues(checked.error)}`,
          `please report this; every run is kept in ${this.#path}`,
        );
      }
      await writeWhole(path, toJson(checked.data));
      await this.#close();
      return path;
    });
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#close());
  }

  async #append(record: RecordLine): Promise<void> {
    if (this.#handle === null) throw cannotWrite(this.#path, new Error('the result set is finished'));
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    try {
      await this.#handle.appendFile(line);
      await this.#handle.datasync();
      this.#bytes += line.length;
    } catch (error) {
      // Half a line may have been taken: without it, what is there stays readable and a later line stays whole.
      await this.#handle.truncate(this.#bytes).catch(() => undefined);
      throw cannotWrite(this.#path, error);
    }
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  /** One after another, in the order of the calls; a failed one does not stop the next. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
