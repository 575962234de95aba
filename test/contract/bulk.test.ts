import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Family } from '../../shared/contract/define-family.ts';
import { families } from '../../shared/families/registry.ts';
import { type BulkRow, isBulkFamily } from '../../shared/operations/bulk-operations.ts';
import { Browser, PASSWORD } from '../server/identity/browser.ts';
import { type Answer, Station } from '../support/station.ts';

/** Many records of any family in one call: all or none, or each by itself. */
const station = new Station({ isHere: true });
beforeAll(() => station.start());
afterAll(() => station.stop());

const KEY = 'idempotency-key';

const rowsOf = ({ status, body }: Answer): BulkRow[] => {
  expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
  return (body as { data: BulkRow[] }).data;
};
const metaOf = ({ body }: Answer) => (body as { meta: Record<string, unknown> }).meta;
const errorsOf = ({ body }: Answer) => (body as { errors?: Record<string, string[]> }).errors ?? {};
const total = async (path: string) =>
  (metaOf(await station.get(`${path}?per_page=1`)) as { total: number }).total;
const suppliers = (count: number, name = 'Supplier') =>
  Array.from({ length: count }, (_, index) => ({ name: `${name} ${index}` }));
const call = (method: 'POST' | 'PUT', family: string, body: unknown, headers: Record<string, string> = {}) =>
  station.call(method, `/x/bulk/${family}`, { body, headers });

describe('all or none', () => {
  it('makes as many as are given, in order, and changes them by id', async () => {
    const made = await call('POST', 'suppliers', { rows: suppliers(1_050), reason: 'Taken over.' });
    const rows = rowsOf(made);
    expect(metaOf(made)).toMatchObject({ created: 1_050, changed: 0, unchanged: 0, refused: 0 });
    expect(rows.map(({ index }) => index)).toEqual([...rows.keys()]);
    const [first, second] = [rows[0], rows.at(-1)];
    expect(first).toMatchObject({ outcome: 'created', status: 201, code: null, errors: null });
    const read = await station.get(`/suppliers/${second?.id}`);
    expect(read.body).toMatchObject({ data: { name: 'Supplier 1049' } });
    const history = await station.get(`/x/history/supplier/${second?.id}`);
    expect(history.body).toMatchObject({ data: [{ reason: 'Taken over.' }] });
    const changed = await call('PUT', 'supplier', {
      rows: [
        { id: first?.id, name: 'Renamed', etag: first?.etag },
        { id: second?.id, name: 'Supplier 1049' },
      ],
    });
    expect(rowsOf(changed)).toMatchObject([
      { outcome: 'changed', id: first?.id, status: 200 },
      { outcome: 'unchanged', id: second?.id, etag: second?.etag },
    ]);
    // The ETag that it answers is the one that the record's own operation takes.
    const etag = rowsOf(changed)[0]?.etag ?? '';
    const own = { body: { name: 'Again' }, headers: { 'if-match': etag } };
    expect((await station.call('PUT', `/suppliers/${first?.id}`, own)).status).toBe(200);
  });

  it('makes none where one is at fault, and names every fault of every row', async () => {
    const before = await total('/suppliers');
    const rows: unknown[] = suppliers(250);
    rows[3] = { name: 7 };
    rows[120] = 'nothing';
    rows[249] = { primary_email: 5 };
    const refused = await call('POST', 'suppliers', { rows });
    expect(refused.status).toBe(422);
    expect(Object.keys(errorsOf(refused)).sort()).toEqual([
      'rows.120',
      'rows.249.primary_email',
      'rows.3.name',
    ]);
    expect(await total('/suppliers')).toBe(before);
    const part = { name: 'Ring', identification: 'R-1', supplier_id: 999_999 };
    const parts = Array.from({ length: 150 }, (_, at) => ({ ...part, identification: `R-${at}` }));
    const missing = errorsOf(await call('POST', 'parts', { rows: parts }));
    expect(Object.keys(missing)).toHaveLength(150);
    expect(missing['rows.149.supplier_id']?.[0]).toContain('999999');
    expect(await total('/parts')).toBe(0);
  });

  it('changes none that is not there, twice in the list, or changed meanwhile', async () => {
    const [one] = rowsOf(await call('POST', 'suppliers', { rows: [{ name: 'Only' }] }));
    await station.put(`/suppliers/${one?.id}`, { name: 'Only one' });
    const refused = await call('PUT', 'suppliers', {
      rows: [
        { id: one?.id, name: 'Mine', etag: one?.etag },
        { id: one?.id, name: 'Twice' },
        { id: 999_999, name: 'Nobody' },
        { name: 'Without' },
        { id: 1, etag: 5 },
      ],
    });
    expect(Object.keys(errorsOf(refused)).sort()).toEqual([
      'rows.0.etag',
      'rows.1.id',
      'rows.2.id',
      'rows.3.id',
      'rows.4.etag',
    ]);
    expect((await station.get(`/suppliers/${one?.id}`)).body).toMatchObject({ data: { name: 'Only one' } });
  });

  it('counts once for a key', async () => {
    const before = await total('/suppliers');
    const body = { rows: suppliers(120, 'Once') };
    const [first, again] = [
      await call('POST', 'suppliers', body, { [KEY]: 'once' }),
      await call('POST', 'suppliers', body, { [KEY]: 'once' }),
    ];
    expect(rowsOf(again)).toEqual(rowsOf(first));
    expect(await total('/suppliers')).toBe(before + 120);
    const other = await call('POST', 'suppliers', { rows: suppliers(1) }, { [KEY]: 'once' });
    expect(other.status).toBe(422);
  });
});

