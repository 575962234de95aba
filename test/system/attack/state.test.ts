import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/station.ts';
import { AttackedStation } from './attacked-station.ts';

let target: AttackedStation;
beforeAll(async () => {
  target = await AttackedStation.start();
});
afterAll(() => target.stop());

interface Body {
  data: Record<string, unknown> & { id: number };
  meta?: Record<string, unknown> & { total?: number };
}
const bodyOf = ({ body }: Answer) => body as Body;

async function createSupplier(fields: Record<string, unknown>): Promise<Answer> {
  return target.station.post('/suppliers', fields);
}

async function suppliers(keyword: string): Promise<number | undefined> {
  return bodyOf(await target.station.get('/suppliers', { keyword })).meta?.total;
}

describe('updates against one ETag', () => {
  it('are accepted once of 100 in parallel', async () => {
    const made = await createSupplier({ name: 'Contended' });
    const path = `/suppliers/${bodyOf(made).data.id}`;
    const headers = { 'If-Match': made.headers.get('ETag') ?? '' };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        target.station.call('PUT', path, { headers, body: { name: `Writer ${at}` } }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array<number>(99).fill(412)]);
    const winner = answers.find(({ status }) => status === 200);
    const read = await target.station.get(path);
    expect(bodyOf(read).data).toEqual(winner && bodyOf(winner).data);
    expect(read.headers.get('ETag')).toBe(winner?.headers.get('ETag'));
  });

  it('are refused once it is stale, whatever they change', async () => {
    const made = await createSupplier({ name: 'Aged' });
    const path = `/suppliers/${bodyOf(made).data.id}`;
    await target.station.patch(path, { name: 'Changed' });
    const headers = { 'If-Match': made.headers.get('ETag') ?? '' };
    const before = target.stored();
    for (const method of ['PUT', 'PATCH']) {
      const answer = await target.station.call(method, path, { headers, body: { notes: 'late' } });
      expect(answer.status).toBe(412);
    }
    expect(target.stored()).toBe(before);
  });
});

describe('an idempotency key', () => {
  const send = (key: string, body: unknown) =>
    target.station.call('POST', '/suppliers', { headers: { 'Idempotency-Key': key }, body });

  it('makes one record, however often it is replayed', async () => {
    const first = await send('replayed', { name: 'Idempotent one' });
    for (let round = 0; round < 5; round++) {
      const again = await send('replayed', { name: 'Idempotent one' });
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers.get('Location')).toBe(first.headers.get('Location'));
    }
    expect(await suppliers('Idempotent one')).toBe(1);
  });

  it('makes one record of 50 requests in parallel', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send('parallel', { name: 'Idempotent many' })),
    );
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect(await suppliers('Idempotent many')).toBe(1);
    const ids = answers.flatMap(answer => (answer.status === 201 ? [bodyOf(answer).data.id] : []));
    expect(new Set(ids).size).toBe(1);
  });

  it('is refused for another body, and is each token’s own', async () => {
    await send('other', { name: 'Idempotent first' });
    expect((await send('other', { name: 'Idempotent second' })).status).toBe(422);
    expect(await suppliers('Idempotent second')).toBe(0);
    const made = await target.station.post('/x/tokens', { name: 'writer', scopes: ['write'] });
    const headers = {
      'Idempotency-Key': 'other',
      authorization: `Bearer ${bodyOf(made).data.secret}`,
    };
    const answer = await target.station.call('POST', '/suppliers', {
      headers,
      body: { name: 'Idempotent third' },
    });
    expect([answer.status, bodyOf(answer).data.name]).toEqual([201, 'Idempotent third']);
  });
});

