import { describe, expect, it } from 'vitest';
import {
  amount,
  bodyOf,
  emptyLine,
  isBegun,
  isComplete,
  isSameGoods,
  type Label,
  type Line,
  labelOf,
  receivingUnitOf,
  withLabel,
  withRejection,
} from '../../../../renderer/screens/receiving/line.ts';
import { parseScan } from '../../../../shared/gs1/parse-scan.ts';
import { partUnits, receivingUnits } from '../../../../shared/quantities/units.ts';

const BOLT = 7;
const GTIN = '0109506000134352';
const FNC1 = '\u001d';

const line = (change: Partial<Line> = {}): Line => ({ ...emptyLine('a'), ...change });
const label = (change: Partial<Label> = {}): Label => ({
  part: null,
  unit: null,
  lot: null,
  expiry: null,
  quantity: null,
  weight: null,
  serial: null,
  ...change,
});

describe('a line', () => {
  it('begins empty, at the place of the one before it', () => {
    const begun = emptyLine('b', { location: 3 });
    expect(begun).toMatchObject({ part: null, lot: '', accepted: '', location: 3, key: 'b' });
    expect(isBegun(begun)).toBe(false);
  });

  it.each<[Partial<Line>, isBegun: boolean, isComplete: boolean]>([
    [{ location: 3, unit: 'EA', expiry: '2031-01-31' }, false, false],
    [{ part: BOLT }, true, false],
    [{ lot: 'A' }, true, false],
    [{ accepted: '5' }, true, false],
    [{ rejected: '5' }, true, false],
    [{ part: BOLT, accepted: '0' }, true, false],
    [{ part: BOLT, accepted: '5' }, true, true],
    [{ part: BOLT, rejected: '0,5' }, true, true],
  ])('with %j: would be lost %s, can be saved %s', (change, begun, complete) => {
    expect(isBegun(line(change))).toBe(begun);
    expect(isComplete(line(change))).toBe(complete);
  });

  it('is sent as the interface takes it: what is empty is none, a comma is a decimal comma', () => {
    expect(bodyOf(line({ part: BOLT, accepted: '2,5', unit: 'kg', location: 3, template: 4 }))).toEqual({
      part_id: BOLT,
      serial_number: null,
      expiry_date: null,
      quantity_accepted: 2.5,
      quantity_rejected: 0,
      unit_of_measure: 'kg',
      location_id: 3,
      drawing_id: 4,
    });
    expect(bodyOf(line({ lot: 'A', expiry: '2031-01-31' }))).toMatchObject({
      serial_number: 'A',
      expiry_date: '2031-01-31',
    });
  });

  it.each([
    ['', 0],
    ['12', 12],
    ['0,25', 0.25],
    ['0.25', 0.25],
    ['-', 0],
    ['many', 0],
  ])('counts %j as %d', (text, value) => {
    expect(amount(text)).toBe(value);
  });
});

describe('a further label', () => {
  const begun = line({ part: BOLT, lot: 'A', expiry: '2031-01-31' });

  it.each<[says: Partial<Label>, isSame: boolean]>([
    [{ part: BOLT, lot: 'A', expiry: '2031-01-31' }, true],
    [{ part: BOLT }, true],
    [{ lot: 'A' }, true],
    [{}, true],
    [{ part: 8 }, false],
    [{ part: BOLT, lot: ' a' }, true],
    [{ part: BOLT, lot: 'B' }, false],
    [{ part: BOLT, lot: 'A', expiry: '2032-01-31' }, false],
  ])('that says %j is about the same goods: %s', (says, isSame) => {
    expect(isSameGoods(begun, label(says))).toBe(isSame);
  });

  it('gives a line what it does not have yet', () => {
    expect(isSameGoods(line({ part: BOLT }), label({ part: BOLT, lot: 'A', expiry: '2031-01-31' }))).toBe(
      true,
    );
    expect(isSameGoods(line(), label({ part: BOLT }))).toBe(false);
  });
});

