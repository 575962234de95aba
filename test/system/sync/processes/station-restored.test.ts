import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReadOnly } from '../../../../server/store/open-read-only.ts';
import { readLocal } from '../../../../server/store/tables.ts';
import { DATABASE_FILE } from '../../../../server/store/verify/verify.ts';
import { temporaryFolder } from '../../../server/store/sqlite/temporary-folder.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import type { Station } from '../../../support/station.ts';
import { dataOf, faultsOf, startCentral, startStation, untilInStep } from './installation.ts';

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

async function made(name: string): Promise<number> {
  return dataOf<{ id: number }>(await dock.post('/suppliers', { name })).id;
}

/** The chains of the log, each with its first and last place, and the station's present one. */
function chainsIn({ folder }: Station) {
  const sql = openReadOnly(join(folder, DATABASE_FILE));
  try {
    const chains = sql.all<{ chain: string; first: number; last: number }>(
      'SELECT chain, min(sequence) AS first, max(sequence) AS last FROM log GROUP BY chain ORDER BY first',
    );
    return { chains, present: readLocal(sql, 'chain') };
  } finally {
    sql.close();
  }
}

it('what a restored station had not sent goes first, under its former chain, and what it writes then after it', async () => {
  const shared = await made('Shared');
  await untilInStep(central, [dock]);
  const { present: former } = chainsIn(dock);
  await central.kill();
  const unsent = await made('Not sent');
  await dock.patch(`/suppliers/${shared}`, { name: 'Changed, not sent' });
  const folder = temporaryFolder();
  expect(await holdpoint(environmentOf(dock), 'backup', '--to', folder)).toMatchObject({ code: 0 });
  const [file = ''] = readdirSync(folder).filter(name => name.endsWith('.db'));
  const lost = await made('After the backup, sent nowhere');
  await dock.kill();
  const restored = await holdpoint(environmentOf(dock), 'restore', join(folder, file));
  expect(restored).toMatchObject({ code: 0 });

  await central.start();
  await dock.start();
  await untilInStep(central, [dock]);
  await dock.patch(`/suppliers/${shared}`, { primary_name: 'After the restore' });
  await untilInStep(central, [dock]);

  const { chains, present } = chainsIn(dock);
  expect(present).not.toBe(former);
  const [before, after] = [former, present].map(name => chains.find(({ chain }) => chain === name));
  expect(before && after && before.last < after.first).toBe(true);
  for (const each of [central, dock]) {
    expect(dataOf(await each.get(`/suppliers/${shared}`))).toMatchObject({
      name: 'Changed, not sent',
      primary_name: 'After the restore',
    });
    expect(dataOf(await each.get(`/suppliers/${unsent}`))).toMatchObject({ name: 'Not sent' });
    expect((await each.get(`/suppliers/${lost}`)).status).toBe(404);
    expect(await each.get('/x/conflicts')).toMatchObject({ body: { meta: { total: 0 } } });
    expect(await faultsOf(each)).toEqual([]);
  }
  const compared = await holdpoint(environmentOf(dock), 'verify', '--central');
  expect(compared).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^All records of \d+ families are the same/),
  });
});
