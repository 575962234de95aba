import type { SignedEntry } from '../sync/protocol/packed-entries.ts';

/** Where a journal stands, or how much of it a process has: the last turn's position and id; 0 and '' before the first. */
export interface JournalPlace {
  position: number;
  turn: string;
}

export interface Head extends JournalPlace {
  /** The journal's id; '' before its first turn. */
  journal: string;
  /** The last entry of central's log. */
  sequence: number;
  hash: string;
  fence: number;
  format: number;
}

/** A row of a small table as it stands now: what its key is, and all its columns; null where it is no more. */
export interface Fact {
  table: string;
  /** Values of the primary key, in the order of its columns. */
  key: readonly (string | number)[];
  row: Readonly<Record<string, string | number | null>> | null;
}

/** What one group of writes adds: entries of central's log, and rows of small tables. */
export interface Turn extends JournalPlace {
  entries: readonly SignedEntry[];
  facts: readonly Fact[];
}
