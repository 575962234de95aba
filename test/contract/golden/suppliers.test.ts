import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import {
  expectCreated,
  expectInvalid,
  expectPage,
  expectRecord,
  expectRefused,
  expectStatus,
  idOf,
  metaOf,
  recordOf,
} from './answers.ts';
import { history, wholeRecord } from './extension.ts';
import { supplier } from './shapes.ts';

const ACME = {
  name: 'Acme Hops',
  primary_name: 'Ann Mill',
  primary_email: 'ann@acme.example',
  primary_phone: '+1 555 0100',
  primary_position: 'Sales',
  secondary_name: 'Bob Vat',
  secondary_email: 'bob@acme.example',
  secondary_phone: '+1 555 0101',
  secondary_position: 'Quality',
};
const NOTHING = Object.fromEntries(Object.keys(ACME).map(name => [name, null]));

const station = new Station();
beforeAll(() => station.start());
afterAll(() => station.stop());

describe('suppliers (4.3)', () => {
  it('are created with every field, and never return notes', async () => {
    const answer = await station.post('/suppliers', { ...ACME, notes: 'pays late' });
    const data = expectCreated(answer, supplier, '/suppliers/{id}');
    expect(data).toMatchObject(ACME);
    expect(await wholeRecord(station, 'supplier', idOf(answer))).toMatchObject({ notes: 'pays late' });
  });

  it('are created from an empty body; absent values are null', async () => {
    const data = expectCreated(await station.post('/suppliers', {}), supplier, '/suppliers/{id}');
    expect(data).toMatchObject(NOTHING);
  });

  it('are read at their Location', async () => {
    const created = await station.post('/suppliers', ACME);
    const location = new URL(created.headers.get('location') ?? '', station.origin).pathname;
    const data = expectRecord(await station.get(location.replace('/api/v2', '')), supplier);
    expect(data).toEqual(recordOf(created));
  });

  it.each(['PUT', 'PATCH'])('%s changes what is given; null clears; the rest stays', async method => {
    const id = idOf(await station.post('/suppliers', ACME));
    const body = { name: 'Acme Malt', primary_phone: null, notes: 'n' };
    const data = expectRecord(await station.call(method, `/suppliers/${id}`, { body }), supplier);
    expect(data).toMatchObject({ ...ACME, name: 'Acme Malt', primary_phone: null });
    expect(recordOf(await station.get(`/suppliers/${id}`))).toEqual(data);
  });

  it('are listed by id with from, to and total', async () => {
    for (const name of ['B', 'A', 'C']) await station.post('/suppliers', { name });
    const everyone = expectPage(await station.get('/suppliers'), supplier, { per_page: 50 });
    const everyId = everyone.map(({ id }) => Number(id));
    expect(everyId).toEqual([...everyId].sort((a, b) => a - b));

    const total = everyId.length;
    const second = expectPage(await station.get('/suppliers', { per_page: 2, page: 2 }), supplier, {
      current_page: 2,
      from: 3,
      to: 4,
      total,
      per_page: 2,
    });
    expect(second.map(({ id }) => id)).toEqual(everyId.slice(2, 4));

    const last = await station.get('/suppliers', { per_page: total - 1, page: 2 });
    expect(expectPage(last, supplier, { from: total, to: total, total })).toEqual(everyone.slice(-1));
  });

  it.each(['abc', '-1', '0', '1.5', '1e309', '9007199254740993'])('have no id %s', async id => {
    const answer = await station.get(`/suppliers/${id}`);
    expect([404, 422]).toContain(answer.status);
    expectRefused(answer, answer.status);
  });

  it('refuse what is not text, blaming each field', async () => {
    expectInvalid(
      await station.post('/suppliers', { name: ['x'], primary_email: { a: 1 } }),
      'name',
      'primary_email',
    );
    const id = idOf(await station.post('/suppliers', ACME));
    expectInvalid(await station.put(`/suppliers/${id}`, { name: {} }), 'name');
    expect(recordOf(await station.get(`/suppliers/${id}`))).toMatchObject(ACME);
  });

  it('hold texts of 10,000 characters and no more', async () => {
    expectStatus(await station.post('/suppliers', { name: 'x'.repeat(10_000) }), 201);
    expectInvalid(await station.post('/suppliers', { name: 'x'.repeat(10_001) }), 'name');
  });

  it('keep text as it is', async () => {
    const name = ' <b>Żółć</b> =cmd|x \u202e "quoted" \\ 日本 ';
    expect(recordOf(await station.post('/suppliers', { name }))).toMatchObject({ name });
  });
});

