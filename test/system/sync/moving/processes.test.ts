import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SyncState } from '../../../../shared/operations/exchange-operations.ts';
import { newCode } from '../../../server/enrolment/enrolled.ts';
import { environmentOf, holdpoint, startHoldpoint } from '../../../server/transfer/holdpoint.ts';
import { filledFolder } from '../../../support/sample-company.ts';
import { Station } from '../../../support/station.ts';
import { Verifier } from '../../trust/verifier.ts';
import {
  dataOf,
  faultsOf,
  startCentral,
  startStation,
  syncOf,
  until,
  untilInStep,
} from '../processes/installation.ts';

let central: Station;
let lab: Station;
/** Has a sample company. */
let dock: Station;
let folder: string;
beforeAll(async () => {
  central = await startCentral();
  lab = await startStation(central, 'Lab');
  ({ folder } = await filledFolder());
  dock = new Station({ folder });
  await dock.start();
});
afterAll(async () => {
  await Promise.all([dock, lab].map(each => each?.stop()));
  await central?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

interface Lot {
  id: number;
  part_id: number;
  company_id: number;
}

/** All lots, in their order. */
async function stockOf(at: Station): Promise<Lot[]> {
  return dataOf(await at.get('/inventory', { per_page: 500 }));
}

/** Enrols, and kills the server as soon as the enrolment has come to a place. */
async function killedAt(code: string, isThere: () => boolean): Promise<SyncState['state']> {
  dock.giveWay();
  const { run } = startHoldpoint(environmentOf(dock), 'enrol', central.origin, code);
  const end = run.then(() => true);
  while (!isThere() && (await Promise.race([end, sleep(1, false)])) === false);
  await dock.kill();
  await end;
  await dock.start();
  expect(await faultsOf(dock)).toEqual([]);
  return (await syncOf(dock)).state;
}

it('a station with a sample company joins, killed at every step before, and all of it is everywhere', async () => {
  const alone = await stockOf(dock);
  dataOf(await lab.post('/suppliers', { name: 'Of the lab' }));
  dataOf(await central.post('/suppliers', { name: 'Of central' }));

  // The same code all the way: central sees that its answer may have been lost.
  const code = await newCode(central, 'Dock', { brings_records: true });
  const [backups, key] = [join(dock.folder, 'backups'), join(dock.folder, 'station.key.next')];
  const log = join(dock.folder, 'holdpoint.db-wal');
  const steps = [
    () => existsSync(backups),
    () => existsSync(key),
    // In the midst of its commit, which writes some megabytes in as many milliseconds.
    () => existsSync(key) && statSync(log).size > 1_000_000,
  ];
  for (const isThere of steps) {
    const { mtimeMs = 0 } = statSync(key, { throwIfNoEntry: false }) ?? {};
    const isFresh = () => (statSync(key, { throwIfNoEntry: false })?.mtimeMs ?? 0) > mtimeMs;
    const state = await killedAt(code, () => isThere() && (steps.indexOf(isThere) === 0 || isFresh()));
    expect(state).toBe('alone');
    expect(await stockOf(dock)).toEqual(alone);
  }
  const joined = await holdpoint(environmentOf(dock), 'enrol', central.origin, code);
  expect(joined).toMatchObject({ code: 0 });
  expect(joined.output).toMatch(/^Moved: \d+ records and their \d+ commits; blocks of ids: 0 to 2\.$/m);
  await dock.kill();
  await dock.start();
  await untilInStep(central, [dock, lab]);

  const offset = 2 * 2 ** 20;
  // The sample company has named the company, so that it is a second one beside central's.
  const moved = alone.map(lot => ({
    ...lot,
    id: lot.id + offset,
    part_id: lot.part_id + offset,
    company_id: lot.company_id + offset,
  }));
  for (const each of [central, lab, dock]) {
    expect(await faultsOf(each)).toEqual([]);
    expect(await stockOf(each)).toEqual(moved);
    expect(await each.get('/x/conflicts')).toMatchObject({ body: { meta: { total: 0 } } });
  }
  for (const each of [lab, dock]) {
    const compared = await holdpoint(environmentOf(each), 'verify', '--central');
    expect(compared).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^All records of \d+ families are the same/),
    });
  }

  // What it had before lies at central, is what was issued again, and is in central's file.
  const checked = async () =>
    dataOf<{ details: object }[]>(await central.get('/x/audit?kind=archive_checked'));
  expect(await until('checked', checked, ({ length }) => length > 0)).toMatchObject([
    { details: { name: 'Dock', is_same: true } },
  ]);
  const trail = join(central.folder, 'central.jsonl');
  expect(await holdpoint(environmentOf(central), 'trail', trail)).toMatchObject({ code: 0 });
  const verifier = Verifier.own();
  const { code: exit, output } = await verifier.verify(trail);
  await verifier.close();
  expect(exit, output).toBe(0);
  expect(output).toMatch(/\(Dock\): what its installation had before it joined is here: \d+ commits/);

  const [lot] = alone;
  const found = await dock.get(`/x/moved/inventory/${lot?.id}`);
  expect(dataOf(found)).toEqual({ family: 'inventory', old_id: lot?.id, id: Number(lot?.id) + offset });
  expect((await dock.get('/x/moved/inventory/99999')).status).toBe(404);
  expect((await lab.get(`/x/moved/inventory/${lot?.id}`)).status).toBe(404);
  // An id that was given since is no id of before.
  const { id } = dataOf<{ id: number }>(await dock.post('/suppliers', { name: 'New' }));
  expect((await dock.get(`/x/moved/suppliers/${id - offset}`)).status).toBe(404);

  // Put back to before it joined, it would bring all of it twice.
  await dock.kill();
  const [backup = ''] = readdirSync(backups).filter(name => name.endsWith('.db'));
  expect(await holdpoint(environmentOf(dock), 'restore', join(backups, backup))).toMatchObject({ code: 0 });
  await dock.start();
  const fresh = await holdpoint(environmentOf(dock), 'enrol', central.origin, await newCode(central, 'Bay'));
  expect(fresh.code).not.toBe(0);
  expect(fresh.output).toContain('Ask central for a code with which it may bring them along.');
  const again = await holdpoint(
    environmentOf(dock),
    'enrol',
    central.origin,
    await newCode(central, 'Dock again', { brings_records: true }),
  );
  expect(again.code).not.toBe(0);
  expect(again.output).toContain('Central has the records of this installation already');
  expect((await syncOf(dock)).state).toBe('alone');
}, 600_000);
