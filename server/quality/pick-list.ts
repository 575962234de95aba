import { BY_SERVER } from '../../shared/contract/permission.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { byWay, kindOf } from '../../shared/families/places.ts';
import type { PickList, PlaceContent } from '../../shared/operations/place-operations.ts';
import { fromMicro, type Micro } from '../../shared/quantities/quantity.ts';
import type { PlannedReads } from '../rules/lot-state.ts';
import { pickedFor } from '../rules/picking.ts';
import { placeOfUnit } from '../rules/placing.ts';
import { todayOf } from '../rules/site.ts';
import { planTaking } from '../rules/taking.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import type { Store } from '../store/store.ts';

/** What is to be picked for a shipment, in the order of the way, and what was picked; nothing of one that has gone. */
export function pickListOf(reads: PlannedReads, shipment: StoredRecord): PickList {
  const isOpen = typeof shipment.fields.actual_ship_date !== 'string';
  const staging = reads.records
    .findBy('location', 'kind', 'shipping')
    .filter(({ fields }) => fields.is_active !== false)
    .sort((one, other) => byWay(one.fields, other.fields))
    .map(({ id, fields }) => ({ id, name: String(fields.name ?? id) }));
  const list: PickList = { is_open: isOpen, staging, to_pick: [], picked: [], too_much: [], short: [] };
  if (!isOpen) return list;
  const today = todayOf(reads.records, reads.at);
  const used = new Map<string, Micro>();
  const found: { isPicked: boolean; place: StoredRecord | undefined; line: PickList['to_pick'][number] }[] =
    [];
  for (const { item, part, takings, open, reasons } of planTaking(
    reads,
    shipment.id,
    shipment.fields.items,
    today,
  ).values()) {
    for (const { lot, location, amount, isPicked } of takings) {
      const line = { item_id: item.id, ...contentOf(reads, lot, location, amount) };
      const stand = reads.records.get('location', location);
      found.push({ isPicked, place: stand && placeOfUnit(reads, stand), line });
      if (isPicked) used.set(`${lot.id} ${location}`, (used.get(`${lot.id} ${location}`) ?? 0n) + amount);
    }
    if (open > 0n) {
      list.short.push({
        item_id: item.id,
        part_id: Number(item.part_id),
        part: textOf(part?.fields.name),
        quantity: fromMicro(open),
        unit: textOf(part?.fields.unit_of_measure),
        reasons,
      });
    }
  }
  found.sort((one, other) => byWay(one.place?.fields ?? {}, other.place?.fields ?? {}));
  list.to_pick = found.flatMap(({ isPicked, line }) => (isPicked ? [] : [line]));
  list.picked = found.flatMap(({ isPicked, line }) => (isPicked ? [line] : []));
  for (const [lotId, places] of pickedFor(reads, shipment.id)) {
    const lot = reads.records.get('inventory', lotId);
    for (const [location, quantity] of lot ? places : []) {
      const beyond = quantity - (used.get(`${lotId} ${location}`) ?? 0n);
      if (lot && beyond > 0n) list.too_much.push(contentOf(reads, lot, location, beyond));
    }
  }
  return list;
}

/** What is committed, read as the rules read it. @param at ISO 8601 UTC */
export function committedReads(records: Store['records'], sql: SqlReader, at = ''): PlannedReads {
  return {
    get: records.get.bind(records),
    findBy: records.findBy.bind(records),
    records,
    sql,
    staged: () => [].values(),
    actor: { user: '', rights: BY_SERVER },
    at,
  };
}

/** A quantity of a lot in a place, as people call both. */
export function contentOf(
  reads: PlannedReads,
  lot: StoredRecord,
  location: number,
  quantity: Micro,
): PlaceContent {
  return {
    ...goodsOf(reads, lot),
    ...placeOf(reads, location),
    quantity: fromMicro(quantity),
    unit: unitOf(lot),
  };
}

export function goodsOf({ records }: PlannedReads, { id, fields }: StoredRecord) {
  const part = records.get('part', Number(fields.part_id));
  return {
    inventory_id: id,
    batch_number: textOf(fields.batch_number),
    part_id: part?.id ?? null,
    part: textOf(part?.fields.name) ?? textOf(part?.fields.identification),
    expiry_date: textOf(fields.expiry_date),
  };
}

/** A handling unit by its number, with the place where it stands. */
export function placeOf({ records }: { records: Pick<Store['records'], 'get'> }, location: number) {
  const place = records.get('location', location);
  const within = place && kindOf(place.fields) === 'unit' ? placeOfUnit(records, place) : place;
  return {
    location_id: location || null,
    location: textOf(place?.fields.name),
    within: within && within !== place ? textOf(within.fields.name) : null,
  };
}

export function unitOf({ fields }: StoredRecord): string | null {
  return textOf(fields.lot_unit);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
