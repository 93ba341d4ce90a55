import { stat, unlink } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import { LabError, messageOf } from './errors.ts';

/**
 * Writes a whole file or nothing: a reader sees the old content or the new one, also after a power cut.
 * @throws LabError CANNOT_WRITE.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(path, text);
  } catch (error) {
    throw cannotWrite(path, error);
  }
  await refuseShort(path, Buffer.byteLength(text));
}

/** What could not be written, where, and what to do. */
export function cannotWrite(path: string, cause: unknown): LabError {
  return new LabError('CANNOT_WRITE', `cannot write ${path}: ${messageOf(cause)}`, hintFor(cause), { cause });
}

/**
 * write-file-atomic calls write() once. On a disk that fills up meanwhile, write() may take a part and report no
 * error: half a JSON file would then stand under the final name.
 */
async function refuseShort(path: string, expectedBytes: number): Promise<void> {
  const { size } = await stat(path);
  if (size === expectedBytes) return;
  await unlink(path);
  throw cannotWrite(path, new Error(`only ${size} of ${expectedBytes} bytes were taken: no space left on device`));
}

function hintFor(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return 'make the folder writable, or choose another one with --out';
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'a file stands in the way: choose another folder with --out';
  return 'free some disk space, or choose another folder with --out';
}
