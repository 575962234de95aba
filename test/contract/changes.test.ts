import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listOperations } from '../../shared/operations/operations.ts';
import { Station } from '../support/station.ts';
import { closeShipment, prepareShipment, stockedLot } from './golden/records.ts';

type Data = Record<string, unknown>;

/** What has changed, as a stream and page by page: interface decisions, 7. */
const station = new Station();
beforeAll(() => station.start());
afterAll(() => station.stop());

const dataOf = (answer: { body: unknown }) => (answer.body as { data: Data }).data;

interface Event {
  event: string | undefined;
  id: string | undefined;
  data: Data;
}

interface Stream {
  /** Reads until so many events have come, and stays open. */
  take(count: number): Promise<Event[]>;
  close(): void;
}

async function open(query = '', headers: Record<string, string> = {}): Promise<Stream> {
  const controller = new AbortController();
  const response = await fetch(`${station.origin}/api/v2/x/events${query}`, {
    headers: { authorization: `Bearer ${station.token}`, ...headers },
    signal: controller.signal,
  });
  expect(response.status).toBe(200);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let found: Event[] = [];
  return {
    async take(count) {
      while (found.length < count) {
        const { value, done } = (await reader?.read()) ?? { value: '', done: true };
        if (done) break;
        text += value;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
          const data = line('data');
          if (data !== undefined)
            found.push({ event: line('event'), id: line('id'), data: JSON.parse(data) });
        }
      }
      const taken = found.slice(0, count);
      found = found.slice(count);
      return taken;
    },
    close: () => controller.abort(),
  };
}

/** What a new stream, or one that goes on, has told after its beginning. */
async function eventsAfter(id: string | undefined, count: number): Promise<Event[]> {
  const stream = await open('', id === undefined ? {} : { 'last-event-id': id });
  const [first, ...events] = await stream.take(count + 1);
  expect(first?.event).toBe('cursor');
  stream.close();
  return events;
}

const names = (events: readonly Event[]) => events.map(({ data }) => `${data.family}:${data.id}`);

async function cursorNow(): Promise<string> {
  const { meta } = (await station.get('/x/changes')).body as { meta: Data };
  return String(meta.cursor);
}

interface Page {
  data: Data[];
  meta: { cursor: string; is_reset: boolean; is_more: boolean };
}

async function changesSince(since: string, query: Record<string, string | number> = {}): Promise<Page> {
  const answer = await station.get('/x/changes', { since, ...query });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Page;
}

/** A token that reads, and administers nothing. */
async function readerToken(): Promise<string> {
  const token = { name: `reader ${Math.random()}`, scopes: ['read'] };
  return String(dataOf(await station.post('/x/tokens', token)).secret);
}

