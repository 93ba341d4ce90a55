import { expect, test, vi } from 'vitest';
import { openGenerator } from './index.ts';

test('builtin, as asked: a process that runs, until it is closed', async () => {
  const { generator, chosen } = await openGenerator('builtin');
  expect(generator).toMatchObject({ name: 'builtin', version: expect.stringContaining('undici') as string });
  expect(chosen).toBe('as asked');
  expect(generator.pid()).not.toBeNull();
  await generator.close();
  expect(generator.pid()).toBeNull();
});

test('without k6 on PATH: auto takes builtin and says so, and k6 itself is refused', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  try {
    const { generator, chosen } = await openGenerator('auto');
    await generator.close();
    expect(generator.name).toBe('builtin');
    expect(chosen).toContain('k6 was not found');
    await expect(openGenerator('k6')).rejects.toMatchObject({ code: 'TOOL_MISSING', exitCode: 3 });
  } finally {
    vi.unstubAllEnvs();
  }
});
