import { expect, it } from 'vitest';
import { lotFactsOf } from '../../../server/rules/lot-facts.ts';
import { replaceFacts, StockMoves } from '../../../server/store/lots.ts';
import type { Store } from '../../../server/store/store.ts';
import { createTables } from '../../../server/store/tables.ts';
import fc from '../../support/fast-check.ts';
import { audit, recordsOf, stockOf } from './audit.ts';
import { temporaryDatabase } from './sqlite/temporary-folder.ts';
import { actualByPart, expectedByPart, grant, LOCATIONS, PARTS, type Wish, wishes } from './stock-model.ts';
import { create, temporaryStore, update } from './temporary-store.ts';

async function site(): Promise<Store> {
  const store = await temporaryStore();
  await create(store, 'company', { name: 'Ours' });
  for (const part of PARTS) await create(store, 'part', { name: `Part ${part}`, unit_of_measure: 'units' });
  for (const location of LOCATIONS) await create(store, 'location', { name: `Place ${location}` });
  return store;
}

const wishesSeen = new Map<Wish['kind'], number>();

it('is never negative, and what was received, shipped and corrected, after any writes', async () => {
  await fc.assert(
    fc.asyncProperty(wishes, async sequence => {
      const store = await site();
      for (const wish of sequence) {
        const isGranted = await grant(store, wish);
        if (isGranted) wishesSeen.set(wish.kind, (wishesSeen.get(wish.kind) ?? 0) + 1);
        const negative = store.database.reader.all('SELECT * FROM stock WHERE quantity < 0');
        expect({ wish, negative }).toEqual({ wish, negative: [] });
        expect({ wish, stock: actualByPart(store) }).toEqual({ wish, stock: expectedByPart(store) });
      }
      expect(audit(store)).toEqual([]);
      expect(await store.rebuild()).toMatchObject({ differences: 0 });
      await store.close();
    }),
    { numRuns: 40 },
  );
  // Of every kind some were granted, or the property has tested less than it says.
  expect([...wishesSeen.keys()].sort()).toHaveLength(9);
});

it('is the same in whatever order the records arrive, and however often they changed', async () => {
  await fc.assert(
    fc.asyncProperty(wishes, fc.infiniteStream(fc.nat()), async (sequence, numbers) => {
      const store = await site();
      for (const wish of sequence) await grant(store, wish);
      const elsewhere = temporaryDatabase();
      createTables(elsewhere);
      const places = new Map(recordsOf(store).map(record => [record, numbers.next().value]));
      const shuffled = [...places].sort(([, a], [, b]) => Number(a) - Number(b)).map(([record]) => record);
      const facts = shuffled.map(record => ({ key: record.key, facts: lotFactsOf(record) }));
      for (const { key, facts: said } of facts) {
        const moves = new StockMoves();
        replaceFacts(elsewhere, key, [], said, moves);
        moves.write(elsewhere, false);
      }
      for (const { key, facts: said } of facts.reverse()) {
        const moves = new StockMoves();
        replaceFacts(elsewhere, key, said, said, moves);
        moves.write(elsewhere, false);
      }
      const rows = elsewhere.allBig<{ lot: bigint; location: bigint; quantity: bigint }>(
        'SELECT lot, location, quantity FROM stock',
      );
      expect(rows.map(row => `${row.lot}@${row.location} ${row.quantity}`).sort()).toEqual(stockOf(store));
      elsewhere.close();
      await store.close();
    }),
    { numRuns: 15 },
  );
});

it('adds 0.1 and 0.2 up to 0.3, and takes it away to nothing', async () => {
  const store = await site();
  const line = { part_id: 1, serial_number: 'A' };
  await create(store, 'receiving-inspection', { items: [{ ...line, quantity_accepted: 0.1 }] });
  await create(store, 'receiving-inspection', { items: [{ ...line, quantity_accepted: 0.2 }] });
  expect(stockOf(store)).toEqual(['1@0 300000']);
  const { id } = await create(store, 'shipment', { items: [{ ...line, quantity: 0.3 }] });
  await update(store, 'shipment', id, { actual_ship_date: '2026-06-15' });
  expect(stockOf(store)).toEqual([]);
});
