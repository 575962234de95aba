import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../../server/http/openapi/openapi-document.ts';
import { Browser, dataOf, errorOf, PASSWORD } from '../../server/identity/browser.ts';
import { importFiles } from '../../server/transfer/importing.ts';
import { type Answer, Station } from '../../support/station.ts';
import { unfolded } from '../../support/unfolded.ts';

/** What somebody tries to do, under the policy `gxp`, without signing it. */
let station: Station;
let quinn: Browser;
let root: Browser;
const tokens: Record<string, string> = {};
const made = {
  inspection: 0,
  ncr: 0,
  car: 0,
  complaint: 0,
  template: 0,
  receipt: 0,
  item: 0,
  lot: 0,
  shipment: 0,
  correction: 0,
};
const signature = { esignature_password: PASSWORD, esignature_reason: 'I answer for it.' };

beforeAll(async () => {
  station = new Station();
  await station.start();
  const person = (login: string, role: string) =>
    station.post('/x/users', {
      login,
      name: `Name of ${login}`,
      roles: [role],
      password: PASSWORD,
      is_password_temporary: false,
    });
  for (const [login, role] of [
    ['quinn', 'quality'],
    ['root', 'administrator'],
  ] as const)
    dataOf(await person(login, role));
  [quinn, root] = [new Browser(station.origin), new Browser(station.origin)];
  dataOf(await quinn.signIn('quinn'));
  dataOf(await root.signIn('root'));
  for (const scopes of [['read'], ['read', 'write'], ['read', 'write', 'admin']]) {
    const { secret } = dataOf<{ secret: string }>(
      await station.post('/x/tokens', { name: scopes.join(' '), scopes }),
    );
    tokens[scopes.at(-1) ?? ''] = secret;
  }
  await fill();
  dataOf(await station.put('/x/settings', { esignature_policy: 'gxp' }));
});
afterAll(() => station.stop());

/** A record of each kind, in which an act is still to be done. */
async function fill(): Promise<void> {
  const idOf = async (answer: Promise<Answer>) => {
    const { status, body } = await answer;
    const { data, meta } = body as { data: { id?: number }; meta?: { id?: number } };
    const id = data?.id ?? meta?.id;
    if (id === undefined) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return id;
  };
  const part = await idOf(station.post('/parts', { name: 'Jar', identification: 'J', unit_of_measure: 'g' }));
  const items = [
    {
      part_id: part,
      quantity_accepted: 5,
      serial_number: 'L',
      is_active_batch: false,
      expiry_date: '2090-01-01',
    },
  ];
  const receipt = await station.post('/receiving-inspections', { items, is_quarantined: true });
  made.receipt = await idOf(Promise.resolve(receipt));
  const whole = dataOf<{ fields: { items: Record<string, { inventory_id: number }> } }>(
    await station.get(`/x/records/receiving-inspection/${made.receipt}`),
  );
  const [[item, { inventory_id: lot }] = ['0', { inventory_id: 0 }]] = Object.entries(whole.fields.items);
  made.item = Number(item);
  made.lot = lot;
  dataOf(await quinn.post(`/x/inventory/${lot}/lock`, { is_locked: true, reason: 'Odd smell.' }));
  made.inspection = await idOf(station.post('/inspections', {}));
  made.ncr = await idOf(station.post('/ncrs', { ncr_number: 'N-1', source: 'internal' }));
  made.car = await idOf(station.post('/cars', { car_number: 'A-1' }));
  made.complaint = await idOf(
    station.post('/complaints', { complaint_number: 'C-1', complaint_date: '2026-01-01' }),
  );
  made.template = await idOf(station.post('/x/specifications', { name: 'S' }));
  // An integration gives no reason, so what it put off waits for quality.
  const later = { items: [{ id: made.item, expiry_date: '2091-01-01' }] };
  dataOf(await station.put(`/receiving-inspections/${made.receipt}`, later));
  const waiting = dataOf<{ id: number }[]>(await station.get('/x/corrections', { status: 'awaiting' }));
  made.correction = waiting[0]?.id ?? 0;
  made.shipment = await idOf(station.post('/shipments', {}));
}

