import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Of what is alive (about 40 MiB), the heap may grow by half between two collections. */
const GROWTH_PERCENT = 50;

/**
 * V8 lets garbage grow to some hundred megabytes before it looks, on a machine that others use as well. Told only once
 * the server answers: given on the command line, these flags make V8 refuse all code that was compiled ahead, its own
 * and ours, which costs a fifth of a start. For the same reason what was compiled is written first. The collection makes
 * the limit that the flag means: until the first one, V8 uses a limit of its own. Not in Electron, where flags may be
 * frozen and setting one would end the process.
 */
export function keepMemorySmall(): void {
  if (process.versions.electron !== undefined) return;
  flushCompileCache();
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
