import type { LocationKey } from './company.ts';
import { partOf, receiptUnit } from './parts.ts';
import type { Site, Step } from './site.ts';

export interface UsableLot {
  id: number;
  number: string;
  /** In the part's unit. */
  quantity: number;
}

/** What may be used of a part on a day, first expired first: neither locked nor expired. Read from the interface. */
export async function usableLots(site: Site, part: string, day: string): Promise<UsableLot[]> {
  const { data } = await site.client.list('inventory', { part_id: site.idOf(`part:${part}`), per_page: 500 });
  const stocked = data.flatMap(({ id, quantity }) =>
    id !== null && quantity !== null && quantity > 0 ? [{ id, quantity }] : [],
  );
  const lots = await Promise.all(
    stocked.map(async ({ id, quantity }) => {
      const { data: lot } = await site.client.read('inventory', id);
      const expiry = lot.nearest_expiry_date ?? '9999-12-31';
      return { id, quantity, expiry, number: lot.batch_number ?? '', isLocked: lot.is_locked };
    }),
  );
  return lots
    .filter(lot => !lot.isLocked && lot.expiry >= day)
    .sort((a, b) => a.expiry.localeCompare(b.expiry) || a.id - b.id);
}

/** Takes a quantity, in the part's unit, out of stock for a production run. */
export async function issue(
  site: Site,
  part: string,
  quantity: number,
  day: string,
  reason: string,
): Promise<void> {
  let open = quantity;
  for (const lot of await usableLots(site, part, day)) {
    if (open <= 0) return;
    const taken = Math.min(open, lot.quantity);
    await adjust(site, { lot: lot.id, quantity: -inLotUnit(part, taken), date: day, reason });
    open = Math.round((open - taken) * 1_000_000) / 1_000_000;
  }
  if (open > 0) throw new Error(`The sample company's plan is short of ${open} of ${part} on ${day}.`);
}

export interface Correction {
  /** Its id. */
  lot: number;
  /** In the unit of the lot. */
  quantity: number;
  date: string;
  reason: string;
}

export async function adjust(site: Site, { lot, quantity, date, reason }: Correction): Promise<void> {
  await site.create('adjustment', { inventory_id: lot, quantity, reason, adjustment_date: date });
}

/** In whole grams, as lots in kg are kept: taking all of one leaves nothing. */
function inLotUnit(part: string, quantity: number): number {
  const { density, isKeptInKg } = partOf(part);
  return isKeptInKg && density ? Math.round(quantity * density * 1_000) / 1_000 : quantity;
}

/** Part, quantity, location, day of expiry: what was there before this system. */
const opening: readonly (readonly [string, number, LocationKey, number?])[] = [
  ['RM-1010', 1300, 'silo', 20],
  ['RM-1020', 300, 'silo', 60],
  ['RM-1030', 450, 'silo', 45],
  ['RM-1040', 200, 'silo', 75],
  ['RM-1050', 450, 'silo', 50],
  ['RM-1110', 6, 'herbs', 120],
  ['RM-1120', 4, 'herbs', 140],
  ['RM-1130', 3, 'herbs', 15],
  ['RM-1140', 6, 'herbs', -35],
  ['BO-2060', 180, 'tanks', 90],
  ['PK-3010', 1200, 'packaging'],
  ['PK-3020', 1500, 'packaging'],
  ['PK-3030', 900, 'packaging'],
  ['PK-3110', 2500, 'packaging-b'],
  ['PK-3120', 1200, 'packaging-b'],
];

export function openingSteps(day: number): Step[] {
  return opening.map(([part, quantity, location, expiresOn], index) => ({
    day,
    title: `Opening stock of ${part}`,
    run: async site => {
      const number = `${site.series}OPEN-${part.slice(3)}`;
      const id = await site.create('inventory', {
        part_id: site.idOf(`part:${part}`),
        batch_number: number,
        lot_unit: receiptUnit(part),
        opening_quantity: quantity,
        opening_date: site.calendar.day(day),
        opening_location_id: site.idOf(`location:${location}`),
        legacy_record_id: 9_001 + index,
        cost: partOf(part).cost ?? null,
        ...(expiresOn !== undefined && { expiry_date: site.calendar.day(expiresOn) }),
      });
      site.rememberLot(`opening/${part}`, { id, number, part });
    },
  }));
}