const withToken = (scope: string, method: string, path: string, body: unknown): Promise<Answer> =>
  station.call(method, path, { body, headers: { authorization: `Bearer ${tokens[scope]}` } });

const reason = 'Because.';
/** Each act, as the operation that does it: the path below the record's, and the body. */
const acts: [string, string[], () => string, object][] = [
  ['a verdict', ['PUT', 'PATCH'], () => `/inspections/${made.inspection}`, { passed: true }],
  ['a disposition', ['PUT', 'PATCH'], () => `/ncrs/${made.ncr}`, { disposition: 'use-as-is', reason }],
  ['a closing', ['PUT', 'PATCH'], () => `/ncrs/${made.ncr}`, { status: 'closed' }],
  ['the closing of a CAR', ['PUT', 'PATCH'], () => `/cars/${made.car}`, { date_closed: '2026-01-02' }],
  ['the closing of a complaint', ['PATCH'], () => `/complaints/${made.complaint}`, { is_closed: true }],
  ['an approval', ['PUT', 'PATCH'], () => `/x/specifications/${made.template}`, { is_approved: true }],
  [
    'a release from quarantine',
    ['PUT', 'PATCH'],
    () => `/receiving-inspections/${made.receipt}`,
    { is_quarantined: false, reason },
  ],
  [
    'the release of a line in its record',
    ['PUT', 'PATCH'],
    () => `/receiving-inspections/${made.receipt}`,
    { items: [{ id: 'ITEM', is_active_batch: true }], reason },
  ],
  [
    'the release of a line by itself',
    ['PUT', 'PATCH'],
    () => `/receiving-inspections/${made.receipt}/items/${made.item}`,
    { is_active_batch: true, reason },
  ],
  ['a lock that is lifted', ['POST'], () => `/x/inventory/${made.lot}/lock`, { is_locked: false, reason }],
  ['the acceptance of a correction', ['POST'], () => `/x/corrections/${made.correction}/accept`, { reason }],
  ['a shipment', ['PUT', 'PATCH'], () => `/shipments/${made.shipment}`, { actual_ship_date: '2026-01-02' }],
  ['an inspection made with its verdict', ['POST'], () => '/inspections', { passed: true }],
  [
    'a report made with its disposition',
    ['POST'],
    () => '/ncrs',
    { ncr_number: 'N-2', source: 'internal', disposition: 'use-as-is', reason },
  ],
  ['a shipment made as shipped', ['POST'], () => '/shipments', { actual_ship_date: '2026-01-02' }],
];

const bodyOf = (body: object) => JSON.parse(JSON.stringify(body).replace('"ITEM"', String(made.item)));

