import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repositoryRoot } from '../contract/root.ts';
import { readStudy, studyIds } from './read-study.ts';

describe('studies of the repository', () => {
  test.each(studyIds(repositoryRoot))('%s is valid', async (id) => {
    expect((await readStudy(repositoryRoot, id)).id).toBe(id);
  });

  test('the published figures stand in the study as data', async () => {
    const { published } = await readStudy(repositoryRoot, 'go-vs-node');
    expect(published?.claims).toHaveLength(16);
    const hello = published?.claims.find((claim) => claim.id === 'go-hello-20');
    expect(hello?.value).toBe(3984.1);
  });
});

describe('a study that cannot be read', () => {
  const root = mkdtempSync(join(tmpdir(), 'loadlab-study-'));
  const write = (id: string, text: string): void => {
    mkdirSync(join(root, 'studies', id), { recursive: true });
    writeFileSync(join(root, 'studies', id, 'study.json'), text);
  };
  write('torn', '{"version": 1,');
  write('shapeless', '{"version": 1, "id": "shapeless", "variants": [{"id": "Bad Id"}]}');

  test('an unknown one lists those that are there', async () => {
    await expect(readStudy(root, 'nothing')).rejects.toThrow(/no study "nothing"/);
  });
  test('broken JSON names the file', async () => {
    await expect(readStudy(root, 'torn')).rejects.toThrow(/studies\/torn\/study\.json: not JSON/);
  });
  test('a wrong shape names the JSON path', async () => {
    await expect(readStudy(root, 'shapeless')).rejects.toThrow(/studies\/shapeless\/study\.json: \$\./);
  });
});
