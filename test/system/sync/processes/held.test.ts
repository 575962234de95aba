import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Station } from '../../../support/station.ts';
import { dataOf, faultsOf, startCentral, startStation, syncOf, until, untilInStep } from './installation.ts';
import { writeOdd } from './odd-commits.ts';

let central: Station;
let dock: Station;
beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
});
afterAll(async () => {
  await dock?.stop();
  await central?.stop();
});

it('what central cannot take is held, shown on both sides, and decided by a person; the rest goes on', async () => {
  const [first, second, other] = await Promise.all(
    ['First', 'Second', 'Other'].map(
      async name => dataOf<{ id: number }>(await dock.post('/suppliers', { name })).id,
    ),
  );
  if (first === undefined || second === undefined || other === undefined) throw new Error();
  await untilInStep(central, [dock]);
  await dock.kill();
  const [released, withdrawn] = await writeOdd(dock.folder, [first, second], 'Odd');
  await dock.start();
  await until(
    'held',
    () => syncOf(dock),
    ({ held }) => held.length === 2,
  );
  dataOf(await dock.patch(`/suppliers/${other}`, { name: 'Other goes on' }));
  dataOf(await dock.patch(`/suppliers/${second}`, { name: 'Second follows' }));
  const state = await until(
    'three held',
    () => syncOf(dock),
    ({ held, unsent }) => held.length === 3 && unsent === 0,
  );
  const held = dataOf<unknown[]>(await central.get('/x/held'));
  expect(held).toMatchObject([
    {
      commit_id: released,
      station_name: 'Dock',
      why: 'Central cannot take what it says: Odd is no path of a record.',
    },
    { commit_id: withdrawn, records: [{ family: 'supplier', id: second }], user: 'newer program' },
    { code: 'follows', why: expect.stringContaining('decide on that first') },
  ]);
  expect(state.held.map(({ code }) => code)).toEqual(held.map(one => (one as { code: string }).code));
  expect(dataOf(await central.get(`/suppliers/${other}`))).toMatchObject({ name: 'Other goes on' });

  const decide = (id: unknown, what: string, body: unknown = { reason: 'Checked.' }) =>
    central.post(`/x/held/${id}/${what}`, body);
  expect(await decide(released, 'release', {})).toMatchObject({
    status: 422,
    body: { errors: { reason: {} } },
  });
  expect(await decide('nothing', 'withdraw')).toMatchObject({ status: 404 });
  expect(await decide(state.held[2]?.commit_id, 'release')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('is held before it') },
  });
  expect(await dock.post(`/x/held/${released}/release`, { reason: 'Here.' })).toMatchObject({ status: 409 });
  expect(await decide(released, 'release')).toMatchObject({
    status: 200,
    body: { data: { outcome: 'released' } },
  });
  expect(await decide(withdrawn, 'withdraw')).toMatchObject({
    status: 200,
    body: { data: { outcome: 'withdrawn' } },
  });
  // What a person decided stands in history, and is about no record.
  for (const installation of [central, dock]) {
    expect(await installation.post('/x/rebuild')).toMatchObject({ body: { data: { differences: 0 } } });
  }
  expect(await decide(withdrawn, 'withdraw')).toMatchObject({ status: 409 });
  await until(
    'none held',
    () => syncOf(dock),
    one => one.held.length === 0,
  );
  await untilInStep(central, [dock]);
  for (const each of [central, dock]) {
    expect(dataOf(await each.get(`/x/records/supplier/${first}`))).toMatchObject({ fields: { Odd: 'odd' } });
    const { fields } = dataOf<{ fields: object }>(await each.get(`/x/records/supplier/${second}`));
    expect(fields).toMatchObject({ name: 'Second follows' });
    expect(fields).not.toHaveProperty('Odd');
    expect(dataOf(await each.get('/x/held'))).toEqual([]);
    expect(await faultsOf(each)).toEqual([]);
  }
});
