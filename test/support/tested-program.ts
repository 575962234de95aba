import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLISHER_KEY } from './publisher.ts';

const DIST = join(import.meta.dirname, '..', '..', 'dist');
/** The bundle as it is built and shipped. */
export const BUILT = join(DIST, 'server');
/** Beside it, so that it finds the screens: the same, but for what `CHANGES` says. */
export const TESTED = join(DIST, 'tested');
const DRAFT = join(DIST, 'tested-draft');

/** What the tested program has otherwise than the built one: each stands at one place of the bundle. */
const CHANGES = [
  // In `server/identity/passwords.ts`: 0.4 s of a processor for each password that is made or checked.
  { pattern: /(var COST(?:\$\d+)? = \{\s*log2N: )17,/, to: '$110,' },
  // In `shared/contract/publisher-keys.ts`: no release could be tried by whoever has not the publisher's own key.
  { pattern: /(var PUBLISHER_KEYS(?:\$\d+)? = )\[\]/, to: `$1["${PUBLISHER_KEY}"]` },
];

/** A file of the bundle as the tests start it. */
export function asTested(text: string): string {
  return CHANGES.reduce((changed, { pattern, to }) => changed.replace(pattern, to), text);
}

/**
 * Before all tests, when the bundle is there: the program that tests start. Passwords are made with scrypt's N = 2^10 in place of
 * 2^17; each stored text names its own cost, so that what was made elsewhere is read as ever. Its publisher is the tests'.
 */
export function copyTestedProgram(): void {
  if (changedAt(join(TESTED, 'main.js')) > changedAt(join(BUILT, 'main.js'))) return;
  const names = readdirSync(BUILT).filter(name => name.endsWith('.js'));
  const texts = new Map(names.map(name => [name, readFileSync(join(BUILT, name), 'utf8')]));
  for (const { pattern } of CHANGES) {
    const holding = names.filter(name => pattern.test(texts.get(name) ?? ''));
    if (holding.length !== 1)
      throw new Error(`One file of the bundle should have ${pattern}; these do: ${holding}`);
  }
  for (const folder of [DRAFT, TESTED]) rmSync(folder, { recursive: true, force: true });
  // Code that was compiled for the bundle is of no use to another one.
  cpSync(BUILT, DRAFT, { recursive: true, filter: path => path !== join(BUILT, 'compiled') });
  for (const [name, text] of texts)
    if (asTested(text) !== text) writeFileSync(join(DRAFT, name), asTested(text));
  renameSync(DRAFT, TESTED);
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
