import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, errorOf } from './browser.ts';
import { ClockedStation } from './clocked-station.ts';

/** Tokens with an end, families and networks, by every door. */
const at = new ClockedStation();
let part = 0;
let supplier = 0;
let ncr = 0;
beforeAll(async () => {
  await at.start();
  part = Number(dataOf(await at.call('POST', '/parts', { name: 'Ring', identification: 'P-1' })).id);
  supplier = Number(dataOf(await at.call('POST', '/suppliers', { name: 'Harbour' })).id);
  const made = await at.call('POST', '/ncrs', { ncr_number: 'N-1', part_id: part, source: 'internal' });
  ncr = Number((made.body as { meta: { id: number } }).meta.id);
});
afterAll(() => at.end());

const newToken = async (body: object) => {
  const made = dataOf<{ id: number; secret: string }>(await at.call('POST', '/x/tokens', body));
  return {
    ...made,
    call: (method: string, path: string, sent?: unknown) =>
      at.browser().call(method, path, {
        headers: { authorization: `Bearer ${made.secret}`, origin: undefined },
        ...(sent !== undefined && { body: sent }),
      }),
  };
};

it('is told to administrators once its maker does not administer any more', async () => {
  const id = await at.user('maker', ['administrator']);
  await at.user('chief', ['administrator']);
  const maker = await at.signedIn('maker');
  dataOf(await maker.post('/x/tokens', { name: 'of the maker', scopes: ['read'] }));
  const made = dataOf<{ id: number; name: string }[]>(await maker.get('/x/tokens'));
  const chief = await at.signedIn('chief');
  const told = async (browser: typeof chief) => {
    const groups = dataOf<{ kind: string; says: string | null }[]>(await browser.get('/x/attention'));
    return groups.find(({ kind }) => kind === 'leavers_tokens')?.says ?? null;
  };
  expect(await told(chief)).toBeNull();
  dataOf(await at.call('PUT', `/x/users/${id}`, { roles: ['viewer'] }));
  expect(await told(chief)).toMatch(/^The token "of the maker" works, and "maker", /);
  expect(await told(await at.signedIn('maker'))).toBeNull();
  dataOf(await at.call('PUT', `/x/users/${id}`, { is_active: false }));
  expect(await told(chief)).toContain('"of the maker"');
  const token = made.find(({ name }) => name === 'of the maker');
  dataOf(await chief.post(`/x/tokens/${token?.id}/revoke`));
  expect(await told(chief)).toBeNull();
});

const summaryOf = async (id: number) =>
  dataOf<{ id: number }[]>(await at.call('GET', '/x/tokens')).find(token => token.id === id);

describe('a token that is bounded to families', () => {
  it('reads and writes those, and nothing else by any door', async () => {
    const token = await newToken({ name: 'parts only', scopes: ['write'], families: ['parts'] });
    const statuses = async (calls: [string, string, unknown?][]) => {
      const found = await Promise.all(
        calls.map(([method, path, body]) =>
          fetch(`${at.station.origin}/api/v2${path}`, {
            method,
            headers: { authorization: `Bearer ${token.secret}`, 'content-type': 'application/json' },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          }),
        ),
      );
      return found.map(({ status }, index) => `${status} ${calls[index]?.[0]} ${calls[index]?.[1]}`);
    };
    const may: [string, string, unknown?][] = [
      ['GET', `/parts/${part}`],
      ['GET', '/parts'],
      ['PATCH', `/parts/${part}`, { name: 'Ring A' }],
      ['PUT', '/parts/bulk', [{ id: part, name: 'Ring B', identification: 'P-1' }]],
      ['GET', `/x/history/part/${part}`],
      ['GET', `/x/records/part/${part}`],
      ['GET', '/x/exports/part'],
      ['GET', `/x/labels/part/${part}?format=zpl`],
      ['POST', `/x/parts/${part}/barcodes`, { code: '4006381333931' }],
      ['GET', '/status'],
      ['GET', '/x/session'],
    ];
    for (const line of await statuses(may)) expect(line).toMatch(/^20\d /);
    const mayNot: [string, string, unknown?][] = [
      ['GET', '/suppliers'],
      ['GET', `/suppliers/${supplier}`],
      ['POST', '/suppliers', { name: 'New' }],
      ['PATCH', `/suppliers/${supplier}`, { name: 'New' }],
      ['GET', '/inventory'],
      ['GET', `/x/history/supplier/${supplier}`],
      ['GET', `/x/records/suppliers/${supplier}`],
      ['GET', `/x/records/ncr`],
      ['GET', '/x/exports/supplier'],
      ['GET', '/x/exports/all'],
      ['GET', `/x/paper/ncr/${ncr}`],
      ['GET', `/x/paper/part-recall/${part}`],
      ['GET', '/x/labels/location/1'],
      ['GET', '/x/find?q=Harbour'],
      ['GET', `/x/references/part/${part}`],
      ['GET', `/x/trace/parts/${part}`],
      ['GET', '/x/attention'],
      ['GET', '/x/conflicts'],
      ['GET', '/x/held'],
      ['GET', '/x/figures/suppliers'],
      ['GET', '/x/events?families=supplier'],
      ['GET', '/x/changes?families=supplier'],
      ['POST', '/ncrs', { ncr_number: 'N-2' }],
      ['GET', '/x/tokens'],
    ];
    for (const line of await statuses(mayNot)) expect(line).toMatch(/^403 /);
    expect(errorOf(await token.call('GET', '/suppliers')).message).toContain('reaches part only');
  });

  it('is told of those alone: changes, titles and scans', async () => {
    const token = await newToken({ name: 'told', scopes: ['read'], families: ['supplier'] });
    const { meta } = (await token.call('GET', '/x/changes')).body as { meta: { cursor: string } };
    dataOf(await at.call('PATCH', `/parts/${part}`, { name: 'Ring C' }));
    dataOf(await at.call('PATCH', `/suppliers/${supplier}`, { name: 'Quay' }));
    const changes = dataOf<{ family: string }[]>(await token.call('GET', `/x/changes?since=${meta.cursor}`));
    expect(changes.map(({ family }) => family)).toEqual(['supplier']);
    const titles = await token.call('GET', `/x/titles?refs=part:${part},supplier:${supplier}`);
    expect(dataOf<{ title: string }[]>(titles)).toHaveLength(1);
    const scan = dataOf(await token.call('POST', '/x/scan', { data: '4006381333931' }));
    expect(scan).toEqual({ kind: 'unknown', serial_number: null, matches: [] });
  });
});

