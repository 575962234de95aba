import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Attention } from '../../../../shared/operations/overview-operations.ts';
import { newCode } from '../../../server/enrolment/enrolled.ts';
import { temporaryFolder } from '../../../server/store/sqlite/temporary-folder.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import { Station } from '../../../support/station.ts';
import {
  dataOf,
  faultsOf,
  startCentral,
  startStation,
  stationsOf,
  supplierAt,
  syncOf,
  until,
  untilInStep,
} from './installation.ts';

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

const partAt = async (at: Station, name: string) =>
  dataOf<{ id: number }>(await at.post('/parts', { name, unit_of_measure: 'units' })).id;

async function shipmentAt(at: Station, part: number): Promise<{ id: number; shipment_number: string }> {
  return dataOf(await at.post('/shipments', { items: [{ part_id: part, quantity: 1 }] }));
}

async function namesAt(at: Station): Promise<string[]> {
  const suppliers = dataOf<{ name: string }[]>(await at.get('/suppliers', { per_page: '500' }));
  return suppliers.map(({ name }) => name).sort();
}

it('a copy of a running station is noticed, told everywhere, and becomes a station of its own with what it recorded', async () => {
  const part = await partAt(dock, 'Jar');
  await untilInStep(central, [dock, lab]);
  await dock.kill();
  const image = join(temporaryFolder(), 'image');
  cpSync(dock.folder, image, { recursive: true });
  await central.kill();
  await dock.start();
  const clone = new Station({ folder: image });
  await clone.start();
  const names = [];
  for (let turn = 0; turn < 129; turn += 1) {
    for (const [at, where] of [
      [dock, 'dock'],
      [clone, 'clone'],
    ] as const) {
      await supplierAt(at, `${where} ${turn}`);
      names.push(`${where} ${turn}`);
    }
  }
  const [one, other] = [await shipmentAt(dock, part), await shipmentAt(clone, part)];
  expect(other.shipment_number).toBe(one.shipment_number);
  await central.start();

  // One goes on, whichever called first; the other one is held off, and works on.
  const told = async () => [await syncOf(dock), await syncOf(clone)] as const;
  const [ofDock, ofClone] = await until('told at both', told, states =>
    states.every(({ doubled }) => doubled !== null),
  );
  expect([ofDock, ofClone].map(({ doubled }) => doubled?.is_held_off).sort()).toEqual([false, true]);
  const isDock = ofDock.doubled?.is_held_off === false;
  const [present, absent] = isDock ? [dock, clone] : [clone, dock];
  const heldOff = isDock ? ofClone : ofDock;
  expect(heldOff).toMatchObject({ state: 'doubled', unsent: 130 });
  expect(heldOff.says).toContain(`it calls this one ${heldOff.doubled?.machine}`);
  expect(await syncOf(central)).toMatchObject({ state: 'doubled', doubled_stations: ['Dock'] });
  const list = await holdpoint(environmentOf(central), 'station', 'list');
  expect(list.output).toContain(`${heldOff.doubled?.machine} is held off`);
  const { says } = await syncOf(central);
  expect(says).toContain('More than one machine calls as the station Dock');

  // Nothing but these two ways out.
  const plain = await newCode(central, 'Dock again');
  const refused = await holdpoint(environmentOf(absent), 'enrol', central.origin, plain);
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain('--separate');

  const [row] = await stationsOf(central);
  const chosen = await holdpoint(
    environmentOf(central),
    'station',
    'choose',
    String(row?.id),
    (isDock ? ofDock : ofClone).doubled?.machine ?? '',
  );
  expect(chosen).toMatchObject({ code: 0 });
  await until(
    'in step',
    () => syncOf(present),
    ({ state, unsent }) => state === 'in_step' && unsent === 0,
  );
  const separate = () => holdpoint(environmentOf(absent), 'enrol', central.origin, plain, '--separate');
  const { output } = await until('let in', separate, ({ code }) => code === 0);
  expect(output).toContain('This station is "Dock again"');
  await untilInStep(central, [dock, lab, clone]);

  for (const each of [central, dock, lab, clone]) {
    expect(await namesAt(each)).toEqual(names.toSorted());
    expect(await faultsOf(each)).toEqual([]);
    const shipments = dataOf<{ id: number; shipment_number: string }[]>(
      await each.get('/shipments', { dateRange: 'false', fromDate: '', toDate: '' }),
    );
    expect(new Set(shipments.map(({ id }) => id)).size).toBe(2);
    // People know both by the number on paper: they are shown it.
    expect(shipments.map(({ shipment_number }) => shipment_number)).toEqual(
      Array.from({ length: 2 }, () => one.shipment_number),
    );
    const twice = await until(
      'shown twice',
      async () =>
        dataOf<Attention>(await each.get('/x/attention')).find(({ kind }) => kind === 'numbers_twice'),
      group => group?.total === 2,
    );
    expect(twice?.items.every(({ title }) => title === one.shipment_number)).toBe(true);
  }
  for (const each of [dock, lab, clone])
    expect(await holdpoint(environmentOf(each), 'verify', '--central')).toMatchObject({ code: 0 });
  // What was answered by its former id leads to the record.
  const wanted = (absent === dock ? one : other).id;
  const moved = dataOf<{ id: number }>(await absent.get(`/x/moved/shipments/${wanted}`));
  expect(moved.id).not.toBe(wanted);
  expect(await stationsOf(central)).toMatchObject([{ machines: [] }, { machines: [] }, { machines: [] }]);
  await absent.kill();
  await absent.start();
  await supplierAt(absent, 'after');
  await untilInStep(central, [dock, lab, clone]);
  expect(await namesAt(lab)).toContain('after');
  await clone.stop();
});

it('a station whose image was put back is told so, and goes on once an administrator has said it', async () => {
  await untilInStep(central, [dock, lab]);
  await lab.kill();
  const image = join(temporaryFolder(), 'image');
  cpSync(lab.folder, image, { recursive: true });
  await lab.start();
  await supplierAt(lab, 'Sent before it was put back');
  await untilInStep(central, [lab]);
  await lab.kill();
  rmSync(lab.folder, { recursive: true });
  cpSync(image, lab.folder, { recursive: true });
  await lab.start();
  await supplierAt(lab, 'Written since');
  const told = await until(
    'told',
    () => syncOf(lab),
    ({ doubled }) => doubled?.is_held_off === true,
  );
  const row = (await stationsOf(central)).find(({ name }) => name === 'Lab');
  const wrong = await holdpoint(environmentOf(central), 'station', 'choose', String(row?.id), 'none');
  expect(wrong.code).not.toBe(0);
  expect(wrong.output).toContain('Give a machine');
  const machine = told.doubled?.machine ?? '';
  const chosen = await holdpoint(environmentOf(central), 'station', 'choose', String(row?.id), machine);
  expect(chosen.output).toContain(`${machine} goes on`);
  await untilInStep(central, [lab]);
  expect(await syncOf(central)).toMatchObject({ doubled_stations: [] });
  expect(await namesAt(central)).toEqual(
    expect.arrayContaining(['Sent before it was put back', 'Written since']),
  );
  for (const each of [central, lab]) expect(await faultsOf(each)).toEqual([]);
});
