import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dataOf, errorOf, PASSWORD } from '../../identity/browser.ts';
import { ClockedStation } from '../../identity/clocked-station.ts';
import { create, update } from '../../store/temporary-store.ts';
import { Central, employ, Peer, writeOdd, writePast } from './fleet.ts';

/** Who decides, at a central, what two stations left open. */
let at: ClockedStation;
beforeEach(() => {
  at = new ClockedStation();
});
afterEach(() => at.end());

/** A central over HTTP, with what `work` lets two stations bring to it. */
async function startAfter(work: (central: Central, one: Peer, other: Peer) => Promise<void>): Promise<void> {
  const central = await Central.open(at.folder);
  const join = (block: number) => Peer.join(request => central.answer(request), block);
  const [one, other] = [await join(1), await join(2)];
  await work(central, one, other);
  for (const peer of [one, other]) await peer.settle();
  for (const { store } of [one, other, central]) await store.close();
  await at.start('central');
}

interface Described {
  id: string;
  family: string;
  path: string;
  state: string;
  values: { value: unknown; before: unknown; commit: string }[];
  outcome: { value: unknown } | null;
}

it('a decision on a conflict of a report is signed as its update is', async () => {
  let report = 0;
  await startAfter(async (central, one, other) => {
    await employ(central.store, 'tester');
    report = (await create(central.store, 'ncr', { ncr_number: 'NCR-1', source: 'internal' })).id;
    for (const peer of [one, other]) await peer.settle();
    await update(one.store, 'ncr', report, { status: 'in_review' });
    await update(other.store, 'ncr', report, { status: 'closed' });
  });
  const user = await at.user('quinn', ['quality']);
  const quinn = await at.signedIn('quinn');
  dataOf(await at.call('PUT', '/x/settings', { is_esignature_required: true }));
  const [conflict] = dataOf<Described[]>(await quinn.get('/x/conflicts'));
  const resolve = `/x/conflicts/${conflict?.id}/resolve`;
  const body = { value: 'closed', reason: 'It is done.' };
  for (const password of [{}, { esignature_password: 'wrong one' }]) {
    const refused = errorOf(await quinn.post(resolve, { ...body, ...password }));
    expect(refused).toMatchObject({ status: 422, fields: ['esignature_password'] });
  }
  expect(errorOf(await at.call('POST', resolve, body)).fields).toEqual(['esignature_password']);
  expect(dataOf(await quinn.get(`/ncrs/${report}`))).toMatchObject({ status: 'in_review' });

  const signed = await quinn.post(resolve, {
    ...body,
    esignature_password: PASSWORD,
    esignature_reason: 'I saw it.',
  });
  expect(JSON.stringify(dataOf(signed))).not.toContain(PASSWORD);
  expect(dataOf(await quinn.get(`/ncrs/${report}`))).toMatchObject({ status: 'closed' });
  const { version, state } = dataOf(await quinn.get(`/x/records/ncr/${report}`));
  expect(dataOf<object[]>(await quinn.get(`/x/signatures/ncr/${report}`))).toMatchObject([
    { user_id: user, meaning: 'closing', reason: 'I saw it.', version, state, is_superseded: false },
  ]);
});

it('a decision that is sent again is answered again, also where the log that told of the conflict was cut meanwhile', async () => {
  await startAfter(async (central, one, other) => {
    await employ(central.store, 'tester');
    const { id } = await create(central.store, 'order', {});
    for (const peer of [one, other]) await peer.settle();
    await update(one.store, 'order', id, { due_date: '2026-06-01' });
    await update(other.store, 'order', id, { due_date: '2026-06-02' });
  });
  const [conflict] = dataOf<Described[]>(await at.call('GET', '/x/conflicts'));
  const path = `/x/conflicts/${conflict?.id}/resolve`;
  const decide = (key: string) =>
    at.browser().call('POST', path, {
      headers: { authorization: `Bearer ${at.token}`, origin: undefined, 'idempotency-key': key },
      body: { value: '2026-06-03', reason: 'As agreed.' },
    });
  const first = dataOf(await decide('once'));
  await at.stop();
  // As the log does that is cut since central was put back (`log/conflicts.ts`).
  const database = new DatabaseSync(join(at.folder, 'holdpoint.db'));
  expect(database.prepare('DELETE FROM conflict').run().changes).toBe(1);
  database.close();
  await at.start('central');
  const again = await decide('once');
  expect(dataOf(again)).toEqual(first);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(errorOf(await decide('another'))).toMatchObject({ status: 404 });
});

