import type { StoredRecord } from '../../shared/contract/present.ts';
import { takenOf } from '../../shared/contract/shipped-line.ts';
import { type FamilyName, familyOf } from '../../shared/families/registry.ts';
import { type Change, mapOf } from '../store/changes.ts';
import { lotsOf } from '../store/lots.ts';
import type { Records } from '../store/records.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import { saysOfLots } from './lot-facts.ts';
import { type OrderReads, orderOfReceipt, ordersNumbered } from './purchase-orders.ts';

/** So many records are named one by one, unless the caller says otherwise; of more it is said whose they are. */
const NAMED = 50;

/** Records whose answers show otherwise because another one has changed. */
export interface ShownElsewhere {
  keys: string[];
  /** Families of whose records all that belong to the changed one may show otherwise. */
  families: FamilyName[];
}

interface Reads {
  records: OrderReads['records'] & Pick<Records, 'idsBy'>;
  sql: SqlReader;
  named?: number;
}

/** Families whose answers carry a record of another one, and the field that names it. */
const carriers: Readonly<Record<string, readonly [family: FamilyName, field: string]>> = {
  part: ['inventory', 'part_id'],
  customer: ['order', 'customer_id'],
  inspection: ['lab-result', 'inspection_id'],
};

/** The members of a place or of the site's settings that answers of lots show. */
const ofAllLots: Readonly<Record<string, readonly string[]>> = {
  location: ['name', 'is_active'],
  setting: ['expiry_soon_days'],
};

/**
 * Whose answers a change of a record reaches: lots whose stock, locks and places it has a say in, and records that carry it
 * or its name. What follows from the calendar alone (an expiry that comes near) no change tells of.
 */
export function shownElsewhere(
  reads: Reads,
  key: string,
  record: StoredRecord | undefined,
  changes: readonly Pick<Change, 'path' | 'old' | 'new'>[],
  isNew: boolean,
): ShownElsewhere {
  const { records, sql, named: most = NAMED } = reads;
  const family = key.slice(0, key.lastIndexOf(':'));
  const id = Number(key.slice(family.length + 1));
  const found: ShownElsewhere = { keys: [], families: [] };
  const add = (name: FamilyName, ids: readonly number[]) => {
    if (ids.length > most) found.families.push(name);
    else found.keys.push(...ids.map(one => `${name}:${one}`));
  };
  const named = lotsIn(changes);
  const lots = new Set([...(saysOfLots(family) ? lotsOf(sql, key) : []), ...named.lots]);
  if (family === 'lab-result' || family === 'correction') {
    const batches = new Set([record?.fields.batch_number, ...named.batches]);
    for (const batch of batches) {
      if (typeof batch !== 'string' || batch === '') continue;
      for (const lot of records.idsBy('inventory', 'batch_number', batch, most + 1)) lots.add(lot);
    }
  }
  if (family === 'inventory') lots.delete(id);
  add('inventory', [...lots]);
  const orders = ordersIn(reads, family, record, changes).filter(order => order !== key);
  found.keys.push(...new Set(orders));
  if (isNew && family !== 'correction') return found;
  const [carrier, field] = carriers[family] ?? [];
  if (carrier !== undefined && field !== undefined) add(carrier, records.idsBy(carrier, field, id, most + 1));
  const shown = ofAllLots[family];
  if (shown && changes.some(({ path }) => shown.includes(path))) found.families.push('inventory');
  const corrected = family === 'correction' ? record?.fields.subject : undefined;
  if (typeof corrected === 'string' && familyOf(corrected.split(':')[0] ?? '')) found.keys.push(corrected);
  return found;
}

/** The purchase orders that a receipt counted against, or does now; of an order those with a number that it had or has. */
function ordersIn(
  reads: OrderReads,
  family: string,
  record: StoredRecord | undefined,
  changes: readonly Pick<Change, 'path' | 'old' | 'new'>[],
): string[] {
  if (family !== 'receiving-inspection' && family !== 'purchase-order') return [];
  const changed = (side: 'old' | 'new') =>
    Object.fromEntries(changes.map(change => [change.path, change[side] ?? undefined]));
  const states = [
    { ...record?.fields, ...changed('old') },
    { ...record?.fields, ...changed('new') },
  ];
  return states.flatMap(fields => {
    if (family === 'purchase-order') return ordersNumbered(reads, fields.po_number).map(order => order.key);
    const order = orderOfReceipt(reads, fields);
    return order === undefined ? [] : [`purchase-order:${order}`];
  });
}

/** The lots, and the lot numbers, that the values before and after name. */
function lotsIn(changes: readonly Pick<Change, 'path' | 'old' | 'new'>[]): {
  lots: number[];
  batches: unknown[];
} {
  const lots: unknown[] = [];
  const batches: unknown[] = [];
  for (const { path, old, new: now } of changes) {
    const last = path.slice(path.lastIndexOf('.') + 1);
    for (const value of [old, now]) {
      if (last === 'inventory_id') lots.push(value);
      else if (last === 'taken') lots.push(...takenOf(value).map(taken => taken.inventory_id));
      else if (last === 'lots' && Array.isArray(value)) lots.push(...value);
      else if (last === 'batch_number') batches.push(value);
      else if (value !== null && typeof value === 'object') {
        // An item that was added whole.
        const item = mapOf(value);
        lots.push(item.inventory_id, ...takenOf(item.taken).map(taken => taken.inventory_id));
      }
    }
  }
  return { lots: lots.filter(lot => typeof lot === 'number'), batches };
}
