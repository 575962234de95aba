import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** Many tests start real server processes on a machine with two cores, so files run two at a time and may take long. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: [
      'test/support/build-screens.ts',
      'test/support/build-server.ts',
      'test/support/sample-company.ts',
      'test/e2e/support/browser.ts',
    ],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/support/plain-summary.ts'],
    // Limits for what hangs. A browser or a server on a busy machine takes far longer than usual, and is not wrong for it.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // One more try, where nobody sits in front of it. The summary names every test that needed it.
    retry: process.env.CI === undefined ? 0 : 1,
  },
});
