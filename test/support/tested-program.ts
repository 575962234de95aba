import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DIST = join(import.meta.dirname, '..', '..', 'dist');
/** The bundle as it is built and shipped. */
export const BUILT = join(DIST, 'server');
/** Beside it, so that it finds the screens: the same, but for the cost of a password. */
export const TESTED = join(DIST, 'tested');

const FILE = 'station.js';
/** What stretching a password costs: 0.4 s of a processor each, and the tests make or check over a thousand. */
const COST = /(var COST(?:\$\d+)? = \{\s*log2N: )17,/g;

/**
 * Before all tests, when the bundle is there: the program that tests start. Passwords are made with scrypt's N = 2^10 in place of
 * 2^17; each stored text names its own cost, so that what was made elsewhere is read as ever.
 */
export function copyTestedProgram(): void {
  if (changedAt(join(TESTED, FILE)) > changedAt(join(BUILT, FILE))) return;
  rmSync(TESTED, { recursive: true, force: true });
  // Code that was compiled for the bundle is of no use to another one.
  cpSync(BUILT, TESTED, { recursive: true, filter: path => path !== join(BUILT, 'compiled') });
  const built = readFileSync(join(BUILT, FILE), 'utf8');
  if (built.match(COST)?.length !== 1) throw new Error(`${FILE} does not have once: ${COST}`);
  writeFileSync(join(TESTED, FILE), built.replace(COST, '$110,'));
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
