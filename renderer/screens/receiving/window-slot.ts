import { useEffect } from 'react';
import { localKey } from './board.ts';
import type { Change } from './entries.ts';

const LOCK = 'holdpoint.window.';
const MACHINE = 'holdpoint.machine';
/** A page that was closed or has crashed gives its lock back within this time. */
const RELEASE_MS = 300;

/** This window, from its opening to its end. */
export const slot = crypto.randomUUID();
let isHeld = false;

/** This browser, over its windows. */
export function machineOf(storage: Pick<Storage, 'getItem' | 'setItem'>): string {
  const known = storage.getItem(MACHINE);
  if (known !== null) return known;
  const made = crypto.randomUUID();
  storage.setItem(MACHINE, made);
  return made;
}

/** Says to other windows of the browser that this one lives. */
export function useSlot(): void {
  useEffect(() => {
    if (isHeld) return;
    isHeld = true;
    void navigator.locks?.request(
      LOCK + slot,
      () =>
        new Promise(() => {
          // Held until the window is gone.
        }),
    );
  }, []);
}

/** Which windows of this browser live; all of them, where the browser does not tell: none is taken from. */
export async function livingWindows(): Promise<(slot: string) => boolean> {
  if (!navigator.locks) return () => true;
  const others = async () => (await held()).filter(each => each !== slot);
  if ((await others()).length > 0) await new Promise(resolve => setTimeout(resolve, RELEASE_MS));
  const living = new Set(await others());
  return each => living.has(each);
}

async function held(): Promise<string[]> {
  const { held = [] } = await navigator.locks.query();
  return held.flatMap(({ name = '' }) => (name.startsWith(LOCK) ? [name.slice(LOCK.length)] : []));
}

/** What windows that are no more had not sent, taken out of the browser's storage. */
export function takeUnsent(storage: Storage, receipt: number, isAlive: (slot: string) => boolean): Change[] {
  const prefix = localKey(receipt, '');
  const keys = Object.keys(storage).filter(
    key => key.startsWith(prefix) && key !== prefix + slot && !isAlive(key.slice(prefix.length)),
  );
  return keys.flatMap(key => {
    const changes = parsed(storage.getItem(key));
    storage.removeItem(key);
    return changes;
  });
}

function parsed(text: string | null): Change[] {
  try {
    return JSON.parse(text ?? '[]') as Change[];
  } catch {
    // Cut off by a crash: what the server has counts.
    return [];
  }
}
