import { AppError } from '../../../shared/contract/errors.ts';
import { isAboutReason } from '../../ui/reason/about-reason.ts';
import type { CellChange, CellStore } from './cell-store.ts';

/** A row that is left is saved this soon, and one in which nobody types on, after this pause. */
const LEFT_MS = 250;
const PAUSE_MS = 3_000;
const RETRY_MS = 2_000;

export interface SaverState {
  /**
   * `typed`: something waits to be saved. `due`: a corrected value waits for its reason. `away`: the server does not
   * answer; it is tried again.
   */
  phase: 'saved' | 'typed' | 'due' | 'saving' | 'away' | 'failed';
  failure: unknown;
}

export interface RowSaverOptions {
  store: CellStore;
  /** Writes one sample's changes, with the reason for those that need one; the record's version after it. */
  send: (sample: number, changes: CellChange[], reason: string | null) => Promise<number>;
}

export type RowSaver = ReturnType<typeof createRowSaver>;

/**
 * Saves rows one after the other, in the order in which they were left. While the server is away it tries again; what it
 * refuses stays typed, and is said.
 */
export function createRowSaver({ store, send }: RowSaverOptions) {
  const listeners = new Set<() => void>();
  const due = new Map<number, ReturnType<typeof setTimeout>>();
  let state: SaverState = { phase: 'saved', failure: null };
  let queue: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  const become = (phase: SaverState['phase'], failure: unknown = null) => {
    if (state.phase === phase && state.failure === failure) return;
    state = { phase, failure };
    for (const listener of listeners) listener();
  };

  const write = async (sample: number): Promise<void> => {
    const all = store.changesOf(sample);
    // One write has one reason.
    const reason = all.find(change => change.reason !== null)?.reason ?? null;
    const changes = all.filter(change => change.reason === null || change.reason === reason);
    if (changes.length === 0) return;
    become('saving');
    try {
      store.markSaved(sample, changes, await send(sample, changes, reason));
      if (changes.length < all.length) return write(sample);
    } catch (error) {
      if (isAboutReason(error)) return store.demandReason(sample, changes);
      if (!(error instanceof AppError && error.code === 'unavailable') || isStopped) throw error;
      become('away', error);
      await new Promise(resolve => setTimeout(resolve, RETRY_MS));
      return write(sample);
    }
  };

  const restingPhase = () => {
    if (Object.keys(store.unsaved()).length === 0) return 'saved';
    return store.due().length > 0 ? 'due' : 'typed';
  };

  const enqueue = (sample: number): Promise<void> => {
    clearTimeout(due.get(sample));
    due.delete(sample);
    const written = queue.then(() => write(sample));
    queue = written.then(
      () => become(restingPhase()),
      (error: unknown) => become('failed', error),
    );
    return written;
  };

  const enqueueIn = (sample: number, delay: number) => {
    clearTimeout(due.get(sample));
    due.set(
      sample,
      // What fails is said by the state.
      setTimeout(() => void enqueue(sample).catch(() => {}), delay),
    );
  };

  return {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    typed(sample: number): void {
      if (state.phase !== 'saving' && state.phase !== 'away') become('typed');
      enqueueIn(sample, PAUSE_MS);
    },
    left(sample: number): void {
      if (due.has(sample)) enqueueIn(sample, LEFT_MS);
    },
    /** Everything that can be saved, now. Rejects with what the server refused. */
    async flush(): Promise<void> {
      const all = store.rows().map(({ id }) => id);
      await Promise.all(all.filter(id => store.changesOf(id).length > 0).map(enqueue));
      await queue;
    },
    /** The screen is left: what is due is sent, and not tried again. */
    stop(): void {
      isStopped = true;
      for (const sample of [...due.keys()]) enqueue(sample).catch(() => {});
    },
  };
}