describe('any write (decisions, section 2)', () => {
  it('ignores unknown keys, and names them', async () => {
    const unknown = { colour: 'red', _rev: '9-x', _deleted: true, version: 9, created_by: 1 };
    const answer = await station.post('/suppliers', { ...ACME, ...unknown });
    expectStatus(answer, 201);
    expect([...(metaOf(answer).ignored as string[])].sort()).toEqual(Object.keys(unknown).sort());
    expectRecord(await station.get(`/suppliers/${idOf(answer)}`), supplier);
    expect(await wholeRecord(station, 'supplier', idOf(answer))).not.toHaveProperty('colour');
  });

  it('ignores the fields of responses only', async () => {
    const answer = await station.post('/suppliers', {
      ...ACME,
      id: 4_711,
      created_at: '2001-01-01 00:00:00',
    });
    expectStatus(answer, 201);
    expect(recordOf(answer).id).not.toBe(4_711);
    expect(recordOf(answer).created_at).not.toBe('2001-01-01 00:00:00');
  });

  it.each([
    ['cut-off JSON', 400, '{"name": "A', 'application/json'],
    ['an empty body', 400, '', 'application/json'],
    ['JSON called text', 415, '{"name": "A"}', 'text/plain'],
    ['a form', 415, 'name=A', 'application/x-www-form-urlencoded'],
    ['more than 1 MiB', 413, JSON.stringify({ notes: 'x'.repeat(2 ** 20) }), 'application/json'],
  ])('refuses %s with %i', async (_, status, body, type) => {
    const before = metaOf(await station.get('/suppliers')).total;
    expectRefused(
      await station.call('POST', '/suppliers', { body, headers: { 'content-type': type } }),
      status,
    );
    expect(metaOf(await station.get('/suppliers')).total).toBe(before);
  });

  it.each(['null', '1', '[]', '"text"'])('refuses %s for a record', async body => {
    const answer = await station.call('POST', '/suppliers', { body });
    expect([400, 422]).toContain(answer.status);
  });

  it('takes If-Match while the version is current, and refuses a stale one', async () => {
    const id = idOf(await station.post('/suppliers', ACME));
    const etag = (await station.get(`/suppliers/${id}`)).headers.get('etag') ?? '';
    const rename = (name: string) =>
      station.call('PUT', `/suppliers/${id}`, { body: { name }, headers: { 'if-match': etag } });
    expectStatus(await rename('First'), 200);
    expectRefused(await rename('Second'), 412);
    const now = await station.get(`/suppliers/${id}`);
    expect(recordOf(now)).toMatchObject({ name: 'First' });
    expect(now.headers.get('etag')).not.toBe(etag);
  });

  it('is done once for one Idempotency-Key', async () => {
    const send = (name: string) =>
      station.call('POST', '/suppliers', { body: { name }, headers: { 'idempotency-key': 'order-66' } });
    const first = await send('Once');
    const total = metaOf(await station.get('/suppliers')).total;
    const replay = await send('Once');
    expect(replay.status).toBe(201);
    expect(replay.body).toEqual(first.body);
    expect(replay.headers.get('location')).toBe(first.headers.get('location'));
    expectRefused(await send('Twice'), 422);
    expect(metaOf(await station.get('/suppliers')).total).toBe(total);
  });

  it('is in history with old and new values', async () => {
    const id = idOf(await station.post('/suppliers', { name: 'Before the merger' }));
    await station.put(`/suppliers/${id}`, { name: 'After the merger' });
    const answer = await history(station, 'supplier', id);
    expectStatus(answer, 200);
    const text = JSON.stringify(answer.body);
    expect(text).toContain('Before the merger');
    expect(text).toContain('After the merger');
  });

  it('survives a kill of the server', async () => {
    const created = recordOf(await station.post('/suppliers', ACME));
    await station.kill();
    await station.restart();
    expect(recordOf(await station.get(`/suppliers/${created.id}`))).toEqual(created);
  });
});
