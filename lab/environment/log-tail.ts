import { open } from 'node:fs/promises';

const tailBytes = 8_192;
const tailLines = 20;

/** The last 20 non-empty lines of a log, of its last 8 KiB, nothing before `offset` (in bytes). Empty where there is no log. */
export async function readLogTail(file: string, offset = 0): Promise<string[]> {
  let handle;
  try {
    handle = await open(file, 'r');
  } catch {
    // The log explains another error; that it is missing must not hide that one.
    return [];
  }
  try {
    const { size } = await handle.stat();
    const start = Math.max(offset, size - tailBytes);
    if (start >= size) return [];
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    // Cut in the middle of a line: its rest would mislead.
    if (start > offset) lines.shift();
    return lines.filter((line) => line.trim() !== '').slice(-tailLines);
  } finally {
    await handle.close();
  }
}
