import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openWindow } from '../../../e2e/support/app.ts';
import { closeWindows, openBrowser } from '../../../e2e/support/browser.ts';
import { goTo } from '../../../e2e/support/go-to.ts';
import { newCode } from '../../../server/enrolment/enrolled.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import { earlierProgram } from '../../../support/earlier-program.ts';
import { Station, type StationOptions } from '../../../support/station.ts';
import { BUILT } from '../../../support/tested-program.ts';
import { SlowLine } from '../kit/slow-line.ts';
import {
  conflictsOf,
  dataOf,
  faultsOf,
  startStation,
  stationsOf,
  supplierAt,
  syncOf,
  until,
  untilInStep,
} from '../processes/installation.ts';

/** Debian's libfaketime. */
const LIBRARY = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
  .map(folder => `${folder}/faketime/libfaketime.so.1`)
  .find(existsSync);
const A_YEAR_AGO = { LD_PRELOAD: LIBRARY ?? '', FAKETIME: '-365d', DONT_FAKE_MONOTONIC: '1' };
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-week-'));
/** Of the version before, which the plant has; the laboratory has the next one already. */
const PRESENT: StationOptions = { program: earlierProgram(folder) };
// Its screens lie beside the program.
symlinkSync(join(BUILT, '..', 'renderer'), join(folder, 'renderer'));
/** Who reads pages: at the dock, and at the depot. */
const TOM = { name: 'Tom', login: 'tom', password: 'seven crates by the gate' };
const OTTO = { name: 'Otto', login: 'otto', password: 'the depot has a green door' };
const folderOf = (name: string) => join(folder, name);
const copyOf = (name: string) => join(folder, `${name} copied`);

/** What each person was told, as it stands in `docs/bad-week.md`. */
const told = new Map<string, string[]>();
function tell(person: string, ...words: string[]): void {
  told.set(person, [...(told.get(person) ?? []), ...words]);
}

/** What a page says where this is read. */
async function said(
  at: Station,
  user: typeof TOM,
  path: string,
  words: RegExp,
  tab?: string,
): Promise<string> {
  const faults: string[] = [];
  const page = await openWindow(await openBrowser(), at.origin, faults, { user });
  await goTo(page, path);
  if (tab !== undefined) await page.getByRole('tab', { name: tab }).press('Enter');
  await page.getByText(words).first().waitFor();
  const text = await page.locator('main').innerText();
  expect(faults).toEqual([]);
  return text;
}

/** Suppliers that were acknowledged, by name. */
const written: string[] = [];
async function write(at: Station, ...names: string[]): Promise<void> {
  for (const name of names) {
    await supplierAt(at, name);
    written.push(name);
  }
}

