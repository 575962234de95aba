import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReadOnly } from '../../../../server/store/open-read-only.ts';
import { readLocal } from '../../../../server/store/tables.ts';
import { DATABASE_FILE } from '../../../../server/store/verify/verify.ts';
import { temporaryFolder } from '../../../server/store/sqlite/temporary-folder.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import type { Station } from '../../../support/station.ts';
import { dataOf, faultsOf, startCentral, startStation, supplierAt, untilInStep } from './installation.ts';

let central: Station;
let dock: Station;
let lab: Station;
beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
  lab = await startStation(central, 'Lab');
});
afterAll(async () => {
  await Promise.all([dock, lab].map(each => each?.stop()));
  await central?.stop();
});

function localOf({ folder }: Station, name: string): string | undefined {
  const sql = openReadOnly(join(folder, DATABASE_FILE));
  try {
    return readLocal(sql, name);
  } finally {
    sql.close();
  }
}

it('a central that is restored from a backup gets back what its stations have, and gives no id twice', async () => {
  const shared = await supplierAt(dock, 'Before the backup');
  await untilInStep(central, [dock, lab]);
  const folder = temporaryFolder();
  const backedUp = await holdpoint(environmentOf(central), 'backup', '--to', folder);
  expect(backedUp).toMatchObject({ code: 0, output: expect.stringContaining('verified') });
  const [file = ''] = readdirSync(folder).filter(name => name.endsWith('.db'));

  const names = new Map<number, string>([[shared, 'Changed after the backup']]);
  for (const each of [dock, lab, central])
    names.set(await supplierAt(each, `After, ${each.origin}`), `After, ${each.origin}`);
  await lab.patch(`/suppliers/${shared}`, { name: 'Changed after the backup' });
  await untilInStep(central, [dock, lab]);
  // What no station has heard of when central goes.
  await dock.kill();
  await lab.kill();
  const lost = await supplierAt(central, 'Of central alone');
  const epoch = localOf(central, 'epoch');
  await central.kill();
  const restored = await holdpoint(environmentOf(central), 'restore', join(folder, file));
  expect(restored).toMatchObject({ code: 0 });
  expect(localOf(central, 'epoch')).not.toBe(epoch);

  await central.start();
  const next = await supplierAt(central, 'After the restore');
  names.set(next, 'After the restore');
  expect(next).not.toBe(lost);
  await Promise.all([dock.start(), lab.start()]);
  names.set(await supplierAt(dock, 'Dock goes on'), 'Dock goes on');
  await untilInStep(central, [dock, lab]);

  for (const each of [central, dock, lab]) {
    for (const [id, name] of names)
      expect(dataOf(await each.get(`/suppliers/${id}`))).toMatchObject({ id, name });
    expect(await each.get('/x/conflicts')).toMatchObject({ body: { meta: { total: 0 } } });
    expect(await faultsOf(each)).toEqual([]);
  }
  for (const each of [dock, lab]) {
    const compared = await holdpoint(environmentOf(each), 'verify', '--central');
    expect(compared).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^All records of \d+ families are the same/),
    });
  }
});
