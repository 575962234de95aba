import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const PROJECT = join(import.meta.dirname, '..', '..');

/** What an installed product says or shows, or is built from. The README speaks of a clone, where npx finds the command. */
const SAID = ['server', 'shared', 'renderer', 'electron', 'build', 'clients', 'docs', 'CHANGELOG.md'];

/** The name is free in the registry that npx asks: whoever takes it would run code where somebody does as he is told. */
it('the command is named `holdpoint`, never by way of npx', () => {
  const files = SAID.flatMap(name => {
    const path = join(PROJECT, name);
    if (statSync(path).isFile()) return [path];
    return readdirSync(path, { recursive: true, encoding: 'utf8' }).map(below => join(path, below));
  }).filter(path => /(\.(tsx?|mjs|md|sh|nsh|cmd|py|html)|README)$/.test(path));
  expect(files.length).toBeGreaterThan(500);
  // What says how to call it in a clone says so.
  const told = (text: string) =>
    text
      .replace(/in a clone of the source it is `npx holdpoint …`/g, '')
      .replace(/^holdpoint\(\) \{ npx --no holdpoint "\$@"; \} +# in a clone;.*$/gm, '');
  expect(files.filter(path => /npx\s+(?:-\S+\s+)*holdpoint/.test(told(readFileSync(path, 'utf8'))))).toEqual(
    [],
  );
});
