import { request } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Browser, PASSWORD } from '../server/identity/browser.ts';
import { Station } from '../support/station.ts';

/** What clients and proxies do by habit: interface decisions, 2. */
const station = new Station({ isHere: true });
beforeAll(() => station.start());
afterAll(() => station.stop());

type Data = Record<string, unknown>;
const bodyOf = <Body = { data: Data; meta: Data }>({ body }: { body: unknown }) => body as Body;

interface Raw {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** As it goes over the line: nothing is unpacked, no redirect followed. */
function raw(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Buffer,
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const options = { method, headers: { authorization: `Bearer ${station.token}`, ...headers } };
    const sent = request(`${station.origin}/api/v2${path}`, options, answer => {
      const chunks: Buffer[] = [];
      answer.on('data', chunk => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject).end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };

it('the description for programs is packed, and 304 while it is the same', async () => {
  const { status, headers } = await raw('GET', '/openapi.json', { 'accept-encoding': 'gzip' });
  expect([status, headers['content-encoding']]).toEqual([200, 'gzip']);
  const again = await raw('GET', '/openapi.json', { 'if-none-match': String(headers.etag) });
  expect(again.status).toBe(304);
});

describe('gzip', () => {
  it('is read in the body of a write, and written where a client asks for it alone', async () => {
    const packed = gzipSync(JSON.stringify({ name: 'Packed', notes: 'n'.repeat(5_000) }));
    const made = await raw('POST', '/suppliers', { ...JSON_TYPE, 'content-encoding': 'gzip' }, packed);
    expect(made.status).toBe(201);
    const plain = await raw('GET', '/x/records/supplier/1');
    const answer = await raw('GET', '/x/records/supplier/1', { 'accept-encoding': 'gzip' });
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(answer.body)).toEqual(plain.body);
    expect(answer.body.length).toBeLessThan(plain.body.length / 5);
    expect(answer.headers.etag).toBe(plain.headers.etag);
    // What every client says by itself costs more here than it saves: the answer does not leave the machine.
    const usual = await raw('GET', '/x/records/supplier/1', { 'accept-encoding': 'gzip, deflate, br' });
    expect(usual.headers).not.toHaveProperty('content-encoding');
    expect((await raw('GET', '/suppliers/1', { 'accept-encoding': 'gzip;q=0' })).headers).not.toHaveProperty(
      'content-encoding',
    );
  });

  it('that unpacks to more than a body may have is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024, 0x20));
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    expect((await raw('POST', '/suppliers', headers, bomb)).status).toBe(413);
  });
});

describe('an address', () => {
  it('with a slash at its end leads to the one without, for the method and the query that came', async () => {
    for (const [method, path, to] of [
      ['GET', '/suppliers/?page=1', '/api/v2/suppliers?page=1'],
      ['POST', '/suppliers/', '/api/v2/suppliers'],
      ['GET', '/x/records/supplier/1/', '/api/v2/x/records/supplier/1'],
    ] as const) {
      const { status, headers } = await raw(method, path);
      expect({ path, status, location: headers.location }).toEqual({ path, status: 308, location: to });
    }
    expect((await raw('GET', '/nowhere/')).status).toBe(404);
    expect((await raw('GET', '/suppliers//')).status).toBe(404);
    expect((await raw('GET', '/suppliers/', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect(bodyOf<{ data: unknown[] }>(await station.get('/suppliers/')).data.length).toBeGreaterThan(0);
  });

  it('takes a yes and a no as programs write them', async () => {
    const query = { fromDate: '', toDate: '' };
    for (const dateRange of ['True', 'FALSE', 'true', '0', 'false', '1'])
      expect((await station.get('/shipments', { ...query, dateRange })).status).toBe(200);
    for (const dateRange of ['yes', 'T', '', 'truee'])
      expect((await station.get('/shipments', { ...query, dateRange })).status).toBe(422);
  });

  it('of a page beyond the last says so', async () => {
    const at = (page: number) => station.get('/suppliers', { page, per_page: 1 });
    const { total } = bodyOf(await at(1)).meta;
    const last = bodyOf(await at(Number(total)));
    expect(last.meta).not.toHaveProperty('is_beyond');
    expect(bodyOf(await at(Number(total) + 1))).toMatchObject({ data: [], meta: { is_beyond: true, total } });
    expect(bodyOf(await station.get('/x/equipment')).meta).not.toHaveProperty('is_beyond');
  });
});

describe('TRACE', () => {
  it('is 405, and says what there is', async () => {
    const { status, headers, body } = await raw('TRACE', '/suppliers');
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD, POST, PUT, PATCH' });
    expect(JSON.parse(body.toString())).toMatchObject({ status: 'error', code: 'method_not_allowed' });
  });
});

describe('X-Request-Id', () => {
  it("is the client's own where it sends one that a log can hold", async () => {
    for (const id of ['a', '7c9e6679-7425-40de-944b-e07fc1f90ae7', 'job:42/3.a_b=', 'x'.repeat(128)]) {
      const found = await station.call('GET', '/suppliers/999999', { headers: { 'x-request-id': id } });
      expect(found.headers.get('x-request-id')).toBe(id);
      expect(found.body).toMatchObject({ request_id: id });
    }
    for (const id of ['two words', 'x'.repeat(129), 'ä', '"', '']) {
      const { headers } = await raw('GET', '/suppliers', {
        'x-request-id': encodeURI(id) === id ? id : `${id}`,
      });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}-/);
    }
  });
});

describe('application/merge-patch+json', () => {
  it('is what PATCH does, and PATCH alone', async () => {
    const headers = { 'content-type': 'application/merge-patch+json; charset=utf-8' };
    const { id } = bodyOf(await station.post('/suppliers', { name: 'A', primary_name: 'B' })).data;
    const patched = await station.call('PATCH', `/suppliers/${id}`, {
      body: { primary_name: null },
      headers,
    });
    expect(bodyOf(patched).data).toMatchObject({ name: 'A', primary_name: null });
    expect((await station.call('PUT', `/suppliers/${id}`, { body: {}, headers })).status).toBe(415);
  });
});

describe('Prefer: handling=strict', () => {
  const headers = { prefer: 'respond-async, handling=strict' };

  it('refuses what the operation does not know, and writes nothing', async () => {
    const { id } = bodyOf(await station.post('/suppliers', { name: 'Strict' })).data;
    const before = await station.get(`/suppliers/${id}`);
    const answer = await station.call('PUT', `/suppliers/${id}`, {
      body: { name: 'Other', nmae: 'x' },
      headers,
    });
    expect(answer.status).toBe(422);
    expect(bodyOf<{ errors: Data }>(answer).errors).toEqual({ nmae: [expect.stringContaining('nmae')] });
    expect((await station.get(`/suppliers/${id}`)).body).toEqual(before.body);
    const listed = await station.call('GET', '/suppliers', { query: { pgae: 2 }, headers });
    expect(bodyOf<{ errors: Data }>(listed).errors).toEqual({ pgae: [expect.any(String)] });
    const items = [{ part_id: 1, quantity: 1, serial_number: 'L', quantty: 2 }];
    const part = bodyOf(await station.post('/parts', { name: 'P' })).data.id;
    const body = { items: items.map(item => ({ ...item, part_id: part })) };
    const order = await station.call('POST', '/orders', { body, headers });
    expect(bodyOf<{ errors: Data }>(order).errors).toEqual({ 'items.0.quantty': [expect.any(String)] });
  });

  it('takes what an answer says, also what only the server sets', async () => {
    const { data } = bodyOf(await station.post('/suppliers', { name: 'Read back' }));
    const answer = await station.call('PUT', `/suppliers/${data.id}`, { body: data, headers });
    expect({ status: answer.status, applied: answer.headers.get('preference-applied') }).toEqual({
      status: 200,
      applied: 'handling=strict',
    });
    expect((await station.call('PUT', `/suppliers/${data.id}`, { body: { nmae: 1 } })).status).toBe(200);
  });
});

describe('the setting is_strict', () => {
  const strictly = (path: string, headers: Record<string, string> = {}) =>
    station.call('POST', path, { body: { name: 'Set', nmae: 'x' }, headers });

  it('refuses what an operation under /x/ does not know, unless a program wants it ignored; the document stays as it is', async () => {
    expect((await strictly('/x/locations')).status).toBe(201);
    await station.put('/x/settings', { is_strict: true });
    onTestFinished(async () => void (await station.put('/x/settings', { is_strict: false })));
    const refused = await strictly('/x/locations');
    expect(refused.status).toBe(422);
    expect(bodyOf<{ errors: Data }>(refused).errors).toEqual({ nmae: [expect.stringContaining('lenient')] });
    expect((await station.get('/x/changes', { lmit: 1 })).status).toBe(422);
    expect((await strictly('/x/locations', { prefer: 'handling=lenient' })).status).toBe(201);
    expect((await strictly('/suppliers')).status).toBe(201);
    expect((await station.get('/suppliers', { pgae: 2 })).status).toBe(200);
  });
});

describe('the setting web_origins', () => {
  const origin = 'https://erp.example';
  const asked = (headers: Record<string, string> = {}) => raw('GET', '/suppliers', { origin, ...headers });

  it('lets the pages of the origins that it names call with a token, and no others', async () => {
    expect((await asked()).status).toBe(403);
    await station.put('/x/settings', { web_origins: [origin] });
    onTestFinished(async () => void (await station.put('/x/settings', { web_origins: [] })));
    const { status, headers } = await asked();
    expect({ status, named: headers['access-control-allow-origin'] }).toEqual({ status: 200, named: origin });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect((await asked({ origin: 'https://other.example' })).status).toBe(403);
  });

  it('counts no cookie of a page elsewhere', async () => {
    await station.put('/x/settings', { web_origins: [origin] });
    onTestFinished(async () => void (await station.put('/x/settings', { web_origins: [] })));
    const user = { login: 'cora', name: 'Cora', roles: ['viewer'], password: PASSWORD };
    await station.post('/x/users', { ...user, is_password_temporary: false });
    const browser = new Browser(station.origin);
    expect((await browser.signIn('cora')).status).toBe(201);
    expect((await browser.get('/suppliers')).status).toBe(200);
    const elsewhere = { origin, 'sec-fetch-site': 'cross-site' };
    expect((await browser.call('GET', '/suppliers', { headers: elsewhere })).status).toBe(401);
  });
});

describe('what goes away', () => {
  it('says so with each answer', async () => {
    const { headers } = await station.get('/x/changes', { since: '1' });
    expect(headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(Date.parse(String(headers.get('sunset')))).not.toBeNaN();
    expect((await station.get('/x/changes', { since: '0' })).headers.has('deprecation')).toBe(false);
  });
});

describe('the description for programs', () => {
  it('is read without a token on the machine itself', async () => {
    const { status } = await fetch(`${station.origin}/api/v2/openapi.json`);
    expect(status).toBe(200);
    expect((await fetch(`${station.origin}/api/v2/suppliers`)).status).toBe(401);
  });
});

describe('a number that was added up in binary', () => {
  it('is taken for the decimal that it stands for, and one that has more decimals is refused', async () => {
    const part = bodyOf(await station.post('/parts', { name: 'P' })).data.id;
    const order = (quantity: unknown) =>
      station.post('/orders', { items: [{ part_id: part, serial_number: 'L', quantity }] });
    for (const [sent, kept] of [
      [0.1 + 0.2, 0.3],
      [1.1 * 1.1, 1.21],
      [4.35 * 100, 435],
      ['0.30000000000000004', 0.3],
    ]) {
      const answer = bodyOf<{ data: { items: Data[] } }>(await order(sent));
      expect(answer.data.items[0]?.quantity).toBe(kept);
    }
    for (const sent of [0.3000001, 1e-7, 0.30000000000004]) expect((await order(sent)).status).toBe(422);
  });
});
