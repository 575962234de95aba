import { checkDigit } from '../../shared/gs1/check-digit.ts';
import type { BodyOf } from '../../shared/operations/operation-types.ts';
import type { LocationKey } from './company.ts';
import type { Site, Step } from './site.ts';
import { usableLots } from './warehouse.ts';

/** Where what lies where nothing of it is left. */
const usual: readonly (readonly [string, LocationKey])[] = [
  ['PK-3010', 'packaging'],
  ['PK-3020', 'packaging'],
  ['PK-3030', 'packaging'],
  ['PK-3110', 'packaging-b'],
  ['PK-3120', 'packaging-b'],
];
/** Company prefix and more of an SSCC. */
const PALLETS = '34012345';

/** Where goods are put, a pallet that waits for its place, a shipment that is being picked, and places that were counted. */
export function placeSteps(day: number): Step[] {
  return [
    {
      day,
      title: 'Usual places of packaging',
      run: async site => {
        for (const [part, place] of usual) {
          const usual_location_id = site.idOf(`location:${place}`);
          await site.client.update('part', site.idOf(`part:${part}`), { usual_location_id });
        }
      },
    },
    { day: -1, title: 'A pallet stands in the goods-in bay', run: bringPallet },
    { day: -1, title: 'The newest shipment is being picked', run: pickFirst },
    {
      day: -1,
      title: 'The tank room is counted',
      run: async site => void (await countPlace(site, 'tanks', 0)),
    },
    {
      day: -1,
      title: 'The herb store is counted, and what is missing is posted',
      run: async site => {
        const id = await countPlace(site, 'herbs', -0.25);
        if (id === null) return;
        await site.client.call('x.stock-counts.post', { params: { id }, body: {} });
        site.count('adjustment');
      },
    },
    {
      day: -1,
      title: 'Packaging racks B are counted, and nobody has posted it yet',
      run: async site => void (await countPlace(site, 'packaging-b', -3)),
    },
  ];
}

async function bringPallet(site: Site): Promise<void> {
  const [lot] = await usableLots(site, 'PK-3010', site.calendar.workday(-1));
  if (!lot) return;
  const unit = await site.create('location', {
    name: palletOf(site),
    kind: 'unit',
    within_id: site.idOf('location:goods-in'),
  });
  await carry(site, lot.id, { to_location_id: unit, quantity: Math.min(40, lot.quantity) });
}

/** A second sample company has a pallet of its own. */
function palletOf({ series }: Site): string {
  const serial = [...series].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 99_999_999, 3);
  const digits = PALLETS + String(serial).padStart(9, '0');
  return digits + checkDigit(digits);
}

async function pickFirst(site: Site): Promise<void> {
  const shipment = site.idOf('shipment:39+5');
  const { data } = await site.client.call('x.shipments.picks', { params: { id: shipment } });
  const pick = data.to_pick.find(({ location_id: from }) => from !== site.idOf('location:dispatch'));
  if (!pick) return;
  await carry(site, pick.inventory_id, {
    from_location_id: pick.location_id,
    to_location_id: site.idOf('location:dispatch'),
    quantity: pick.quantity,
    shipment_id: shipment,
  });
}

async function carry(site: Site, lot: number, body: BodyOf<'x.inventory.moves.create'>): Promise<void> {
  const move_date = site.calendar.workday(-1);
  await site.client.call('x.inventory.moves.create', { params: { id: lot }, body: { ...body, move_date } });
  site.count('move');
}

/**
 * Counts all that stands in a place; of the first lot so much more or less than the books say, twice.
 * @returns the count, null where nothing stands there
 */
async function countPlace(site: Site, place: LocationKey, difference: number): Promise<number | null> {
  const location_id = site.idOf(`location:${place}`);
  const { data } = await site.client.call('x.locations.contents', {
    params: { id: location_id },
  });
  const lots = [...Map.groupBy(data, ({ inventory_id: lot }) => lot)].map(([lot, stands]) => ({
    inventory_id: lot,
    quantity: stands.reduce((sum, { quantity }) => sum + Math.round(quantity * 1e6), 0) / 1e6,
  }));
  const differing = lots.find(({ quantity }) => quantity + difference > 0)?.inventory_id;
  if (differing === undefined) return null;
  const id = await site.create('stock-count', {
    location_id,
    count_date: site.calendar.workday(-1),
    items: lots.map(({ inventory_id, quantity }, order) => ({
      inventory_id,
      quantity_counted: inventory_id === differing ? quantity + difference : quantity,
      order,
    })),
    is_finished: true,
  });
  if (difference === 0) return id;
  const { data: counted } = await site.client.call('x.stock-counts.read', { params: { id } });
  const again = counted.items.flatMap(({ id: item, inventory_id, quantity_counted }) =>
    inventory_id === differing
      ? { id: item, quantity_recounted: quantity_counted, reason: 'miscounted' }
      : [],
  );
  await site.client.update('stock-count', id, { items: again, is_finished: true });
  return id;
}
