import type { Family } from '../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { csvLine, type Exported, exportedRecord, itemColumns, recordColumns } from './exported-record.ts';

export interface ExportForm {
  family: Family;
  format: 'csv' | 'json';
  /** With CSV: the items of this collection instead of the records. */
  items: string | null;
  /** A byte order mark, by which spreadsheets know CSV as UTF-8. */
  hasBom: boolean;
}

/** Header of an export: the installation that it is of, which the mapping that imports it names as its source. */
export const STATION_HEADER = 'Holdpoint-Station';

const BYTE_ORDER_MARK = '\ufeff';

/**
 * The lines of an export, each with its line end: newline-delimited JSON, or CSV with a header. An import of the format
 * `holdpoint` reads them.
 */
export function* exportLines(records: Iterable<StoredRecord>, form: ExportForm): Generator<string> {
  const { family, format, items } = form;
  if (form.hasBom) yield BYTE_ORDER_MARK;
  if (format === 'json') {
    for (const record of records) yield `${JSON.stringify(exportedRecord(family, record))}\n`;
    return;
  }
  const collection = items === null ? undefined : family.collections[items];
  const columns = collection ? itemColumns(collection) : recordColumns(family);
  yield csvLine(columns);
  for (const record of records) {
    const exported = exportedRecord(family, record);
    const rows = collection && items !== null ? itemsOf(exported, items) : [exported];
    for (const row of rows) yield csvLine(columns.map(column => row[column]));
  }
}

function itemsOf(record: Exported, name: string): Record<string, unknown>[] {
  const items = record[name];
  return Array.isArray(items) ? items.map(item => ({ ...item, record: record.id })) : [];
}
