import { expect, it, onTestFinished } from 'vitest';
import { createCentralClient } from '../../../../server/sync/client/central-client.ts';
import { createSyncTables } from '../../../../server/sync/log/tables.ts';
import type { Request } from '../../../../server/sync/protocol/wire.ts';
import { answerSchema } from '../../../../server/sync/protocol/wire-schemas.ts';
import { joinCentral } from '../../../../server/sync/station/join.ts';
import { PushPullLoop } from '../../../../server/sync/station/push-pull-loop.ts';
import { callWith, enrol, newCode } from '../../../server/enrolment/enrolled.ts';
import { create, temporaryStore } from '../../../server/store/temporary-store.ts';
import { faultsOf } from '../../../server/sync/exchange/fleet.ts';
import { dataOf, startCentral } from './installation.ts';

/** More than one page. */
const SUPPLIERS = 520;

it('records come over HTTP from a central that is killed between two pages', async () => {
  const central = await startCentral();
  onTestFinished(() => central.stop());
  for (let from = 0; from < SUPPLIERS; from += 40) {
    const names = Array.from({ length: 40 }, (_, index) => `Supplier ${from + index}`);
    for (const answer of await Promise.all(names.map(name => central.post('/suppliers', { name })))) {
      expect(answer.status).toBe(201);
    }
  }
  const store = await temporaryStore();
  const code = await newCode(central, 'Far');
  const { key, block } = dataOf<{ key: string; block: number }>(
    await enrol(central, { code, station: store.station }),
  );
  await joinCentral(store, block);
  createSyncTables(store.database);
  const kinds: string[] = [];
  const transport = {
    async exchange(request: Request) {
      const client = createCentralClient({ address: central.origin, key, trust: { authorities: undefined } });
      try {
        const answer = answerSchema.parse(await client.request('POST', '/x/sync/exchange', request));
        kinds.push(request.kind);
        return answer;
      } finally {
        client.close();
      }
    },
  };
  const engine = new PushPullLoop({ store, transport, clock: () => new Date(), farBehind: 5 });
  engine.notify();
  while (!kinds.includes('snapshot')) await engine.step();
  await central.kill();
  await expect(engine.step()).rejects.toThrow();
  await create(store, 'supplier', { name: 'Written without central' });
  await central.start();
  dataOf(await central.post('/suppliers', { name: 'Written meanwhile' }));
  engine.notify();
  while (await engine.step());
  expect(kinds.filter(kind => kind === 'snapshot')).toHaveLength(2);
  expect(engine.state()).toMatchObject({ unsent: 0, stuck: null, is_caught_up: true });
  const theirs = dataOf<object>(await callWith(central, key, 'GET', '/x/sync/digests'));
  expect(theirs).toMatchObject(engine.digests());
  expect(await faultsOf(store)).toEqual([]);
});
