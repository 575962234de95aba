import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Attention } from '../../../shared/operations/overview-operations.ts';
import type { Browser } from '../identity/browser.ts';
import { dataOf, errorOf } from '../identity/browser.ts';
import { ClockedStation } from '../identity/clocked-station.ts';

/** That somebody looked through the trail, and that somebody is to. */
const at = new ClockedStation();
let quinn: Browser;
beforeAll(async () => {
  await at.start();
  await at.user('quinn', ['quality']);
  await at.user('otto', ['operator']);
  quinn = await at.signedIn('quinn');
});
afterAll(() => at.end());

const review = (body: object, by = quinn) => by.post('/x/audit/reviews', body);
const dueIn = async (browser: Browser) => {
  const groups = dataOf<Attention>(await browser.get('/x/attention'));
  return groups.find(({ kind }) => kind === 'audit_review');
};
const DAY = 24 * 60;

it('is a record of a person of quality, about what was since the last one, and never changed', async () => {
  at.wait(5);
  const until = '2026-06-15T12:04:00.000Z';
  const made = dataOf(await review({ reviewed_until: until, remarks: 'Nothing odd.' }));
  const events = Number((await quinn.get(`/x/audit?to=${until}`)).body && made.events);
  expect(made).toMatchObject({
    reviewed_from: null,
    reviewed_until: until,
    remarks: 'Nothing odd.',
    reviewer: 'quinn',
    reviewer_name: 'Name of quinn',
  });
  expect(events).toBe(Number(Object((await quinn.get(`/x/audit?to=${until}`)).body).meta.total));
  const next = dataOf(await review({ reviewed_until: '2026-06-15T14:04:30+02:00' }));
  expect(next).toMatchObject({
    reviewed_from: until,
    reviewed_until: '2026-06-15T12:04:30.000Z',
    remarks: null,
  });
  const listed = (await quinn.get('/x/audit/reviews')).body;
  expect(listed).toMatchObject({
    data: [next, made],
    meta: { reviewed_until: next.reviewed_until, due: null },
  });
});

it.each([
  ['a moment that was reviewed', { reviewed_until: '2026-06-15T12:04:30Z' }],
  ['a moment to come', { reviewed_until: '2027-06-15T12:04:30Z' }],
  ['no moment', { reviewed_until: 'today' }],
  ['nothing', {}],
])('is not taken of %s', async (_, body) => {
  expect(errorOf(await review(body))).toMatchObject({ status: 422, fields: ['reviewed_until'] });
});

it('is not taken of a program, nor of anybody below quality', async () => {
  const body = { reviewed_until: '2026-06-15T12:04:50Z' };
  expect((await at.call('POST', '/x/audit/reviews', body)).status).toBe(403);
  const otto = await at.signedIn('otto');
  expect((await review(body, otto)).status).toBe(403);
  expect((await otto.get('/x/audit/reviews')).status).toBe(403);
  expect(dataOf<unknown[]>(await quinn.get('/x/audit/reviews'))).toHaveLength(2);
});

it('is due by the setting, which Today tells until somebody has looked', async () => {
  expect(await dueIn(quinn)).toMatchObject({ total: 0, says: null });
  dataOf(await at.call('PUT', '/x/settings', { audit_review_days: 30 }));
  expect(await dueIn(quinn)).toMatchObject({ total: 0 });
  at.wait(30 * DAY);
  quinn = await at.signedIn('quinn');
  const says = 'The audit trail is reviewed until 2026-06-15. The next review was due on 2026-07-15.';
  expect(await dueIn(quinn)).toMatchObject({ total: 1, says });
  dataOf(await review({ reviewed_until: '2026-07-15T12:00:00Z' }));
  expect(await dueIn(quinn)).toMatchObject({ total: 0 });
  expect(errorOf(await at.call('PUT', '/x/settings', { audit_review_days: 400 }))).toMatchObject({
    fields: ['audit_review_days'],
  });
});