describe('a scan', () => {
  it.each<[name: string, before: Partial<Line>, says: Partial<Label>, after: Partial<Line>]>([
    [
      'of a part is one piece of it',
      {},
      { part: BOLT, unit: 'EA' },
      { part: BOLT, unit: 'EA', accepted: '1' },
    ],
    ['more is one piece more', { part: BOLT, accepted: '4' }, { part: BOLT }, { accepted: '5' }],
    [
      'that counts is as many',
      { part: BOLT, accepted: '4' },
      { part: BOLT, quantity: 250 },
      { accepted: '254' },
    ],
    [
      'of the lot alone is no piece',
      { part: BOLT, accepted: '4' },
      { lot: 'A' },
      { lot: 'A', accepted: '4' },
    ],
    ['keeps what it does not say', { part: BOLT, lot: 'A' }, { part: BOLT }, { lot: 'A', accepted: '1' }],
    [
      'keeps the unit that is chosen',
      { unit: 'lot' },
      { part: BOLT, unit: 'EA' },
      { unit: 'lot', accepted: '1' },
    ],
    [
      'after rejected ones is accepted',
      { part: BOLT, rejected: '2' },
      { part: BOLT },
      { rejected: '2', accepted: '1' },
    ],
    [
      'of a line with both is accepted',
      { part: BOLT, accepted: '1', rejected: '2' },
      { part: BOLT },
      { accepted: '2', rejected: '2' },
    ],
    ['adds exactly', { part: BOLT, accepted: '0.1' }, { part: BOLT, quantity: 0.2 }, { accepted: '0.3' }],
    ['adds to a decimal comma', { part: BOLT, accepted: '0,5' }, { part: BOLT }, { accepted: '1.5' }],
  ])('%s', (_name, before, says, after) => {
    expect(withLabel(line(before), label(says))).toEqual({ ...line(before), ...after, part: BOLT });
  });

  it.each<[unit: string | null, weight: Label['weight'], unitAfter: string | null, accepted: string]>([
    ['kg', { value: 2.5, unit: 'kg' }, 'kg', '2.5'],
    ['grams', { value: 2.5, unit: 'kg' }, 'grams', '2500'],
    ['kg', { value: 1, unit: 'lb' }, 'kg', '0.453592'],
    // Pieces and litres are not weighed: it is one more of them.
    ['EA', { value: 2.5, unit: 'kg' }, 'EA', '1'],
    ['l', { value: 2.5, unit: 'kg' }, 'l', '1'],
    // A part without a unit takes that of the label.
    [null, { value: 2.5, unit: 'kg' }, 'kg', '2.5'],
    [null, { value: 2, unit: 't oz' }, null, '1'],
  ])('of a part in %s that weighs %j counts in %s: %s', (unit, weight, unitAfter, accepted) => {
    expect(withLabel(line(), label({ part: BOLT, unit, weight }))).toMatchObject({
      unit: unitAfter,
      accepted,
    });
  });
});

describe('rejecting', () => {
  it.each<[before: [string, string], after: [string, string]]>([
    [
      ['40', ''],
      ['', '40'],
    ],
    [
      ['', '40'],
      ['', '40'],
    ],
    [
      ['30', '10'],
      ['', '40'],
    ],
    [
      ['2,5', ''],
      ['', '2.5'],
    ],
  ])('turns accepted and rejected %j into %j', ([accepted, rejected], after) => {
    const turned = withRejection(line({ accepted, rejected }));
    expect([turned.accepted, turned.rejected]).toEqual(after);
  });
});

describe('what a scan says', () => {
  it.each<[text: string, says: Partial<Label>]>([
    [`]C1${GTIN}1731010010LOT-A${FNC1}30250`, { lot: 'LOT-A', expiry: '2031-01-31', quantity: 250 }],
    [`]C1${GTIN}37120`, { quantity: 120 }],
    [`]C1${GTIN}21SN-1`, { serial: 'SN-1' }],
    [']C100106141412345678908', { serial: '106141412345678908', sscc: '106141412345678908' }],
    // Best before is not expiry.
    [`]C1${GTIN}15310100`, { expiry: null }],
    [`]C1${GTIN}3103002500`, { quantity: null, weight: { value: 2.5, unit: 'kg' } }],
    ['4006381333931', {}],
    ['HB-8', {}],
  ])('%j is a label with %j', (text, says) => {
    const { part, unit, ...rest } = label(says);
    expect(labelOf(parseScan(text, '2026-01-15'))).toEqual(rest);
  });
});

describe("a part's unit", () => {
  it.each([
    ['units', 'EA'],
    ['g', 'grams'],
    ['oz', 'Oz'],
    ['kg', 'kg'],
    ['cup', null],
    [null, null],
  ])('%s is received in %s', (unit, received) => {
    expect(receivingUnitOf(unit)).toBe(received);
  });

  it('is one that a receipt takes, or none', () => {
    for (const unit of partUnits) expect([null, ...receivingUnits]).toContain(receivingUnitOf(unit));
  });
});