describe('without a signature', () => {
  it.each(acts)('nobody does %s: no person, and no token of any scope', async (_, methods, path, body) => {
    for (const method of methods) {
      const refused = errorOf(await quinn.call(method, path(), { body: bodyOf(body) }));
      expect(refused, method).toMatchObject({
        status: 422,
        fields: ['esignature_password', 'esignature_reason'],
      });
      for (const scope of ['read', 'write', 'admin']) {
        const byToken = await withToken(scope, method, path(), { ...bodyOf(body), ...signature });
        expect([403, 422], `${scope} ${method}`).toContain(errorOf(byToken).status);
      }
    }
  });

  it('a wrong password is none', async () => {
    const body = { passed: true, ...signature, esignature_password: 'wrong one' };
    expect(errorOf(await quinn.put(`/inspections/${made.inspection}`, body))).toMatchObject({
      status: 422,
      fields: ['esignature_password'],
    });
  });

  it('and none of them has done anything', async () => {
    const fieldsOf = async (family: string, id: number) =>
      dataOf<{ fields: Record<string, unknown> }>(await station.get(`/x/records/${family}/${id}`)).fields;
    expect(await fieldsOf('inspection', made.inspection)).not.toHaveProperty('passed');
    expect(await fieldsOf('ncr', made.ncr)).toMatchObject({ status: 'open' });
    expect(await fieldsOf('ncr', made.ncr)).not.toHaveProperty('disposition');
    expect(await fieldsOf('car', made.car)).not.toHaveProperty('date_closed');
    expect(await fieldsOf('complaint', made.complaint)).toMatchObject({ is_closed: false });
    expect(await fieldsOf('specification', made.template)).toMatchObject({ is_approved: false });
    expect(await fieldsOf('receiving-inspection', made.receipt)).toMatchObject({
      is_quarantined: true,
      items: { [made.item]: { is_active_batch: false } },
    });
    expect(await fieldsOf('inventory', made.lot)).toMatchObject({ is_locked_by_person: true });
    expect(await fieldsOf('shipment', made.shipment)).not.toHaveProperty('actual_ship_date');
  });

  it('nobody changes the policy, and no token does with one', async () => {
    for (const body of [
      { esignature_policy: 'none' },
      { esignature_policy: null },
      { time_zone: 'Asia/Tokyo' },
    ]) {
      expect(errorOf(await root.put('/x/settings', body)).fields).toEqual([
        'esignature_password',
        'esignature_reason',
      ]);
      for (const answer of [
        await withToken('admin', 'PUT', '/x/settings', { ...body, ...signature }),
        await station.put('/x/settings', { ...body, ...signature }),
      ]) {
        const refused = errorOf(answer);
        expect(refused).toMatchObject({ status: 422, fields: ['esignature_password'] });
        expect(refused.message).toContain('session');
      }
    }
    expect(dataOf(await root.get('/x/settings'))).toMatchObject({
      esignature_policy: 'gxp',
      time_zone: 'UTC',
    });
  });

  it('no import brings an act in: rows with one are faults that name it', async () => {
    const csv = (family: string, fields: Record<string, string>) => ({
      source: 'elsewhere',
      steps: [{ file: 'a.csv', family, key: 'no', fields }],
    });
    const files: [object, string, string][] = [
      [
        csv('ncr', { ncr_number: 'no', source: 'source', status: 'status' }),
        'no,source,status\n1,internal,closed\n',
        'closing',
      ],
      [csv('inspection', { sample_size: 'no', passed: 'passed' }), 'no,passed\n1,true\n', 'verdict'],
      [
        csv('shipment', { shipment_number: 'no', actual_ship_date: 'day' }),
        'no,day\nS-1,2026-01-02\n',
        'shipment',
      ],
      [csv('specification', { name: 'no', is_approved: 'ok' }), 'no,ok\n1,true\n', 'approval'],
    ];
    for (const [mapping, content, word] of files) {
      const job = await importFiles(station, mapping, { 'a.csv': content });
      expect(job).toMatchObject({ state: 'failed', created: 0 });
      expect(job.bad_rows.map(({ message }) => message).join(' '), word).toContain(word);
    }
  });

  it('no export that was changed brings one in, nor a signature with it', async () => {
    const steps = (family: string) => ({
      source: '',
      steps: [{ format: 'holdpoint', file: 'a.jsonl', family }],
    });
    const exported = String((await station.get('/x/exports/ncr')).body).trim();
    const closed = JSON.stringify({ ...JSON.parse(exported.split('\n')[0] ?? ''), status: 'closed' });
    const source = dataOf<{ station: string }>(await station.get(`/x/records/ncr/${made.ncr}`)).station;
    const asOwn = (family: string) => ({ ...steps(family), source });
    for (const id of [made.ncr, 9_000]) {
      const row = JSON.stringify({ ...JSON.parse(closed), id, ncr_number: `N-${id}` });
      const job = await importFiles(station, asOwn('ncr'), { 'a.jsonl': `${row}\n` });
      expect(job).toMatchObject({ state: 'failed', updated: 0, created: 0 });
      expect(JSON.stringify(job.bad_rows)).toContain('closing of a report');
    }
    const { version, state } = dataOf(await station.get(`/x/records/ncr/${made.ncr}`));
    const forged = {
      id: 1,
      subject: `ncr:${made.ncr}`,
      user_id: 1,
      user_name: 'Name of quinn',
      at: '2026-01-01T00:00:00.000Z',
      meaning: 'closing',
      reason: 'x',
      version,
      state,
    };
    const job = await importFiles(station, asOwn('signature'), {
      'a.jsonl': `${JSON.stringify(forged)}\n`,
    });
    // It is put back as what it says it is, and vouches for nothing.
    expect(job).toMatchObject({ state: 'done', created: 1 });
    expect(dataOf(await station.get(`/x/signatures/ncr/${made.ncr}`))).toMatchObject([{ is_imported: true }]);
  });

  it('no sample company is loaded', async () => {
    expect(errorOf(await station.post('/x/sample-company'))).toMatchObject({ status: 409 });
  });

  it('the operations that can hold an act say how it is signed, and a bulk write of parts holds none', async () => {
    const document = unfolded((await station.get('/openapi.json')).body as OpenApiDocument);
    const takesSignature = (path: string, method: 'post' | 'put') => {
      const text = JSON.stringify(document.paths[path]?.[method]?.requestBody ?? '');
      const named = [...text.matchAll(/schemas\/(\w+)/g)].map(
        ([, name = '']) => document.components.schemas[name],
      );
      return (text + JSON.stringify(named)).includes('esignature_password');
    };
    for (const [path, method] of [
      ['/inspections', 'post'],
      ['/inspections/{id}', 'put'],
      ['/ncrs', 'post'],
      ['/ncrs/{id}', 'put'],
      ['/cars/{id}', 'put'],
      ['/complaints/{id}', 'put'],
      ['/receiving-inspections/{id}', 'put'],
      ['/receiving-inspections/{receiving_inspection_id}/items/{id}', 'put'],
      ['/shipments/{id}', 'put'],
      ['/lab-results', 'post'],
      ['/lab-results/{id}', 'put'],
      ['/x/lab-results/import', 'post'],
      ['/x/specifications/{id}', 'put'],
      ['/x/inventory/{id}/lock', 'post'],
      ['/x/corrections/{id}/accept', 'post'],
      ['/x/inventory/{id}/certificates', 'post'],
      ['/x/conflicts/{id}/resolve', 'post'],
      ['/x/settings', 'put'],
    ] as const) {
      expect(takesSignature(path, method), path).toBe(true);
      expect(document.paths[path]?.[method]?.responses, path).toHaveProperty('default');
    }
    for (const [path, method] of [
      ['/parts/bulk', 'post'],
      ['/parts/bulk', 'put'],
    ] as const)
      expect(takesSignature(path, method)).toBe(false);
  });
});

