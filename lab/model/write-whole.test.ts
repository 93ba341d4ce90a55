import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canLimitFileSize, withFileSizeLimit } from './test-file-size-limit.ts';
import { writeWhole } from './write-whole.ts';

test.skipIf(!canLimitFileSize)('on a full disk half a file never stands under the final name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadlab-write-'));
  await withFileSizeLimit(1000, async () => {
    await expect(writeWhole(join(folder, 'a.json'), 'x'.repeat(5000))).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
  });
  expect(await readdir(folder)).toEqual([]);
});