it('a moment that is given for a day in a decision is the day at the site', async () => {
  const given: readonly [value: string, day: string][] = [
    ['2026-07-31T23:30:00Z', '2026-08-01'],
    ['2026-08-01T05:30:00+09:00', '2026-07-31'],
    ['2026-08-01T00:00:00+09:00', '2026-08-01'],
  ];
  const orders: number[] = [];
  await startAfter(async (central, one, other) => {
    await employ(central.store, 'tester');
    for (const _ of given) orders.push((await create(central.store, 'order', {})).id);
    for (const peer of [one, other]) await peer.settle();
    for (const id of orders) {
      await update(one.store, 'order', id, { due_date: '2026-06-01' });
      await update(other.store, 'order', id, { due_date: '2026-06-02' });
    }
  });
  dataOf(await at.call('PUT', '/x/settings', { time_zone: 'Europe/Berlin' }));
  await at.user('quinn', ['quality']);
  const quinn = await at.signedIn('quinn');
  const conflicts = dataOf<(Described & { record_id: number })[]>(await quinn.get('/x/conflicts'));
  for (const [index, [value, day]] of given.entries()) {
    const { id } = conflicts.find(one => one.record_id === orders[index]) ?? {};
    dataOf(await quinn.post(`/x/conflicts/${id}/resolve`, { value, reason: 'As agreed.' }));
    expect(dataOf(await quinn.get(`/orders/${orders[index]}`))).toMatchObject({ due_date: day });
  }
});

it.each([
  ['a lab result', 'lab-result', { testing_date: '2026-05-01' }, 'testing_date', '2026-05-02', '2026-05-03'],
  ['the closing of a CAR', 'car', { car_number: 'A-1' }, 'date_closed', '2026-06-01', '2026-06-02'],
] as const)(
  'under gxp a decision on a conflict about %s is signed',
  async (_, family, body, path, one, other) => {
    let id = 0;
    await startAfter(async (central, here, there) => {
      await employ(central.store, 'tester');
      id = (await create(central.store, family, body)).id;
      for (const peer of [here, there]) await peer.settle();
      await update(here.store, family, id, { [path]: one });
      await update(there.store, family, id, { [path]: other });
    });
    await at.user('quinn', ['quality']);
    const quinn = await at.signedIn('quinn');
    dataOf(await at.call('PUT', '/x/settings', { esignature_policy: 'gxp' }));
    const conflict = dataOf<Described[]>(await quinn.get('/x/conflicts')).find(open => open.path === path);
    const resolve = `/x/conflicts/${conflict?.id}/resolve`;
    const standing = dataOf<{ fields: Record<string, unknown> }>(
      await quinn.get(`/x/records/${family}/${id}`),
    ).fields;
    // Also where it changes nothing of what the record shows.
    const decision = { value: standing[path] ?? null, reason: 'It is so.' };
    const esignature = { esignature_password: PASSWORD, esignature_reason: 'I saw it.' };
    expect(errorOf(await quinn.post(resolve, decision)).fields).toEqual([
      'esignature_password',
      'esignature_reason',
    ]);
    expect(errorOf(await at.call('POST', resolve, { ...decision, ...esignature })).fields).toEqual([
      'esignature_password',
    ]);
    dataOf(await quinn.post(resolve, { ...decision, ...esignature }));
    expect(dataOf<object[]>(await quinn.get(`/x/signatures/${family}/${id}`))).toMatchObject([
      { user_name: 'Name of quinn', meaning: 'decision', reason: 'I saw it.', is_superseded: false },
    ]);
  },
);