const numbered = (what: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${what} ${index}`);

const suppliersAt = async (at: Station) =>
  dataOf<{ id: number; name: string }[]>(await at.get('/suppliers', { per_page: '500' }));

/** How often a supplier's history says that it was given its name. */
async function timesNamed(at: Station, { id, name }: { id: number; name: string }): Promise<number> {
  const history: { changes: { path: string; new: unknown }[] }[] = dataOf(
    await at.get(`/x/history/supplier/${id}`),
  );
  return history.flatMap(({ changes }) =>
    changes.filter(change => change.path === 'name' && change.new === name),
  ).length;
}

describe.skipIf(LIBRARY === undefined)("a plant's bad week", () => {
  let line: SlowLine;
  let central: Station;
  let dock: Station;
  let copy: Station;
  let barge: Station;
  let lab: Station;
  let depot: Station;
  afterAll(async () => {
    await closeWindows();
    for (const each of [copy, dock, barge, lab, depot, central]) await each?.stop();
    await line?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a year before: the depot writes down what it has, and is switched off', async () => {
    line = await SlowLine.open({ rate: 16_000, delay: 300 });
    const env = { HOLDPOINT_HOSTS: line.host };
    const options: StationOptions = { ...PRESENT, role: 'central', folder: folderOf('central') };
    const before = new Station({ ...options, env: { ...env, ...A_YEAR_AGO } });
    await before.start();
    const port = Number(new URL(before.origin).port);
    depot = await startStation(before, 'Depot', { ...PRESENT, folder: folderOf('depot'), env: A_YEAR_AGO });
    await write(before, 'Acme');
    await untilInStep(before, [depot]);
    await before.stop();
    await write(depot, ...numbered('In the depot', 12));
    const [acme] = dataOf<{ id: number }[]>(await depot.get('/suppliers', { keyword: 'Acme' }));
    dataOf(await depot.put(`/suppliers/${acme?.id}`, { primary_name: 'Nobody from the depot' }));
    await depot.stop();
    central = new Station({ ...options, env, port });
    await central.start();
    dock = await startStation(central, 'Dock', { ...PRESENT, folder: folderOf('dock') });
    lab = await startStation(central, 'Lab');
    barge = new Station({ ...PRESENT });
    await barge.start();
    line.target = central.origin;
    const code = await newCode(central, 'Barge');
    dataOf(await barge.post('/x/sync/enrol', { address: `http://${line.host}`, code }));
    dataOf(await lab.put(`/suppliers/${acme?.id}`, { primary_name: 'Nora' }));
    await untilInStep(central, [dock, lab, barge]);
  });

  it("Monday: central's host puts yesterday's image of its machine back", async () => {
    await central.kill();
    cpSync(folderOf('central'), copyOf('central'), { recursive: true });
    await central.start();
    await write(central, ...numbered('At central on Monday', 5));
    await write(dock, ...numbered('At the dock on Monday', 5));
    await untilInStep(central, [dock, lab, barge]);
    await central.kill();
    rmSync(folderOf('central'), { recursive: true });
    cpSync(copyOf('central'), folderOf('central'), { recursive: true });
    await central.start();
    await write(central, ...numbered('At central after the image', 3));
    await until(
      'noticed',
      () => syncOf(central),
      ({ put_back: noticed }) => (noticed?.returned ?? 0) >= 10,
    );
    await untilInStep(central, [dock, lab, barge]);
    tell('Nora', (await syncOf(central)).says);
  });

  it("Tuesday: the dock's disk is copied for a second machine, and both go on", async () => {
    await dock.kill();
    cpSync(folderOf('dock'), copyOf('dock'), { recursive: true });
    await dock.start();
    copy = new Station({ ...PRESENT, folder: copyOf('dock') });
    await copy.start();
    await Promise.all([
      write(dock, ...numbered('At the dock on Tuesday', 8)),
      write(copy, ...numbered('At the second gate on Tuesday', 8)),
    ]);
    const [ofDock, ofCopy] = await until(
      'told at both',
      async () => [await syncOf(dock), await syncOf(copy)] as const,
      states => states.every(({ doubled }) => doubled !== null),
    );
    const isDock = ofDock.doubled?.is_held_off === false;
    tell('Pia', (isDock ? ofCopy : ofDock).says);
    tell('Nora', (await syncOf(central)).says);
    tell('Nora', (await holdpoint(environmentOf(central), 'station', 'list')).output);
    const id = String((await stationsOf(central)).find(({ name }) => name === 'Dock')?.id);
    const { machine = '' } = ofDock.doubled ?? {};
    expect(await holdpoint(environmentOf(central), 'station', 'choose', id, machine)).toMatchObject({
      code: 0,
    });
    const code = await newCode(central, 'Second gate');
    const separate = () => holdpoint(environmentOf(copy), 'enrol', central.origin, code, '--separate');
    const { output } = await until('let in', separate, run => run.code === 0);
    tell('Pia', output);
    await untilInStep(central, [dock, copy, lab, barge]);
  });

  it('Wednesday: the barge is on a line of 16 kB a second', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => ({
      identification: `B-${index}`,
      name: `${index} ${'of the barge '.repeat(20)}`,
    }));
    dataOf(await barge.post('/parts/bulk', rows));
    await write(barge, ...numbered('On the barge', 12));
    const { says } = await until(
      'known to be slow in what it sends',
      () => syncOf(barge),
      ({ line: known, says: words }) => known?.is_slow === true && words.includes(' a second up'),
    );
    tell('Rosa', says);
    await untilInStep(central, [dock, copy, lab, barge]);
  });

  it('Thursday: the laboratory is of the next version', async () => {
    dataOf(await lab.post('/x/customers', { name: 'Corner shop' }));
    await write(lab, ...numbered('In the laboratory', 5));
    const id = await supplierAt(lab, 'With notes');
    written.push('With notes');
    dataOf(await lab.put(`/suppliers/${id}`, { notes: 'Closed in August.' }));
    await untilInStep(central, [dock, copy, lab, barge]);
    expect(await syncOf(dock)).toMatchObject({ unknown_families: [{ family: 'customer', records: 1 }] });
    const history = dataOf<{ unknown: string[] }[]>(await dock.get(`/x/history/supplier/${id}`));
    expect(history.at(-1)?.unknown).toEqual(['notes']);
    for (const [user, roles] of [
      [TOM, ['operator']],
      [OTTO, ['quality']],
    ] as const)
      dataOf(await central.post('/x/users', { is_password_temporary: false, ...user, roles }));
    await untilInStep(central, [dock, copy, lab, barge]);
    const page = `/app/records/supplier/${id}`;
    tell('Tom', await said(dock, TOM, page, /This version does not know: notes/, 'History'));
    dataOf(await dock.put(`/suppliers/${id}`, { primary_name: 'Tom' }));
    await untilInStep(central, [dock, copy, lab, barge]);
    expect(dataOf(await lab.get(`/x/records/supplier/${id}`))).toMatchObject({
      fields: { primary_name: 'Tom', notes: 'Closed in August.' },
    });
  });

  it('Friday: the depot comes back after a year', async () => {
    depot = new Station({ ...PRESENT, folder: folderOf('depot') });
    const rows = await stationsOf(central);
    const [seen] = rows.flatMap(({ name, last_seen_at: at }) => (name === 'Depot' && at ? [at] : []));
    expect(Date.now() - Date.parse(seen ?? '')).toBeGreaterThan(364 * 86_400_000);
    tell('Nora', (await syncOf(central)).says);
    await depot.start();
    await write(depot, 'In the depot today');
    await untilInStep(central, [dock, copy, lab, barge, depot]);
    // What the laboratory and the depot said of one supplier, neither having seen the other, a person decides.
    const [conflict] = await conflictsOf(depot);
    expect(conflict?.values.map(({ value }) => value).sort()).toEqual(['Nobody from the depot', 'Nora']);
    tell('Otto', await said(depot, OTTO, '/app/conflicts', /Which value holds/));
  });

  it('Saturday: everybody is in step, and nothing is lost', async () => {
    const all = [dock, copy, lab, barge, depot];
    for (const each of [central, ...all]) {
      const suppliers = await suppliersAt(each);
      expect(suppliers.map(({ name }) => name).sort()).toEqual(written.toSorted());
      for (const supplier of suppliers)
        expect([supplier.name, await timesNamed(each, supplier)]).toEqual([supplier.name, 1]);
      expect(await faultsOf(each)).toEqual([]);
    }
    for (const each of all) tell('Everybody', (await syncOf(each)).says);
    expect(await holdpoint(environmentOf(lab), 'verify', '--central')).toMatchObject({ code: 0 });
  });

  it('each was told what the documents say', () => {
    if (process.env.SAY) console.log(JSON.stringify([...told], null, 1));
    const text = readFileSync(new URL('../../../../docs/bad-week.md', import.meta.url), 'utf8');
    const quoted = [...text.matchAll(/^> \*\*(\w+)\*\*: (.+)$/gm)].map(([, person = '', words = '']) => ({
      person,
      words,
    }));
    expect(new Set(quoted.map(({ person }) => person))).toEqual(new Set(told.keys()));
    for (const { person, words } of quoted) {
      const pattern = words
        .split('…')
        .map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
        .join('[^]+');
      expect(told.get(person)?.join('\n')).toMatch(new RegExp(pattern));
    }
  });
});
