import { describe, expect, it } from 'vitest';
import { type Count, scanCounted, typeCounted } from '../../../../renderer/screens/floor/count.ts';
import { nextLine, type PickLine, scanLot, scanPlace } from '../../../../renderer/screens/floor/picking.ts';
import { type Place, proposalsFor, takeLot, takePlace } from '../../../../renderer/screens/floor/putaway.ts';
import type { LotPlaces } from '../../../../shared/operations/place-operations.ts';

const goods = { batch_number: 'L', part_id: 1, part: 'Jar', expiry_date: null };
const at = (location_id: number | null, quantity: number) => ({
  location_id,
  location: `P${location_id}`,
  within: null,
  quantity,
});
const lotAt = (...stands: LotPlaces['stands']): LotPlaces => ({
  ...goods,
  inventory_id: 7,
  unit: 'EA',
  stands,
  proposals: [{ location_id: 3, location: 'P3', why: 'empty' }],
});
const place = (id: number): Place => ({ id, name: `P${id}` });
const pallet = (id: number): Place => ({
  ...place(id),
  unit: { within: 'P1', goods: ['Jar · L'], proposals: [{ location_id: 3, location: 'P3', why: 'empty' }] },
});
const DOCK = new Set<number | null>([1, null]);

describe('putting away', () => {
  it('takes a lot, then a place: all that stands there, or what its label says', () => {
    const { outcome, hand } = takeLot(null, lotAt(at(1, 40)), null, DOCK);
    expect(outcome).toBe('taken');
    expect(takePlace(hand, place(3))).toMatchObject({
      hand: null,
      act: { kind: 'move', lot: 7, from: 1, to: 3, quantity: null },
    });
    const part = takeLot(null, lotAt(at(1, 40)), 12, DOCK).hand;
    expect(takePlace(part, place(3)).act).toMatchObject({ quantity: 12 });
    // Nobody takes more than is there.
    expect(takePlace(takeLot(null, lotAt(at(1, 40)), 99, DOCK).hand, place(3)).act).toMatchObject({
      quantity: null,
    });
  });

  it('asks where it comes from where that is not plain, and refuses other places', () => {
    expect(takeLot(null, lotAt(at(1, 40), at(5, 3)), null, DOCK).hand).toMatchObject({
      from: { location_id: 1 },
    });
    const asked = takeLot(null, lotAt(at(4, 40), at(5, 3)), null, DOCK);
    expect(asked).toMatchObject({ outcome: 'question', hand: { from: null } });
    expect(takePlace(asked.hand, place(6))).toMatchObject({ outcome: 'refused', why: 'not-from-there' });
    const known = takePlace(asked.hand, place(5));
    expect(known).toMatchObject({ outcome: 'taken', hand: { from: { location_id: 5 } } });
    expect(known.act).toBeUndefined();
    expect(takePlace(known.hand, place(5))).toMatchObject({ outcome: 'refused', why: 'there-already' });
  });

  it('takes a place first only where it is a pallet, which goes to no other pallet', () => {
    expect(takePlace(null, place(3))).toMatchObject({ outcome: 'refused', why: 'lot-first', hand: null });
    const { hand } = takePlace(null, pallet(9));
    expect(takePlace(hand, pallet(8))).toMatchObject({ outcome: 'refused', hand });
    expect(takePlace(hand, place(3)).act).toEqual({ kind: 'carry', unit: 9, to: 3 });
    const begun = takePlace({ kind: 'unit', id: null, sscc: '340123450000000000', known: null }, place(3));
    expect(begun.act).toEqual({ kind: 'begin', sscc: '340123450000000000', to: 3 });
    expect(takeLot(null, lotAt(at(1, 0), at(2, -3)), null, DOCK)).toMatchObject({
      outcome: 'refused',
      hand: null,
    });
  });
});

it('a pallet stays in the hand when a label of it is scanned again, of a lot on it too', () => {
  const { hand } = takePlace(null, pallet(9));
  expect(takePlace(hand, pallet(9))).toEqual({ outcome: 'taken', why: 'unit-to', hand });
  expect(takeLot(hand, lotAt(at(1, 5), at(9, 40)), null, DOCK)).toEqual({
    outcome: 'taken',
    why: 'on-unit',
    hand,
  });
  // Goods that are elsewhere come into the hand in its place.
  expect(takeLot(hand, lotAt(at(1, 5)), null, DOCK).hand).toMatchObject({ kind: 'lot' });
});

