import { AppError } from '../../../shared/contract/errors.ts';
import { type Change, changed, type Entry, entriesOf } from './entries.ts';
import type { Lookups } from './read-label.ts';

/** Most changes in one request. */
const BATCH = 100;
const RETRY_MS = 1_000;
/** What is typed is on the disk this long after the last key; what is scanned at once. */
const TYPING_MS = 400;

export interface Board {
  /** What is kept of the receipt, with the changes that are on their way; the same array until something changes. */
  entries: () => readonly Entry[];
  /** Kept at once in this browser, and by the server as soon as it answers. */
  put: (changes: readonly Change[], isTyped?: boolean) => void;
  /**
   * All of it or nothing, while the entries that it is about still stand. @throws AppError `conflict` when one is gone,
   * `unavailable` when nobody knows whether it was done
   */
  claim: (changes: readonly (Change & { moves_to?: number })[], expects: readonly string[]) => Promise<void>;
  /** Reads what others have done. */
  refresh: () => Promise<void>;
  /** Fulfilled once the server has all. @throws AppError as the server answers */
  flush: () => Promise<void>;
  /** Why the server does not take what is put; null: it does, or does not answer. */
  fault: () => unknown;
  subscribe: (listener: () => void) => () => void;
}

export interface BoardOptions {
  receipt: number;
  client: Lookups;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** The window's own place in the storage. */
  slot: string;
}

/** Where a window keeps what the server does not have yet. */
export const localKey = (receipt: number, slot: string) => `holdpoint.scans.${receipt}.${slot}`;

/** What was scanned at a receipt and is in no saved line, as this window and the server have it (decisions/0049). */
export function createBoard({ receipt, client, storage, slot }: BoardOptions): Board {
  const local = localKey(receipt, slot);
  const listeners = new Set<() => void>();
  let known: readonly Entry[] = [];
  const pending = new Map<string, Change>();
  /** Keys that the server may know. */
  const sent = new Set<string>();
  let shown: readonly Entry[] = [];
  let tail: Promise<unknown> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let fault: unknown = null;

  const publish = () => {
    shown = changed(known, pending.values());
    for (const listener of listeners) listener();
  };
  const keepLocally = () => {
    try {
      if (pending.size === 0) storage.removeItem(local);
      else storage.setItem(local, JSON.stringify([...pending.values()]));
    } catch {
      // It is full, or switched off: the server has it soon.
    }
  };
  const enqueue = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = tail.then(work);
    tail = result.catch(() => {});
    return result;
  };
  const learn = (answer: unknown) => {
    known = entriesOf(answer);
    for (const { key } of known) sent.add(key);
  };
  const send = async (entries: readonly { key: string; data: unknown }[], expects: readonly string[]) => {
    for (const { key } of entries) sent.add(key);
    const { data } = await client.call('x.open-scans.update', {
      params: { id: receipt },
      body: { entries: [...entries], expects: [...expects] },
    });
    learn(data);
  };

  const sendPending = async () => {
    while (pending.size > 0) {
      const batch = [...pending.values()].slice(0, BATCH);
      try {
        await send(batch, []);
        fault = null;
      } catch (error) {
        fault = isUnavailable(error) ? null : error;
        later(RETRY_MS);
        publish();
        throw error;
      }
      // What was put meanwhile is newer.
      for (const change of batch) if (pending.get(change.key) === change) pending.delete(change.key);
      keepLocally();
      publish();
    }
  };
  const flush = () => {
    clearTimeout(timer);
    return enqueue(sendPending);
  };
  const later = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush().catch(() => {}), ms);
  };

  return {
    entries: () => shown,
    put(changes, isTyped = false) {
      for (const change of changes) {
        pending.delete(change.key);
        // What the server never heard of need not be taken away there.
        const isUnheard = change.data === null && !sent.has(change.key);
        if (!isUnheard) pending.set(change.key, change);
      }
      keepLocally();
      publish();
      if (isTyped) later(TYPING_MS);
      else flush().catch(() => {});
    },
    claim: (changes, expects) =>
      enqueue(async () => {
        await sendPending();
        await send(changes, expects);
        publish();
      }),
    refresh: () =>
      enqueue(async () => {
        const { data } = await client.call('x.open-scans.list', { params: { id: receipt } });
        learn(data);
        publish();
      }),
    flush,
    fault: () => fault,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}
