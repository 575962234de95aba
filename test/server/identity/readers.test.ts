import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { dataOf, errorOf } from './browser.ts';
import { ClockedStation } from './clocked-station.ts';

/** What may be read, by whom, and under which name. */
const at = new ClockedStation();
let part = 0;
let reader = '';
beforeAll(async () => {
  await at.start();
  const body = { name: 'Ring', identification: 'P-1' };
  part = Number(dataOf(await at.call('POST', '/parts', body)).id);
  dataOf(await at.call('POST', `/x/parts/${part}/barcodes`, { code: '4006381333931' }));
  const made = dataOf<{ secret: string }>(
    await at.call('POST', '/x/tokens', { name: 'kiosk', scopes: ['read'] }),
  );
  reader = made.secret;
  await at.user('vera', ['viewer']);
});
afterAll(() => at.end());

const asReader = (method: string, path: string, body?: unknown) =>
  at
    .browser()
    .call(method, path, { headers: { authorization: `Bearer ${reader}`, origin: undefined }, body });

it('who only reads looks a scanned code up, and teaches none', async () => {
  const vera = await at.signedIn('vera');
  const callers = [
    (path: string, body: object) => asReader('POST', path, body),
    (path: string, body: object) => vera.post(path, body),
  ];
  const before = dataOf<{ version?: number }>(await at.call('GET', `/x/records/part/${part}`));
  for (const call of callers) {
    const found = dataOf(await call('/x/scan', { data: '4006381333931' }));
    expect(JSON.stringify(found)).toContain(`${part}`);
    const taught = errorOf(await call(`/x/parts/${part}/barcodes`, { code: '96385074' }));
    expect(taught).toMatchObject({ status: 403 });
    const unknown = await call('/x/scan', { data: '96385074' });
    expect(unknown.status).toBe(200);
  }
  expect(dataOf(await at.call('GET', `/x/records/part/${part}`))).toEqual(before);
});

it('who is renamed keeps in history the name of then', async () => {
  const ann = await at.user('ann', ['operator']);
  const browser = await at.signedIn('ann');
  const { id } = dataOf<{ id: number }>(await browser.post('/suppliers', { name: 'Harbour' }));
  at.wait(1);
  dataOf(await at.call('PATCH', `/x/users/${ann}`, { name: 'Ann Married', login: 'ann.married' }));
  at.wait(1);
  dataOf(await (await at.signedIn('ann.married')).patch(`/suppliers/${id}`, { name: 'Quay' }));
  const names = dataOf<{ user: string; user_name: string }[]>(
    await at.call('GET', `/x/history/supplier/${id}`),
  );
  expect(names.map(({ user, user_name: name }) => [user, name])).toEqual([
    ['ann', 'Name of ann'],
    ['ann.married', 'Ann Married'],
  ]);
});

it('a stream that goes on tells nothing of users once its reader is no administrator any more', async () => {
  await at.user('chief', ['administrator']);
  const id = await at.user('ada', ['administrator']);
  const ada = await at.signedIn('ada');
  const stream = follow(ada);
  await stream.until('cursor');
  dataOf(await at.call('PATCH', `/x/users/${await at.user('bob', ['viewer'])}`, { name: 'Bob Before' }));
  await stream.until('"family":"user"');
  dataOf(await at.call('PATCH', `/x/users/${id}`, { roles: ['viewer'] }));
  const carol = await at.user('carol', ['viewer']);
  const { id: supplier } = dataOf<{ id: number }>(await at.call('POST', '/suppliers', { name: 'After' }));
  const text = await stream.until(`"family":"supplier","id":${supplier}`);
  expect(text).not.toContain(`"family":"user","id":${carol}`);
  stream.close();
});

function follow(browser: Browser) {
  const controller = new AbortController();
  const headers = { cookie: browser.cookie };
  const open = fetch(`${browser.origin}/api/v2/x/events`, { headers, signal: controller.signal });
  let text = '';
  return {
    async until(wanted: string) {
      const body = (await open).body;
      if (!body) throw new Error('There is no stream.');
      for await (const part of body.values({ preventCancel: true })) {
        text += new TextDecoder().decode(part);
        if (text.includes(wanted)) return text;
      }
      throw new Error(`The stream is over without ${wanted}: ${text}`);
    },
    close: () => controller.abort(),
  };
}