describe('each by itself', () => {
  it('takes the good rows, and says of each bad one why', async () => {
    const answer = await call('POST', 'suppliers', {
      mode: 'each',
      rows: [{ name: 'Good' }, { name: 7 }, { name: 'Also good' }, null],
    });
    expect(metaOf(answer)).toMatchObject({ created: 2, refused: 2 });
    const rows = rowsOf(answer);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['created', 'refused', 'created', 'refused']);
    expect(rows[1]).toMatchObject({
      id: null,
      status: 422,
      code: 'validation_failed',
      errors: { name: expect.any(Array) },
    });
  });

  it('does only what was not done where a call is repeated with its key', async () => {
    const before = await total('/suppliers');
    const rows: unknown[] = suppliers(40, 'Each');
    rows[7] = { name: 7 };
    const first = await call('POST', 'suppliers', { mode: 'each', rows }, { [KEY]: 'each' });
    expect(await total('/suppliers')).toBe(before + 39);
    rows[7] = { name: 'Mended' };
    const again = rowsOf(await call('POST', 'suppliers', { mode: 'each', rows }, { [KEY]: 'each' }));
    expect(await total('/suppliers')).toBe(before + 40);
    const done = rowsOf(first);
    expect(again.filter(({ index }) => index !== 7)).toEqual(done.filter(({ index }) => index !== 7));
    expect(again[7]).toMatchObject({ outcome: 'created' });
    // What was done with it is not done with something else.
    rows[0] = { name: 'Other' };
    const other = rowsOf(await call('POST', 'suppliers', { mode: 'each', rows }, { [KEY]: 'each' }));
    expect(other[0]).toMatchObject({ outcome: 'refused', errors: { 'Idempotency-Key': expect.any(Array) } });
  });

  it('refuses unknown names where that is asked for, row by row', async () => {
    const body = { mode: 'each', rows: [{ name: 'Known' }, { name: 'Odd', colour: 'red' }] };
    const strict = await call('POST', 'suppliers', body, { prefer: 'handling=strict' });
    expect(rowsOf(strict).map(({ outcome }) => outcome)).toEqual(['created', 'refused']);
    const lax = await call('POST', 'suppliers', body);
    expect(metaOf(lax)).toMatchObject({ created: 2, ignored: ['rows.1.colour'] });
  });
});

