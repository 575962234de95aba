import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * The contract tests alone, for a run with `HOLDPOINT_PROGRAM`, against a server that was packed, or with `HOLDPOINT_TEST_JOURNAL`, against
 * a central on a journal.
 */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/contract/**/*.test.ts', 'test/system/attack/*.test.ts'],
    maxWorkers: 1,
    reporters: ['dot', './test/support/plain-summary.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
