import { expect, it, onTestFinished } from 'vitest';
import { createCentralClient } from '../../../../server/sync/client/central-client.ts';
import {
  hashOfKey,
  writeEnrolmentData,
  writeStationKey,
} from '../../../../server/sync/client/enrolment-data.ts';
import { createSyncTables } from '../../../../server/sync/log/tables.ts';
import type { Request } from '../../../../server/sync/protocol/wire.ts';
import { answerSchema } from '../../../../server/sync/protocol/wire-schemas.ts';
import { joinCentral } from '../../../../server/sync/station/join.ts';
import { PushPullLoop } from '../../../../server/sync/station/push-pull-loop.ts';
import { enrol, newCode } from '../../../server/enrolment/enrolled.ts';
import { temporaryStore } from '../../../server/store/temporary-store.ts';
import { Station } from '../../../support/station.ts';
import { dataOf, faultsOf, startCentral, syncOf, until } from './installation.ts';

/** The folder of a station that has taken central's records in place of its log, though that is short. */
async function joinedByRecords(central: Station): Promise<string> {
  const store = await temporaryStore();
  const code = await newCode(central, 'Far');
  const answer = dataOf<{ key: string; block: number; central: string }>(
    await enrol(central, { code, station: store.station }),
  );
  const { key, block } = answer;
  const data = {
    address: central.origin,
    certificate: null,
    central: answer.central,
    name: 'Far',
    key_hash: hashOfKey(key),
  };
  await joinCentral(store, block, () => writeEnrolmentData(store.database, data));
  createSyncTables(store.database);
  writeStationKey(store.database.folder, key);
  const client = createCentralClient({ address: central.origin, key, trust: { authorities: undefined } });
  const transport = {
    exchange: async (request: Request) =>
      answerSchema.parse(await client.request('POST', '/x/sync/exchange', request)),
  };
  const engine = new PushPullLoop({ store, transport, clock: () => new Date(), farBehind: 2 });
  engine.notify();
  while (await engine.step());
  expect(engine.reader.logStart()).toBeGreaterThan(0);
  client.close();
  await store.close();
  return store.database.folder;
}

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
}, 120_000);
