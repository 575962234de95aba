import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { importFiles, listOf } from '../server/transfer/importing.ts';
import { type Answer, Station } from '../support/station.ts';
import { creatableFamilies, FamilyValues, pathOf } from './family-values.ts';
import { createPart, createReceipt, receiveInto } from './golden/records.ts';

/**
 * A moment that is given for a day is the day at the site, at every door; a midnight, with whatever offset, is the day that is written.
 * In Berlin it is two hours later than in UTC then.
 */
const MOMENTS: readonly [given: string, day: string][] = [
  ['2026-07-31', '2026-07-31'],
  ['2026-07-31T23:30:00Z', '2026-08-01'],
  ['2026-07-31T21:59:59.999Z', '2026-07-31'],
  ['2026-08-01T05:30:00+09:00', '2026-07-31'],
  ['2026-07-31T18:00-06:00', '2026-08-01'],
  ['2026-08-01T00:00:00+09:00', '2026-08-01'],
  ['2026-08-01T00:00:00.000Z', '2026-08-01'],
  ['2026-07-31T00:00:01-11:00', '2026-07-31'],
  ['2026-07-31T23:30:00', '2026-07-31'],
  ['2026-07-31 23:30', '2026-07-31'],
];
const [LATE, DAY] = ['2026-07-31T23:30:00Z', '2026-08-01'];

interface DayCase {
  /** For the test's name. */
  name: string;
  family: Family;
  path: string;
  collection: (Collection & { name: string }) | undefined;
  field: string;
}

/** Days of every create of a family, and of the items that it takes. */
const dayCases = creatableFamilies().flatMap((family): DayCase[] => {
  const path = pathOf(family, 'create');
  const daysOf = ({ fields }: Pick<Family | Collection, 'fields'>) =>
    // Closing a shipment needs stock.
    Object.keys(fields).filter(
      name => fields[name]?.kind === 'date' && fields[name].writable && name !== 'actual_ship_date',
    );
  return [
    ...daysOf(family).map(field => ({
      name: `${path}: ${field}`,
      family,
      path,
      collection: undefined,
      field,
    })),
    ...Object.entries(family.collections).flatMap(([name, collection]) =>
      daysOf(collection).map(field => ({
        name: `${path}: ${name}.${field}`,
        family,
        path,
        collection: { ...collection, name },
        field,
      })),
    ),
  ];
});

const station = new Station({ isHere: true });
const values = new FamilyValues(station);
let template: number;
beforeAll(async () => {
  await station.start();
  await station.put('/x/settings', { time_zone: 'Europe/Berlin' });
  const characteristics = [{ name: 'pH', tolerance: '5-7' }];
  template = Number(dataOf(await station.post('/x/specifications', { name: 'Oil', characteristics })).id);
});
afterAll(() => station.stop());

