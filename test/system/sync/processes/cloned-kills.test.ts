import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createSecrets } from '../../../../server/identity/secrets.ts';
import { identityTables } from '../../../../server/store/identity-tables.ts';
import { type Enrolled, enrolWith } from '../../../../server/sync/client/enrol-with.ts';
import { writeStationKey } from '../../../../server/sync/client/enrolment-data.ts';
import { StationSync } from '../../../../server/sync/station/station-sync.ts';
import { openAuthority } from '../../../../server/trust/authority-key.ts';
import { newCode } from '../../../server/enrolment/enrolled.ts';
import { temporaryFolder } from '../../../server/store/sqlite/temporary-folder.ts';
import { temporaryStore } from '../../../server/store/temporary-store.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import { Station } from '../../../support/station.ts';
import {
  dataOf,
  faultsOf,
  startCentral,
  startStation,
  supplierAt,
  syncOf,
  until,
  untilInStep,
} from './installation.ts';

let central: Station;
let dock: Station;
let copy: Station;
beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
  await supplierAt(dock, 'In both');
});
afterAll(async () => {
  await dock?.stop();
  await central?.stop();
});

/** Another machine with the disk of the dock, held off: both have written something since. */
async function copied(text: string): Promise<void> {
  await untilInStep(central, [dock]);
  await dock.kill();
  const image = join(temporaryFolder(), 'image');
  cpSync(dock.folder, image, { recursive: true });
  await dock.start();
  await supplierAt(dock, `Dock ${text}`);
  await untilInStep(central, [dock]);
  copy = new Station({ folder: image });
  onTestFinished(() => copy.stop());
  await copy.start();
  await supplierAt(copy, `Copy ${text}`);
  await heldOff();
}

/** As the server does it; nothing after the last of these is done. */
const steps = ['asked', 'let in', 'key kept', 'separated'] as const;

/** Separates the copy up to a step in this process, and leaves its disk as a kill after that step does. */
async function killedAfter(last: (typeof steps)[number], code: string): Promise<void> {
  await copy.kill();
  const { folder } = copy;
  const clock = () => new Date();
  const store = await temporaryStore({ folder, clock });
  const version = '0.1.0';
  const authority = openAuthority(folder);
  const secrets = createSecrets(identityTables(store.database));
  const onFault = (fault: unknown) => {
    throw fault;
  };
  const options = { store, secrets, folder, version, authorities: undefined, clock, onFault, authority };
  const sync = await StationSync.open({ ...options, isTalking: false });
  const own = await sync.separating();
  let enrolled: Enrolled | undefined;
  const work = {
    asked: async () => {},
    'let in': async () => {
      const asked = { address: central.origin, code, version, authorities: undefined, clock, blocks: 0 };
      // Central waits until it has heard that the dock has nothing left to send.
      const ask = () => enrolWith({ ...asked, ...own }).catch(() => undefined);
      enrolled = await until('let in', ask, answer => answer !== undefined);
    },
    'key kept': async () => writeStationKey(folder, enrolled?.answer.key ?? ''),
    separated: async () => {
      const [key, former] = [join(folder, 'station.key'), join(folder, 'former.key')];
      cpSync(key, former);
      if (enrolled) await sync.separate(enrolled);
      // It ended before it took the key.
      renameSync(key, join(folder, 'station.key.next'));
      renameSync(former, key);
    },
  };
  for (const step of steps.slice(0, steps.indexOf(last) + 1)) await work[step]();
  await sync.close();
  await store.close();
  await copy.start();
}

const heldOff = () =>
  until(
    'held off',
    () => syncOf(copy),
    ({ doubled }) => doubled?.is_held_off === true,
  );

async function namesAt(at: Station): Promise<string[]> {
  return dataOf<{ name: string }[]>(await at.get('/suppliers')).map(({ name }) => name);
}

it('a copy that becomes a station of its own, and is killed after each step of that, loses and doubles nothing', async () => {
  await copied('once');
  const code = await newCode(central, 'Copy');
  const written = ['In both', 'Dock once', 'Copy once'];
  for (const step of ['asked', 'let in', 'key kept'] as const) {
    await killedAfter(step, code);
    // It is the copy that it was, and says what to do: what it has is all there, and it works on.
    const { state, says } = await heldOff();
    expect([state, step]).toEqual(['doubled', step]);
    if (step !== 'asked') expect(says).toContain('--separate');
    await supplierAt(copy, `Copy, killed when it was ${step}`);
    written.push(`Copy, killed when it was ${step}`);
    expect((await namesAt(copy)).sort()).toEqual(written.filter(name => name !== 'Dock once').sort());
    expect(await faultsOf(copy)).toEqual([]);
  }
  // Of this one there is nothing to run again: it is another station.
  await killedAfter('separated', code);
  await untilInStep(central, [dock, copy]);
  const again = await holdpoint(environmentOf(copy), 'enrol', central.origin, code, '--separate');
  expect(again.code).not.toBe(0);
  expect(again.output).toContain('used already');
  await supplierAt(copy, 'After');
  await untilInStep(central, [dock, copy]);
  for (const each of [central, dock, copy]) {
    expect((await namesAt(each)).sort()).toEqual([...written, 'After'].sort());
    expect(await faultsOf(each)).toEqual([]);
  }
  for (const each of [dock, copy])
    expect(await holdpoint(environmentOf(each), 'verify', '--central')).toMatchObject({ code: 0 });
});

it('a copy that was killed before it had the key becomes a station of its own by the same command', async () => {
  await copied('again');
  const code = await newCode(central, 'Another copy');
  await killedAfter('key kept', code);
  await heldOff();
  const again = await holdpoint(environmentOf(copy), 'enrol', central.origin, code, '--separate');
  expect(again).toMatchObject({ code: 0 });
  await untilInStep(central, [dock, copy]);
  for (const each of [central, dock, copy]) {
    const names = await namesAt(each);
    expect(names.filter(name => name.endsWith('again')).sort()).toEqual(['Copy again', 'Dock again']);
    expect(await faultsOf(each)).toEqual([]);
  }
});
