import { readdirSync } from 'node:fs';
import { describe } from 'vitest';

/** `signing,permitting`: only these files, for a quick look at a single file of rules. */
const only = process.env.HOLDPOINT_MUTATE_TESTS?.split(',').map(name => `${name}.test.ts`);
const FOLDER = new URL('../../server/rules/', import.meta.url);

/** Each file in a suite of its own, for what it does before each test. */
for (const name of readdirSync(FOLDER).filter(name => isTest(name))) {
  describe(name, async () => {
    await import(new URL(name, FOLDER).pathname);
  });
}

function isTest(name: string): boolean {
  return only?.includes(name) ?? name.endsWith('.test.ts');
}
