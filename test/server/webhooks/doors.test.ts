import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/app/config.ts';
import type { Address } from '../../../server/webhooks/target.ts';
import { ClockedStation } from '../identity/clocked-station.ts';
import { Receiver } from './receiver.ts';

type Data = Record<string, unknown>;

/** Where a name leads, which the test sets. */
const names = new Map<string, string>();
const at = new ClockedStation({
  webhooks: {
    lookup: async (host): Promise<Address[]> => {
      const address = names.get(host);
      return address === undefined ? [] : [{ address, family: 4 }];
    },
    pace: { firstWait: 5, longestMessageWait: 20, longestWait: 20, attempts: 2, noted: 20 },
  },
});
let receiver: Receiver;

beforeAll(async () => {
  await at.start('central');
  receiver = await new Receiver().open();
});
afterAll(async () => {
  await receiver.close();
  await at.end();
});
beforeEach(() => names.clear());

const dataOf = ({ body }: { body: unknown }) => (body as { data: Data }).data;
const port = () => new URL(receiver.url).port;
const post = (path: string, body: unknown = {}) => at.call('POST', `/x/webhooks${path}`, body);

describe('at central, what leads inside', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0177.1:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
    'https://10.0.0.1/',
    'https://169.254.169.254/',
    'https://0.0.0.0/',
  ])('%s is refused where a webhook is made and where it is changed', async text => {
    const url = text.replace('PORT', port());
    const refused = await post('', { name: 'inside', url });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { url: [expect.stringMatching(/HOLDPOINT_WEBHOOK_TARGETS/)] } },
    });
    const { id } = dataOf(await post('', { name: 'outside', url: 'https://outside.example/' }));
    expect((await at.call('PATCH', `/x/webhooks/${id}`, { url })).status).toBe(422);
    await post(`/${id}/remove`);
  });

  it('is refused by its name, and where the name leads there only later: at the test, the delivery and the replay', async () => {
    names.set('turning.example', '127.0.0.1');
    const url = `https://turning.example:${port()}/`;
    expect((await post('', { name: 'turning', url })).status).toBe(422);
    names.set('turning.example', '93.184.216.34');
    const { id } = dataOf(await post('', { name: 'turning', url, families: ['supplier'] }));
    names.set('turning.example', '127.0.0.1');
    expect(dataOf(await post(`/${id}/test`))).toMatchObject({ result: 'refused_address', status: null });
    await at.call('POST', '/suppliers', { name: 'Acme' });
    const waiting = async () =>
      dataOf(await at.call('GET', `/x/webhooks/${id}/deliveries`)).waiting as Data[];
    await expect
      .poll(waiting)
      .toMatchObject([{ type: 'supplier.created', last: { result: 'refused_address' } }]);
    // A change that leaves the address alone lets nothing through either.
    await at.call('PATCH', `/x/webhooks/${id}`, { is_paused: true });
    await at.call('PATCH', `/x/webhooks/${id}`, { is_paused: false });
    expect(dataOf(await post(`/${id}/replay`))).toEqual({ replayed: 0 });
    await expect.poll(async () => (await waiting())[0]?.attempts).toBeGreaterThan(3);
    expect(receiver.seen).toEqual([]);
    await post(`/${id}/remove`);
  });
});

it('targets are listed as addresses and networks; what is neither stops the start', () => {
  expect(readConfig({ HOLDPOINT_WEBHOOK_TARGETS: '127.0.0.1, 10.2.0.0/16 fd00::/8' }).webhookTargets).toEqual(
    ['127.0.0.1', '10.2.0.0/16', 'fd00::/8'],
  );
  expect(readConfig({}).webhookTargets).toEqual([]);
  expect(() => readConfig({ HOLDPOINT_WEBHOOK_TARGETS: 'hooks.example' })).toThrow(
    /HOLDPOINT_WEBHOOK_TARGETS="hooks.example"/,
  );
});

