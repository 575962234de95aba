import type { Family } from '../../shared/contract/define-family.ts';
import { itemsOf, type StoredRecord } from '../../shared/contract/present.ts';
import { recordTitle } from '../../shared/families/record-title.ts';
import { CODE, foldCode, itemPlace } from '../../shared/families/secondary-index.ts';
import type { FoundRecord } from '../../shared/operations/overview-operations.ts';
import type { Records } from '../store/records.ts';
import { recordsAt } from '../store/secondary-index.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import { linkIn, shownFamilies, titled } from './titles.ts';

export interface FindReads {
  records: Records;
  sql: SqlReader;
}

/** Of each family, so that none crowds out the others. */
const OF_FAMILY = 10;
/** Longer texts name nothing; the search index follows each three characters of a phrase. */
const TEXT_LIMIT = 200;

/**
 * Records by what a person types, of every family or of one: those whose number, lot number, barcode or id it is, the
 * lot of a piece with that serial number, then those whose name it begins, then those with it anywhere in the text; of equal ones the newest of each family. Without
 * a text the newest of the family.
 */
export function findRecords(reads: FindReads, given: string, limit: number, family?: Family): FoundRecord[] {
  const text = given.trim();
  const { records } = reads;
  const isAsked = (record: StoredRecord) => !family || record.family === family.name;
  if (text === '' && family) {
    const newest = records.page(family, { page: 1, perPage: limit, isNewestFirst: true }).records;
    return newest.map(record => ({ ...titled(records, record), is_exact: false }));
  }
  if (text === '' || text.length > TEXT_LIMIT) return [];
  const exact = new Map<string, StoredRecord>();
  for (const record of [
    ...withCode(reads, text, limit),
    ...lotsWithSerial(reads, text, limit),
    ...withId(records, text),
  ]) {
    if (isAsked(record)) exact.set(record.key, record);
  }
  const folded = foldCode(text);
  const further: { record: StoredRecord; rank: number }[] = [];
  const searched = new Map(
    (family ? [family] : shownFamilies)
      .filter(({ search }) => search.length > 0)
      .map(each => [each.name, each]),
  );
  for (const record of records.newestWith([...searched.keys()], text, family ? limit : OF_FAMILY)) {
    const found = searched.get(record.family);
    if (!found || exact.has(record.key)) continue;
    const title = foldCode(recordTitle(found, record));
    const rank = title === folded ? 0 : title.startsWith(folded) ? 1 : 2;
    further.push({ record, rank });
  }
  further.sort((a, b) => a.rank - b.rank);
  return [...[...exact.values()].map(record => ({ record, rank: 0 })), ...further]
    .slice(0, limit)
    .map(({ record, rank }) => ({ ...titled(records, record), is_exact: rank === 0 }));
}

/** Records whose number, lot number, barcode or the like the text is, whatever its case; the newest first. */
export function withCode({ records, sql }: FindReads, text: string, limit: number): StoredRecord[] {
  const code = foldCode(text);
  if (code === '') return [];
  const found = recordsAt(sql, records, { place: CODE, from: code, to: code }, { limit, order: 'newest' });
  return found.filter(record => shownFamilies.some(({ name }) => name === record.family));
}

const SERIALS = itemPlace('receiving-inspection', 'items', 'serial_numbers');

/**
 * Lots into which a piece with the serial number was received, newest receipt first. Upper and lower case tell pieces apart:
 * where one is written as the text is, another writing is not meant.
 */
export function lotsWithSerial({ records, sql }: FindReads, text: string, limit: number): StoredRecord[] {
  const code = foldCode(text);
  if (code === '') return [];
  const receipts = recordsAt(
    sql,
    records,
    { place: SERIALS, from: code, to: code },
    { limit, order: 'newest' },
  );
  const found = receipts.flatMap(({ fields }) =>
    itemsOf({ position: 'order' }, fields.items).flatMap(({ inventory_id, serial_numbers }) => {
      const serials = Array.isArray(serial_numbers) ? serial_numbers.map(String) : [];
      if (typeof inventory_id !== 'number' || !serials.some(each => foldCode(each) === code)) return [];
      return { lot: inventory_id, isSame: serials.some(each => plainSerial(each) === plainSerial(text)) };
    }),
  );
  const same = found.filter(({ isSame }) => isSame);
  const lots = new Set((same.length > 0 ? same : found).map(({ lot }) => lot));
  return [...lots].flatMap(id => records.get('inventory', id) ?? []);
}

function plainSerial(text: string): string {
  return text.trim().normalize('NFC');
}

/** The record that the text names with its family, or those of any family with the number as their id. */
function withId(records: Pick<Records, 'get'>, text: string): StoredRecord[] {
  const link = linkIn(text);
  if (link) return [records.get(link.family.name, link.id) ?? []].flat();
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id)) return [];
  return shownFamilies.flatMap(family => records.get(family.name, id) ?? []);
}
