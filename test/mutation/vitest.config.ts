import { defineConfig } from 'vitest/config';
import { isPartName, parts } from './parts.ts';

const part = process.env.HOLDPOINT_MUTATE ?? '';

/** For the mutation runs: no screens and no bundles, which would not have the mutants in them. */
export default defineConfig({
  test: {
    include: isPartName(part) ? [...parts[part].tests] : [],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