describe('a token that has an end', () => {
  it('counts until then', async () => {
    const token = await newToken({ name: 'for a day', scopes: ['read'], ends_at: '2026-06-16T12:00:00Z' });
    expect((await token.call('GET', '/suppliers')).status).toBe(200);
    at.wait(24 * 60);
    const refused = errorOf(await token.call('GET', '/suppliers'));
    expect(refused).toMatchObject({
      status: 401,
      message: expect.stringContaining('2026-06-16T12:00:00.000Z'),
    });
    // What is open to everybody is open to it.
    expect((await token.call('GET', '/status')).status).toBe(200);
  });

  it('is refused with an end that is over, a family or a network that is none, all at once', async () => {
    const body = {
      name: 'x',
      scopes: ['read'],
      ends_at: '2020-01-01',
      families: ['planet'],
      networks: ['dock'],
    };
    const refused = errorOf(await at.call('POST', '/x/tokens', body));
    expect(refused).toMatchObject({ status: 422, fields: ['ends_at', 'families', 'networks'] });
  });
});

it('a token of other networks does not count here, and one of this machine does', async () => {
  const far = await newToken({ name: 'far', scopes: ['read'], networks: ['10.2.0.0/16'] });
  const near = await newToken({ name: 'near', scopes: ['read'], networks: ['127.0.0.0/8', '::1'] });
  expect(errorOf(await far.call('GET', '/suppliers'))).toMatchObject({ status: 403 });
  expect((await near.call('GET', '/suppliers')).status).toBe(200);
});

it('the list says who made a token, what it counts as, and when it was last used, also after a restart', async () => {
  await at.user('boss', ['administrator']);
  const boss = await at.signedIn('boss');
  const body = { name: 'by boss', scopes: ['write'], families: ['part'], networks: ['127.0.0.1', '::1'] };
  const made = dataOf<{ id: number; secret: string }>(await boss.post('/x/tokens', body));
  const unused = { created_by: 'boss', roles: ['operator', 'inspector'], families: ['part'] };
  expect(await summaryOf(made.id)).toMatchObject({ ...unused, last_used_at: null, last_used_from: null });
  await at.browser().call('GET', '/parts', { headers: { authorization: `Bearer ${made.secret}` } });
  const used = {
    last_used_at: expect.stringMatching(/^2026-06-/),
    last_used_from: expect.stringMatching(/127|::1/),
  };
  expect(await summaryOf(made.id)).toMatchObject({ ...unused, ...used });
  await at.stop();
  await at.start();
  expect(await summaryOf(made.id)).toMatchObject({ ...unused, ...used });
  const events = dataOf<{ details: object }[]>(
    await at.call('GET', '/x/audit?kind=token_created&order=desc'),
  );
  expect(JSON.stringify(events)).toContain('"networks":["127.0.0.1","::1"]');
});
