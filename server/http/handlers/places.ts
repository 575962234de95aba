import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { byWay, kindOf } from '../../../shared/families/places.ts';
import { families } from '../../../shared/families/registry.ts';
import {
  type LotPlaces,
  type PickList,
  type PlaceContent,
  WAITING_LIMIT,
  type WaitingLot,
} from '../../../shared/operations/place-operations.ts';
import { fromMicro, type Micro } from '../../../shared/quantities/quantity.ts';
import { postCount } from '../../rules/counting.ts';
import type { PlannedReads } from '../../rules/lot-state.ts';
import { pickedFor } from '../../rules/picking.ts';
import { placeOfUnit } from '../../rules/placing.ts';
import { createPutaway } from '../../rules/putaway.ts';
import { todayOf } from '../../rules/site.ts';
import { planTaking } from '../../rules/taking.ts';
import { balancesOf, standingAt } from '../../store/lots.ts';
import type { Store } from '../../store/store.ts';
import { success } from '../reply.ts';
import { idIn } from '../request-context.ts';
import { checkIfMatch } from '../write.ts';
import { reasonIn, recordReply, requireRecord } from './family.ts';
import type { Handler } from './handler.ts';

/** Putaway, picking and counting: `placeOperations` of the table. */
export const placeHandlers: Record<string, Handler> = {
  'x.putaway.list': ({ store }) => {
    const reads = readsOf(store);
    const docks = reads.records.findBy('location', 'kind', 'receiving');
    const units = docks.flatMap(({ id }) => reads.records.findBy('location', 'within_id', id));
    const waiting = [0, ...[...docks, ...units].map(({ id }) => id)]
      .flatMap(location => standingAt(reads.sql, location).map(stand => ({ ...stand, location })))
      .filter(({ quantity }) => quantity > 0n)
      .sort((one, other) => one.lot - other.lot)
      .slice(0, WAITING_LIMIT);
    const proposalsFor = createPutaway(reads);
    return success(
      waiting.flatMap(({ lot: id, location, quantity }): WaitingLot[] => {
        const lot = reads.records.get('inventory', id);
        if (!lot) return [];
        const [proposal = null] = proposalsFor(lot);
        return [{ ...contentOf(reads, lot, location, quantity), proposal }];
      }),
    );
  },

  'x.inventory.places': ({ store }, context) => {
    const reads = readsOf(store);
    const id = idIn(context);
    const lot = requireRecord(reads.records.get('inventory', id), families.inventory, id);
    const places: LotPlaces = {
      ...goodsOf(reads, lot),
      unit: unitOf(lot),
      stands: balancesOf(reads.sql, id).map(({ location, quantity }) => ({
        ...placeOf(reads, location),
        quantity: fromMicro(quantity),
      })),
      proposals: createPutaway(reads)(lot),
    };
    return success(places);
  },

  'x.locations.contents': ({ store }, context) => {
    const reads = readsOf(store);
    const id = idIn(context);
    requireRecord(reads.records.get('location', id), families.location, id);
    const places = [id, ...reads.records.findBy('location', 'within_id', id).map(unit => unit.id)];
    return success(
      places.flatMap(location =>
        standingAt(reads.sql, location).flatMap(({ lot: lotId, quantity }): PlaceContent[] => {
          const lot = reads.records.get('inventory', lotId);
          return lot ? [contentOf(reads, lot, location, quantity)] : [];
        }),
      ),
    );
  },

  'x.shipments.picks': ({ store, clock }, context) => {
    const id = idIn(context);
    const reads = readsOf(store, clock().toISOString());
    const shipment = requireRecord(reads.records.get('shipment', id), families.shipment, id);
    return success(pickListOf(reads, shipment));
  },

  'x.stock-counts.post': ({ write }, context) => {
    const id = idIn(context);
    return write(context, {
      reason: reasonIn(context),
      work: work => {
        checkIfMatch(context, work.require('stock-count', id));
        return postCount(work, id);
      },
      answer: (reads, record) => recordReply(families['stock-count'], reads, record, {}),
    });
  },
};

/** What is committed, read as the rules read it. */
function readsOf({ records, database }: Store, at = ''): PlannedReads {
  return {
    get: records.get.bind(records),
    findBy: records.findBy.bind(records),
    records,
    sql: database.reader,
    staged: () => [].values(),
    actor: { user: '', rights: BY_SERVER },
    at,
  };
}

function pickListOf(reads: PlannedReads, shipment: StoredRecord): PickList {
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

function contentOf(reads: PlannedReads, lot: StoredRecord, location: number, quantity: Micro): PlaceContent {
  return {
    ...goodsOf(reads, lot),
    ...placeOf(reads, location),
    quantity: fromMicro(quantity),
    unit: unitOf(lot),
  };
}

function goodsOf({ records }: PlannedReads, { id, fields }: StoredRecord) {
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
function placeOf({ records, get }: PlannedReads, location: number) {
  const place = records.get('location', location);
  const within = place && kindOf(place.fields) === 'unit' ? placeOfUnit({ get }, place) : place;
  return {
    location_id: location || null,
    location: textOf(place?.fields.name),
    within: within && within !== place ? textOf(within.fields.name) : null,
  };
}

function unitOf({ fields }: StoredRecord): string | null {
  return textOf(fields.lot_unit);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