it('where decisions need a second person, nobody decides who wrote one of the values', async () => {
  let car = 0;
  await startAfter(async (central, here, there) => {
    await employ(central.store, 'tester', 'quinn', 'vera');
    car = (await create(central.store, 'car', { car_number: 'A-1' })).id;
    for (const peer of [here, there]) await peer.settle();
    await update(here.store, 'car', car, { type: 'ours' }, { user: 'quinn' });
    await update(there.store, 'car', car, { type: 'theirs' }, { user: 'vera' });
    await update(here.store, 'car', car, { date_closed: '2026-06-01' }, { user: 'quinn' });
    await update(there.store, 'car', car, { date_closed: '2026-06-02' });
  });
  const decision = { is_signed: true, needs_reason: false, needs_second_person: true };
  dataOf(await at.call('PUT', '/x/settings', { esignature_deviations: { decision } }));
  const conflicts = dataOf<Described[]>(await at.call('GET', '/x/conflicts'));
  const conflictOf = (path: string) => `/x/conflicts/${conflicts.find(one => one.path === path)?.id}/resolve`;
  const [quinn, vera] = [await signedInAs('quinn'), await signedInAs('vera')];
  const body = { value: '2026-06-02', reason: 'Seen.', esignature_password: PASSWORD };
  expect(errorOf(await quinn.post(conflictOf('date_closed'), body))).toMatchObject({ status: 403 });
  dataOf(await vera.post(conflictOf('date_closed'), body));
  // What no act is about has no second person.
  dataOf(await quinn.post(conflictOf('type'), { value: 'ours', reason: 'Seen.' }));
});

it('where verdicts need a second person, nobody lets in their own, whatever it was held for', async () => {
  let id = 0;
  await startAfter(async (central, here, there) => {
    await employ(central.store, 'tester', 'quinn', 'rose');
    id = (await create(central.store, 'inspection', {})).id;
    for (const peer of [here, there]) await peer.settle();
    await writeOdd(here, id, 'inspection');
    await update(here.store, 'inspection', id, { passed: true }, { user: 'quinn' });
  });
  const verdict = { is_signed: true, needs_reason: false, needs_second_person: true };
  dataOf(await at.call('PUT', '/x/settings', { esignature_deviations: { verdict } }));
  const [quinn, rose] = [await signedInAs('quinn'), await signedInAs('rose')];
  const held = dataOf<{ commit_id: string; user: string }[]>(await quinn.get('/x/held'));
  const release = `/x/held/${held.find(({ user }) => user === 'quinn')?.commit_id}/release`;
  const body = { reason: 'Measured again.', esignature_password: PASSWORD };
  expect(errorOf(await quinn.post(release, body))).toMatchObject({
    status: 403,
    message: expect.stringContaining('second person'),
  });
  // Another person may, once what it builds on is decided.
  expect(errorOf(await rose.post(release, body))).toMatchObject({ status: 409 });
});

/** A user whom central knows already, with a password and the role quality. */
async function signedInAs(login: string) {
  const users = dataOf<{ id: number; login: string }[]>(await at.call('GET', '/x/users'));
  const id = users.find(user => user.login === login)?.id;
  const temporary = 'windmill copper lantern';
  dataOf(await at.call('POST', `/x/users/${id}/password`, { password: temporary }));
  const browser = at.browser();
  dataOf(await browser.signIn(login, temporary));
  const own = { password: PASSWORD, current_password: temporary };
  dataOf(await browser.post(`/x/users/${id}/password`, own));
  return browser;
}

