import {
  type Characteristic,
  type Entry,
  emptyEntry,
  isFailing,
  isSameEntry,
  type Row,
  readMeasured,
  SERIAL,
  type Verdict,
  verdictOf,
} from './grid-model.ts';

export interface Cell {
  entry: Entry;
  /** What the station has. */
  saved: Entry;
  verdict: Verdict;
  /** Somebody saved another value here while this one was being typed. */
  elsewhere: Entry | null;
}

export interface Counts {
  /** Of characteristics that are not optional. */
  missing: number;
  outside: number;
  unreadable: number;
  /** Measured, without limits to judge by, and without a person's verdict. */
  unjudged: number;
  failingSamples: number;
  samples: number;
}

/** One changed cell, as the write takes it and as it was typed; of the characteristic `SERIAL` the serial number. */
export interface CellChange {
  characteristic: number;
  entry: Entry;
  value: number | null;
  /** Why a saved value is another one now; null where no reason is due. */
  reason: string | null;
}

/** A saved value that was changed, and nobody has said why yet. */
export interface DueCell {
  sample: number;
  /** The number of the sample. */
  number: number;
  characteristic: number;
  name: string;
  from: string;
  to: string;
  /** The server has asked for it. */
  isDemanded: boolean;
}

/** Cells that were typed and not saved, by `sample:characteristic`. */
export type Unsaved = Record<string, { entry: Entry; saved: Entry }>;

export type CellStore = ReturnType<typeof createCellStore>;

/**
 * The cells of an inspection outside of React, each with its own listeners: a key that is typed draws one cell anew, and
 * the counts, whatever the size of the grid.
 */
