import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../server/store/sqlite/temporary-folder.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import { Station } from '../../../support/station.ts';
import { FaultProxy } from '../kit/fault-proxy.ts';
import { dataOf, faultsOf, startCentral, syncOf, until } from './installation.ts';
import { askingForRecords, joinedByRecords } from './joined-by-records.ts';

interface History {
  data: { commit: string; reason: string | null; changes: object[] }[];
  meta: { total: number; missing?: { reason: string; message: string; known_since: string | null } };
}

async function historyOf(station: Station, id: number): Promise<History> {
  const { status, body } = await station.get(`/x/history/supplier/${id}`);
  expect(status).toBe(200);
  return body as History;
}

it('a station that took records has the history of what is looked at, also when central is away or it is killed', async () => {
  const central = await startCentral();
  onTestFinished(() => central.stop());
  const ids: number[] = [];
  for (const name of ['Looked at', 'Never looked at']) {
    const { id } = dataOf<{ id: number }>(await central.post('/suppliers', { name }));
    for (const notes of ['one', 'two', 'three']) {
      dataOf(await central.call('PATCH', `/suppliers/${id}`, { body: { notes, reason: `Noted ${notes}` } }));
    }
    ids.push(id);
  }
  const [looked = 0, never = 0] = ids;
  const far = new Station({ folder: await joinedByRecords(central) });
  onTestFinished(() => far.stop());
  await far.start();
  await until(
    'in step',
    () => syncOf(far),
    ({ state }) => state === 'in_step',
  );

  const theirs = await historyOf(central, looked);
  expect(theirs.data).toHaveLength(4);
  const commits = ({ data }: History) => data.map(({ commit, changes }) => ({ commit, changes }));
  const here = await historyOf(far, looked);
  expect(here.meta).toEqual(theirs.meta);
  expect(commits(here)).toEqual(commits(theirs));

  // It is kept: the second look needs no central, also after the station was killed.
  await central.kill();
  await far.kill();
  await far.start();
  const again = await historyOf(far, looked);
  expect(again.meta).toEqual(theirs.meta);
  expect(commits(again)).toEqual(commits(theirs));
  const away = await historyOf(far, never);
  expect(away.data).toEqual([]);
  expect(away.meta.missing).toMatchObject({ reason: 'unreachable', known_since: null });
  expect(away.meta.missing?.message).toContain('Look again when this station is connected.');
  dataOf(await far.call('PATCH', `/suppliers/${never}`, { body: { notes: 'Without central' } }));
  const part = await historyOf(far, never);
  expect(part.data).toHaveLength(1);
  expect(part.meta.missing?.known_since).toMatch(/^\d{4}-/);

  await central.start();
  const back = await until(
    'whole',
    () => historyOf(far, never),
    ({ meta }) => meta.missing === undefined,
  );
  expect(back.data).toHaveLength(5);
  await far.stop();
  expect(await faultsOf(far)).toEqual([]);
});

it('a station that took records from a file says that it did not bring what was before, and has it once there is a line', async () => {
  const central = await startCentral();
  onTestFinished(() => central.stop());
  const line = await FaultProxy.open({ target: central.origin, seed: 1 });
  onTestFinished(() => line.close());
  line.stop();
  const { id } = dataOf<{ id: number }>(await central.post('/suppliers', { name: 'Acme' }));
  for (const notes of ['one', 'two']) dataOf(await central.put(`/suppliers/${id}`, { notes }));
  const far = new Station({ folder: await askingForRecords(central, line.origin) });
  onTestFinished(() => far.stop());
  await far.start();

  const stick = temporaryFolder();
  const [up, down] = [join(stick, 'up.carry'), join(stick, 'down.carry')];
  const carry = async (at: Station, ...words: string[]) => {
    const { code, output } = await holdpoint(environmentOf(at), 'carry', ...words);
    expect(code, output).toBe(0);
  };
  await carry(far, 'out', up);
  await carry(central, 'in', up);
  await carry(central, 'out', down, '--station', 'Far');
  await carry(far, 'in', down);
  expect(dataOf(await far.get(`/x/records/supplier/${id}`))).toMatchObject({
    fields: { name: 'Acme', notes: 'two' },
  });
  const away = await historyOf(far, id);
  expect(away.data).toEqual([]);
  expect(away.meta.missing).toMatchObject({
    reason: 'unreachable',
    known_since: null,
    message: expect.stringContaining(
      'A file on a stick does not bring them; at central they can be looked at.',
    ),
  });
  // What it was then, this station cannot know either, and says whom to ask.
  const then = await far.get(`/x/records/supplier/${id}`, { as_of: 1 });
  expect(then).toMatchObject({
    status: 422,
    body: { errors: { as_of: [expect.stringContaining('Ask central')] } },
  });

  line.resume();
  const whole = await until(
    'whole',
    () => historyOf(far, id),
    ({ meta }) => meta.missing === undefined,
  );
  expect(whole.data).toHaveLength(3);
  await far.stop();
  expect(await faultsOf(far)).toEqual([]);
});
