import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CENTRAL_PORT, expectedOf, type Machine, oldFolder } from '../../../fixtures/data-folders.ts';
import { Browser } from '../../../server/identity/browser.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import { earlierProgram, SPEAKING_ONE, WITHOUT_KEYS } from '../../../support/earlier-program.ts';
import { Station } from '../../../support/station.ts';
import { Verifier } from '../../trust/verifier.ts';
import {
  dataOf,
  faultsOf,
  passwordsIn,
  supplierAt,
  syncOf,
  until,
  untilInStep,
} from '../processes/installation.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-upgrade-'));
const BEFORE_KEYS = { program: earlierProgram(folder, WITHOUT_KEYS) };
const OF_0_1_0 = { program: earlierProgram(join(folder, '0.1.0'), SPEAKING_ONE) };
const expected = expectedOf('0.1.0');
const { password } = expected.work;
const verifiers = [Verifier.own(), Verifier.second()];
const running: Station[] = [];

function machine(name: Machine, options: object = {}): Station {
  const place = name === 'central' ? ({ role: 'central', port: CENTRAL_PORT } as const) : {};
  const station = new Station({ folder: join(folder, name), ...place, ...options });
  running.push(station);
  return station;
}

afterAll(async () => {
  for (const station of running) await station.kill();
  for (const verifier of verifiers) await verifier.close();
  rmSync(folder, { recursive: true, force: true });
});

const signedIn = async (at: Station): Promise<Browser> => {
  const ann = new Browser(at.origin);
  dataOf(await ann.signIn('ann', password));
  return ann;
};
const enter = async (by: Browser, name: string) =>
  dataOf<{ id: number }>(await by.post('/suppliers', { name })).id;
/** Where central takes long to give the key, the session signs as "key pending" until it comes. */
const untilProved = (at: Station, id: number) =>
  until(
    `proved: ${id}`,
    () => at.get(`/x/history/supplier/${id}`),
    ({ body }) => JSON.stringify(body).includes('"author_proof":"proved"'),
  );
const proofAt = async (at: Station, id: number) =>
  dataOf<{ author_proof: string }[]>(await at.get(`/x/history/supplier/${id}`)).map(
    ({ author_proof: proof }) => proof,
  );

it('stations of 0.1.0 that are updated have the passwords of those who signed in there, and of nobody else', async () => {
  for (const name of ['central', 'dock', 'lab'] as const) oldFolder('0.1.0', name, join(folder, name));
  const [central, dock, lab] = [machine('central'), machine('dock'), machine('lab')];
  // 0.1.0 gave all of them to everybody; Ann signed in at the dock, and never at the lab.
  const before = passwordsIn(lab);
  expect(before.size).toBe(1);
  expect(passwordsIn(dock)).toEqual(before);
  for (const station of [central, dock, lab]) await station.start();
  await untilInStep(central, [dock, lab]);
  await until(
    'dropped',
    async () => passwordsIn(lab),
    ({ size }) => size === 0,
  );
  expect(passwordsIn(dock)).toEqual(before);
  for (const station of [dock, lab]) await station.stop();
  /** The files that hold a text, also where nothing is any more. What a backup of before holds, it holds. */
  const holding = (place: string, text: string) =>
    readdirSync(place, { recursive: true, encoding: 'utf8' }).filter(name => {
      const path = join(place, name);
      const isLooked = !name.startsWith('backups') && statSync(path).isFile();
      return isLooked && readFileSync(path, 'latin1').includes(text);
    });
  for (const hash of before.values()) {
    expect(holding(dock.folder, hash)).not.toEqual([]);
    expect(holding(lab.folder, hash)).toEqual([]);
  }
  await central.stop();
  for (const name of ['central', 'dock', 'lab']) rmSync(join(folder, name), { recursive: true });
});

