import { createCentralClient } from '../../../../server/sync/client/central-client.ts';
import {
  hashOfKey,
  writeEnrolmentData,
  writeStationKey,
} from '../../../../server/sync/client/enrolment-data.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { createSyncTables } from '../../../../server/sync/log/tables.ts';
import type { Request } from '../../../../server/sync/protocol/wire.ts';
import { answerSchema } from '../../../../server/sync/protocol/wire-schemas.ts';
import { joinCentral } from '../../../../server/sync/station/join.ts';
import { PushPullLoop } from '../../../../server/sync/station/push-pull-loop.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { enrol, newCode } from '../../../server/enrolment/enrolled.ts';
import { temporaryStore } from '../../../server/store/temporary-store.ts';
import type { Station } from '../../../support/station.ts';
import { dataOf } from './installation.ts';

/** The folder of the station Far, which has taken central's records in place of its log, though that is short. */
export async function joinedByRecords(central: Station): Promise<string> {
  const { store, key } = await enrolled(central, central.origin);
  const client = createCentralClient({ address: central.origin, key, trust: { authorities: undefined } });
  const transport = {
    exchange: async (request: Request) =>
      answerSchema.parse(await client.request('POST', '/x/sync/exchange', request)),
  };
  const engine = new PushPullLoop({ store, transport, clock: () => new Date(), farBehind: 2 });
  engine.notify();
  while (await engine.step());
  if (engine.reader.logStart() === 0) throw new Error('It has taken the log.');
  client.close();
  await store.close();
  return store.database.folder;
}

/** The folder of the same station, of which nothing came yet; it asks for records, at this address. */
export async function askingForRecords(central: Station, address: string): Promise<string> {
  const { store } = await enrolled(central, address);
  await new StationStore(store, syncRules, store.database).beginSnapshot();
  await store.close();
  return store.database.folder;
}

async function enrolled(central: Station, address: string) {
  const store = await temporaryStore();
  const code = await newCode(central, 'Far');
  const answer = dataOf<{ key: string; block: number; central: string }>(
    await enrol(central, { code, station: store.station }),
  );
  const { key, block } = answer;
  const data = { address, certificate: null, central: answer.central, name: 'Far', key_hash: hashOfKey(key) };
  await joinCentral(store, block, () => writeEnrolmentData(store.database, data));
  createSyncTables(store.database);
  writeStationKey(store.database.folder, key);
  return { store, key };
}
