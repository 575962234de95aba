import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LabImport, labImportSchema } from '../../../shared/operations/lab-import.ts';
import { idOf } from '../../contract/golden/answers.ts';
import { createPart, createReceipt, lotOf, receiveInto } from '../../contract/golden/records.ts';
import { Station } from '../../support/station.ts';

const station = new Station({ isHere: true });
let template: number;
let lots: number[];

beforeAll(async () => {
  await station.start();
  const part = await createPart(station);
  template = idOf(
    await station.post('/x/specifications', {
      name: 'Oil',
      characteristics: [
        { name: 'pH', tolerance: '5-7' },
        { name: 'Water', tolerance: '<= 1' },
      ],
    }),
  );
  const receipt = await createReceipt(station);
  const received = ['OIL-1', 'OIL-2'].map(serial_number => ({ part_id: part, serial_number }));
  lots = [];
  for (const line of received) lots.push((await receiveInto(station, receipt, line)).inventory);
});
afterAll(() => station.stop());

const send = (csv: string, further: object = {}) =>
  station.post('/x/lab-results/import', { csv, template_id: template, ...further });

async function imported(csv: string, further: object = {}): Promise<LabImport> {
  const answer = await send(csv, further);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { data } = answer.body as { data: unknown };
  expect(labImportSchema.parse(data)).toEqual(data);
  return data as LabImport;
}

const count = async () =>
  ((await station.get('/x/lab-results')).body as { meta: { total: number } }).meta.total;

