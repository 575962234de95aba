import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { expectPage, expectRecord, expectRefused, expectStatus } from './answers.ts';
import { createCompany, createPartType } from './extension.ts';
import { createPart } from './records.ts';
import { part, simple } from './shapes.ts';

const station = new Station({ isHere: true });
beforeAll(() => station.start());
afterAll(() => station.stop());

describe('status (4.1)', () => {
  const online = { status: 'success', version: '2.0.0', online: true };

  it('has neither message nor data', async () => {
    const answer = await station.get('/status');
    expectStatus(answer, 200);
    expect(answer.body).toEqual(online);
  });

  it('needs no token', async () => {
    const answer = await station.call('GET', '/status', { headers: { authorization: undefined } });
    expect(answer.body).toEqual(online);
  });
});

describe('authentication', () => {
  it.each([
    ['no token', undefined],
    ['another token', 'Bearer 0123456789abcdef0123456789abcdef'],
    ['an empty token', 'Bearer '],
    ['another scheme', 'Basic YTpi'],
  ])('with %s nothing but status answers', async (_, authorization) => {
    for (const [method, path] of [
      ['GET', '/companies'],
      ['POST', '/suppliers'],
      ['GET', '/x/events'],
      ['GET', '/nothing-here'],
    ] as const) {
      const answer = await station.call(method, path, {
        headers: { authorization },
        ...(method === 'POST' ? { body: { name: 'A' } } : {}),
      });
      expectRefused(answer, 401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
    }
  });

  it('takes no token from the address', async () => {
    const answer = await station.call('GET', '/companies', {
      headers: { authorization: undefined },
      query: { token: station.token, access_token: station.token },
    });
    expectRefused(answer, 401);
  });
});

describe('companies (4.2)', () => {
  it('a fresh installation has one, which is active and every record has', async () => {
    const [company] = expectPage(await station.get('/companies'), simple, {
      current_page: 1,
      from: 1,
      to: 1,
      total: 1,
      per_page: 50,
    });
    expect(company).toMatchObject({ is_active: 1 });
    const id = await createPart(station);
    expect(expectRecord(await station.get(`/parts/${id}`), part)).toMatchObject({ company_id: company?.id });
  });

  it('are paged', async () => {
    const second = await createCompany(station, 'Sister works');
    const page = await station.get('/companies', { page: 2, per_page: 1 });
    expect(
      expectPage(page, simple, { current_page: 2, from: 2, to: 2, total: 2, per_page: 1 }),
    ).toMatchObject([{ id: second, name: 'Sister works', is_active: 1 }]);
  });
});

describe('part types (4.15)', () => {
  it('are read as simple records', async () => {
    const id = await createPartType(station, 'Packaging');
    expect(expectRecord(await station.get(`/part-types/${id}`), simple)).toMatchObject({
      id,
      name: 'Packaging',
      is_active: 1,
    });
  });
});
