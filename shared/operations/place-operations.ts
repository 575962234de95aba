import { z } from 'zod';
import { answerSchema } from '../contract/answer-schema.ts';
import { successSchema } from '../contract/envelope.ts';
import { listOf, named } from '../contract/field-schemas.ts';
import { defineOperation, idParameter, jsonBody } from '../contract/operation.ts';
import { PROPOSALS_LIMIT, proposedFor } from '../families/places.ts';
import { families } from '../families/registry.ts';

/** Lots that wait for their place, of one call. */
export const WAITING_LIMIT = 200;

/** Where goods stand, where they are put, and where they are picked. */
export function placeOperations() {
  return [
    defineOperation('x.putaway.list', 'GET', '/x/putaway', 'Stock', {
      summary: `Lots that wait for their place: received, or in no place; at most ${WAITING_LIMIT}, those that came first`,
      answer: () => successSchema(z.array(waitingLotSchema)),
    }),
    defineOperation('x.inventory.places', 'GET', '/x/inventory/{id}/places', 'Stock', {
      summary: 'Where a lot stands, and where it could be put away',
      parameters: { id: idParameter('Id of the lot') },
      answer: () => successSchema(lotPlacesSchema),
      errors: [404],
    }),
    defineOperation('x.locations.contents', 'GET', '/x/locations/{id}/contents', 'Stock', {
      summary: 'What stands in a place, with the handling units in it',
      parameters: { id: idParameter('Id of the location') },
      answer: () => successSchema(z.array(contentSchema)),
      errors: [404],
    }),
    defineOperation('x.locations.proposals', 'GET', '/x/locations/{id}/proposals', 'Stock', {
      summary: 'Where a handling unit could go, the best first: places that suit all that is on it',
      parameters: { id: idParameter('Id of the handling unit') },
      answer: () => successSchema(z.array(proposal)),
      errors: [404],
    }),
    defineOperation('x.shipments.picks', 'GET', '/x/shipments/{id}/picks', 'Shipments', {
      summary: 'What is to be picked for a shipment, in the order of the way, and what was picked',
      parameters: { id: idParameter('Id of the shipment') },
      answer: () => successSchema(pickListSchema),
      errors: [404],
    }),
    defineOperation('x.stock-counts.post', 'POST', '/x/stock-counts/{id}/post', 'Stock', {
      summary: 'Correct stock by what a finished count found: an adjustment for each difference',
      parameters: { id: idParameter('Id of the count') },
      body: jsonBody(() =>
        z.object({ reason: z.string().nullable().optional().describe('Why; kept in history.') }),
      ),
      answer: () => successSchema(answerSchema(families['stock-count'])),
      errors: [404, 409, 412, 422],
      scope: 'write',
    }),
  ];
}

const place = {
  location_id: z.int().nullable().describe('Id of the location; null: no place was named.'),
  location: z.string().nullable().describe('What people call it; of a handling unit its SSCC.'),
  within: z.string().nullable().describe('Of a handling unit: the place where it stands; else null.'),
};

const goods = {
  inventory_id: z.int().describe('Id of the lot.'),
  batch_number: z.string().nullable().describe('Lot number; null: it has none.'),
  part_id: z.int().nullable().describe('Id of the part.'),
  part: z.string().nullable().describe('Name of the part.'),
  expiry_date: z.iso.date().nullable().describe('The last usable day; null: none is known.'),
};

const amount = {
  quantity: z.number().describe('In the unit of the lot.'),
  unit: z.string().nullable().describe('The unit of the lot.'),
};

const proposal = named('PlaceProposal', {
  location_id: z.int().describe('Id of the location.'),
  location: z.string().describe('What people call it.'),
  why: z
    .enum(proposedFor)
    .describe('The same part lies there, it is the usual place of the part, or it is empty.'),
});
export type PlaceProposal = z.infer<typeof proposal>;

export const contentSchema = named('PlaceContent', { ...goods, ...place, ...amount });
export type PlaceContent = z.infer<typeof contentSchema>;

export const waitingLotSchema = named('WaitingLot', {
  ...goods,
  ...place,
  ...amount,
  proposal: proposal.nullable().describe('Where it could go first of all; null: no place suits it.'),
});
export type WaitingLot = z.infer<typeof waitingLotSchema>;

export const lotPlacesSchema = named('LotPlaces', {
  ...goods,
  unit: amount.unit,
  stands: listOf({ ...place, quantity: amount.quantity }).describe('Where it stands.'),
  proposals: z.array(proposal).describe(`The best first, at most ${PROPOSALS_LIMIT}.`),
});
export type LotPlaces = z.infer<typeof lotPlacesSchema>;

const pick = { item_id: z.int().describe('Id of the line of the shipment.'), ...goods, ...place, ...amount };

export const pickListSchema = named('PickList', {
  is_open: z.boolean().describe('Whether the shipment waits to go.'),
  staging: listOf({
    id: z.int().describe('Id of the location.'),
    name: z.string().describe('What people call it.'),
  }).describe('Places of the kind shipping, to which is picked.'),
  to_pick: listOf(pick).describe('In the order of the way.'),
  picked: listOf(pick).describe('What waits to go.'),
  too_much: listOf({ ...goods, ...place, ...amount }).describe(
    'Picked, and no longer asked for: it goes back.',
  ),
  short: listOf({
    item_id: pick.item_id,
    part_id: goods.part_id,
    part: goods.part,
    quantity: z.number().describe('In the unit of the part.'),
    unit: z.string().nullable().describe('The unit of the part.'),
    reasons: z.array(z.string()).describe('Why lots of it may not ship.'),
  }).describe('What there is not enough of.'),
});
export type PickList = z.infer<typeof pickListSchema>;
