import { defineConfig } from 'vitest/config';

/** Many tests start real server processes on a machine with two cores, so files run two at a time and may take long. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build-screens.ts'],
    maxWorkers: 2,
    reporters: ['default', './test/support/plain-summary.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
