import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf } from '../../server/identity/browser.ts';
import { Station } from '../../support/station.ts';
import { deeds } from './trust-cases.ts';
import { delivery, inspected, type Request, TrustSite } from './trust-site.ts';
import { tryDeed } from './try-deed.ts';

/** What people and programs try that they may not, over HTTP at a real server; and that those who may can. */

const station = new Station();
let site: TrustSite;
beforeAll(async () => {
  await station.start();
  site = new TrustSite({ origin: station.origin, token: station.token });
  await site.open();
});
afterAll(() => station.stop());

const attempts = deeds.flatMap(deed =>
  deed.attempts.map(([who, hasReason, outcome]) => ({ deed, who, hasReason, outcome, name: deed.name })),
);

it('is tried in at least 60 ways', () => expect(attempts.length).toBeGreaterThanOrEqual(60));

it.each(attempts)('$who $name (reason: $hasReason): $outcome', async ({ deed, who, hasReason, outcome }) => {
  const scene = await deed.prepare(site);
  expect(await deed.isDone(site, scene)).toBe(false);
  const statuses = await tryDeed(site, deed, scene, who, hasReason);
  expect(await deed.isDone(site, scene)).toBe(false);
  if (typeof outcome === 'number') expect(statuses.at(-1)).toBe(outcome);
  else expect(statuses.every(status => status < 300)).toBe(true);
  if (outcome === 'awaiting') {
    const waiting = (await site.list('/x/corrections')).filter(({ status }) => status === 'awaiting');
    expect(waiting).not.toEqual([]);
    // Whatever is accepted by another person of quality counts.
    for (const { id } of waiting)
      dataOf(
        await site.send('second-quality', ['POST', `/x/corrections/${id}/accept`, { reason: 'I saw it' }]),
      );
    expect(await deed.isDone(site, scene)).toBe(true);
  }
});

describe('who may', () => {
  const allowed = deeds.flatMap(deed => (deed.allowed ? [{ deed, who: deed.allowed, name: deed.name }] : []));
  it.each(allowed)('$who $name with a reason', async ({ deed, who }) => {
    const scene = await deed.prepare(site);
    expect((await tryDeed(site, deed, scene, who, true)).every(status => status < 300)).toBe(true);
    expect(await deed.isDone(site, scene)).toBe(true);
  });
});

it('nobody accepts what they wrote themselves, and no program does', async () => {
  const scene = await inspected(site);
  dataOf(await site.send('quality', ['PATCH', `/inspections/${scene.inspection}`, { passed: true }]));
  const [waiting] = (await site.list('/x/corrections')).filter(({ status }) => status === 'awaiting');
  const accept: Request = ['POST', `/x/corrections/${waiting?.id}/accept`, { reason: 'I saw it' }];
  for (const who of ['quality', 'admin', 'write', 'inspector'] as const)
    expect((await site.send(who, accept)).status).toBe(403);
  expect(await site.locks(scene.lot)).toHaveLength(1);
  dataOf(await site.send('second-quality', accept));
  expect(await site.locks(scene.lot)).toEqual([]);
  expect((await site.send('second-quality', accept)).status).toBe(409);
});

it('no correction is written or changed by a request', async () => {
  const made = { subject: 'inspection:1', path: 'passed', status: 'accepted' };
  for (const who of ['quality', 'admin'] as const) {
    expect((await site.send(who, ['POST', '/x/corrections', made])).status).toBe(405);
    expect((await site.send(who, ['PATCH', '/x/corrections/1', made])).status).toBe(405);
  }
});

it("another's Idempotency-Key opens nothing", async () => {
  const { receipt, lot } = await delivery(site, {}, { is_quarantined: true });
  const lift: Request = [
    'PATCH',
    `/receiving-inspections/${receipt}`,
    { is_quarantined: false, reason: 'ok' },
  ];
  const headers = { 'idempotency-key': site.name('key') };
  expect((await site.send('operator', lift, headers)).status).toBe(403);
  expect(await site.locks(lot)).toHaveLength(1);
  dataOf(await site.send('quality', lift, headers));
  // It says what is so already, which changes nothing, and is not the answer that quality was given.
  const again = await site.send('operator', lift, headers);
  expect(again.headers.get('idempotent-replayed')).toBeNull();
});