describe('of the laboratory', () => {
  const awaitingOf = async (id: unknown) => {
    const query = { subject: `lab-result:${id}` };
    return dataOf<{ id: number; status: string; lots: number[] }[]>(
      await station.get('/x/corrections', query),
    );
  };
  const result = { batch_number: 'L', lab_data: '{"THC": "1"}' };

  it('what a token writes by the document is taken, and frees nothing until quality signs for it', async () => {
    const { id } = dataOf(await withToken('write', 'POST', '/lab-results', result));
    const waits = await awaitingOf(id);
    expect(waits).toMatchObject([{ status: 'awaiting', lots: [made.lot] }]);
    const changed = await withToken('write', 'PUT', `/lab-results/${id}`, { lab_data: '{"THC": "2"}' });
    expect(changed.status).toBe(200);
    expect(await awaitingOf(id)).toMatchObject([{ status: 'awaiting' }, { status: 'awaiting' }]);

    const accept = `/x/corrections/${waits[0]?.id}/accept`;
    expect(errorOf(await quinn.post(accept, { reason })).fields).toContain('esignature_password');
    dataOf(await quinn.post(accept, { reason, ...signature }));
    expect(await awaitingOf(id)).toMatchObject([{ status: 'accepted' }, { status: 'awaiting' }]);
  });

  it('so is what an import brings', async () => {
    const mapping = {
      source: 'elsewhere',
      steps: [
        { file: 'a.csv', family: 'lab-result', key: 'no', fields: { batch_number: 'lot', lab_data: 'data' } },
      ],
    };
    const job = await importFiles(station, mapping, { 'a.csv': 'no,lot,data\n1,L,"{""THC"": ""1""}"\n' });
    expect(job).toMatchObject({ state: 'done', created: 1 });
    const [newest] = dataOf<{ id: number }[]>(await station.get('/x/lab-results', { order: 'desc' }));
    expect(await awaitingOf(newest?.id)).toMatchObject([{ status: 'awaiting', lots: [made.lot] }]);
  });

  it('a person signs what they enter, one by one or as a table', async () => {
    expect(errorOf(await quinn.post('/lab-results', result))).toMatchObject({
      status: 422,
      fields: ['esignature_password'],
    });
    const sign = { esignature_password: PASSWORD };
    const { id } = dataOf(await quinn.post('/lab-results', { ...result, ...sign }));
    expect(dataOf<object[]>(await quinn.get(`/x/signatures/lab-result/${id}`))).toMatchObject([
      { meaning: 'result', reason: null, is_superseded: false },
    ]);
    expect(await awaitingOf(id)).toEqual([]);

    const { id: template } = dataOf(
      await station.post('/x/specifications', { name: 'Oil', characteristics: [{ name: 'THC' }] }),
    );
    const table = { csv: 'batch_number,THC\nL,1\nL,2\n', template_id: template };
    const send = (body: object) => quinn.post('/x/lab-results/import', { ...table, ...body });
    expect((await send({ dry_run: true })).status).toBe(200);
    expect(errorOf(await send({}))).toMatchObject({ status: 422, fields: ['esignature_password'] });
    const { rows } = dataOf<{ rows: { id: number }[] }>(await send(sign));
    for (const row of rows) {
      expect(dataOf<object[]>(await quinn.get(`/x/signatures/lab-result/${row.id}`))).toHaveLength(1);
    }
  });
});

