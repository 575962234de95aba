import { afterAll, beforeAll, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';

/** Views of lists: one's own, and kept. */
const station = new Station();
let other: Record<string, string>;

beforeAll(async () => {
  await station.start();
  const { body } = await station.post('/x/tokens', { name: 'Another', scopes: ['write'] });
  other = { authorization: `Bearer ${(body as { data: { secret: string } }).data.secret}` };
});
afterAll(() => station.stop());

const keep = (list: string, name: string, address: string | null, headers = {}) =>
  station.call('PUT', `/x/list-views/${list}`, { body: { name, address }, headers });
const names = async (list: string, headers = {}) => {
  const { body } = await station.call('GET', `/x/list-views/${list}`, { headers });
  return (body as { data: { name: string }[] }).data.map(({ name }) => name);
};

it('are there again after a kill, by name, for who keeps them alone', async () => {
  expect((await keep('part', 'Zinc / all', 'sort=name')).status).toBe(200);
  await keep('part', 'Active', 'filter[is_active]=true');
  await keep('part', 'Active', 'filter[is_active]=false');
  await keep('supplier', 'Ours', '');
  await station.kill();
  await station.restart();
  const { body } = await station.get('/x/list-views/part');
  expect(body).toMatchObject({
    data: [
      { name: 'Active', address: 'filter[is_active]=false', columns: null },
      { name: 'Zinc / all', address: 'sort=name' },
    ],
  });
  expect(await names('part', other)).toEqual([]);
  expect((await keep('part', 'Active', null)).body).toMatchObject({ data: null });
  expect(await names('part')).toEqual(['Zinc / all']);
  expect(await names('supplier')).toEqual(['Ours']);
});

it('have limits, in words', async () => {
  expect((await keep('part', 'n'.repeat(81), '')).status).toBe(422);
  expect((await keep('part', 'Long', 'x'.repeat(4_001))).status).toBe(422);
  expect((await keep('unknown', 'Wrong', '')).status).toBe(404);
  for (let number = 0; number < 200; number += 1) await keep('inventory', `View ${number}`, '', other);
  const refused = await keep('inventory', 'One more', '', other);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining('200 views')]);
  // One that is there can still be changed.
  expect((await keep('inventory', 'View 7', 'sort=name', other)).status).toBe(200);
});