it('a fleet of 0.1.0 gets keys: central first, then the stations one by one, while people work at all of them', async () => {
  for (const name of ['central', 'dock', 'lab'] as const) oldFolder('0.1.0', name, join(folder, name));
  const central = machine('central');
  const [oldDock, oldLab] = [machine('dock', OF_0_1_0), machine('lab', OF_0_1_0)];
  for (const station of [central, oldDock, oldLab]) await station.start();
  const namesAtCentral = async () => {
    const suppliers = await central.get('/suppliers', { per_page: 100 });
    return dataOf<{ name: string }[]>(suppliers).map(({ name }) => name);
  };
  const sent = (name: string) => until(`sent: ${name}`, namesAtCentral, names => names.includes(name));

  // Of before keys: what a station sends that never signed counts, of who has a key at central by now as well.
  const atCentral = await signedIn(central);
  const first = await enter(atCentral, 'At central');
  const before = await enter(await signedIn(oldDock), 'At the dock, before');
  await supplierAt(oldLab, 'At the lab, by a program');
  await sent('At the dock, before');
  await sent('At the lab, by a program');
  expect([await proofAt(central, first), await proofAt(central, before)]).toEqual([['proved'], ['unsigned']]);
  const heldBefore = (await syncOf(central)).held.length;

  // They are told why they get nothing, after a start as well, and go on sending.
  await oldLab.restart();
  await supplierAt(oldLab, 'At the lab, after a start');
  await sent('At the lab, after a start');
  for (const at of [oldDock, oldLab]) {
    const told = await until(
      'told',
      () => syncOf(at),
      ({ state }) => state === 'outdated',
    );
    expect(told.says).toContain('gets nothing new from central until it is updated');
    expect((await at.get(`/suppliers/${first}`)).status).toBe(404);
  }

  // The dock is updated; the lab goes on as it is.
  await oldDock.stop();
  const dock = machine('dock');
  await dock.start();
  await untilInStep(central, [dock]);
  const ann = await signedIn(dock);
  const after = await enter(ann, 'At the dock, after');
  await supplierAt(oldLab, 'At the lab, meanwhile');
  await sent('At the lab, meanwhile');
  await untilProved(dock, after);
  await untilInStep(central, [dock]);
  expect(await proofAt(dock, first)).toEqual(['proved']);
  for (const at of [central, dock])
    expect([await proofAt(at, before), await proofAt(at, after)]).toEqual([['unsigned'], ['proved']]);
  const kinds = async () =>
    dataOf<{ kind: string; details: { name: string } }[]>(
      await central.get('/x/audit', { kind: 'station_signs' }),
    );
  expect((await kinds()).map(({ details }) => details.name)).toEqual(['Dock']);

  // There is no way back: its program of before is answered in words, and nothing that it records is lost.
  await dock.stop();
  const back = machine('dock', BEFORE_KEYS);
  await back.start();
  await supplierAt(back, 'Of the program before');
  const refused = await until(
    'refused',
    () => syncOf(back),
    ({ state }) => state === 'stuck',
  );
  expect(refused.says).toContain('is not signed with its own key, as it was before');
  await back.stop();
  const again = machine('dock');
  await again.start();
  const lab = machine('lab');
  await oldLab.stop();
  await lab.start();
  await untilInStep(central, [lab]);
  // Who signs in by the password that 0.1.0 had left there has no key at it yet.
  await until(
    'dropped',
    async () => passwordsIn(lab),
    ({ size }) => size === 0,
  );
  const late = await enter(await signedIn(lab), 'At the lab, after');
  await untilProved(again, late);
  await untilInStep(central, [again, lab]);
  expect((await kinds()).map(({ details }) => details.name).toSorted()).toEqual(['Dock', 'Lab']);
  // Nobody's honest work was held on the way.
  expect((await syncOf(central)).held).toHaveLength(heldBefore);
  const names = await namesAtCentral();
  for (const name of ['At the lab, meanwhile', 'Of the program before', 'At the lab, after'])
    expect(names).toContain(name);

  const trail = join(folder, 'trail.jsonl');
  expect(await holdpoint(environmentOf(central), 'trail', trail)).toMatchObject({ code: 0 });
  for (const verifier of verifiers) {
    const { code, output } = await verifier.verify(trail);
    expect(code, output).toBe(0);
    expect(output).toMatch(/commits of people: 3 proved by their own keys, 0 given other ids since/);
    expect(output.match(/signed (it|by its station) up to/g)).toHaveLength(2);
  }
  for (const station of [central, again, lab]) {
    await station.stop();
    expect(await faultsOf(station)).toEqual([]);
  }
});
