import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { stockOf } from '../store/audit.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { refusalOf } from './refusal.ts';
import { addPart, lineOf, openSite, takenElsewhere } from './site.ts';

describe('a receipt of one lot in two places', () => {
  let store: Store;
  let receipt: StoredRecord;
  let lot: unknown;
  let dock: number;
  let shelf: number;
  beforeEach(async () => {
    store = await openSite();
    const part_id = await addPart(store);
    [dock, shelf] = [
      (await create(store, 'location', { name: 'Dock' })).id,
      (await create(store, 'location', { name: 'Shelf' })).id,
    ];
    const items = [dock, shelf].map(location_id => ({
      part_id,
      serial_number: 'L',
      quantity_accepted: 5,
      location_id,
    }));
    receipt = await create(store, 'receiving-inspection', { items });
    lot = lineOf(receipt, itemIds(receipt, 'items')[0] ?? 0).inventory_id;
  });

  /** Corrects what was received on the shelf. */
  const onShelf = (quantity_accepted: number) => {
    const items = [{ id: itemIds(receipt, 'items')[1], quantity_accepted }];
    return refusalOf(update(store, 'receiving-inspection', receipt.id, { items }));
  };

  it('takes back no more than is left in the place, whatever stands in the other', async () => {
    const used = { inventory_id: lot, location_id: shelf, quantity: -4, reason: 'used' };
    await create(store, 'adjustment', used);
    expect((await onShelf(3)).conflict).toContain('This takes back 1 more of lot L than is left there');
    expect(await onShelf(4)).toEqual({});
    expect(stockOf(store)).toEqual([`${lot}@${dock} 5000000`]);
  });

  it('can be corrected in the one where two stations took too much from the other', async () => {
    await takenElsewhere(store, { inventory_id: lot, location_id: dock, quantity: -8 });
    expect(await onShelf(4)).toEqual({});
    expect(stockOf(store)).toEqual([`${lot}@${dock} -3000000`, `${lot}@${shelf} 4000000`]);
  });
});
