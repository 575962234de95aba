import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { POSTGRES, Postgres } from '../../support/postgres.ts';

/** All kinds of writes with their repetitions and a kill, items, conditions, sign-in and signatures. */
const FILES = [
  'contract/on-journal',
  'contract/golden/suppliers',
  'contract/golden/orders',
  'contract/etags',
  'system/attack/signatures',
].map(name => `test/${name}.test.ts`);

const postgres = new Postgres();
beforeAll(() => (POSTGRES === undefined ? undefined : postgres.start()));
afterAll(() => postgres.stop());

it.skipIf(POSTGRES === undefined)(
  'a central on a journal passes tests of the interface',
  async () => {
    const run = spawn(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/build/contract-run.ts', ...FILES],
      {
        // Not as a part of this run.
        env: {
          ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))),
          HOLDPOINT_TEST_JOURNAL: postgres.folder,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [output, [code]] = await Promise.all([text(run.stdout), once(run, 'exit')]);
    expect(code, output).toBe(0);
    expect(output).toMatch(/^(?:1\d\d|\d\d) passed, 0 failed, 0 skipped$/m);
  },
  600_000,
);
