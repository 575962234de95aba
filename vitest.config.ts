import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { jobsOfBundle } from './test/support/jobs-of-bundle.ts';
import { LongestFirst } from './test/support/longest-first.ts';

const MEMORY = '/dev/shm';
const MEMORY_NEEDED = 6 * 1024 ** 3;

// Every commit waits for the disk, and most of a run is that wait. What tests prove of kills, cuts and full disks holds on
// any file system; that the store asks the disk to sync is proved by the calls that it makes.
if (existsSync(MEMORY)) {
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize > MEMORY_NEEDED) process.env.TMPDIR ??= MEMORY;
}

// Hundreds of processes of the same programs are started, and compiling, with taking the types out, is half of what a short
// one of the sources costs.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'compiled');

const BUILT = [
  'test/support/build-screens.ts',
  'test/support/build-server.ts',
  'test/support/journal-run.ts',
];
const COMPANY = 'test/support/sample-company.ts';
const BROWSER = 'test/e2e/support/browser.ts';

/** Limits for what hangs. A browser or a server on a busy machine takes far longer than usual, and is not wrong for it. */
const limits = { expect: { poll: { timeout: 120_000 } }, testTimeout: 600_000, hookTimeout: 600_000 };

/** Needs no build, no server and no browser. */
const UNIT = [
  'test/{architecture,shared,renderer}/**/*.test.ts',
  'test/server/sync/{protocol,central}/**/*.test.ts',
];
/** Too long to run at each change. */
const LONG = ['test/**/*.long.test.ts', 'test/{system,build}/**/*.test.ts'];
/** What they change is changed for their whole process. */
const ALONE = [
  // RxDB's dev mode.
  'test/server/store/sqlite/{collection,replication}.test.ts',
  // Rules that judge nobody.
  'test/contract/permission/planted.long.test.ts',
  'test/system/attack/trust-planted.test.ts',
  'test/server/qualification/planted.long.test.ts',
  // Time, chance and order come from a seed; the journal gets faults.
  'test/server/journal/simulation/simulation.long.test.ts',
];
/** Of the browser's tests those that walk through a day's work; `browser` has the others. */
const WALKS = ['test/e2e/{receiving,records}.test.ts'];

/** One more than the cores they are meant for: files wait for their browser, their servers and the clock. */
const WORKERS = 3;

/** In MiB; most of what a test makes dies young, and a twentieth of its processor went to looking for it too often. */
const MEMORY_FLAGS = ['--max-semi-space-size=32'];

/** One tier. Unless isolated, its files follow each other in processes which import what they share once. */
function tier(
  name: string,
  include: string[],
  exclude: string[],
  globalSetup: string[],
  isolate = false,
): TestProjectInlineConfiguration {
  const files = { name, include, exclude, globalSetup, isolate };
  // A module is transformed once for all tiers, and not again by the next run.
  const once = { fsModuleCache: true };
  // As many processes in each tier: tiers with other numbers of them would wait for each other's last file.
  return {
    plugins: globalSetup.length > 0 ? [jobsOfBundle()] : [],
    // In the time zone of the servers that tests start, whether these are processes or not.
    test: {
      ...limits,
      ...files,
      ...once,
      env: { TZ: 'UTC' },
      pool: 'forks',
      maxWorkers: WORKERS,
      execArgv: MEMORY_FLAGS,
    },
  };
}

/** `npm test` runs the first three tiers, `npm run test:all` these and then the others: docs/testing.md. */
export default defineConfig({
  test: {
    projects: [
      tier('unit', UNIT, LONG, []),
      tier(
        'server',
        ['test/{server,contract,electron}/**/*.test.ts'],
        [...UNIT, ...LONG, ...ALONE],
        [...BUILT, COMPANY],
      ),
      tier('walk', WALKS, [], [...BUILT, COMPANY, BROWSER]),
      tier('browser', ['test/e2e/**/*.test.ts'], WALKS, [...BUILT, COMPANY, BROWSER]),
      tier('long', LONG, ALONE, [...BUILT, COMPANY, BROWSER]),
      tier('alone', ALONE, [], BUILT, true),
    ],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/support/plain-summary.ts'],
    // One more try, where nobody sits in front of it. The summary names every test that needed it.
    retry: process.env.CI === undefined ? 0 : 1,
  },
});
