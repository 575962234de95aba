import type { WriteGate } from './commit.ts';
import type { SearchIndex } from './sqlite/search.ts';

const IDLE_MS = 1_000;

/**
 * Merges the search index's segments while nobody writes: inside of a commit it would make some of them slow. Each step
 * is a few milliseconds and takes its turn in the gate's queue. Returns the way to stop it.
 */
export function mergeWhenIdle(gate: WriteGate, search: SearchIndex): () => void {
  let timer: NodeJS.Timeout | undefined;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(step, IDLE_MS).unref();
  };
  const step = () => {
    timer = undefined;
    gate
      .together(async () => search.merge())
      .then(
        isMore => {
          if (isMore && timer === undefined) timer = setTimeout(step, 0).unref();
        },
        // A full disk or a stopped store is told to the next writer; merging can wait.
        () => {},
      );
  };
  const stop = gate.follow(later);
  return () => {
    stop();
    clearTimeout(timer);
  };
}
