import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Board } from '../../../shared/operations/board-operations.ts';
import {
  type NcrFigures,
  ncrFiguresSchema,
  type StockValue,
  type SupplierFigures,
  stockValueSchema,
  supplierFiguresSchema,
  type Trend,
  type TrendName,
  trendListSchema,
  trendSchema,
} from '../../../shared/operations/figure-schemas.ts';
import { idOf } from '../../contract/golden/answers.ts';
import { createPart, createReceipt, day, receiveInto, unique } from '../../contract/golden/records.ts';
import { Station } from '../../support/station.ts';

const station = new Station({ isHere: true });
beforeAll(() => station.start());
afterAll(() => station.stop());

async function read<Out>(schema: z.ZodType<Out>, path: string): Promise<Out> {
  const answer = await station.get(path);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { data } = answer.body as { data: unknown };
  const parsed = schema.parse(data);
  expect(parsed).toEqual(data);
  return parsed;
}

const post = async (path: string, body: object) => idOf(await station.post(path, body));

interface Sample {
  id: number;
  results: { id: number }[];
}

/** A received lot with an inspection of one characteristic: a value for each sample. */
async function inspected(
  part: number,
  template: number,
  batch: string,
  values: readonly number[],
): Promise<void> {
  const receipt = await createReceipt(station);
  const { inventory } = await receiveInto(station, receipt, { part_id: part, serial_number: batch });
  const inspection = await post('/inspections', {
    entity_id: part,
    drawing_id: template,
    inventory_id: inventory,
    sample_size: values.length,
  });
  const { data } = (await station.get(`/x/inspections/${inspection}`)).body as {
    data: { samples: Sample[] };
  };
  for (const [index, sample] of data.samples.entries()) {
    const results = [{ id: sample.results[0]?.id, value: values[index] }];
    expect((await station.put(`/inspections/${inspection}/samples/${sample.id}`, { results })).status).toBe(
      200,
    );
  }
}

describe('the trend of a characteristic', () => {
  let part: number;
  beforeAll(async () => {
    part = await createPart(station);
    const characteristic = { name: 'Length', dimensions: '40 mm', tolerance: '±0.5' };
    const template = await post('/x/specifications', { name: 'Bolt', characteristics: [characteristic] });
    await inspected(part, template, 'A', [40, 40.2]);
    await inspected(part, template, 'B', [41]);
    await station.put(`/x/specifications/${template}`, {
      characteristics: [{ ...characteristic, tolerance: '±2' }],
    });
    await inspected(part, template, 'C', [41, 41.4]);
  });

  const trend = (by: string): Promise<Trend> =>
    read(trendSchema, `/x/trends/characteristics?part_id=${part}&characteristic=Length&by=${by}`);

  it('is one value a lot, the mean of its samples, each judged by the limits of its time', async () => {
    const { points, limits, limits_over_time, total } = await trend('lot-mean');
    expect(points.map(({ label, value, n, is_within }) => [label, value, n, is_within])).toEqual([
      ['A', 40.1, 2, true],
      ['B', 41, 1, false],
      ['C', 41.2, 2, true],
    ]);
    expect(limits).toMatchObject({ lower: 38, upper: 42, nominal: 40, dimensions: '40 mm', tolerance: '±2' });
    expect(limits_over_time).toMatchObject([
      { from_point: 0, lower: 39.5, upper: 40.5 },
      { from_point: 2, lower: 38, upper: 42 },
    ]);
    expect(total).toBe(3);
  });

  it('is every sample, or the first of each inspection', async () => {
    expect((await trend('sample')).points.map(({ label, value }) => [label, value])).toEqual([
      ['A / 1', 40],
      ['A / 2', 40.2],
      ['B / 1', 41],
      ['C / 1', 41],
      ['C / 2', 41.4],
    ]);
    expect((await trend('first')).points.map(({ value }) => value)).toEqual([40, 41, 41]);
  });

  it('goes by the day that was given for an inspection, and else by the moment of writing', async () => {
    const newest = (await trend('first')).points.at(-1);
    const given = async (day: string | null) =>
      expect((await station.patch(`/inspections/${newest?.id}`, { inspection_date: day })).status).toBe(200);
    await given('2026-01-02');
    const { points } = await trend('first');
    expect(points.map(({ label }) => label)).toEqual(['C', 'A', 'B']);
    expect(points.map(({ at }) => at.length > 10)).toEqual([false, true, true]);
    await given(null);
    expect((await trend('first')).points.map(({ label }) => label)).toEqual(['A', 'B', 'C']);
  });

  it('is found by the list of what has numbers', async () => {
    const names: TrendName[] = await read(trendListSchema.array(), `/x/trends?part_id=${part}`);
    expect(names).toMatchObject([{ family: 'inspection', name: 'Length', records: 3, has_limits: true }]);
  });

  it('refuses what it cannot answer, by name', async () => {
    for (const [path, status, field] of [
      ['/x/trends', 422, 'part_id'],
      [`/x/trends/characteristics?part_id=${part}`, 422, 'characteristic'],
      [`/x/trends/characteristics?part_id=${part}&characteristic=Length&by=month`, 422, 'by'],
      ['/x/trends/lab?measurement=pH', 422, 'part_id'],
      ['/x/figures/stock-value?months=61', 422, 'months'],
    ] as const) {
      const { status: found, body } = await station.get(path);
      expect([path, found, Object.keys((body as { errors: object }).errors)]).toEqual([
        path,
        status,
        [field],
      ]);
    }
    expect((await station.get('/x/trends?part_id=999999')).status).toBe(404);
  });
});