describe('events', () => {
  it('begin with the place of the stream, and tell a change as it happens and to a client that comes back', async () => {
    const stream = await open();
    const [begin] = await stream.take(1);
    expect(begin).toMatchObject({ event: 'cursor', id: begin?.data.cursor });
    const first = dataOf(await station.post('/suppliers', { name: 'First' }));
    await station.put(`/suppliers/${first.id}`, { name: 'Second' });
    const seen = await stream.take(2);
    const told = { family: 'supplier', id: first.id, user: expect.any(String), at: expect.any(String) };
    expect(seen.map(({ data }) => data)).toEqual([
      { ...told, version: 1, change: 'created' },
      { ...told, version: 2, change: 'changed' },
    ]);
    expect(await eventsAfter(seen[0]?.id, 1)).toEqual([{ ...seen[1] }]);
    expect(names(await eventsAfter(begin?.id, 2))).toEqual(names(seen));
    stream.close();
  });

  it('go on by the address where a client cannot set headers', async () => {
    const cursor = await cursorNow();
    const { id } = dataOf(await station.post('/suppliers', { name: 'By the address' }));
    const stream = await open(`?since=${cursor}`);
    expect((await stream.take(2))[1]?.data).toMatchObject({ id, change: 'created' });
    stream.close();
  });

  it('begin anew, and say so, for a client whose place is of another history', async () => {
    const cursor = await cursorNow();
    for (const id of [
      '999999999',
      cursor.replace(/^\w+/, 'ffffffff'),
      cursor.replace(/\w{8}$/, '00000000'),
    ]) {
      const stream = await open('', { 'last-event-id': id });
      const [reset] = await stream.take(1);
      expect(reset).toMatchObject({ event: 'reset', id: reset?.data.cursor });
      const { id: made } = dataOf(await station.post('/suppliers', { name: 'After a restore' }));
      expect((await stream.take(1))[0]?.data).toMatchObject({ family: 'supplier', id: made, version: 1 });
      stream.close();
      expect((await changesSince(id)).meta).toMatchObject({ is_reset: true });
    }
  });

  it.each(['-1', 'NaN', '1e309', "0'--", '9'.repeat(400)])('refuse the place %s in words', async place => {
    const headers = { 'last-event-id': place };
    const answer = await station.call('GET', '/x/events', { headers });
    const changes = await station.get('/x/changes', { since: place });
    for (const [{ status, body }, field] of [
      [answer, 'Last-Event-ID'],
      [changes, 'since'],
    ] as const) {
      expect(status).toBe(422);
      expect((body as { errors: Data }).errors).toHaveProperty(field);
    }
  });

  it('take the bare numbers that clients of the first version have', async () => {
    const { id } = dataOf(await station.post('/suppliers', { name: 'Numbered' }));
    const { data } = await changesSince('0', { limit: 500 });
    expect(data.at(-1)).toMatchObject({ id, change: 'created' });
  });

  it('name the lots whose stock a shipment takes', async () => {
    const { lot, part } = await stockedLot(station);
    const { shipment } = await prepareShipment(station, { part_id: part, quantity: 4 });
    const stream = await open();
    const [begin] = await stream.take(1);
    expect((await closeShipment(station, shipment)).status).toBe(200);
    const expected = [`inventory:${lot}`, `shipment:${shipment}`];
    expect(names(await stream.take(2))).toEqual(expected);
    expect(names(await eventsAfter(begin?.id, 2))).toEqual(expected);
    await station.put(`/shipments/${shipment}`, { actual_ship_date: null, reason: 'Came back' });
    expect(names(await stream.take(2))).toEqual(expected);
    expect(names(await eventsAfter(begin?.id, 4)).slice(2)).toEqual(expected);
    stream.close();
  });

  it('tell of the lots that show a renamed part, one by one or as all of it, and of all that may stand at a place', async () => {
    const { lot, part } = await stockedLot(station);
    const stream = await open();
    await stream.take(1);
    await station.put(`/parts/${part}`, { name: 'Castor oil' });
    const [shown, changed] = await stream.take(2);
    expect(shown?.data).toMatchObject({
      family: 'inventory',
      id: lot,
      change: 'answer',
      of: { family: 'part', id: part },
    });
    expect(changed?.data).toMatchObject({ family: 'part', id: part, change: 'changed' });
    const items = Array.from({ length: 60 }, (_, n) => ({
      part_id: part,
      serial_number: `M-${n}`,
      quantity_accepted: 1,
      unit_of_measure: 'kg',
    }));
    const receipt = await station.post('/receiving-inspections', { items });
    expect(receipt.status).toBe(201);
    const cursor = await cursorNow();
    await station.put(`/parts/${part}`, { name: 'Ricin oil' });
    const place = dataOf(await station.post('/x/locations', { name: 'Shelf' })).id;
    await station.put(`/x/locations/${place}`, { name: 'Rack' });
    const { data } = await changesSince(cursor);
    expect(data.map(({ family, id, of }) => [family, id, of])).toEqual([
      ['inventory', null, { family: 'part', id: part }],
      ['part', part, null],
      ['location', place, null],
      ['inventory', null, { family: 'location', id: place }],
      ['location', place, null],
    ]);
    stream.close();
  });

  it('say the fields that are asked for, of the families that are asked for', async () => {
    const stream = await open('?families=part,suppliers&fields=name,identification');
    await stream.take(1);
    await station.post('/x/customers', { name: 'Not asked for' });
    const { id } = dataOf(await station.post('/suppliers', { name: 'Asked for' }));
    const [told] = await stream.take(1);
    expect(told?.data).toMatchObject({ family: 'supplier', id, fields: { name: 'Asked for' } });
    expect(told?.data.fields).toEqual({ name: 'Asked for' });
    stream.close();
    for (const query of ['families=nothing', 'families=part&fields=login', 'fields=nonsense'])
      expect((await station.get(`/x/events?${query}`)).status).toBe(422);
  });
});