export function createCellStore(
  characteristics: readonly Characteristic[],
  needsReason: (saved: Entry, entry: Entry) => boolean = () => false,
) {
  const cells = new Map<string, Cell>();
  const unsaved = new Set<string>();
  const listeners = new Map<string, Set<() => void>>();
  const byId = new Map(characteristics.map(each => [each.id, each]));
  let rows: readonly Pick<Row, 'id' | 'number'>[] = [];
  let counts: Counts | null = null;
  let latestVersion = 0;
  /** Why cells were corrected, by their key. */
  const reasons = new Map<string, string>();
  const demanded = new Set<string>();
  let due: DueCell[] | null = null;

  const tell = (topic: string) => {
    for (const listener of listeners.get(topic) ?? []) listener();
  };

  const put = (key: string, entry: Entry, saved: Entry, elsewhere: Entry | null) => {
    const characteristic = byId.get(characteristicOf(key));
    const isSerial = characteristicOf(key) === SERIAL;
    if (!characteristic && !isSerial) return;
    const verdict = characteristic ? verdictOf(characteristic, entry) : 'empty';
    cells.set(key, { entry, saved, verdict, elsewhere });
    if (isSameIn(key, entry, saved)) {
      unsaved.delete(key);
      reasons.delete(key);
      demanded.delete(key);
    } else unsaved.add(key);
    counts = null;
    due = null;
    tell(key);
    tell('counts');
    tell('due');
  };

  const isDue = (key: string): boolean => {
    const { entry, saved } = cells.get(key) ?? emptyCell;
    if (!unsaved.has(key) || reasons.has(key) || characteristicOf(key) === SERIAL) return false;
    // What is no number is not saved.
    if (readMeasured(entry.text) === undefined) return false;
    return demanded.has(key) || needsReason(saved, entry);
  };

  const get = (sample: number, characteristic: number): Cell =>
    cells.get(keyOf(sample, characteristic)) ?? emptyCell;

  return {
    characteristics,
    get,
    rows: () => rows,
    counts: () => {
      counts ??= countOf(characteristics, rows, get);
      return counts;
    },

    /** The corrected cells that wait for their reason; they are not written until they have one. */
    due: (): readonly DueCell[] => {
      due ??= [...unsaved].filter(isDue).map(key => {
        const { entry, saved } = cells.get(key) ?? emptyCell;
        const [sample, characteristic] = [sampleOf(key), characteristicOf(key)];
        return {
          sample,
          number: rows.find(({ id }) => id === sample)?.number ?? 0,
          characteristic,
          name: byId.get(characteristic)?.name ?? '',
          from: saved.text,
          to: entry.text,
          isDemanded: demanded.has(key),
        };
      });
      return due;
    },

    /** Why all that waits for a reason was corrected. */
    giveReason(reason: string): void {
      for (const key of [...unsaved].filter(isDue)) reasons.set(key, reason);
      due = null;
      tell('due');
    },

    /** The server wants a reason for what was sent of a sample. */
    demandReason(sample: number, changes: readonly CellChange[]): void {
      for (const { characteristic } of changes) {
        const key = keyOf(sample, characteristic);
        reasons.delete(key);
        demanded.add(key);
      }
      due = null;
      tell('due');
    },

    /** @param topic a cell's key (`keyOf`), `rows`, `counts` or `due` */
    subscribe: (topic: string) => (listener: () => void) => {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(listener));
      return () => {
        all.delete(listener);
      };
    },

    type(sample: number, characteristic: number, change: Partial<Entry>): void {
      const { entry, saved, elsewhere } = get(sample, characteristic);
      put(keyOf(sample, characteristic), { ...entry, ...change }, saved, elsewhere);
    },

    /** What the station has; what is typed and not saved stays. An answer that is older than the last save says nothing. */
    merge(version: number, stored: readonly Row[]): void {
      if (version < latestVersion) return;
      latestVersion = version;
      const mergeCell = (key: string, seen: Entry) => {
        const { entry, saved } = cells.get(key) ?? emptyCell;
        if (isSameIn(key, seen, saved)) return;
        const isTyped = !isSameIn(key, entry, saved) && !isSameIn(key, entry, seen);
        put(key, isTyped ? entry : seen, seen, isTyped ? seen : null);
      };
      for (const { id, serial, entries } of stored) {
        mergeCell(keyOf(id, SERIAL), { ...emptyEntry, text: serial });
        for (const characteristic of characteristics) {
          const there = entries.get(characteristic.id) ?? emptyEntry;
          mergeCell(
            keyOf(id, characteristic.id),
            characteristic.limits === null ? there : { ...there, passed: null },
          );
        }
      }
      if (stored.length === rows.length) return;
      rows = stored.map(({ id, number }) => ({ id, number }));
      counts = null;
      tell('rows');
      tell('counts');
    },

    /** What is to be written of a sample; what is no number, or lacks its reason, is not. */
    changesOf: (sample: number): CellChange[] =>
      [SERIAL, ...byId.keys()].flatMap(id => {
        const { entry, saved } = get(sample, id);
        const value = id === SERIAL ? null : readMeasured(entry.text);
        const key = keyOf(sample, id);
        if (value === undefined || isSameIn(key, entry, saved) || isDue(key)) return [];
        return [{ characteristic: id, entry, value, reason: reasons.get(key) ?? null }];
      }),

    markSaved(sample: number, changes: readonly CellChange[], version: number): void {
      latestVersion = Math.max(latestVersion, version);
      for (const { characteristic, entry: sent } of changes) {
        put(keyOf(sample, characteristic), get(sample, characteristic).entry, sent, null);
      }
    },

    unsaved(): Unsaved {
      const found: Unsaved = {};
      for (const key of unsaved) {
        const { entry, saved } = cells.get(key) ?? emptyCell;
        found[key] = { entry, saved };
      }
      return found;
    },

    /** Goes on with what was typed before; says how many cells that are. */
    restore(unsaved: Unsaved): number {
      let restored = 0;
      for (const [key, { entry, saved: before }] of Object.entries(unsaved)) {
        const sample = rows.find(({ id }) => id === sampleOf(key));
        const cell = cells.get(key) ?? emptyCell;
        if (!sample || isSameIn(key, entry, cell.saved)) continue;
        put(key, entry, cell.saved, isSameIn(key, before, cell.saved) ? null : cell.saved);
        restored += 1;
      }
      return restored;
    },

    /** Back to what the station has. */
    revert(): void {
      for (const key of [...unsaved]) {
        const { saved } = cells.get(key) ?? emptyCell;
        put(key, saved, saved, null);
      }
    },
  };
}

export function keyOf(sample: number, characteristic: number): string {
  return `${sample}:${characteristic}`;
}

function sampleOf(key: string): number {
  return Number(key.slice(0, key.indexOf(':')));
}

const emptyCell: Cell = { entry: emptyEntry, saved: emptyEntry, verdict: 'empty', elsewhere: null };

function characteristicOf(key: string): number {
  return Number(key.slice(key.indexOf(':') + 1));
}

/** Serial numbers are compared as they are written: `007` is not `7`. */
function isSameIn(key: string, one: Entry, other: Entry): boolean {
  if (characteristicOf(key) === SERIAL) return one.text.trim() === other.text.trim();
  return isSameEntry(one, other);
}

function countOf(
  characteristics: readonly Characteristic[],
  rows: readonly { id: number }[],
  get: (sample: number, characteristic: number) => Cell,
): Counts {
  const counts: Counts = {
    missing: 0,
    outside: 0,
    unreadable: 0,
    unjudged: 0,
    failingSamples: 0,
    samples: rows.length,
  };
  for (const { id } of rows) {
    let fails = false;
    for (const characteristic of characteristics) {
      const { verdict } = get(id, characteristic.id);
      if (isFailing(verdict)) counts.outside += 1;
      fails ||= !characteristic.isOptional && isFailing(verdict);
      if (verdict === 'empty' && !characteristic.isOptional) counts.missing += 1;
      if (verdict === 'unreadable') counts.unreadable += 1;
      if (verdict === 'unjudged') counts.unjudged += 1;
    }
    if (fails) counts.failingSamples += 1;
  }
  return counts;
}