describe('the trend of a measurement', () => {
  it('takes results by lot and by lot number in order of their days, and counts what is no number', async () => {
    const part = await createPart(station);
    const template = await post('/x/specifications', {
      name: 'Oil',
      characteristics: [{ name: 'pH', tolerance: '5-7' }],
    });
    const receipt = await createReceipt(station);
    const { inventory } = await receiveInto(station, receipt, { part_id: part, serial_number: 'OIL-1' });
    const result = (fields: object) => post('/lab-results', { specification_id: template, ...fields });
    await result({ inventory_id: inventory, testing_date: '2026-03-02', lab_data: { pH: 7.5 } });
    await result({ batch_number: 'OIL-1', testing_date: '2026-03-01', lab_data: { pH: 6 } });
    await result({ batch_number: 'OIL-1', testing_date: '2026-03-03', lab_data: { pH: '<5' } });
    for (const whose of [
      `part_id=${part}`,
      `template_id=${template}`,
      `part_id=${part}&template_id=${template}`,
    ]) {
      const trend = await read(trendSchema, `/x/trends/lab?${whose}&measurement=pH`);
      expect(
        trend.points.map(({ at, value, is_within }) => [at, value, is_within]),
        whose,
      ).toEqual([
        ['2026-03-01', 6, true],
        ['2026-03-02', 7.5, false],
      ]);
      expect(trend).toMatchObject({ qualified: 1, records_total: 3, limits: { lower: 5, upper: 7 } });
    }
  });
});