describe('GET /x/changes', () => {
  it('answers each change in order, page by page, with the record as it is now or as it was then', async () => {
    const cursor = await cursorNow();
    const { id } = dataOf(await station.post('/suppliers', { name: 'One' }));
    await station.put(`/suppliers/${id}`, { name: 'Two', reason: 'misspelt' });
    const read = dataOf(await station.get(`/suppliers/${id}`));
    const now = await changesSince(cursor);
    expect(
      now.data.map(({ change, version, record, reason }) => ({ change, version, record, reason })),
    ).toEqual([
      { change: 'created', version: 2, record: read, reason: null },
      { change: 'changed', version: 2, record: read, reason: 'misspelt' },
    ]);
    const then = await changesSince(cursor, { as: 'then' });
    expect(then.data.map(({ fields, changes }) => ({ fields, changes }))).toEqual([
      { fields: { name: 'One' }, changes: [{ path: 'name', old: null, new: 'One' }] },
      { fields: { name: 'Two' }, changes: [{ path: 'name', old: 'One', new: 'Two' }] },
    ]);
    const paged = await changesSince(cursor, { limit: 1 });
    expect(paged.meta.is_more).toBe(true);
    expect([...paged.data, ...(await changesSince(paged.meta.cursor, { limit: 1 })).data]).toEqual(now.data);
    expect((await changesSince(now.meta.cursor)).data).toEqual([]);
  });

  it('waits for a change, and answers without one after the time', async () => {
    const cursor = await cursorNow();
    const waiting = changesSince(cursor, { wait: 30 });
    await new Promise(resolve => setTimeout(resolve, 200));
    const { id } = dataOf(await station.post('/suppliers', { name: 'Waited for' }));
    expect((await waiting).data).toEqual([expect.objectContaining({ family: 'supplier', id })]);
    const after = await cursorNow();
    expect(await changesSince(after, { wait: 1 })).toMatchObject({ data: [], meta: { cursor: after } });
    expect((await station.get('/x/changes', { since: after, wait: 1000 })).status).toBe(422);
  });

  it('goes through the records of one large commit over several pages', async () => {
    const cursor = await cursorNow();
    const parts = Array.from({ length: 30 }, (_, n) => ({ name: `Bulk ${n}`, identification: `B-${n}` }));
    expect((await station.post('/parts/bulk', parts)).status).toBe(201);
    const found: unknown[] = [];
    let page = await changesSince(cursor, { limit: 7 });
    for (;;) {
      found.push(...page.data.map(({ record }) => (record as Data).name));
      if (!page.meta.is_more) break;
      page = await changesSince(page.meta.cursor, { limit: 7 });
    }
    expect(found).toEqual(parts.map(({ name }) => name));
  });

  it('tells of users and settings to administrators alone', async () => {
    const cursor = await cursorNow();
    const secret = await readerToken();
    const login = `u${Math.random().toString(36).slice(2, 8)}`;
    expect((await station.post('/x/users', { login, name: 'New', roles: ['viewer'] })).status).toBe(201);
    const { id } = dataOf(await station.post('/suppliers', { name: 'For all' }));
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await station.call('GET', '/x/changes', { query: { since: cursor }, headers });
    expect((answer.body as Page).data.map(change => `${change.family}:${change.id}`)).toEqual([
      `supplier:${id}`,
    ]);
    expect((await changesSince(cursor)).data.map(({ family }) => family)).toEqual(['user', 'supplier']);
    const asked = { query: { since: cursor, families: 'setting' }, headers };
    expect((await station.call('GET', '/x/changes', asked)).status).toBe(403);
    const stream = await open(`?since=${cursor}`, headers);
    expect(names((await stream.take(2)).slice(1))).toEqual([`supplier:${id}`]);
    stream.close();
  });

  it('tells each caller who asks for the same place what is theirs, whoever asked before', async () => {
    const cursor = await cursorNow();
    const { id: part } = dataOf(await station.post('/parts', { name: 'Ring', identification: 'R-1' }));
    const { id: supplier } = dataOf(await station.post('/suppliers', { name: 'Harbour' }));
    const bounded = { name: `bounded ${Math.random()}`, scopes: ['read'], families: ['part'] };
    const { secret } = dataOf(await station.post('/x/tokens', bounded));
    const seen = async (token: unknown) => {
      const headers = { authorization: `Bearer ${token}` };
      const { body } = await station.call('GET', '/x/changes', { query: { since: cursor }, headers });
      return (body as Page).data.map(change => `${change.family}:${change.id}`);
    };
    const reader = await readerToken();
    for (let round = 0; round < 2; round += 1) {
      expect(await seen(station.token)).toEqual(
        expect.arrayContaining([`part:${part}`, `supplier:${supplier}`]),
      );
      expect(await seen(secret)).toEqual([`part:${part}`]);
      expect(await seen(reader)).toEqual([`part:${part}`, `supplier:${supplier}`]);
    }
    const fields = await changesSince(cursor, { families: 'part', fields: 'name' });
    expect(fields.data.map(({ record }) => record)).toEqual([{ name: 'Ring' }]);
    expect((await changesSince(cursor, { families: 'part' })).data[0]?.record).toHaveProperty(
      'identification',
    );
    const ignored = await changesSince(cursor, { limit: 1, nothing: 1 });
    expect(ignored.meta).toMatchObject({ ignored: ['nothing'] });
    expect((await changesSince(cursor, { limit: 1 })).meta).not.toHaveProperty('ignored');
  });

  it('answers with the record as it is after each write, also by another record', async () => {
    const { lot, part } = await stockedLot(station);
    const cursor = await cursorNow();
    await station.put(`/parts/${part}`, { name: 'First' });
    const nameOf = async () => {
      const { data } = await changesSince(cursor, { families: 'inventory' });
      return data.find(({ id }) => id === lot)?.record;
    };
    expect(await nameOf()).toMatchObject({ part: { name: 'First' } });
    expect(await nameOf()).toMatchObject({ part: { name: 'First' } });
    await station.put(`/parts/${part}`, { name: 'Second' });
    expect(await nameOf()).toMatchObject({ part: { name: 'Second' } });
  });

  it('goes on after a restart of the server', async () => {
    const cursor = await cursorNow();
    const { id } = dataOf(await station.post('/suppliers', { name: 'Before' }));
    await station.restart();
    const { id: after } = dataOf(await station.post('/suppliers', { name: 'After' }));
    expect((await changesSince(cursor)).data.map(change => change.id)).toEqual([id, after]);
  });
});

describe('updated_since', () => {
  const lists = listOperations().filter(({ kind }) => kind === 'list');

  it('narrows every list to what was written since', async () => {
    expect(lists.length).toBeGreaterThan(20);
    for (const { path } of lists) {
      const { status, body } = await station.get(path, { updated_since: '2999-01-01T00:00:00+01:00' });
      const { meta } = body as { meta: Data };
      expect({ path, status, total: meta.total }).toEqual({ path, status: 200, total: 0 });
    }
    const { id } = dataOf(await station.post('/suppliers', { name: 'Lately' }));
    const aMinuteAgo = new Date(Date.now() - 60_000).toISOString();
    const { data } = (await station.get('/suppliers', { updated_since: aMinuteAgo })).body as {
      data: Data[];
    };
    expect(data.at(-1)).toMatchObject({ id });
  });

  it('is refused by every list where it is no moment', async () => {
    for (const { path } of lists) {
      const { status, body } = await station.get(path, { updated_since: 'yesterday' });
      expect({ path, status, errors: (body as { errors: Data }).errors }).toEqual({
        path,
        status: 422,
        errors: { updated_since: [expect.stringContaining('yesterday')] },
      });
    }
  });
});
