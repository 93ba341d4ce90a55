import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{lab,node-api,k6,scripts,tests}/**/*.test.ts'],
    // A folder of the run's own for everything temporary, gone at its end.
    globalSetup: 'tests/temporary-folder.ts',
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Tests start real servers: a generous limit catches a hang, and no test measures time against it.
    testTimeout: 240_000,
    hookTimeout: 180_000,
    // Two cores and real servers: files one after another keep the parts out of each other's way.
    fileParallelism: false,
  },
});