describe('with a signature', () => {
  it('an answer is not played again for who does not sign', async () => {
    const path = `/inspections/${made.inspection}`;
    const headers = { 'idempotency-key': 'verdict-1' };
    const body = { passed: false, ...signature };
    dataOf(await quinn.call('PUT', path, { body, headers }));
    const again = await quinn.call('PUT', path, { body, headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    const { esignature_password: _, ...without } = body;
    for (const attempt of [
      without,
      { ...body, esignature_password: 'wrong one' },
      { ...body, esignature_password: '' },
    ]) {
      const refused = await quinn.call('PUT', path, { body: attempt, headers });
      expect([refused.status, refused.headers.get('idempotent-replayed')]).toEqual([422, null]);
    }
    const signatures = dataOf<object[]>(await quinn.get(`/x/signatures${path}`));
    expect(signatures).toMatchObject([{ meaning: 'verdict', is_superseded: false }]);
    expect(JSON.stringify(again.body)).not.toContain(PASSWORD);
    expect(station.output).not.toContain(PASSWORD);
  });

  it('values set back to the signed ones make no signature valid again', async () => {
    const path = `/cars/${made.car}`;
    dataOf(await quinn.put(path, { date_closed: '2026-01-03', ...signature }));
    const at = async () => dataOf(await quinn.get(`/x/records/car/${made.car}`));
    const { state } = await at();
    dataOf(await quinn.put(path, { source: 'other' }));
    dataOf(await quinn.put(path, { source: null }));
    expect((await at()).state).toBe(state);
    expect(dataOf<object[]>(await quinn.get(`/x/signatures${path}`))).toMatchObject([
      { meaning: 'closing', reason: 'I answer for it.', is_superseded: true },
    ]);
  });

  it('a lock is lifted, a correction accepted and the policy changed, each signed in its own words', async () => {
    const lifted = { is_locked: false, reason, ...signature };
    dataOf(await quinn.post(`/x/inventory/${made.lot}/lock`, lifted));
    expect(dataOf<object[]>(await quinn.get(`/x/signatures/inventory/${made.lot}`))).toMatchObject([
      { user_name: 'Name of quinn', meaning: 'release', reason: 'I answer for it.' },
    ]);
    dataOf(await quinn.post(`/x/corrections/${made.correction}/accept`, { reason, ...signature }));
    expect(dataOf<object[]>(await quinn.get(`/x/signatures/corrections/${made.correction}`))).toMatchObject([
      { meaning: 'acceptance', is_superseded: false },
    ]);
    dataOf(await root.put('/x/settings', { esignature_policy: 'none', ...signature }));
    expect(dataOf<object[]>(await root.get('/x/signatures/settings/1'))).toMatchObject([
      { user_name: 'Name of root', meaning: 'settings', is_superseded: false },
    ]);
    expect(dataOf(await root.get('/x/settings'))).toMatchObject({ esignature_policy: 'none' });
  });
});
