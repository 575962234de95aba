import type { BadRow } from './fault.ts';
import type { ImportFile } from './file-text.ts';
import type { ImportRow } from './import-row.ts';
import type { Mapping } from './mapping.ts';

/** What the reading thread is given when it starts. */
export interface ReaderTask {
  mapping: Mapping;
  files: ImportFile[];
  spoolFile: string;
  /** The site's time zone, for moments that are given for days. */
  siteZone: string;
  /** Of the faults, this many are sent in full; the others are counted. */
  faultLimit: number;
}

/**
 * The reading thread reads everything twice: first it checks every row and tells what it found, then, when told `go`,
 * it sends the rows in batches, each waiting for a `next` so that it is never far ahead.
 */
export type ReaderMessage =
  | { kind: 'progress'; rows: number; badRows: number; faults: BadRow[] }
  | { kind: 'checked'; rows: number; unmapped: Record<string, string[]> }
  | { kind: 'batch'; step: number; rows: ImportRow[]; isLastOfStep: boolean }
  | { kind: 'end' }
  | { kind: 'broken'; fault: BadRow };

export type ReaderCommand = 'go' | 'next';
