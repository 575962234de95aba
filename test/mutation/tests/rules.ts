import { readdirSync } from 'node:fs';
import { describe } from 'vitest';

const FOLDER = new URL('../../server/rules/', import.meta.url);

/** Each file in a suite of its own, for what it does before each test. */
for (const name of readdirSync(FOLDER).filter(name => name.endsWith('.test.ts'))) {
  describe(name, async () => {
    await import(new URL(name, FOLDER).pathname);
  });
}
