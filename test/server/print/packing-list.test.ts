import { expect, it } from 'vitest';
import { makePaper } from '../../../server/print/make-paper.ts';
import { mapOf } from '../../../server/store/changes.ts';
import { addPart, contextOf, openSite, receive, ship } from '../rules/site.ts';
import { itemIds } from '../store/temporary-store.ts';

it('prints what was taken, whatever the lines of the closed shipment have come to say', async () => {
  const store = await openSite();
  const part_id = await addPart(store);
  await receive(store, { part_id, quantity_accepted: 100 });
  const shipment = await ship(store, { part_id, quantity: 50 });
  const [line = 0] = itemIds(shipment, 'items');
  const closed = mapOf(mapOf(shipment.fields.items)[line]);
  const printed = (items: Record<number, object>) => {
    const record = { ...shipment, fields: { ...shipment.fields, items } };
    const request = { document: 'packing-list', record, language: 'en', user: 'Ada' } as const;
    return JSON.stringify(makePaper(contextOf(store), request).blocks);
  };
  const before = printed({ [line]: closed });
  expect(before).toContain('50 units');
  const added = { part_id, quantity: 7, order: 2 };
  const said = { ...closed, quantity: 57, serial_number: 'M' };
  expect(printed({ [line]: said, 999999: added })).toBe(before);
  // Version 0.1.0 kept of what it took the lots only: the number that the line asked for is nowhere.
  const [{ inventory_id = 0 } = {}] = Object(closed.taken);
  const taken = [{ inventory_id, location_id: null, quantity: 50 }];
  expect(printed({ [line]: { ...closed, quantity: 57, taken }, 999999: added })).toBe(before);
  expect(printed({ [line]: { ...closed, quantity: 0 } })).toBe(before);
});
