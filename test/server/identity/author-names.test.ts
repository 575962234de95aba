import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataOf, errorOf } from './browser.ts';
import { ClockedStation } from './clocked-station.ts';

/** History names authors by a text: it is of one user or of one token, never of both. */
const at = new ClockedStation();
let ann = 0;
beforeAll(async () => {
  await at.start();
  ann = await at.user('ann', ['operator']);
  dataOf(await at.call('PATCH', `/x/users/${ann}`, { login: 'ann.lee' }));
});
afterAll(() => at.end());

const newToken = (name: string) => at.call('POST', '/x/tokens', { name, scopes: ['read'] });

it('a token gets no name that a user signs or signed in with, in any case', async () => {
  for (const name of ['ann.lee', 'Ann.Lee', ' ann.lee ', 'ann', 'ANN']) {
    const refused = errorOf(await newToken(name));
    expect(refused, name).toMatchObject({ status: 422, fields: ['name'] });
  }
  dataOf(await newToken('ann.leeds'));
});

it('a user gets no login that a token has as its name, revoked ones included', async () => {
  const { id } = dataOf(await newToken('Scale'));
  dataOf(await at.call('POST', `/x/tokens/${id}/revoke`));
  for (const login of ['scale', 'SCALE']) {
    const made = await at.call('POST', '/x/users', { login, name: 'Scale', roles: [] });
    expect(errorOf(made)).toMatchObject({ status: 422, fields: ['login'] });
    const renamed = await at.call('PATCH', `/x/users/${ann}`, { login });
    expect(errorOf(renamed)).toMatchObject({ status: 422, fields: ['login'] });
  }
  dataOf(await at.call('PATCH', `/x/users/${ann}`, { login: 'scales', name: 'Ann' }));
});