it('takes 10,000 rows in either mode', async () => {
  const made = rowsOf(await call('POST', 'suppliers', { mode: 'all', rows: suppliers(10_000, 'Many') }));
  expect(made.filter(({ outcome }) => outcome === 'created')).toHaveLength(10_000);
  const rows = made.map(({ id, etag }, index) => ({ id, etag, name: `Changed ${index}` }));
  const changed = rowsOf(await call('PUT', 'suppliers', { mode: 'each', rows }));
  expect(changed.filter(({ outcome }) => outcome === 'changed')).toHaveLength(10_000);
  const read = await station.get(`/suppliers/${made.at(-1)?.id}`);
  expect(read.body).toMatchObject({ data: { name: 'Changed 9999' } });
});

it('is there for every family that people make records of, and for no other', async () => {
  for (const family of Object.values<Family>(families)) {
    for (const [method, kind] of [
      ['POST', 'create'],
      ['PUT', 'update'],
    ] as const) {
      const { status } = await call(method, family.name, { rows: [] });
      expect([family.name, method, status]).toEqual([
        family.name,
        method,
        isBulkFamily(family, kind) ? 200 : 404,
      ]);
    }
  }
  for (const name of ['user', 'setting', 'audit-event', 'correction', 'certificate', 'audit-review'] as const)
    expect([name, isBulkFamily(families[name], 'create')]).toEqual([name, false]);
});

it('is of a token that is bounded to families for these alone', async () => {
  const made = await station.post('/x/tokens', { name: 'parts', scopes: ['write'], families: ['part'] });
  const { secret } = (made.body as { data: { secret: string } }).data;
  const headers = { authorization: `Bearer ${secret}` };
  const rows = [{ name: 'Ring', identification: 'B-1' }];
  expect((await call('POST', 'supplier', { rows }, headers)).status).toBe(403);
  expect((await call('PUT', 'suppliers', { rows: [] }, headers)).status).toBe(403);
  expect(rowsOf(await call('POST', 'parts', { rows }, headers))).toMatchObject([{ outcome: 'created' }]);
});

it('signs nothing', async () => {
  const quinn = { login: 'quinn', name: 'Quinn', roles: ['quality'], password: PASSWORD };
  await station.post('/x/users', { ...quinn, is_password_temporary: false });
  const browser = new Browser(station.origin);
  expect((await browser.signIn('quinn')).status).toBe(201);
  const made = await station.post('/ncrs', { ncr_number: 'N-1', source: 'internal' });
  const id = (made.body as { meta: { id: number } }).meta.id;
  await station.put('/x/settings', { is_esignature_required: true });
  const signed = { esignature_password: PASSWORD, esignature_reason: 'Checked.' };
  for (const mode of ['all', 'each']) {
    const row = { id, lot_number: 'L', ...signed };
    const body = { mode, rows: [row], reason: 'So.', ...signed };
    const answer = await browser.call('PUT', '/x/bulk/ncr', { body });
    expect(JSON.stringify(answer.body)).toContain('password');
    expect(JSON.stringify(answer.body)).not.toContain('"outcome":"changed"');
  }
  await station.put('/x/settings', { is_esignature_required: false });
  expect((await station.get(`/ncrs/${id}`)).body).toMatchObject({ data: { lot_number: null } });
});

it.each([
  [{ rows: 'none' }, 'rows'],
  [{ rows: Array.from({ length: 10_001 }, () => ({})) }, 'rows'],
  [{ rows: [], mode: 'some' }, 'mode'],
  [{}, 'rows'],
  [[], 'body'],
])('refuses a body that is none', async (body, field) => {
  const refused = await call('POST', 'suppliers', body);
  expect([refused.status, Object.keys(errorsOf(refused))]).toEqual([422, [field]]);
});
