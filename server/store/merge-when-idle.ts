import type { WriteGate } from './commit.ts';
import type { SearchIndex } from './sqlite/search.ts';

const IDLE_MS = 1_000;

/**
 * Moves rows into the search index and merges its segments while nobody writes, or when many rows wait: inside of a
 * commit it would make some of them slow. Each step is a few milliseconds and takes its turn in the gate's queue. Returns
 * the way to stop it.
 */
export function mergeWhenIdle(gate: WriteGate, search: SearchIndex): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStepping = false;
  /** The next step does not wait for quiet: who writes puts it off no more. */
  let isDue = false;
  let isWritten = false;
  const next = (wait: number) => {
    clearTimeout(timer);
    timer = setTimeout(step, wait).unref();
  };
  const later = () => {
    isWritten = true;
    if (isStepping || isDue) return;
    isDue = search.isMergeDue;
    next(isDue ? 0 : IDLE_MS);
  };
  const step = () => {
    isStepping = true;
    isDue = false;
    isWritten = false;
    gate
      .aside(async () => search.merge())
      .then(
        isMore => {
          isStepping = false;
          if (isWritten) later();
          else if (isMore) next(0);
        },
        // A full disk or a stopped store is told to the next writer; merging can wait.
        () => {
          isStepping = false;
        },
      );
  };
  const stop = gate.follow(later);
  return () => {
    stop();
    clearTimeout(timer);
  };
}
