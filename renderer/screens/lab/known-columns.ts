import { z } from 'zod';
import type { LabImportRequest } from '../../../shared/operations/lab-import.ts';

/** What a person has said of an instrument's files: what each column means, and how days with slashes are written. */
export interface KnownColumns {
  meanings: Record<string, string>;
  dateOrder: NonNullable<LabImportRequest['date_order']> | null;
}

const schema = z.object({
  meanings: z.record(z.string(), z.string()),
  dateOrder: z.enum(['day_first', 'month_first']).nullable(),
});
const NOTHING: KnownColumns = { meanings: {}, dateOrder: null };

/** An instrument is known by the columns of its files. */
const keyOf = (template: number, columns: readonly string[]) =>
  `holdpoint.lab-columns.${template}.${JSON.stringify(columns)}`;

export function knownColumns(
  storage: Pick<Storage, 'getItem'>,
  template: number,
  columns: readonly string[],
): KnownColumns {
  try {
    const kept = storage.getItem(keyOf(template, columns));
    return kept === null ? NOTHING : schema.parse(JSON.parse(kept));
  } catch {
    // Switched off, or written by another version: it is said once more.
    return NOTHING;
  }
}

/** Once its rows are taken: what led to faults is not kept. */
export function keepColumns(
  storage: Pick<Storage, 'setItem'>,
  template: number,
  columns: readonly string[],
  known: KnownColumns,
): void {
  try {
    storage.setItem(keyOf(template, columns), JSON.stringify(known));
  } catch {
    // It is full, or switched off: it is said once more.
  }
}
