export type ScanStatus = 'waiting' | 'working' | 'done' | 'failed' | 'undoing' | 'undone';

/** One scan on its way. A value: a change of status makes a new one. */
export interface QueuedScan<Input, Result> {
  /** Counts up from 1 in the order of the scans. */
  readonly id: number;
  readonly input: Input;
  readonly status: ScanStatus;
  /** What `handle` answered, once done. */
  readonly result: Result | null;
  /** Why it failed, or why it could not be undone. */
  readonly error: unknown;
}

export interface ScanQueue<Input, Result> {
  push(input: Input): QueuedScan<Input, Result>;
  /**
   * Undoes the last scan that is not undone yet: one that waits is taken out, one that is being handled is finished
   * first. Null when there is none, or when it failed and so changed nothing.
   */
  undoLast(): Promise<QueuedScan<Input, Result> | null>;
  /** Undoes this one, as `undoLast` does: it was no scan. */
  withdraw(id: number): Promise<void>;
  /** The oldest first; the same array until something changes. */
  entries(): readonly QueuedScan<Input, Result>[];
  /** Called after every change. Returns what ends it. */
  subscribe(listener: () => void): () => void;
  /** Fulfilled when nothing waits or is worked on. */
  idle(): Promise<void>;
}

/**
 * Handles scans one after the other in the order they came, however fast, and drops none. One that fails is kept with its
 * error and does not stop the next. Finished ones are kept up to `keep`, the oldest go first.
 */
export function createScanQueue<Input, Result>({
  handle,
  undo,
  keep = 100,
}: {
  readonly handle: (input: Input) => Promise<Result>;
  readonly undo: (result: Result, input: Input) => Promise<void>;
  readonly keep?: number;
}): ScanQueue<Input, Result> {
  type Entry = QueuedScan<Input, Result>;
  let entries: readonly Entry[] = [];
  let lastId = 0;
  let tail: Promise<void> = Promise.resolve();
  const listeners = new Set<() => void>();
  /** What undoing needs; a result may be null or undefined too. */
  const results = new Map<number, { readonly result: Result }>();

  const publish = (changed: readonly Entry[]): void => {
    const surplus = changed.filter(isFinished).length - keep;
    const oldest = new Set(changed.filter(isFinished).slice(0, Math.max(surplus, 0)));
    entries = changed.filter(entry => !oldest.has(entry));
    for (const { id } of oldest) results.delete(id);
    for (const listener of listeners) listener();
  };
  const find = (id: number): Entry | undefined => entries.find(entry => entry.id === id);
  const update = (id: number, change: Partial<Entry>): void =>
    publish(entries.map(entry => (entry.id === id ? { ...entry, ...change } : entry)));

  /** Undoing waits in the same line, so that it never runs beside the handling of another scan. */
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    tail = tail.then(work);
    return tail;
  };

  const handleOne = async (id: number, input: Input): Promise<void> => {
    if (find(id)?.status !== 'waiting') return;
    update(id, { status: 'working' });
    try {
      const result = await handle(input);
      results.set(id, { result });
      update(id, { status: 'done', result });
    } catch (error) {
      update(id, { status: 'failed', error });
    }
  };

  const undoOne = async ({ id, input }: Entry): Promise<void> => {
    const done = results.get(id);
    if (done === undefined || find(id)?.status !== 'done') return;
    update(id, { status: 'undoing', error: null });
    try {
      await undo(done.result, input);
      update(id, { status: 'undone' });
    } catch (error) {
      // What could not be undone still stands.
      update(id, { status: 'done', error });
    }
  };

  const takeOut = async (entry: Entry): Promise<void> => {
    if (entry.status === 'waiting') update(entry.id, { status: 'undone' });
    else await enqueue(() => undoOne(entry));
  };

  return {
    push(input) {
      lastId += 1;
      const entry: Entry = { id: lastId, input, status: 'waiting', result: null, error: null };
      publish([...entries, entry]);
      void enqueue(() => handleOne(entry.id, input));
      return entry;
    },
    async undoLast() {
      const last = entries.findLast(({ status }) => status !== 'undone' && status !== 'undoing');
      if (last === undefined || last.status === 'failed') return null;
      await takeOut(last);
      const after = find(last.id);
      return after === undefined || after.status === 'failed' ? null : after;
    },
    async withdraw(id) {
      const entry = find(id);
      if (entry) await takeOut(entry);
    },
    entries: () => entries,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async idle() {
      let seen: Promise<void> | null = null;
      while (seen !== tail) {
        seen = tail;
        await seen;
      }
    },
  };
}

function isFinished({ status }: { readonly status: ScanStatus }): boolean {
  return status === 'done' || status === 'failed' || status === 'undone';
}
