import fc from 'fast-check';
import { mapOf } from '../../../server/store/changes.ts';
import type { Store } from '../../../server/store/store.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { recordsOf } from './audit.ts';
import { create, itemIds, update } from './temporary-store.ts';

/** One wish of a person; what it picks is one of those that are there. Rules may refuse it. */
export type Wish =
  | { kind: 'receive'; lines: Line[]; isQuarantined: boolean }
  | { kind: 'correct'; receipt: number; line: number; fields: Partial<Line> }
  | { kind: 'open stock'; lot: Omit<Line, 'quantity_accepted'>; quantity: number }
  | { kind: 'correct opening'; lot: number; quantity: number }
  | { kind: 'ship'; items: { part_id: number; serial_number: string | null; quantity: number }[] }
  | { kind: 'close'; shipment: number; day: string }
  | { kind: 'reopen'; shipment: number }
  | { kind: 'adjust'; lot: number; quantity: number; location_id: number | null }
  | {
      kind: 'move';
      lot: number;
      quantity: number | null;
      from_location_id: number | null;
      to_location_id: number;
    };

interface Line {
  part_id: number;
  serial_number: string | null;
  expiry_date: string | null;
  location_id: number | null;
  quantity_accepted: number;
}

/** Parts and locations that the wishes are about; created before them. */
export const PARTS = [1, 2];
export const LOCATIONS = [1, 2];

const quantity = fc.constantFrom(0, 0.1, 0.2, 0.3, 1, 7.000001, 10);
const signed = fc.constantFrom(-10, -0.3, -0.1, 0, 0.2, 5);
const part_id = fc.constantFrom(...PARTS);
const serial_number = fc.constantFrom('A', 'B', null);
const location = fc.constantFrom(...LOCATIONS, null);
const pick = fc.nat({ max: 20 });
const lot = {
  part_id,
  serial_number,
  expiry_date: fc.constantFrom('2026-06-15', '2027-01-31', null),
  location_id: location,
};
const line = fc.record({ ...lot, quantity_accepted: quantity });

export const wishes: fc.Arbitrary<Wish[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('receive' as const),
        lines: lines(),
        isQuarantined: rarely(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('correct' as const),
        receipt: pick,
        line: pick,
        fields: fc.record({ ...lot, quantity_accepted: quantity }, { requiredKeys: [] }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('open stock' as const), lot: fc.record(lot), quantity }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('correct opening' as const), lot: pick, quantity }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('ship' as const),
        items: fc.array(fc.record({ part_id, serial_number, quantity }), { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('close' as const),
        shipment: pick,
        day: fc.constantFrom('2026-06-15', '2026-06-16'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('reopen' as const), shipment: pick }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('adjust' as const),
        lot: pick,
        quantity: signed,
        location_id: location,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('move' as const),
        lot: pick,
        quantity: fc.option(quantity),
        from_location_id: location,
        to_location_id: fc.constantFrom(...LOCATIONS),
      }),
    },
  ),
  { minLength: 10, maxLength: 60 },
);

/** Does as wished. False: there was nothing to pick, or the rules refused it, which is fine. */
export async function grant(store: Store, wished: Wish): Promise<boolean> {
  try {
    return await attempt(store, wished);
  } catch (error) {
    if (error instanceof AppError && (error.status === 409 || error.status === 422)) return false;
    throw error;
  }
}

async function attempt(store: Store, wished: Wish): Promise<boolean> {
  const picked = (family: string, index: number): StoredRecord | undefined => {
    const records = recordsOf(store).filter(record => record.family === family);
    return records[index % records.length];
  };
  switch (wished.kind) {
    case 'receive':
      await create(store, 'receiving-inspection', {
        items: wished.lines,
        is_quarantined: wished.isQuarantined,
      });
      return true;
    case 'correct': {
      const receipt = picked('receiving-inspection', wished.receipt);
      if (!receipt) return false;
      const ids = itemIds(receipt, 'items');
      const item = { ...wished.fields, id: ids[wished.line % ids.length] };
      await update(store, 'receiving-inspection', receipt.id, { items: [item], is_quarantined: false });
      return true;
    }
    case 'open stock': {
      const { location_id, serial_number, ...fields } = wished.lot;
      const number = { batch_number: serial_number ?? 'A' };
      const opening = { ...number, opening_quantity: wished.quantity, opening_location_id: location_id };
      await create(store, 'inventory', { ...fields, ...opening });
      return true;
    }
    case 'correct opening': {
      const record = picked('inventory', wished.lot);
      if (!record) return false;
      const opening = { opening_quantity: wished.quantity };
      await update(store, 'inventory', record.id, opening, { reason: 'counted wrong' });
      return true;
    }
    case 'ship':
      await create(store, 'shipment', { items: wished.items });
      return true;
    case 'close': {
      const shipment = picked('shipment', wished.shipment);
      if (!shipment) return false;
      await update(store, 'shipment', shipment.id, { actual_ship_date: wished.day });
      return true;
    }
    case 'reopen': {
      const shipment = picked('shipment', wished.shipment);
      if (!shipment) return false;
      await update(store, 'shipment', shipment.id, { actual_ship_date: null }, { reason: 'the van broke' });
      return true;
    }
    case 'adjust':
    case 'move': {
      const record = picked('inventory', wished.lot);
      if (!record) return false;
      const { kind, lot: _, ...fields } = wished;
      const body = { ...fields, inventory_id: record.id, reason: 'counted' };
      await create(store, kind === 'adjust' ? 'adjustment' : 'move', body);
      return true;
    }
  }
}

/**
 * What is there of each part by the plain sense of the records, in millionths: accepted and opening quantities and
 * adjustments, less the quantities of the items of closed shipments. Everything is in one unit.
 */
export function expectedByPart(store: Store): Map<number, bigint> {
  const sums = new Map(PARTS.map(part => [part, 0n]));
  const add = (part: unknown, quantity: unknown, sign = 1n) => {
    const millionths = BigInt(Math.round(Number(quantity ?? 0) * 1e6));
    sums.set(Number(part), (sums.get(Number(part)) ?? 0n) + sign * millionths);
  };
  for (const { family, fields } of recordsOf(store)) {
    const items = Object.values(mapOf(fields.items)).map(mapOf);
    if (family === 'inventory') add(fields.part_id, fields.opening_quantity);
    if (family === 'receiving-inspection')
      for (const item of items) add(item.part_id, item.quantity_accepted);
    if (family === 'shipment' && fields.actual_ship_date) {
      for (const item of items) add(item.part_id, item.quantity, -1n);
    }
    if (family === 'adjustment') {
      add(store.records.get('inventory', Number(fields.inventory_id))?.fields.part_id, fields.quantity);
    }
  }
  return sums;
}

/** What the stock table holds of each part, in millionths. */
export function actualByPart(store: Store): Map<number, bigint> {
  const sums = new Map(PARTS.map(part => [part, 0n]));
  const rows = store.database.reader.allBig<{ lot: bigint; quantity: bigint }>(
    'SELECT lot, quantity FROM stock',
  );
  for (const { lot: id, quantity: millionths } of rows) {
    const part = Number(store.records.get('inventory', Number(id))?.fields.part_id);
    sums.set(part, (sums.get(part) ?? 0n) + millionths);
  }
  return sums;
}

function lines(): fc.Arbitrary<Line[]> {
  return fc.array(line, { minLength: 1, maxLength: 3 });
}

function rarely(): fc.Arbitrary<boolean> {
  return fc.nat({ max: 9 }).map(value => value === 0);
}
