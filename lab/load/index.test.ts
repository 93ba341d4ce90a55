import { expect, test, vi } from 'vitest';
import { openGenerator, pickGenerator } from './index.ts';

test('builtin, as asked: a process that runs, until it is closed', async () => {
  const { name, chosen } = await pickGenerator('builtin', { sameHost: true });
  const generator = await openGenerator(name);
  expect(generator).toMatchObject({ name: 'builtin', version: expect.stringContaining('undici') as string });
  expect(chosen).toBe('as asked');
  expect(generator.pid()).not.toBeNull();
  await generator.close();
  expect(generator.pid()).toBeNull();
});

test('without k6 on PATH: auto takes builtin and says so, and k6 itself is refused', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  try {
    const { name, chosen } = await pickGenerator('auto', { sameHost: true, cores: 8 });
    expect(name).toBe('builtin');
    expect(chosen).toContain('k6 was not found');
    await expect(pickGenerator('k6', { sameHost: true })).rejects.toMatchObject({ code: 'TOOL_MISSING', exitCode: 3 });
  } finally {
    vi.unstubAllEnvs();
  }
});