describe('a moment that is given for a day', () => {
  it.each(MOMENTS)('%s is %s when a record is made, written and written in part', async (given, day) => {
    const made = dataOf(await station.post('/orders', { order_date: given }));
    expect(made.order_date).toBe(day);
    const path = `/orders/${made.id}`;
    expect(dataOf(await station.put(path, { due_date: given })).due_date).toBe(day);
    expect(dataOf(await station.patch(path, { start_date: given })).start_date).toBe(day);
  });

  it('every create that takes a day is tried, those under /x/ among them', () => {
    expect(dayCases.length).toBeGreaterThan(20);
    expect(dayCases.filter(({ path }) => path.startsWith('/x/')).length).toBeGreaterThan(8);
  });

  it.each(dayCases)('is the day at the site in $name', async ({ family, path, collection, field }) => {
    const item = collection && { ...(await values.least(collection)), [field]: LATE };
    const own = collection ? { [collection.name]: [item] } : { [field]: LATE };
    const { data, meta } = answerOf(await station.post(path, { ...(await values.least(family)), ...own }));
    const whole = dataOf(await station.get(`/x/records/${family.name}/${data.id ?? meta?.id}`));
    const { [field]: kept } = collection ? itemIn(whole.fields, collection.name) : recordIn(whole.fields);
    expect(kept).toBe(DAY);
  });

  it.each(MOMENTS)('%s is %s in bulk', async (given, day) => {
    for (const mode of ['all', 'each']) {
      const made = await station.post('/x/bulk/order', { mode, rows: [{ order_date: given }] });
      const [{ id }] = (made.body as { data: [{ id: number }] }).data;
      await station.put('/x/bulk/order', { mode, rows: [{ id, due_date: given }] });
      expect(dataOf(await station.get(`/orders/${id}`))).toMatchObject({ order_date: day, due_date: day });
    }
  });

  it('is the day at the site in items of records and in items by themselves', async () => {
    const [receipt, part] = [
      await createReceipt(station, { actual_arrival_date: LATE }),
      await createPart(station),
    ];
    const line = { part_id: part, quantity_accepted: 1, serial_number: 'L', expiry_date: LATE };
    await station.post(`/receiving-inspections/${receipt}/items`, { ...line, unit_of_measure: 'EA' });
    await station.put(`/receiving-inspections/${receipt}`, { items: [{ ...line, unit_of_measure: 'EA' }] });
    const { actual_arrival_date, items } = dataOf(await station.get(`/receiving-inspections/${receipt}`));
    expect(actual_arrival_date).toBe(DAY);
    expect((items as { expiry_date: string }[]).map(item => item.expiry_date)).toEqual([DAY, DAY]);
  });

  it.each(MOMENTS)('%s is %s in filters, also where the plus came as a blank', async (given, day) => {
    const po_number = `F ${given}`;
    await station.post('/orders', { po_number, order_date: day });
    const query = { 'filter[po_number]': po_number, 'filter[order_date]': given };
    const found = await station.get('/orders', query);
    expect(found.body).toMatchObject({ meta: { total: 1 } });
    const plus = await station.fetch(
      `${station.origin}/api/v2/orders?filter[po_number]=${encodeURIComponent(po_number)}&filter[order_date]=${given}`,
      { headers: { authorization: `Bearer ${station.token}` } },
    );
    expect(await plus.json()).toMatchObject({ meta: { total: 1 } });
  });

  it('is the day at the site in the move of a lot', async () => {
    const receipt = await createReceipt(station, { actual_arrival_date: '2026-07-01' });
    const { inventory: lot } = await receiveInto(station, receipt, { part_id: await createPart(station) });
    const { id } = dataOf(await station.post('/x/locations', { name: 'Shelf' }));
    const move = { to_location_id: id, move_date: LATE };
    expect(dataOf(await station.post(`/x/inventory/${lot}/moves`, move)).move_date).toBe(DAY);
  });

  it("is the day at the site in the document's own range", async () => {
    const { id } = dataOf(await station.post('/shipments', { requested_ship_date: LATE }));
    const listed = async (fromDate: string, toDate: string) => {
      const { body } = await station.get('/shipments', { dateRange: true, fromDate, toDate });
      return (body as { data: { id: number }[] }).data.some(one => one.id === id);
    };
    expect(await listed(LATE, LATE)).toBe(true);
    expect(await listed('2026-07-30T23:30:00Z', '2026-07-31T21:00:00Z')).toBe(false);
  });

  it('is the day at the site in the table of an instrument', async () => {
    const [receipt, part] = [await createReceipt(station), await createPart(station)];
    await receiveInto(station, receipt, { part_id: part, serial_number: 'OIL-1' });
    const csv = `batch_number,testing_date,pH\nOIL-1,${LATE},6\n`;
    const { rows } = dataOf(await station.post('/x/lab-results/import', { csv, template_id: template }));
    const [{ id }] = rows as [{ id: number }];
    expect(dataOf(await station.get(`/lab-results/${id}`)).testing_date).toBe(DAY);
  });

  it.each<[form: string, mapping: object, content: string]>([
    ['CSV as it stands', { date: undefined }, `no,day\n1,${LATE}\n2,2026-08-01T00:00:00+09:00\n`],
    [
      'CSV with a format',
      { date: ["dd.MM.yyyy 'Zeit' HH:mm:ss ZZ", 'dd.MM.yyyy'] },
      'no,day\n1,31.07.2026 Zeit 23:30:00 +00:00\n2,01.08.2026\n',
    ],
    [
      'CSV with a format and a zone of its own',
      { date: ['dd.MM.yyyy HH:mm'], zone: 'Pacific/Kiritimati' },
      'no,day\n1,01.08.2026 23:59\n2,01.08.2026 00:00\n',
    ],
    [
      'JSON',
      {},
      JSON.stringify([
        { no: 1, day: LATE },
        { no: 2, day: '2026-08-01T00:00:00-09:00' },
      ]),
    ],
  ])('is the day at the site in %s', async (form, file, content) => {
    const name = form === 'JSON' ? 'a.json' : 'a.csv';
    const fields = { po_number: { template: `${form} {no}` }, order_date: 'day' };
    const steps = [{ file: name, family: 'order', key: 'no', fields }];
    const done = await importFiles(
      station,
      { source: form, files: { [name]: file }, steps },
      { [name]: content },
    );
    expect(done).toMatchObject({ state: 'done', created: 2, bad_rows: [] });
    const imported = (await listOf(station, '/orders')).filter(row => String(row.po_number).startsWith(form));
    expect(imported.map(row => row.order_date)).toEqual([DAY, DAY]);
  });

  it('is the day at the site in what an export looks like', async () => {
    const steps = [{ format: 'holdpoint', file: 'orders.json', family: 'order' }];
    const rows = [{ order_number: 'WHOLE', order_date: LATE }];
    const done = await importFiles(station, { source: 'whole', steps }, { 'orders.json': rows });
    expect(done).toMatchObject({ state: 'done', created: 1 });
    const [order] = (await listOf(station, '/orders')).filter(row => row.order_number === 'WHOLE');
    expect(order?.order_date).toBe(DAY);
  });

  it('reads back as the day, and writing that back changes nothing', async () => {
    const { id } = dataOf(
      await station.post('/orders', { order_date: LATE, due_date: '2026-08-01T00:00:00+09:00' }),
    );
    const read = await station.get(`/orders/${id}`);
    const written = await station.put(`/orders/${id}`, dataOf(read));
    expect(dataOf(written)).toEqual(dataOf(read));
    expect((await station.get(`/orders/${id}`)).headers.get('etag')).toBe(read.headers.get('etag'));
  });

  it('stays the day that it became when the site moves', async () => {
    const { id } = dataOf(await station.post('/orders', { order_date: LATE }));
    await station.put('/x/settings', { time_zone: 'America/New_York' });
    expect(dataOf(await station.get(`/orders/${id}`)).order_date).toBe(DAY);
    expect(dataOf(await station.post('/orders', { order_date: LATE })).order_date).toBe('2026-07-31');
    await station.put('/x/settings', { time_zone: 'Europe/Berlin' });
  });

  it('is refused by its name where the site has no such day', async () => {
    const answer = await station.post('/orders', { order_date: '9999-12-31T23:30:00Z' });
    expect(answer).toMatchObject({ status: 422, body: { errors: { order_date: [/not a calendar date/] } } });
  });
});

interface Answered {
  data: Record<string, unknown>;
  meta?: Record<string, unknown>;
}

function answerOf({ status, body }: Answer): Answered {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as Answered;
}

const recordIn = (fields: unknown) => fields as Record<string, unknown>;

/** The one item of a whole record's collection. */
function itemIn(fields: unknown, collection: string): Record<string, unknown> {
  const [item] = Object.values(recordIn(fields)[collection] ?? {});
  return recordIn(item);
}

function dataOf(answer: Answer): Record<string, unknown> {
  return answerOf(answer).data;
}
