import { families } from '../../shared/families/registry.ts';
import { itemsOf, type StoredItem, type StoredRecord } from '../../shared/present.ts';
import { type Fields, mapOf } from '../store/changes.ts';
import type { Draft, DraftChange, Rule } from '../store/draft.ts';
import { sourcesOf } from '../store/lots.ts';
import { inputOf } from './input-of.ts';
import { FIRST_COMPANY } from './paperwork.ts';
import { lotName, refuseNegativeStock } from './stock-check.ts';

const { inventory, inspection } = families;

/**
 * A received line puts its accepted quantity into a lot (interface decisions, 5.2): on one installation the same part,
 * lot number, expiry and unit is one lot. What is rejected never becomes available. A line with a template opens an
 * inspection of its lot, which locks it.
 */
export const receiving: Rule = (draft, change) => {
  const before = mapOf(change.before?.fields.items);
  const items: Fields = { ...mapOf(change.fields.items) };
  if (Object.keys(items).length > 0) change.fields.items = items;
  for (const item of itemsOf({ position: 'order' }, items)) {
    const old = before[item.id] as StoredItem | undefined;
    items[item.id] = withLot(draft, change, item, old);
  }
  refuseNegativeStock(
    draft,
    change,
    (lot, short) =>
      `This takes back ${short} more of ${lotName(draft, lot)} than is left there; it was shipped, moved or used. ` +
      'Receive at least that much, or take that back first.',
  );
};

function withLot(draft: Draft, change: DraftChange, item: StoredItem, old: StoredItem | undefined): Fields {
  const { id: _, ...fields } = item;
  const isReceived = Number(fields.quantity_accepted ?? 0) > 0;
  if (!isReceived && typeof fields.inventory_id !== 'number') return fields;
  const lot = lotFor(draft, change, item, old);
  const isNew = fields.drawing_id !== old?.drawing_id || lot !== old?.inventory_id;
  if (typeof fields.drawing_id === 'number' && isNew) openInspection(draft, item, lot);
  return { ...fields, inventory_id: lot };
}

function lotFor(draft: Draft, change: DraftChange, item: StoredItem, old: StoredItem | undefined): number {
  const part = draft.get('part', Number(item.part_id));
  const wanted = {
    part_id: item.part_id,
    batch_number: item.serial_number,
    expiry_date: item.expiry_date,
    lot_unit: item.unit_of_measure ?? part?.fields.unit_of_measure,
  };
  const cost = typeof item.cost === 'number' && item.cost !== old?.cost ? { cost: item.cost } : {};
  const current =
    typeof item.inventory_id === 'number' ? draft.get('inventory', item.inventory_id) : undefined;
  // A line that was not corrected stays where it is: its part's unit may have changed since.
  if (current && (isSameLot(current, wanted) || !isCorrected(item, old)))
    return written(draft, current, cost);
  const existing = lotsLike(draft, wanted).find(lot => isSameLot(lot, wanted) && draft.ids.owns(lot.id));
  if (existing) return written(draft, existing, cost);
  if (current && isRenamable(draft, current, wanted, change, item.id)) {
    return written(draft, current, { ...wanted, ...cost });
  }
  const fields = {
    company_id: part?.fields.company_id ?? FIRST_COMPANY,
    is_legacy: false,
    ...wanted,
    ...cost,
  };
  return draft.insert(inventory, compact(fields)).id;
}

function lotsLike(draft: Draft, wanted: Fields): StoredRecord[] {
  return typeof wanted.batch_number === 'string'
    ? draft.findBy('inventory', 'batch_number', wanted.batch_number)
    : draft.findBy('inventory', 'part_id', Number(wanted.part_id));
}

function isSameLot(lot: StoredRecord, wanted: Fields): boolean {
  return Object.entries(wanted).every(([name, value]) => (lot.fields[name] ?? null) === (value ?? null));
}

function isCorrected(item: StoredItem, old: StoredItem | undefined): boolean {
  return ['part_id', 'serial_number', 'expiry_date', 'unit_of_measure'].some(
    name => (item[name] ?? null) !== (old?.[name] ?? null),
  );
}

/**
 * A corrected line renames the lot that it alone feeds, so that what was shipped from it stays where it belongs. Part
 * and unit say what the lot's quantities mean, so they change only while nothing else counts on it.
 */
function isRenamable(
  draft: Draft,
  lot: StoredRecord,
  wanted: Fields,
  change: DraftChange,
  line: number,
): boolean {
  const siblings = Object.entries(mapOf(change.fields.items)).filter(([id]) => Number(id) !== line);
  if (siblings.some(([, item]) => mapOf(item).inventory_id === lot.id)) return false;
  const own = `${change.family.name}:${change.id}`;
  const others = sourcesOf(draft.sql, lot.id).filter(({ source }) => source !== own);
  const { part_id, lot_unit } = wanted;
  if (!isSameLot(lot, { part_id, lot_unit })) return others.length === 0;
  return !others.some(({ source, quantity }) => quantity > 0n && FEEDING.test(source));
}

/** Moves and corrections of the count follow their lot. */
const FEEDING = /^(receiving-inspection|inventory):/;

function written(draft: Draft, lot: StoredRecord, fields: Fields): number {
  const changed = Object.entries(fields).some(
    ([name, value]) => (lot.fields[name] ?? null) !== (value ?? null),
  );
  if (changed) draft.set(inventory, lot.id, compact({ ...lot.fields, ...fields }));
  return lot.id;
}

function openInspection(draft: Draft, item: StoredItem, lot: number): void {
  draft.create(
    inspection,
    inputOf({ entity_id: item.part_id, entity_type: 'part', drawing_id: item.drawing_id, inventory_id: lot }),
  );
}

function compact(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}
