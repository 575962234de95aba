import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Request } from '../../../server/sync/protocol/wire.ts';
import { POSTGRES, Postgres } from '../../support/postgres.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { create, update } from '../store/temporary-store.ts';
import { Central, employ, Peer, writeOdd } from '../sync/exchange/fleet.ts';
import { CentralProcess } from './central-process.ts';
import { FOLDED, standing } from './standing.ts';

const LIMIT_MS = 600_000;

/** What follows from the messages alone, and from no clock. */
const FOLLOWS = ['records', ...FOLDED.filter(table => table !== 'lookup')];

describe.skipIf(POSTGRES === undefined)('a central that several processes serve', () => {
  const postgres = new Postgres();

  beforeAll(() => postgres.start(), LIMIT_MS);
  afterAll(() => postgres.stop());

  it(
    'has byte for byte the log of a central alone that is sent the same',
    async () => {
      const alone = await Central.open();
      await employ(alone.store, 'anna');
      const shared = await alone.copy();
      const sent: Request[] = [];
      const carry = (request: Request) => {
        sent.push(structuredClone(request));
        return alone.answer(request);
      };
      const [here, there] = [await Peer.join(carry, 1), await Peer.join(carry, 2)];
      const { id } = await create(here.store, 'supplier', { name: 'Acme' });
      await here.settle();
      await there.settle();
      // Written without having seen each other's.
      await update(here.store, 'supplier', id, { name: 'Acme Ltd' });
      await update(there.store, 'supplier', id, { name: 'Acme Inc' });
      await writeOdd(there, id);
      for (let n = 0; n < 20; n += 1)
        await create(n % 2 === 0 ? here.store : there.store, 'location', { name: `L${n}` });
      for (const station of [here, there, here]) await station.settle();

      const processes = [new CentralProcess(shared, postgres.url('erp'))];
      processes.push(new CentralProcess(temporaryFolder(), postgres.url('erp')));
      for (const each of processes) {
        onTestFinished(() => each.kill());
        await each.start();
      }
      for (const [n, request] of sent.entries()) await processes[n % 2]?.exchange(request);

      const expected = standing(alone.store.database.reader);
      expect(expected.entries).toBeGreaterThan(20);
      for (const table of ['conflict', 'held']) {
        const sql = `SELECT count(*) AS count FROM ${table}`;
        expect(alone.store.database.reader.get(sql), table).toEqual({ count: 1 });
      }
      for (const each of processes) {
        const { tables } = await each.standing();
        for (const table of FOLLOWS) expect([table, tables[table]]).toEqual([table, expected.tables[table]]);
      }
    },
    LIMIT_MS,
  );
});