it('under gxp who lets in a held verdict signs it', async () => {
  let id = 0;
  await startAfter(async (central, here, there) => {
    await employ(central.store, 'tester');
    id = (await create(central.store, 'inspection', {})).id;
    await create(central.store, 'user', { login: 'vera', name: 'Vera', roles: ['viewer'] });
    for (const peer of [here, there]) await peer.settle();
    // As an altered station lets her.
    await update(here.store, 'inspection', id, { passed: true }, { user: 'vera' });
  });
  await at.user('quinn', ['quality', 'administrator']);
  const quinn = await at.signedIn('quinn');
  dataOf(await at.call('PUT', '/x/settings', { esignature_policy: 'gxp' }));
  const [held] = dataOf<{ commit_id: string }[]>(await quinn.get('/x/held'));
  const release = `/x/held/${held?.commit_id}/release`;
  const decision = { reason: 'Measured again.' };
  const esignature = { esignature_password: PASSWORD, esignature_reason: 'I saw it.' };
  const before = dataOf(await quinn.get(`/x/records/inspection/${id}`));
  expect(errorOf(await quinn.post(release, decision)).fields).toEqual([
    'esignature_password',
    'esignature_reason',
  ]);
  expect(errorOf(await at.call('POST', release, { ...decision, ...esignature })).fields).toEqual([
    'esignature_password',
  ]);
  expect(dataOf(await quinn.get(`/x/records/inspection/${id}`))).toEqual(before);
  dataOf(await quinn.post(release, { ...decision, ...esignature }));
  const after = dataOf(await quinn.get(`/x/records/inspection/${id}`));
  expect(after.state).not.toBe(before.state);
  expect(dataOf<object[]>(await quinn.get(`/x/signatures/inspection/${id}`))).toMatchObject([
    { user_name: 'Name of quinn', meaning: 'decision', version: after.version, is_superseded: false },
  ]);
});

it('what is let in is let in with its signature or not at all', async () => {
  let id = 0;
  await startAfter(async (central, here, there) => {
    await employ(central.store, 'tester');
    id = (await create(central.store, 'inspection', {})).id;
    await create(central.store, 'user', { login: 'vera', name: 'Vera', roles: ['viewer'] });
    for (const peer of [here, there]) await peer.settle();
    await update(here.store, 'inspection', id, { passed: true }, { user: 'vera' });
    central.store.database.run(
      `CREATE TRIGGER no_signature BEFORE INSERT ON history WHEN NEW.entries LIKE '%"signature:%'
       BEGIN SELECT RAISE(ABORT, 'not this time'); END`,
    );
  });
  await at.user('quinn', ['quality', 'administrator']);
  const quinn = await at.signedIn('quinn');
  dataOf(await at.call('PUT', '/x/settings', { esignature_policy: 'gxp' }));
  const held = dataOf<{ commit_id: string }[]>(await quinn.get('/x/held'));
  const before = dataOf(await quinn.get(`/x/records/inspection/${id}`));
  const esignature = { esignature_password: PASSWORD, esignature_reason: 'I saw it.' };
  const decision = { reason: 'Measured again.', ...esignature };
  const { status } = await quinn.post(`/x/held/${held[0]?.commit_id}/release`, decision);
  expect(status).toBeGreaterThanOrEqual(500);
  expect(dataOf(await quinn.get(`/x/records/inspection/${id}`))).toEqual(before);
  expect(dataOf<object[]>(await quinn.get('/x/held'))).toEqual(held);
});

