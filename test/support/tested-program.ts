import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DIST = join(import.meta.dirname, '..', '..', 'dist');
/** The bundle as it is built and shipped. */
export const BUILT = join(DIST, 'server');
/** Beside it, so that it finds the screens: the same, but for the cost of a password. */
export const TESTED = join(DIST, 'tested');
const DRAFT = join(DIST, 'tested-draft');

/** In `server/identity/passwords.ts`, as it stands in the bundle: 0.4 s of a processor for each password that is made or checked. */
const COST = /(var COST(?:\$\d+)? = \{\s*log2N: )17,/;

/**
 * Before all tests, when the bundle is there: the program that tests start. Passwords are made with scrypt's N = 2^10 in place of
 * 2^17; each stored text names its own cost, so that what was made elsewhere is read as ever.
 */
export function copyTestedProgram(): void {
  if (changedAt(join(TESTED, 'main.js')) > changedAt(join(BUILT, 'main.js'))) return;
  const textOf = (name: string) => readFileSync(join(BUILT, name), 'utf8');
  const holding = readdirSync(BUILT).filter(name => name.endsWith('.js') && COST.test(textOf(name)));
  const [name, more] = holding;
  if (name === undefined || more !== undefined)
    throw new Error(`One file of the bundle should have ${COST}; these do: ${holding}`);
  for (const folder of [DRAFT, TESTED]) rmSync(folder, { recursive: true, force: true });
  // Code that was compiled for the bundle is of no use to another one.
  cpSync(BUILT, DRAFT, { recursive: true, filter: path => path !== join(BUILT, 'compiled') });
  writeFileSync(join(DRAFT, name), textOf(name).replace(COST, '$110,'));
  renameSync(DRAFT, TESTED);
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