describe('where it could go', () => {
  const shelf = { location_id: 3, location: 'P3', why: 'empty' } as const;

  it('is said of a pallet, too', () => {
    const { hand } = takePlace(null, pallet(9));
    expect(proposalsFor(hand)).toEqual([shelf]);
    expect(proposalsFor(null)).toEqual([]);
  });

  it('is never the place that it is taken from', () => {
    expect(proposalsFor(takeLot(null, lotAt(at(3, 40)), null, DOCK).hand)).toEqual([]);
    expect(proposalsFor(takeLot(null, lotAt(at(1, 40)), null, DOCK).hand)).toEqual([shelf]);
    // Until it is said from where, all of them stand there.
    expect(proposalsFor(takeLot(null, lotAt(at(3, 40), at(4, 1)), null, DOCK).hand)).toEqual([shelf]);
  });
});

describe('picking', () => {
  const line = (inventory_id: number, location_id: number | null, quantity: number): PickLine => ({
    ...goods,
    ...at(location_id, quantity),
    item_id: 1,
    inventory_id,
    unit: 'EA',
  });
  const lines = [line(7, 1, 40), line(8, 1, 5), line(9, 2, 3)];
  const START = { place: null, later: [] };

  it('is at the place before it takes a lot, and takes none that is not to be taken there', () => {
    expect(scanLot(lines, START, [7], null)).toMatchObject({ outcome: 'refused', why: 'place-first' });
    expect(scanPlace(lines, START, 5, new Map())).toMatchObject({ outcome: 'refused', why: 'wrong-place' });
    const { way } = scanPlace(lines, START, 1, new Map());
    expect(scanLot(lines, way, [99], null)).toMatchObject({
      outcome: 'refused',
      why: 'wrong-lot',
      line: lines[0],
    });
    expect(scanLot(lines, way, [9], null)).toMatchObject({ outcome: 'refused', why: 'lot-elsewhere' });
    expect(scanLot(lines, way, [8, 99], null)).toMatchObject({
      outcome: 'taken',
      line: lines[1],
      quantity: 5,
    });
    expect(scanLot(lines, way, [7], 12)).toMatchObject({ outcome: 'taken', quantity: 12 });
    expect(scanLot(lines, way, [7], 50)).toMatchObject({ outcome: 'question', quantity: 40 });
    expect(scanLot([], way, [7], null)).toMatchObject({ outcome: 'refused', why: 'nothing-to-pick' });
  });

  it('finds what stands on a pallet by its place as by its number', () => {
    const onPallet = [line(7, 30, 40)];
    const units = new Map([[30, 4]]);
    for (const scanned of [4, 30]) {
      const { outcome, way } = scanPlace(onPallet, START, scanned, units);
      expect([outcome, way.place]).toEqual(['taken', 30]);
    }
    // What was received to no place is found without one.
    expect(scanLot([line(7, null, 40)], START, [7], null)).toMatchObject({ outcome: 'taken', quantity: 40 });
  });

  it('goes on where the person is, and comes back to what was left', () => {
    expect(nextLine(lines, START)).toBe(lines[0]);
    expect(nextLine(lines, { place: 2, later: [] })).toBe(lines[2]);
    expect(nextLine(lines, { place: 1, later: ['1 7 1'] })).toBe(lines[1]);
    expect(nextLine([lines[0] as PickLine], { place: 1, later: ['1 7 1'] })).toBe(lines[0]);
  });
});

describe('counting', () => {
  const item = { id: 11, inventory_id: 7, unit_of_measure: 'EA', reason: null, quantity_difference: null };
  const open: Count = {
    id: 1,
    count_number: 'A / 1',
    location_id: 1,
    standing: 'counting',
    items: [{ ...item, quantity_counted: 10, quantity_recounted: null, is_recount_due: null }],
  };
  const due = (recounted: number | null): Count => ({
    ...open,
    standing: recounted === null ? 'recounting' : 'counting',
    items: [{ ...item, quantity_counted: 10, quantity_recounted: recounted, is_recount_due: true }],
  });

  it('adds what a label says, and asks for what none says', () => {
    expect(scanCounted(open, 7, 0.2, null).write).toEqual({ id: 11, quantity_counted: 10.2 });
    expect(scanCounted(open, 8, 5, null).write).toEqual({ inventory_id: 8, quantity_counted: 5 });
    expect(scanCounted(open, 8, null, null)).toEqual({ outcome: 'question', why: 'how-many', asks: 8 });
    expect(scanCounted(open, 7, 5, 8)).toMatchObject({ outcome: 'refused', why: 'number-first' });
    expect(typeCounted(open, 7, 3).write).toEqual({ id: 11, quantity_counted: 3 });
  });

  it('counts once more what differs, from nothing, and nothing else', () => {
    expect(scanCounted(due(null), 7, 5, null).write).toEqual({ id: 11, quantity_recounted: 5 });
    expect(scanCounted(due(5), 7, 4, null).write).toEqual({ id: 11, quantity_recounted: 9 });
    expect(scanCounted(due(null), 8, 5, null)).toMatchObject({ outcome: 'refused', why: 'not-again' });
    expect(typeCounted({ ...open, standing: 'differs' }, 7, 3)).toMatchObject({ outcome: 'refused' });
  });
});
