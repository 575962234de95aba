import { defineConfig } from 'vitest/config';

/** Many tests start real server processes on a machine with two cores, so files run two at a time and may take long. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build-screens.ts'],
    maxWorkers: 2,
    reporters: ['default', './test/support/plain-summary.ts'],
    // A browser on a busy machine takes longer than the second that is usual.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
