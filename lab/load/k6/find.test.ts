import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findK6, parseVersion } from './find.ts';

describe('parseVersion', () => {
  it.each([
    [
      'k6 v2.2.1-0.20260821134341-87883075ccd5+dirty (commit/87883075cc, go1.26.8, linux/amd64)',
      '2.2.1-0.20260821134341-87883075ccd5+dirty',
      2,
      2,
    ],
    ['k6 v0.57.0 (go1.23.6, linux/amd64)', '0.57.0', 0, 57],
    ['k6.exe v1.0.0 (commit/abc, go1.24, windows/amd64)\nExtensions:\n  none', '1.0.0', 1, 0],
  ])('%s', (output, version, major, minor) => {
    expect(parseVersion(output)).toEqual({ version, major, minor });
  });

  it.each(['', 'k6', 'v2.0.0', 'another tool k6 v2.0.0'])('%j has none', (output) => {
    expect(parseVersion(output)).toBeNull();
  });
});

describe('findK6', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loadlab-find-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** A program that answers as a k6 of another time would. */
  async function standIn(name: string, version: string, help: string): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, `#!/bin/sh\nif [ "$1" = version ]; then echo '${version}'; else echo '${help}'; fi\n`);
    await chmod(file, 0o755);
    return file;
  }

  it('is TOOL_MISSING with a hint when it is not there', async () => {
    await expect(findK6(join(folder, 'none'))).rejects.toMatchObject({
      code: 'TOOL_MISSING',
      hint: expect.stringContaining('grafana.com') as string,
    });
  });

  it('is TOOL_MISSING when something else has its name', async () => {
    await expect(findK6(await standIn('other', 'hello', ''))).rejects.toMatchObject({ code: 'TOOL_MISSING' });
  });

  it('is TOOL_TOO_OLD below 0.57', async () => {
    const old = await standIn('old', 'k6 v0.56.0 (go1.23)', '');
    await expect(findK6(old)).rejects.toMatchObject({
      code: 'TOOL_TOO_OLD',
      message: 'k6 0.56.0 is too old: 0.57 or newer is needed',
    });
  });

  it('knows whether the flag for the newer summary is there', async () => {
    const older = await standIn('v057', 'k6 v0.57.0 (go1.23)', '--summary-export');
    await expect(findK6(older)).resolves.toMatchObject({ version: '0.57.0', knowsMachineReadableSummary: false });
    const newer = await standIn('v2', 'k6 v2.2.0 (go1.26)', '--new-machine-readable-summary');
    await expect(findK6(newer)).resolves.toMatchObject({ version: '2.2.0', knowsMachineReadableSummary: true });
  });
});