describe("an instrument's table", () => {
  const table =
    'batch_number,testing_date,ph,Water,Operator\nOIL-1,2026-03-01,6.1,0.2,Kim\nOIL-2,2026-03-01,8,<0.05,Kim\n';

  it('tells what is in each row before anything is written', async () => {
    const preview = await imported(table, { dry_run: true });
    expect(preview).toMatchObject({ is_written: false, bad: 0, failing: 1, unused_columns: ['Operator'] });
    expect(preview.rows).toMatchObject([
      {
        line: 2,
        batch_number: 'OIL-1',
        inventory_id: lots[0],
        failed_measurements: [],
        faults: [],
        id: null,
      },
      { line: 3, measurements: { pH: '8', Water: '<0.05' }, failed_measurements: ['pH'] },
    ]);
    expect(await count()).toBe(0);
  });

  it('becomes one lab result a row, and what fails locks its lot', async () => {
    const { rows, is_written } = await imported(table);
    expect([is_written, await count()]).toEqual([true, 2]);
    const result = (await station.get(`/lab-results/${rows[1]?.id}`)).body as { data: object };
    expect(result.data).toMatchObject({
      batch_number: 'OIL-2',
      testing_date: '2026-03-01',
      lab_data: { pH: 8 },
      lab_data_qualified: { Water: '<0.05' },
    });
    expect([
      (await lotOf(station, lots[0] ?? 0)).is_locked,
      (await lotOf(station, lots[1] ?? 0)).is_locked,
    ]).toEqual([false, true]);
  });

  it('is taken whole or not at all, and every row at fault is named', async () => {
    const before = await count();
    const bad =
      'batch_number,pH,testing_date\nOIL-1,6,\nNONE,6,\n,6,\nOIL-1,much,\nOIL-1,,\nOIL-1,6,yesterday\nOIL-1,6\n';
    const preview = await imported(bad, { dry_run: true });
    expect(preview.rows.map(({ faults }) => faults.length)).toEqual([0, 1, 1, 1, 1, 1, 1]);
    const refused = await send(bad);
    expect([refused.status, Object.keys((refused.body as { errors: object }).errors)]).toEqual([
      422,
      ['line 3', 'line 4', 'line 5', 'line 6', 'line 7', 'line 8'],
    ]);
    expect(await count()).toBe(before);
  });

  it('that comes twice counts once, and each row that is here already is told', async () => {
    const before = await count();
    const { rows, repeated } = await imported(table);
    expect([repeated, rows.map(({ id }) => id), await count()]).toEqual([2, [null, null], before]);
    expect(rows.every(({ repeats }) => typeof repeats === 'number' && repeats > 0)).toBe(true);
    // The same sample twice in one file, and one that was measured anew.
    const line = 'OIL-1,2026-03-02,6.1,0.2,Kim\n';
    const further = await imported(
      `batch_number,testing_date,ph,Water,Operator\n${line}${line}OIL-1,2026-03-02,6.2,0.2,Kim\n`,
    );
    expect(further.rows.map(({ repeats }) => repeats)).toEqual([null, 0, null]);
    expect(await count()).toBe(Number(before) + 2);
  });

  it('gives its good rows where the bad ones are left out', async () => {
    const before = await count();
    const csv = 'batch_number,testing_date,pH\nNONE,2026-03-03,6\nOIL-1,2026-03-03,6\n';
    expect((await send(csv)).status).toBe(422);
    const { rows, bad } = await imported(csv, { skip_bad: true });
    expect([bad, rows.map(({ id }) => id !== null), await count()]).toEqual([
      1,
      [false, true],
      Number(before) + 1,
    ]);
  });

  it.each([
    ['21.11.2026', {}, '2026-11-21'],
    ['1.2.2026', {}, '2026-02-01'],
    ['11/21/2026', { date_order: 'month_first' }, '2026-11-21'],
    ['2/1/2026', { date_order: 'day_first' }, '2026-01-02'],
    ['11/21/2026', {}, null],
    ['31.02.2026', {}, null],
  ])('with the day %s %j is of %s', async (written, order, day) => {
    const csv = `batch_number,testing_date,testing_id,pH\nOIL-1,${written},${crypto.randomUUID()},6\n`;
    const { rows } = await imported(csv, { skip_bad: true, ...order });
    const [row] = rows;
    if (day === null)
      return expect(row).toMatchObject({ id: null, faults: [expect.stringContaining('date')] });
    const { body } = await station.get(`/lab-results/${row?.id}`);
    expect((body as { data: object }).data).toMatchObject({ testing_date: day });
  });

  it('names a lot in any spelling of its number', async () => {
    const { rows } = await imported('batch_number,pH\n oil-1 ,6\n', { dry_run: true });
    expect(rows).toMatchObject([{ batch_number: 'oil-1', inventory_id: lots[0], faults: [] }]);
    const line = ',2026-03-04,6.4\n';
    const twice = await imported(`batch_number,testing_date,pH\nOIL-1${line}oil-1${line}`, { dry_run: true });
    expect(twice.rows.map(({ repeats }) => repeats)).toEqual([null, 0]);
  });

  it('may have other columns, another delimiter and decimal commas', async () => {
    const { rows } = await imported('Charge;Säure\nOIL-1;6,5\n', {
      delimiter: ';',
      has_decimal_comma: true,
      columns: { batch_number: 'Charge' },
      measurements: { Säure: 'pH' },
    });
    expect(rows).toMatchObject([{ measurements: { pH: '6.5' }, faults: [] }]);
  });

  it.each([
    ['no lot column', 'Charge,pH\nOIL-1,6\n', {}, 'columns.batch_number'],
    ['no measurement', 'batch_number,Acid\nOIL-1,6\n', {}, 'measurements'],
    [
      'a column that is not there',
      'batch_number,pH\nOIL-1,6\n',
      { measurements: { Acid: 'pH' } },
      'measurements.Acid',
    ],
    ['a column twice', 'batch_number,pH,pH\nOIL-1,6,6\n', {}, 'csv'],
    ['no rows', 'batch_number,pH\n', {}, 'csv'],
    ['a quote that never ends', 'batch_number,pH\n"OIL-1,6\n', {}, 'csv'],
  ])('with %s is refused', async (_what, csv, further, field) => {
    const { status, body } = await send(csv, { dry_run: true, ...further });
    expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([422, [field]]);
  });
});