describe('who may', () => {
  const calls = [
    ['GET', '/x/webhooks'],
    ['POST', '/x/webhooks'],
    ['PATCH', '/x/webhooks/1'],
    ...['remove', 'rotate', 'test', 'replay', 'discard'].map(verb => ['POST', `/x/webhooks/1/${verb}`]),
    ['GET', '/x/webhooks/1/deliveries'],
  ] as const;

  it('administrators, and tokens that administer; nobody else by any operation', async () => {
    await at.user('hook.quality', ['quality']);
    await at.user('hook.admin', ['administrator']);
    const [quality, administrator] = [await at.signedIn('hook.quality'), await at.signedIn('hook.admin')];
    const made = await at.call('POST', '/x/tokens', { name: 'hook-writer', scopes: ['write'] });
    const bearer = { authorization: `Bearer ${dataOf(made).secret}`, origin: undefined };
    for (const [method, path] of calls) {
      const body = method === 'GET' ? {} : { body: {} };
      expect({ path, status: (await quality.call(method ?? '', path ?? '', body)).status }).toEqual({
        path,
        status: 403,
      });
      const token = await at.browser().call(method ?? '', path ?? '', { headers: bearer, ...body });
      expect({ path, status: token.status }).toEqual({ path, status: 403 });
      const none = await at
        .browser()
        .call(method ?? '', path ?? '', { headers: { origin: undefined }, ...body });
      expect({ path, status: none.status }).toEqual({ path, status: 401 });
    }
    expect((await administrator.call('GET', '/x/webhooks')).status).toBe(200);
  });

  it('is in the audit trail with what it was about', async () => {
    const { id } = dataOf(await post('', { name: 'traced', url: 'https://a.example/hooks?key=hidden' }));
    await at.call('PATCH', `/x/webhooks/${id}`, { name: 'traced 2', kinds: ['created'] });
    await post(`/${id}/rotate`, { overlap_hours: 2 });
    await post(`/${id}/remove`);
    const events = ((await at.call('GET', '/x/audit?per_page=500')).body as { data: Data[] }).data;
    const told = events.filter(({ details }) => /^traced/.test(String((details as Data).webhook)));
    expect(told.map(({ kind, author }) => [kind, author])).toEqual([
      ['webhook_created', 'HOLDPOINT_TOKEN'],
      ['webhook_changed', 'HOLDPOINT_TOKEN'],
      ['webhook_rotated', 'HOLDPOINT_TOKEN'],
      ['webhook_removed', 'HOLDPOINT_TOKEN'],
    ]);
    expect(told[0]?.details).toMatchObject({ url: 'https://a.example/hooks' });
    expect(told[1]?.details).toMatchObject({ webhook: 'traced 2', of: 'traced', kinds: ['created'] });
    expect(told[2]?.details).toMatchObject({ overlap_hours: 2 });
  });
});

describe('what is wrong', () => {
  it('is said all at once, with the field', async () => {
    const body = {
      name: ' ',
      url: 'ftp://a',
      families: ['nothing'],
      kinds: ['gone'],
      algorithm: 'none',
      since: 'x',
    };
    const { status, body: answer } = await post('', body);
    expect(status).toBe(422);
    expect(Object.keys((answer as { errors: Data }).errors).sort()).toEqual([
      'algorithm',
      'families.0',
      'kinds.0',
      'name',
      'since',
      'url',
    ]);
  });

  it('is a name that another one has, a place that leads nowhere, and a webhook that is not there', async () => {
    const { id } = dataOf(await post('', { name: 'taken', url: 'https://a.example/' }));
    expect((await post('', { name: 'taken', url: 'https://a.example/' })).status).toBe(422);
    expect((await post('', { name: 'far', url: 'https://a.example/', since: '99999999' })).status).toBe(422);
    expect((await post(`/${id}/rotate`, { overlap_hours: 999 })).status).toBe(422);
    for (const verb of ['remove', 'rotate', 'test', 'replay', 'discard'])
      expect((await post(`/4711/${verb}`)).status).toBe(404);
    await post(`/${id}/remove`);
  });
});
