import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFiles } from '../server/transfer/importing.ts';
import { type Answer, Station } from '../support/station.ts';

/** Nobody types the number of a report, a request or a complaint, whichever door it comes by (decisions/0091). */
const station = new Station({ isHere: true });
beforeAll(() => station.start());
afterAll(() => station.stop());

const DATED = { complaint_date: '2026-11-26' };
const kinds = [
  {
    family: 'ncr',
    field: 'ncr_number',
    prefix: 'NCR',
    door: '/x/ncrs',
    read: '/ncrs',
    body: { source: 'internal' },
  },
  {
    family: 'car',
    field: 'car_number',
    prefix: 'CAR',
    door: '/cars',
    read: '/cars',
    body: { source: 'audit' },
  },
  {
    family: 'complaint',
    field: 'complaint_number',
    prefix: 'CMP',
    door: '/x/complaints',
    read: '/complaints',
    body: DATED,
  },
];

type Row = Record<string, unknown> & { id: number };
const recordOf = ({ body }: Answer) => (body as { data: Row }).data;
const rowsOf = ({ body }: Answer) => (body as { data: Row[] }).data;

describe.each(kinds)('the number of a $family', ({ family, field, prefix, door, read, body }) => {
  const all = async () => rowsOf(await station.get(read, { per_page: 500 })).map(row => row[field]);

  it('is given, one after the other', async () => {
    const made = [await station.post(door, body), await station.post(door, { ...body, [field]: null })];
    const blank = await station.post(door, { ...body, [field]: '  ' });
    expect([...made, blank].map(({ status }) => status)).toEqual([201, 201, 201]);
    expect([...made, blank].map(answer => recordOf(answer)[field])).toEqual(
      [1, 2, 3].map(n => `${prefix}-0-00000${n}`),
    );
  });

  it('is passed over where somebody has typed it, and one that is typed stays', async () => {
    const typed = await station.post(door, { ...body, [field]: `${prefix}-0-000004` });
    expect(recordOf(typed)[field]).toBe(`${prefix}-0-000004`);
    expect(recordOf(await station.post(door, body))[field]).toBe(`${prefix}-0-000005`);
    const refused = await station.post(door, { ...body, [field]: `${prefix.toLowerCase()}-0-000001` });
    expect(refused.status).toBe(422);
  });

  it.each(['all', 'each'])('is given to each of many, written %s', async mode => {
    const before = new Set(await all());
    const answer = await station.post(`/x/bulk/${family}`, { mode, rows: [body, body] });
    expect(answer.body).toMatchObject({ meta: { created: 2 } });
    const given = (await all()).filter(number => !before.has(number));
    expect(new Set(given).size).toBe(2);
    for (const number of given) expect(number).toMatch(new RegExp(`^${prefix}-0-\\d{6}$`));
  });

  it('is given to rows of an import that have none, and stays when the file comes again', async () => {
    const fields = Object.fromEntries([...Object.keys(body), field].map(name => [name, name]));
    const mapping = { source: `old ${family}`, steps: [{ file: 'a.csv', family, key: 'no', fields }] };
    const head = ['no', ...Object.keys(fields)].join(',');
    const csv = `${head}\n${['1', ...Object.values(body), ''].join(',')}\n${['2', ...Object.values(body), `Old ${prefix}`].join(',')}\n`;
    const before = new Set(await all());
    expect(await importFiles(station, mapping, { 'a.csv': csv })).toMatchObject({ created: 2, bad: 0 });
    const given = (await all()).filter(number => !before.has(number));
    expect(given).toContain(`Old ${prefix}`);
    expect(given.filter(number => String(number).startsWith(`${prefix}-0-`))).toHaveLength(1);
    expect(await importFiles(station, mapping, { 'a.csv': csv })).toMatchObject({ unchanged: 2, bad: 0 });
  });

  it('is wanted of rows that are told apart by it alone: a second run would make them anew', async () => {
    const fields = Object.fromEntries([...Object.keys(body), field].map(name => [name, name]));
    const mapping = { source: `m ${family}`, steps: [{ file: 'a.csv', family, match: field, fields }] };
    const csv = `${Object.keys(fields).join(',')}\n${[...Object.values(body), ''].join(',')}\n`;
    const ended = await importFiles(station, mapping, { 'a.csv': csv });
    expect(ended).toMatchObject({ state: 'failed', bad: 1, bad_rows: [{ column: field }] });
  });

  it('is not cleared by a change', async () => {
    const { id } = recordOf(await station.post(door, body));
    for (const cleared of [null, '', '  ']) {
      const answer = await station.patch(`${read}/${id}`, { [field]: cleared });
      expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
    }
  });
});

it('the documented creates of reports and complaints want it, as the document says', async () => {
  for (const [path, field, body] of [
    ['/ncrs', 'ncr_number', { source: 'internal' }],
    ['/complaints', 'complaint_number', DATED],
  ] as const) {
    const answer = await station.post(path, body);
    expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  }
});