describe('the figures', () => {
  const value = (): Promise<StockValue> => read(stockValueSchema, '/x/figures/stock-value?months=3');

  it('value the stock by month and expiry, and follow every commit', async () => {
    const before = await value();
    const part = await createPart(station);
    const [lastMonth, month] = before.by_month.slice(-2).map(row => row.month);
    const receipt = await createReceipt(station, { actual_arrival_date: `${lastMonth}-15` });
    const line = { part_id: part, cost: 2.5, quantity_accepted: 8 };
    const { inventory } = await receiveInto(station, receipt, { ...line, expiry_date: '2031-05-31' });
    await receiveInto(station, await createReceipt(station), { ...line, quantity_accepted: 2, cost: 10 });
    await post('/x/adjustments', { inventory_id: inventory, quantity: -1, reason: 'Broken' });
    const after = await value();
    const row = (figure: StockValue, name = '') => figure.by_month.find(each => each.month === name);
    const gained = (name?: string) => (row(after, name)?.value ?? 0) - (row(before, name)?.value ?? 0);
    expect([gained(lastMonth), gained(month)]).toEqual([20, 37.5]);
    expect(row(after, month)).toMatchObject({
      received: 20 + (row(before, month)?.received ?? 0),
      shipped: 2.5,
    });
    expect(after.value - before.value).toBe(37.5);
    expect(after.by_expiry.find(each => each.month === '2031-05')).toEqual({
      month: '2031-05',
      value: 17.5,
      lots: 1,
    });
    expect(after.by_month).toHaveLength(3);
  });

  it('are worked out once for everybody who asks until the next commit', async () => {
    const [first, second] = await Promise.all([value(), value()]);
    expect(second).toEqual(first);
    await post('/suppliers', { name: 'Another commit' });
    expect((await value()).as_of > first.as_of).toBe(true);
  });

  it('count reports by state, source, cause, supplier and age', async () => {
    const supplier = await post('/suppliers', { name: 'Rusty' });
    const receipt = await createReceipt(station, { supplier_id: supplier });
    const cause = await post('/x/error-codes', { name: 'Rust' });
    const report = { source: 'supplier', receiving_inspection_id: receipt, error_code_id: cause };
    await post('/ncrs', { ...report, ncr_number: 'N-1' });
    await post('/ncrs', { ...report, ncr_number: 'N-2', status: 'closed' });
    const figures: NcrFigures = await read(ncrFiguresSchema, '/x/figures/ncrs');
    expect(figures).toMatchObject({ total: 2, open: 1 });
    expect(figures.by_status.map(({ count }) => count)).toEqual([1, 0, 1]);
    expect(figures.by_source).toEqual([{ source: 'supplier', count: 2, open: 1 }]);
    expect(figures.by_cause).toEqual([{ error_code_id: cause, cause: 'Rust', count: 2, open: 1 }]);
    expect(figures.by_supplier).toEqual([{ supplier_id: supplier, supplier: 'Rusty', count: 2, open: 1 }]);
    expect(figures.by_age[0]).toEqual({ from_days: 0, to_days: 7, count: 1 });
    expect(figures.by_month.at(-1)).toEqual({ month: day().slice(0, 7), raised: 2 });
  });

  it('go by the day on which something was found or happened, where that is not the day of writing', async () => {
    const agesOf = (figures: NcrFigures) => figures.by_age.map(({ count }) => count);
    const before = agesOf(await read(ncrFiguresSchema, '/x/figures/ncrs'));
    await post('/ncrs', { ncr_number: 'N-3', source: 'internal', date_opened: day(-40) });
    const after = agesOf(await read(ncrFiguresSchema, '/x/figures/ncrs'));
    expect(after.map((count, place) => count - (before[place] ?? 0))).toEqual([0, 0, 1, 0]);
    const { body } = await station.get('/x/boards/ncr');
    const cards = (body as { data: Board }).data.columns.flatMap(column => column.cards);
    expect(cards.find(({ number }) => number === 'N-3')).toMatchObject({
      day: day(-40),
      days: 40,
      is_late: true,
    });

    const first = await value();
    const [month = ''] = first.by_month.map(row => row.month);
    const lot = await post('/x/inventory', {
      part_id: await createPart(station),
      batch_number: unique('OPEN'),
      opening_quantity: 10,
      opening_date: `${month}-02`,
      cost: 3,
    });
    await post('/x/adjustments', {
      inventory_id: lot,
      quantity: -4,
      reason: 'Used',
      adjustment_date: `${month}-20`,
    });
    const gained = (await value()).by_month.map(
      (row, place) => row.value - (first.by_month[place]?.value ?? 0),
    );
    expect(gained).toEqual([18, 18, 18]);
  });

  it("share out what suppliers' lines brought, each line alike, units apart", async () => {
    const supplier = await post('/suppliers', { name: 'Half and half' });
    const part = await createPart(station, { unit_of_measure: 'kg' });
    const receipt = await createReceipt(station, { supplier_id: supplier });
    const { inventory } = await receiveInto(station, receipt, {
      part_id: part,
      quantity_accepted: 1,
      quantity_rejected: 1,
    });
    await receiveInto(station, receipt, { part_id: part, quantity_accepted: 500, unit_of_measure: 'kg' });
    await post('/inspections', { entity_id: part, inventory_id: inventory, passed: false });
    const old = await createReceipt(station, { supplier_id: supplier, actual_arrival_date: '2020-01-01' });
    await receiveInto(station, old, { part_id: part, quantity_accepted: 0, quantity_rejected: 5 });
    const { suppliers }: SupplierFigures = await read(supplierFiguresSchema, '/x/figures/suppliers');
    expect(suppliers.find(({ supplier_id }) => supplier_id === supplier)).toEqual({
      supplier_id: supplier,
      supplier: 'Half and half',
      receipts: 1,
      lines: 2,
      lines_with_rejects: 1,
      accepted_share: 0.75,
      by_unit: [
        { unit: 'EA', accepted: 1, rejected: 1 },
        { unit: 'kg', accepted: 500, rejected: 0 },
      ],
      lots_inspected: 1,
      lots_failed: 1,
    });
  });
});
