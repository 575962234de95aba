import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../support/station.ts';
import { stockedLot } from './golden/records.ts';

/** Tags of answers: interface decisions, 2. */
const station = new Station();
beforeAll(() => station.start());
afterAll(() => station.stop());

type Headers = Record<string, string>;

const get = (path: string, headers: Headers = {}) => station.call('GET', path, { headers });
const tagOf = ({ headers }: { headers: { get(name: string): string | null } }) => headers.get('etag') ?? '';

describe('the tag of a record', () => {
  it('changes with what is answered of others, and a write that names it is judged by the record alone', async () => {
    const { lot, part } = await stockedLot(station);
    const before = await get(`/inventory/${lot}`);
    await station.put(`/parts/${part}`, { name: 'Renamed' });
    const after = await get(`/inventory/${lot}`);
    expect(tagOf(after)).not.toBe(tagOf(before));
    const [version, state] = tagOf(before).slice(1).split('-');
    expect(tagOf(after).startsWith(`"${version}-${state}-`)).toBe(true);
    // As it was read before the part was renamed, as it is now, and without what was answered (as version 0.1.0 gave it).
    for (const tag of [tagOf(before), tagOf(after), `"${version}-${state}"`, `"x", W/${tagOf(before)}`]) {
      const body = { legacy_record_id: null };
      const answer = await station.call('PATCH', `/x/inventory/${lot}`, {
        body,
        headers: { 'if-match': tag },
      });
      expect({ tag, status: answer.status }).toEqual({ tag, status: 200 });
    }
    const changed = await station.patch(`/x/inventory/${lot}`, { legacy_record_id: 7 });
    expect(changed.status).toBe(200);
    for (const tag of [tagOf(after), `"${version}-${state}"`, '"1"', `"${version}-${state?.slice(1)}-"`]) {
      const body = { legacy_record_id: 8 };
      const answer = await station.call('PATCH', `/x/inventory/${lot}`, {
        body,
        headers: { 'if-match': tag },
      });
      expect({ tag, status: answer.status }).toEqual({ tag, status: 412 });
    }
  });

  it('changes with the name of the place where a lot stands', async () => {
    const { lot } = await stockedLot(station);
    const { body } = await station.post('/x/locations', { name: 'Shelf' });
    const { id } = (body as { data: { id: number } }).data;
    await station.post(`/x/inventory/${lot}/moves`, { to_location_id: id });
    for (const path of [`/inventory/${lot}`, `/inventory/${lot}/locations`]) {
      const before = await get(path);
      await station.put(`/x/locations/${id}`, { name: `Rack ${path}` });
      const after = await get(path, { 'if-none-match': tagOf(before) });
      expect({ path, status: after.status }).toEqual({ path, status: 200 });
      expect(tagOf(after)).not.toBe(tagOf(before));
      expect(JSON.stringify(after.body)).toContain(`Rack ${path}`);
    }
  });

  it('is that of a write that answers the same', async () => {
    const made = await station.post('/suppliers', { name: 'Tagged' });
    const { id } = (made.body as { data: { id: number } }).data;
    expect(tagOf(await get(`/suppliers/${id}`))).toBe(tagOf(made));
    expect(tagOf(made)).toMatch(/^"1-[0-9a-f]{16}-[0-9a-f]{8}"$/);
  });
});

describe('If-None-Match', () => {
  it.each(['/suppliers', '/inventory', '/x/lab-results', '/inspections', '/x/settings', '/x/attention'])(
    'answers 304 without a body while %s answers the same',
    async path => {
      let first = await get(path);
      // Of what is still being counted the answer is another one a moment later.
      while (JSON.stringify(first.body).includes('"is_complete":false')) first = await get(path);
      expect(tagOf(first)).not.toBe('');
      for (const tag of [tagOf(first), `"other", ${tagOf(first)}`, '*', tagOf(first).replace('W/', '')]) {
        const again = await get(path, { 'if-none-match': tag });
        expect({ tag, status: again.status, body: again.body }).toEqual({
          tag,
          status: 304,
          body: undefined,
        });
        expect(tagOf(again)).toBe(tagOf(first));
        expect(again.headers.get('content-length')).toBeNull();
      }
      expect((await get(path, { 'if-none-match': '"other"' })).body).toEqual(first.body);
    },
  );

  it('answers 200 once the list, or the record, is another', async () => {
    const { body } = await station.post('/suppliers', { name: 'A' });
    const { id } = (body as { data: { id: number } }).data;
    const [list, one] = [tagOf(await get('/suppliers')), tagOf(await get(`/suppliers/${id}`))];
    expect((await get(`/suppliers/${id}`, { 'if-none-match': one })).status).toBe(304);
    await station.put(`/suppliers/${id}`, { name: 'B' });
    expect((await get(`/suppliers/${id}`, { 'if-none-match': one })).status).toBe(200);
    expect((await get('/suppliers', { 'if-none-match': list })).status).toBe(200);
  });

  it('answers 304 for the list of shipments, which has no pages, until something is written', async () => {
    const path = '/shipments?dateRange=false&fromDate=&toDate=';
    await station.post('/shipments', { requested_ship_date: '2026-03-02' });
    const first = await get(path);
    expect(first.status).toBe(200);
    const headers = { 'if-none-match': tagOf(first) };
    const again = await get(path, headers);
    expect({ status: again.status, body: again.body, tag: tagOf(again) }).toEqual({
      status: 304,
      body: undefined,
      tag: tagOf(first),
    });
    expect((await get(path, { 'if-none-match': '"other"' })).body).toEqual(first.body);
    const { body } = await station.post('/shipments', { requested_ship_date: '2026-03-03' });
    const later = await get(path, headers);
    expect(later.status).toBe(200);
    expect(JSON.stringify(later.body)).toContain(String((body as { data: { id: number } }).data.id));
    expect((await get('/shipments?dateRange=x&fromDate=&toDate=', headers)).status).toBe(422);
    await station.restart();
    expect(tagOf(await get(path))).toBe(tagOf(later));
  });

  it('is not looked at by writes, and not where the answer is an error', async () => {
    const headers = { 'if-none-match': '*' };
    const made = await station.call('POST', '/suppliers', { body: { name: 'C' }, headers });
    expect(made.status).toBe(201);
    expect((await get('/suppliers/999999', headers)).status).toBe(404);
    expect((await get('/suppliers?page=0', headers)).status).toBe(422);
  });
});