describe('names of the inside', () => {
  const internals = {
    role: 'admin',
    user: 'mallory',
    created_by: 'mallory',
    created_at: '1999-01-01 00:00:00',
    updated_at: '1999-01-01 00:00:00',
    _rev: '9-x',
    _deleted: true,
    _meta: { lwt: 1 },
    _attachments: { a: 1 },
    version: 99,
    state: 'x',
    key: 'supplier:1',
    family: 'part',
    station: 'elsewhere',
    field_set: 9,
    fields: { name: 'inner' },
    is_removed: true,
    toString: 'x',
    hasOwnProperty: 'x',
    constructor: 'x',
  };

  it('are not stored by a create or an update, and the answer says so', async () => {
    const made = await createSupplier({ name: 'Plain', ...internals });
    expect(made.status).toBe(201);
    const { id } = bodyOf(made).data;
    const changed = await target.station.put(`/suppliers/${id}`, { primary_name: 'Ann', ...internals });
    for (const answer of [made, changed]) {
      expect(bodyOf(answer).meta?.ignored).toEqual(expect.arrayContaining(Object.keys(internals)));
    }
    const whole = bodyOf(await target.station.get(`/x/records/supplier/${id}`)).data;
    expect(whole).toMatchObject({
      family: 'supplier',
      id,
      version: 2,
      user: 'HOLDPOINT_TOKEN',
      fields: { name: 'Plain', primary_name: 'Ann' },
    });
    expect(Object.keys(whole.fields as object).toSorted()).toEqual(['name', 'primary_name']);
    expect(whole.created_at).not.toContain('1999');
    expect(whole.station).not.toBe('elsewhere');
    const listed = await target.station.get('/suppliers', { keyword: 'Plain' });
    expect(bodyOf(listed).meta?.total).toBe(1);
  });

  it('are not stored with an item', async () => {
    const part = bodyOf(await target.station.post('/parts', { name: 'Jar', unit_of_measure: 'units' })).data
      .id;
    const made = await target.station.post('/orders', {
      items: [{ part_id: part, quantity: 1, ...internals, inventory_id: 7 }],
    });
    expect(made.status).toBe(201);
    const whole = bodyOf(await target.station.get(`/x/records/order/${bodyOf(made).data.id}`)).data;
    const [item] = Object.values((whole.fields as { items: Record<string, object> }).items);
    expect(Object.keys(item ?? {})).not.toEqual(expect.arrayContaining(['is_removed']));
    expect(Object.keys(item ?? {}).filter(name => Object.hasOwn(internals, name))).toEqual([
      'created_at',
      'updated_at',
    ]);
    expect(JSON.stringify(item)).not.toContain('1999');
  });
});

describe('hostile text', () => {
  const texts = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    `{{7*7}}\${7*7}<%= 7*7 %>`,
    "=cmd|'/C calc'!A0",
    '+1+1',
    '-2+3',
    '@SUM(1+1)',
    '\t=1',
    'line\r\nX-Injected: 1\r\n\r\n<b>',
    'comma, "quote", semicolon; newline\nend',
    '\u202eevil\u202c שלום مرحبا',
    'a\u200db\ufeffc\u2028d\u2029e',
    "'; DROP TABLE records; --",
    '(a+)+$ %_\\ NEAR( "quoted" *',
    '\u0001\u001b[31m',
    '👩‍🔬𝔘🇩🇪é',
    '__proto__',
    ' spaces ',
  ];

  it('is kept as it was typed, and found', async () => {
    for (const text of texts) {
      const made = await createSupplier({ name: text, notes: text });
      expect(made.status, text).toBe(201);
      expect([...made.headers.keys()]).not.toContain('x-injected');
      const { id } = bodyOf(made).data;
      const read = await target.station.get(`/suppliers/${id}`);
      expect(read.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(bodyOf(read).data.name).toBe(text);
      const whole = bodyOf(await target.station.get(`/x/records/supplier/${id}`)).data;
      expect(whole.fields).toEqual({ name: text, notes: text });
      expect(await suppliers(text.trim()), JSON.stringify(text)).toBeGreaterThanOrEqual(1);
    }
  });

  it('is exported unchanged as JSON, and as CSV that no spreadsheet runs', async () => {
    for (const text of texts) await createSupplier({ name: text });
    const json = String((await target.station.get('/x/exports/suppliers')).body);
    const names = json
      .trimEnd()
      .split('\n')
      .map(line => (JSON.parse(line) as { name: string }).name);
    expect(names).toEqual(expect.arrayContaining(texts));
    const csv = await target.station.get('/x/exports/suppliers', { format: 'csv' });
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="supplier.csv"');
    expect(csv.headers.get('x-content-type-options')).toBe('nosniff');
    expect(String(csv.body)).not.toMatch(/(^|,)"?[=+@-]/m);
  });

  it('is literal to the search', async () => {
    const name = 'Literal (b+)+$ 100%_\\ NEAR(x "y"';
    await createSupplier({ name });
    for (const keyword of [name, '(b+)+$', '100%_\\', 'NEAR(x', '"y"', 'literal (B+)']) {
      expect(await suppliers(keyword), keyword).toBe(1);
    }
    for (const keyword of ['100%__', 'Literal%NEAR', '(b+)+$*', 'Literal*', 'NEAR(x OR y', '100_%']) {
      expect(await suppliers(keyword), keyword).toBe(0);
    }
  });
});
