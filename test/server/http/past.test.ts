import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { pdfText } from '../print/pdf-text.ts';

type Data = Record<string, unknown>;

const station = new Station({ isHere: true });
const dataOf = <Shape = Data>({ body }: { body: unknown }) => (body as { data: Shape }).data;
const fieldsOf = (answer: { body: unknown }) => dataOf<{ fields: Data }>(answer).fields;

/** Between two writes, by the clock that dates them. */
let between = '';
let supplier = 0;
let lot = 0;

beforeAll(async () => {
  await station.start();
  supplier = Number(dataOf(await station.post('/suppliers', { name: 'Acme' })).id);
  const part = dataOf(
    await station.post('/parts', { name: 'Jar', identification: 'J-1', unit_of_measure: 'units' }),
  ).id;
  const receipt = await station.post('/receiving-inspections', {
    items: [{ part_id: part, serial_number: 'L1', quantity_accepted: 5 }],
  });
  expect(receipt.status).toBe(201);
  lot = Number(dataOf<Data[]>(await station.get('/x/stock', { as_of: await end() }))[0]?.inventory_id);
  await new Promise(resolve => setTimeout(resolve, 5));
  between = new Date().toISOString();
  await new Promise(resolve => setTimeout(resolve, 5));
  await station.put(`/suppliers/${supplier}`, { name: 'Acme & Sons' });
  await station.post('/suppliers', { name: 'Later' });
  await station.post('/x/adjustments', { inventory_id: lot, quantity: -2, reason: 'Broken' });
});
afterAll(() => station.stop());

/** How far the log goes now. */
async function end(): Promise<number> {
  const as_of = new Date().toISOString();
  const { meta } = (await station.get('/x/records/supplier', { as_of })).body as { meta: Data };
  return (meta.past as { log_end: number }).log_end;
}

describe('a record as of then', () => {
  it('has the fields, the version and what it means', async () => {
    const then = await station.get(`/x/records/supplier/${supplier}`, { as_of: between });
    expect(then.status).toBe(200);
    expect(fieldsOf(then).name).toBe('Acme');
    expect(dataOf(then)).toMatchObject({
      version: 1,
      past: { meaning: 'moment', at: between, place: null, notes: ['changed_since'] },
    });
    const now = await station.get(`/x/records/supplier/${supplier}`);
    expect(fieldsOf(now).name).toBe('Acme & Sons');
    expect(dataOf(now)).not.toHaveProperty('past');
  });

  it('is the same by its place, as known here, and with another offset whose plus was not quoted', async () => {
    const [first] = dataOf<Data[]>(await station.get(`/x/history/supplier/${supplier}`));
    expect(first).toBeDefined();
    const shifted = `${new Date(Date.parse(between) + 3_600_000).toISOString().slice(0, -1)} 01:00`;
    for (const query of [
      { as_of: between, known: 'here' },
      { as_of: shifted },
      { as_of: Number(first?.number) },
    ]) {
      const then = await station.get(`/x/records/suppliers/${supplier}`, query);
      expect(fieldsOf(then), JSON.stringify(query)).toMatchObject({ name: 'Acme' });
    }
  });

  it('says when it was created where it was not there yet', async () => {
    const answer = await station.get(`/x/records/supplier/${supplier + 1}`, { as_of: between });
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ message: expect.stringContaining('it was created on 20') });
    const never = await station.get('/x/records/supplier/99', { as_of: between });
    expect(never.status).toBe(404);
  });

  it('is printed with what it means', async () => {
    const query = { as_of: between, known: 'here' };
    const print = async (language: string) => {
      const answer = await fetch(
        `${station.origin}/api/v2/x/records/supplier/${supplier}/paper?${new URLSearchParams({ ...query, language })}`,
        { headers: { authorization: `Bearer ${station.token}` } },
      );
      expect(answer.status).toBe(200);
      return pdfText(new Uint8Array(await answer.arrayBuffer()))
        .join(' ')
        .replaceAll(/\s+/g, ' ');
    };
    const english = await print('en');
    expect(english).toContain('This is not the present state.');
    expect(english).toContain('as this machine knew it at');
    expect(english).toContain('Printed by');
    expect(english).toContain('Acme');
    expect(english).not.toContain('Sons');
    expect(await print('de')).toContain('Dies ist nicht der heutige Stand.');
  });
});

it('lists what was there then, a page at a time', async () => {
  const query = { as_of: between, per_page: 1 };
  const list = await station.get('/x/records/supplier', query);
  expect(dataOf<Data[]>(list).map(({ fields }) => (fields as Data).name)).toEqual(['Acme']);
  expect(list.body).toMatchObject({ meta: { total: 1, past: { meaning: 'moment' } } });
  const now = await station.get('/x/records/supplier', { as_of: await end(), order: 'desc' });
  expect(dataOf<Data[]>(now).map(({ fields }) => (fields as Data).name)).toEqual(['Later', 'Acme & Sons']);
});

it('says what was in stock then, by lot and by part', async () => {
  const then = await station.get('/x/stock', { as_of: between });
  expect(dataOf(then)).toMatchObject([
    {
      inventory_id: lot,
      batch_number: 'L1',
      part: 'Jar',
      identification: 'J-1',
      unit: 'units',
      quantity: 5,
      lots: 1,
    },
  ]);
  const query = { as_of: await end(), by: 'part' };
  expect(dataOf(await station.get('/x/stock', query))).toMatchObject([{ part: 'Jar', quantity: 3, lots: 1 }]);
  expect(dataOf(await station.get('/x/stock', { ...query, part_id: 99 }))).toEqual([]);
});

it.each([
  [{ as_of: 'yesterday' }, 'as_of', 'Give 2026-03-03T10:00:00+01:00 or 903'],
  [{ as_of: '2026-03-03T10:00:00' }, 'as_of', 'with its offset'],
  [{ as_of: '2999-01-01T00:00:00Z' }, 'as_of', 'is not over yet'],
  [{ as_of: '2001-01-01T00:00:00Z' }, 'as_of', 'before the first entry'],
  [{ as_of: 0 }, 'as_of', 'There is no entry 0'],
  [{ as_of: 999_999 }, 'as_of', 'There is no entry 999999'],
  [{ as_of: 1, known: 'here' }, 'as_of', 'the same for all'],
  [{ as_of: 1, known: 'there' }, 'known', 'Give here'],
  [{ known: 'here' }, 'as_of', 'as_of is missing'],
] as const)('refuses %o', async (query, field, remedy) => {
  const paths = [`/x/records/supplier/${supplier}`, '/x/records/supplier', '/x/stock'];
  for (const path of paths) {
    const { status, body } = await station.get(path, query);
    expect(status, path).toBe(422);
    expect((body as { errors: Record<string, string[]> }).errors[field]?.[0], path).toContain(remedy);
  }
});

it('is for whom the record is', async () => {
  const made = await station.post('/x/tokens', { name: 'reader', scopes: ['read'] });
  const headers = { authorization: `Bearer ${dataOf(made).secret}` };
  const as_of = await end();
  expect((await station.call('GET', '/x/records/supplier', { query: { as_of }, headers })).status).toBe(200);
  expect((await station.call('GET', '/x/records/user', { query: { as_of }, headers })).status).toBe(403);
  expect((await station.call('GET', '/x/records/user/1', { query: { as_of }, headers })).status).toBe(403);
});