it('what stations wrote of a user is shown to administrators, and its held changes are theirs to decide', async () => {
  let held = '';
  await startAfter(async (central, one, other) => {
    const { id, key, creator } = await create(central.store, 'user', {
      login: 'ann',
      name: 'Ann',
      roles: [],
    });
    const { id: supplier } = await create(central.store, 'supplier', { name: 'Acme' });
    for (const peer of [one, other]) await peer.settle();
    await writePast(one, key, { name: 'Ann One' }, [creator]);
    await writePast(other, key, { name: 'Ann Other' }, [creator]);
    await update(one.store, 'supplier', supplier, { name: 'Acme One' });
    await update(other.store, 'supplier', supplier, { name: 'Acme Other' });
    for (const peer of [one, other]) await peer.settle();
    // As former versions let stations do: both are let in.
    for (const { commit } of central.exchange.reader().heldCommits.all()) {
      await central.exchange.decideHeld({
        commit: commit.commit_id,
        decision: 'released',
        user: 'root',
        reason: 'Agreed.',
        at: '2026-06-15T12:00:00.000Z',
      });
    }
    for (const peer of [one, other]) await peer.settle();
    held = await writeOdd(one, id, 'user');
  });
  expect(at.log).toContain('1 of the users and settings were last written by a station');
  await at.user('quinn', ['quality']);
  const quinn = await at.signedIn('quinn');
  const [conflicts, all] = [
    dataOf<Described[]>(await quinn.get('/x/conflicts')),
    dataOf<Described[]>(await at.call('GET', '/x/conflicts')),
  ];
  const valuesOf = (from: Described[], family: string) =>
    from.find(one => one.family === family)?.values.map(({ value, before }) => [value, before]);
  expect(valuesOf(conflicts, 'user')).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(valuesOf(all, 'user')?.flat()).toEqual(['Ann Other', 'Ann', 'Ann One', 'Ann']);
  expect(valuesOf(conflicts, 'supplier')).toEqual(valuesOf(all, 'supplier'));
  const ofUser = all.find(({ family }) => family === 'user')?.id;
  const body = { value: 'Ann One', reason: 'She says so.' };
  expect((await quinn.post(`/x/conflicts/${ofUser}/resolve`, body)).status).toBe(403);
  dataOf(await at.call('POST', `/x/conflicts/${ofUser}/resolve`, body));
  const [closed] = dataOf<Described[]>(await quinn.get('/x/conflicts?status=closed'));
  expect(closed).toMatchObject({ family: 'user', outcome: { value: null } });

  expect(dataOf<object[]>(await quinn.get('/x/held'))).toMatchObject([
    { commit_id: held, code: 'central_decides', is_administrative: true },
  ]);
  for (const verb of ['release', 'withdraw']) {
    const refused = errorOf(await quinn.post(`/x/held/${held}/${verb}`, { reason: 'Why not.' }));
    expect(refused).toMatchObject({ status: 403, message: expect.stringContaining('administrators') });
  }
  expect(dataOf<object[]>(await quinn.get('/x/held'))).toHaveLength(1);
  dataOf(await at.call('POST', `/x/held/${held}/withdraw`, { reason: 'Odd.' }));
  expect(dataOf<object[]>(await quinn.get('/x/held'))).toEqual([]);
});

it('a decision is on the values that its author saw: one that arrived meanwhile refuses it', async () => {
  let supplier = 0;
  await startAfter(async (central, one, other) => {
    await employ(central.store, 'tester');
    supplier = (await create(central.store, 'supplier', { name: 'Acme' })).id;
    for (const peer of [one, other]) await peer.settle();
    await update(one.store, 'supplier', supplier, { notes: 'One' });
    await update(other.store, 'supplier', supplier, { notes: 'Other' });
  });
  await at.user('quinn', ['quality']);
  const quinn = await at.signedIn('quinn');
  const [conflict] = dataOf<Described[]>(await quinn.get('/x/conflicts'));
  const seen = conflict?.values.map(({ commit }) => commit) ?? [];
  expect(seen).toHaveLength(2);
  const resolve = `/x/conflicts/${conflict?.id}/resolve`;
  const body = { value: 'One', reason: 'Asked both.' };
  const refused = await quinn.post(resolve, { ...body, seen: seen.slice(0, 1) });
  expect(errorOf(refused)).toMatchObject({ status: 409 });
  expect(dataOf<Described[]>(await quinn.get('/x/conflicts'))).toMatchObject([{ state: 'open' }]);
  expect(errorOf(await quinn.post(resolve, { ...body, seen: 'all' })).fields).toEqual(['seen']);
  // One more than there are: a value that somebody has decided away since is none that he did not see.
  expect(dataOf(await quinn.post(resolve, { ...body, seen: [...seen, 'gone'] }))).toMatchObject({
    state: 'closed',
  });
});
