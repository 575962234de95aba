import { families } from '../../../shared/families/registry.ts';
import {
  type LotPlaces,
  type PlaceContent,
  WAITING_LIMIT,
  type WaitingLot,
} from '../../../shared/operations/place-operations.ts';
import { fromMicro } from '../../../shared/quantities/quantity.ts';
import { committedReads, contentOf, goodsOf, pickListOf, placeOf, unitOf } from '../../quality/pick-list.ts';
import { postCount } from '../../rules/counting.ts';
import { createPutaway } from '../../rules/putaway.ts';
import { balancesOf, standingAt, waitingAt } from '../../store/lots.ts';
import type { Store } from '../../store/store.ts';
import { success } from '../reply.ts';
import { idIn } from '../request-context.ts';
import { checkIfMatch } from '../write.ts';
import { reasonIn, recordReply, requireRecord } from './family.ts';
import type { Handlers } from './handler.ts';

/** Putaway, picking and counting: `placeOperations` of the table. */
export const placeHandlers = {
  'x.putaway.list': async ({ store }) => {
    const reads = readsOf(store);
    const docks = reads.records.findBy('location', 'kind', 'receiving');
    const units = docks.flatMap(({ id }) => reads.records.findBy('location', 'within_id', id));
    const waiting = [0, ...[...docks, ...units].map(({ id }) => id)]
      .flatMap(location =>
        waitingAt(reads.sql, location, WAITING_LIMIT).map(stand => ({ ...stand, location })),
      )
      .sort((one, other) => one.lot - other.lot)
      .slice(0, WAITING_LIMIT);
    const proposalsFor = createPutaway(reads);
    const lots: WaitingLot[] = [];
    for (const { lot: id, location, quantity } of waiting) {
      const lot = reads.records.get('inventory', id);
      if (!lot) continue;
      const [proposal = null] = await proposalsFor([lot], 1);
      lots.push({ ...contentOf(reads, lot, location, quantity), proposal });
    }
    return success(lots);
  },

  'x.inventory.places': async ({ store }, context) => {
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
      proposals: await createPutaway(reads)([lot]),
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

  'x.locations.proposals': async ({ store }, context) => {
    const reads = readsOf(store);
    const id = idIn(context);
    const unit = requireRecord(reads.records.get('location', id), families.location, id);
    const lots = standingAt(reads.sql, id).flatMap(({ lot }) => reads.records.get('inventory', lot) ?? []);
    const proposals = lots.length > 0 ? await createPutaway(reads)(lots) : [];
    return success(proposals.filter(({ location_id: place }) => place !== unit.fields.within_id));
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
} satisfies Partial<Handlers>;

function readsOf({ records, database }: Store, at?: string) {
  return committedReads(records, database.reader, at);
}
