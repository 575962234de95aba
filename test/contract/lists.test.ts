import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listFields } from '../../shared/contract/list-fields.ts';
import { listOperations } from '../../shared/operations/operations.ts';
import { Station } from '../support/station.ts';

/** Sorted, filtered and shaped lists: interface decisions, 2. */
const station = new Station({ isHere: true });
let supplier = 0;
let part = 0;

interface Listed {
  data: Record<string, unknown>[];
  meta: Record<string, unknown>;
  errors?: Record<string, string[]>;
}

const made = async (path: string, body: object): Promise<number> => {
  const answer = await station.post(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return (answer.body as { data: { id: number } }).data.id;
};

const list = async (path: string, headers: Record<string, string> = {}) => {
  const { status, body, headers: sent } = await station.call('GET', path, { headers });
  return { ...(body as Listed), status, tag: sent.get('etag') ?? '' };
};

const tokenFor = async (body: object) => {
  const { data } = (await station.post('/x/tokens', body)).body as { data: { secret: string } };
  return { authorization: `Bearer ${data.secret}` };
};

beforeAll(async () => {
  await station.start();
  supplier = await made('/suppliers', { name: 'Nordwind' });
  part = await made('/parts', { name: 'Jar', identification: 'J-1', supplier_id: supplier });
  await made('/parts', { name: 'ash', identification: 'A-2' });
  await made('/parts', { name: 'Lid', identification: 'L-3', supplier_id: supplier });
  await made('/orders', { order_number: 'O-1', items: [{ part_id: part, quantity: 2 }] });
});
afterAll(() => station.stop());

const lists = listOperations().filter(({ kind, family }) => kind === 'list' && family !== null);

describe('every list of a family', () => {
  it.each(lists.map(({ id, path, family }) => ({ id, path, family })))(
    '$id takes all its fields, and refuses others',
    async ({ path, family }) => {
      if (family === null || !path.startsWith('/')) return;
      const fields = [...listFields(family).keys()];
      // The document's shipments have no pages.
      if (path === '/shipments' || fields.length === 0) return;
      for (const name of fields) {
        const asked = `sort=-${name}${name === 'id' ? '' : `&filter[${name}][is_null]=false`}`;
        const { status, errors } = await list(`${path}?${asked}`);
        expect({ name, status, errors }).toEqual({ name, status: 200, errors: undefined });
      }
      const refused = await list(`${path}?sort=colour&filter[colour]=red&fields=colour`);
      expect(refused.status).toBe(422);
      expect(Object.keys(refused.errors ?? {})).toEqual(['sort', 'filter[colour]', 'fields']);
      expect(refused.errors?.sort?.[0]).toContain(`sorted by: ${fields.join(', ')}.`);
    },
  );
});

describe('receipts by the serial numbers of their pieces', () => {
  const ids = async (query: string) => {
    const { status, data, errors } = await list(`/receiving-inspections?${query}`);
    expect({ query, status, errors }).toEqual({ query, status: 200, errors: undefined });
    return data.map(({ id }) => id);
  };
  const receipts: number[] = [];
  const receipt = (lines: string[][]) =>
    made('/receiving-inspections', {
      items: lines.map(serial_numbers => ({
        part_id: part,
        serial_number: 'L-1',
        quantity_accepted: Math.max(1, serial_numbers.length),
        unit_of_measure: 'EA',
        ...(serial_numbers.length > 0 && { serial_numbers }),
      })),
    });

  it('finds those that hold one, in any case, by the index, with what lists take beside it', async () => {
    receipts.push(await receipt([['SN-1', 'SN-2'], ['SN-3']]));
    receipts.push(await receipt([['sn-3', 'SN-4']]));
    receipts.push(await receipt([[]]));
    const [one, other, without] = receipts;
    expect(await ids('filter[serial_numbers]=sn-2')).toEqual([one]);
    expect(await ids('filter[serial_numbers]=SN-3')).toEqual([one, other]);
    // A record that holds several of them stands there once.
    expect(await ids('filter[serial_numbers][in]=SN-1,SN-2,SN-4&order=desc')).toEqual([other, one]);
    expect(await ids(`filter[serial_numbers]=SN-3&filter[id][gt]=${one}`)).toEqual([other]);
    expect(await ids('filter[serial_numbers]=SN-3&sort=-actual_arrival_date')).toEqual([other, one]);
    expect(await ids('filter[serial_numbers]=SN')).toEqual([]);
    expect(await ids('filter[serial_numbers][ne]=SN-1')).toEqual([other, without]);
    expect(await ids('filter[serial_numbers][is_null]=true')).toEqual([without]);
    expect(await ids('filter[serial_numbers][is_null]=false')).toEqual([one, other]);
    const counted = await list('/receiving-inspections?filter[serial_numbers]=SN-3&per_page=1');
    expect(counted.meta).toMatchObject({ total: 2 });
  });

  it('is no order, and no comparison of parts of a number', async () => {
    const refused = await list(
      '/receiving-inspections?sort=serial_numbers&filter[serial_numbers][contains]=SN&filter[colour]=1',
    );
    expect(refused.status).toBe(422);
    expect(refused.errors?.sort?.[0]).toMatch(/"serial_numbers" has no index to find receipts by/);
    expect(refused.errors?.['filter[serial_numbers][contains]']).toEqual([
      '"contains" is no comparison for serial_numbers, which holds numbers of its items. Possible: eq, ne, in, is_null.',
    ]);
    expect(refused.errors?.['filter[colour]']?.[0]).toContain(', serial_numbers.');
  });
});

describe('the chapter on lists', () => {
  const chapter = readFileSync(new URL('../../docs/interface/lists.md', import.meta.url), 'utf8');
  const examples = [...chapter.matchAll(/^GET (\/.+\?.+)$/gm)].map(([, address = '']) => address);

  it('has examples', () => expect(examples.length).toBeGreaterThan(9));
  it.each(examples)('%s works', async address => {
    const { status, errors, meta } = await list(address, { prefer: 'handling=strict' });
    expect([status, errors, meta.not_expanded]).toEqual([200, undefined, undefined]);
  });
});

describe('a list', () => {
  it('is sorted and filtered, in any case, beside what lists took before', async () => {
    const names = async (query: string) => (await list(`/parts?${query}`)).data.map(({ name }) => name);
    expect(await names('sort=name')).toEqual(['ash', 'Jar', 'Lid']);
    expect(await names('sort=-name')).toEqual(['Lid', 'Jar', 'ash']);
    expect(await names('sort=supplier_id,-name')).toEqual(['Lid', 'Jar', 'ash']);
    expect(await names('filter[name]=%20JAR')).toEqual(['Jar']);
    expect(await names('filter%5Bname%5D%5Bcontains%5D=A&sort=name')).toEqual(['ash', 'Jar']);
    expect(await names(`supplier_id=${supplier}&filter[name][ne]=jar`)).toEqual(['Lid']);
    expect(await names('keyword=li&filter[supplier_id][is_null]=false')).toEqual(['Lid']);
    expect(await names('updated_since=2020-01-01&sort=-identification&per_page=2')).toEqual(['Lid', 'Jar']);
    const page = await list('/parts?filter[supplier_id][is_null]=false&sort=-name&per_page=1&page=2');
    expect([page.data.map(({ name }) => name), page.meta]).toEqual([
      ['Jar'],
      { current_page: 2, from: 2, to: 2, total: 2, per_page: 1 },
    ]);
  });

  it('tells all that is wrong at once, with field, value and remedy', async () => {
    const address = [
      'page=0',
      'order=up',
      'sort=name,density,-name',
      'filter[supplier_id]=x',
      'filter[name][like]=a',
      'filter[name][in]=,',
      'filter=a',
      'filter[supplier_id][gt]=1',
      'fields=name,colour,name.x',
      'expand=supplier,colour',
    ].join('&');
    const { status, errors } = await list(`/parts?${address}`);
    expect(status).toBe(422);
    // What cannot be read as an address is told first.
    expect(errors).toEqual({ filter: [expect.stringContaining('filter[field]=value')] });
    const rest = await list(`/parts?${address.replace('&filter=a', '')}`);
    expect(rest.errors).toEqual({
      page: ['"0" is not a whole number from 1.'],
      order: ['"up" is no order. Give asc or desc.'],
      sort: [
        expect.stringMatching(/^"density" has no index to find parts by\. They can be sorted by: id, name, /),
        '"name" stands twice. Name each field once.',
      ],
      'filter[supplier_id]': ['"x" is not the id of a record. Give a whole number from 1.'],
      'filter[name][like]': [
        expect.stringMatching(/^"like" is no comparison for name, .+ Possible: eq, ne, /),
      ],
      'filter[name][in]': [expect.stringMatching(/^Nothing is given to compare name with\. Give a value/)],
      'filter[supplier_id][gt]': [expect.stringContaining('Possible: eq, ne, in, is_null.')],
      fields: [
        expect.stringMatching(/^"colour" is in no answer of this list\. Possible: id, name, /),
        '"name.x" leads into name, which has no items. Give name.',
      ],
      expand: [expect.stringMatching(/^"colour" cannot be expanded here\. Possible: .*supplier/)],
    });
    const twice = await list('/parts?filter[name]=a&filter[name]=b');
    expect(twice.errors).toEqual({
      'filter[name]': ['filter[name] stands twice in the address. Give it once.'],
    });
  });

  it('answers chosen members alone, of items too, and says nothing new without the parameters', async () => {
    expect((await list('/parts?fields=name&sort=name')).data[1]).toEqual({ id: part, name: 'Jar' });
    const [order] = (await list('/orders?fields=order_number,items.quantity&expand=items.part')).data;
    expect(order).toMatchObject({
      order_number: 'O-1',
      items: [{ quantity: 2, part: { id: part, name: 'Jar' } }],
    });
    expect(Object.keys(order ?? {}).toSorted()).toEqual(['id', 'items', 'order_number']);
    const items = order?.items as Record<string, unknown>[];
    expect(Object.keys(items[0] ?? {}).toSorted()).toEqual(['id', 'part', 'quantity']);
    const { data, meta } = await list('/parts');
    expect(Object.keys(data[0] ?? {})).not.toContain('supplier');
    expect(Object.keys(meta)).toEqual(['current_page', 'from', 'to', 'total', 'per_page']);
  });

  it('shows a referred record, whose change changes the tag', async () => {
    const path = '/parts?expand=supplier&sort=name';
    const before = await list(path);
    expect(before.data.map(each => each.supplier)).toMatchObject([
      null,
      { name: 'Nordwind' },
      { name: 'Nordwind' },
    ]);
    expect((await station.call('GET', path, { headers: { 'if-none-match': before.tag } })).status).toBe(304);
    await station.put(`/suppliers/${supplier}`, { name: 'Nordwind AG' });
    const after = await list(path, { 'if-none-match': before.tag });
    expect([after.status, after.data[1]?.supplier]).toMatchObject([200, { name: 'Nordwind AG' }]);
  });

  it('tells nobody of families that he may not read', async () => {
    const bounded = await tokenFor({ name: 'parts', scopes: ['read'], families: ['part'] });
    const parts = await list('/parts?expand=supplier,part_type&sort=supplier_id', bounded);
    expect(parts.status).toBe(200);
    expect(parts.meta.not_expanded).toEqual(['supplier', 'part_type']);
    expect(JSON.stringify(parts.data)).not.toContain('Nordwind');
    const through = await list('/parts?filter[supplier.name]=Nordwind', bounded);
    expect([through.status, through.errors?.['filter[supplier.name]']?.[0]]).toEqual([
      422,
      expect.stringContaining('is no field of parts'),
    ]);
    const reader = await tokenFor({ name: 'reader', scopes: ['read'] });
    const complaints = await list('/complaints?expand=investigator_user,part', reader);
    expect([complaints.status, complaints.meta.not_expanded]).toEqual([200, ['investigator_user']]);
    expect((await list('/complaints?expand=investigator_user,part')).meta.not_expanded).toBeUndefined();
    for (const query of ['sort=login', 'filter[login]=boss', 'filter[login][contains]=b', 'fields=login'])
      expect((await list(`/x/users?${query}`, reader)).status).toBe(403);
  });

  it('is exported as it is narrowed, or refused as it is', async () => {
    const { status, body } = await station.call(
      'GET',
      '/x/exports/part?filter[name][contains]=a&filter[supplier_id][is_null]=true',
    );
    expect(status).toBe(200);
    const names = String(body)
      .trim()
      .split('\n')
      .map(line => (JSON.parse(line) as { name: string }).name);
    expect(names).toEqual(['ash']);
    const refused = await station.call('GET', '/x/exports/part?filter[colour]=red&filter[supplier_id]=x');
    expect(refused.status).toBe(422);
    expect(Object.keys((refused.body as Listed).errors ?? {})).toEqual([
      'filter[colour]',
      'filter[supplier_id]',
    ]);
    const [event] = (await list('/x/audit?kind=exported')).data;
    expect(event?.details).toMatchObject({ what: 'part', 'filter[name][contains]': 'a' });
  });

  it('treats names that it does not know as before', async () => {
    const ignored = await list('/parts?filters[name]=a&sorted=1');
    expect([ignored.status, ignored.meta.ignored]).toEqual([200, ['filters[name]', 'sorted']]);
    const strict = await list('/parts?filters[name]=a', { prefer: 'handling=strict' });
    expect(strict.status).toBe(422);
    expect((await list('/parts?filter[name]=jar', { prefer: 'handling=strict' })).status).toBe(200);
  });
});
