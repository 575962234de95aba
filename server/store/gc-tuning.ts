import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Worker } from 'node:worker_threads';

/**
 * By how much the heap may grow between two collections, of what is alive (about 40 MiB). While much is exchanged, or
 * written at once, there would be three in a second, each for little: an eighth of the work of a push, for 30 MiB.
 */
const GROWTH = { usual: 50, much: 150 };
/** After the start, and after the last large message or write. */
const CALM_MS = 10_000;

/** Absent until `keepMemorySmall`. */
let collect: (() => void) | undefined;
let calming: NodeJS.Timeout | undefined;

/**
 * V8 lets garbage grow to some hundred megabytes before it looks, on a machine that others use as well. Told only once
 * the server answers: given on the command line, these flags make V8 refuse all code that was compiled ahead, its own
 * and ours, which costs a fifth of a start. For the same reason what was compiled is written first. A collection makes
 * the limit that the flag means: until the first one, V8 uses a limit of its own. It waits until the start is over: whoever started
 * the server asks it something now, and many a server has ended by then. Not in Electron, where flags may be frozen and setting one
 * would end the process.
 */
export function tuneGarbageCollection(): void {
  if (process.versions.electron !== undefined) return;
  flushCompileCache();
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof gc !== 'function') return;
  collect = () => gc();
  expectGarbage();
}

/** Called for each large message of the exchange, and each large write. */
export function expectGarbage(): void {
  if (!collect) return;
  if (calming) {
    calming.refresh();
    return;
  }
  calming = setTimeout(becomeSmall, CALM_MS).unref();
  setGrowth();
}

/**
 * Starts a thread with V8's own flags, which stand until it is up: with ours it would refuse the code of Node that was compiled
 * ahead, which is half of what such a start takes.
 */
export function startingThread(start: () => Worker): Worker {
  if (!collect) return start();
  setFlagsFromString('--heap-growing-percent=0');
  const thread = start();
  thread.once('online', setGrowth);
  thread.once('exit', setGrowth);
  return thread;
}

function becomeSmall(): void {
  calming = undefined;
  setGrowth();
  collect?.();
}

function setGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${calming ? GROWTH.much : GROWTH.usual}`);
}
