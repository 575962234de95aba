import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { z } from 'zod';
import type { Clock, ClockFactAnswer } from '../../../shared/operations/clock-operations.ts';
import type { historyEntrySchema } from '../../../shared/operations/extension-schemas.ts';
import { newCode } from '../../server/enrolment/enrolled.ts';
import { Browser, PASSWORD } from '../../server/identity/browser.ts';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { environmentOf, holdpoint } from '../../server/transfer/holdpoint.ts';
import { HAS_FAKETIME, SetClock } from '../../support/faketime.ts';
import { Station } from '../../support/station.ts';
import { FaultProxy } from '../sync/kit/fault-proxy.ts';
import {
  dataOf,
  faultsOf,
  startCentral,
  startStation,
  supplierAt,
  syncOf,
  until,
  untilInStep,
} from '../sync/processes/installation.ts';
import { readStoredFile } from './stored-file.ts';

type HistoryEntry = z.infer<typeof historyEntrySchema>;

const DAY = 86_400_000;

const clockAt = async (station: Station): Promise<Clock> => dataOf(await station.get('/x/clock'));
const kindsAt = async (station: Station) =>
  dataOf<ClockFactAnswer[]>(await station.get('/x/clock/facts')).map(({ kind }) => kind);
const historyAt = async (station: Station, id: number) =>
  dataOf<HistoryEntry[]>(await station.get(`/x/history/supplier/${id}`));
/** By how many days the clock was behind what it should at least have said. */
const daysIn = ({ at, clock_at_least: least }: Pick<HistoryEntry, 'at' | 'clock_at_least'>) =>
  least === null ? 0 : Math.round((Date.parse(least) - Date.parse(at)) / DAY);

describe.skipIf(!HAS_FAKETIME)('the clock of a station that stands alone', () => {
  it('is set back 400 days: that is told, marked and locked, over a restart, until somebody confirms', async () => {
    const clock = new SetClock(temporaryFolder());
    const station = new Station({ env: clock.env });
    onTestFinished(() => station.stop());
    await station.start();
    const made = {
      name: 'Ada',
      login: 'ada',
      password: PASSWORD,
      is_password_temporary: false,
      roles: ['administrator'],
    };
    dataOf(await station.post('/x/users', made));
    const ada = new Browser(station.origin);
    expect((await ada.signIn('ada')).status).toBe(201);
    const before = await supplierAt(station, 'Before');
    expect(await clockAt(station)).toMatchObject({ standing: null });
    expect((await historyAt(station, before))[0]).toMatchObject({ clock_at_least: null });

    clock.set('-400d');
    const meanwhile = await supplierAt(station, 'Meanwhile');
    const [written] = await historyAt(station, meanwhile);
    expect(written && daysIn(written)).toBe(400);
    await expect.poll(() => station.output).toContain("This machine's clock is not confirmed");
    expect((await ada.get('/suppliers')).status).toBe(401);
    expect((await ada.post('/x/session/unlock', { password: PASSWORD })).status).toBe(200);
    expect((await ada.get('/suppliers')).status).toBe(200);

    await station.restart();
    expect((await ada.get('/suppliers')).status).toBe(401);
    const later = await supplierAt(station, 'After a start');
    expect((await historyAt(station, later)).map(daysIn)).toEqual([400]);
    // A program of its own, by the same clock, while no server runs.
    await station.kill();
    const by = { ...environmentOf(station), ...clock.env };
    const shown = await holdpoint(by, 'clock', 'show');
    expect(shown.output).toContain("This machine's clock is not confirmed");
    const confirmed = await holdpoint(by, 'clock', 'confirm', '--reason', 'The clock on the wall says so.');
    expect(confirmed).toMatchObject({ code: 0 });
    await station.start();
    expect(await clockAt(station)).toMatchObject({ standing: null });
    const last = await supplierAt(station, 'Confirmed');
    expect((await historyAt(station, last)).map(daysIn)).toEqual([0]);
    await station.restart();
    expect(await clockAt(station)).toMatchObject({ standing: null });
    expect(await kindsAt(station)).toEqual(['confirmed', 'step']);

    // Again, and not ahead: a machine that has just started is believed that.
    clock.set('-800d');
    await supplierAt(station, 'Set back again');
    expect((await clockAt(station)).standing).not.toBeNull();
    const numbers = readStoredFile(station.folder).commits.map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(await faultsOf(station)).toEqual([]);
  });

  it('ends by itself once the clock is right, which is noticed while nobody writes', async () => {
    const clock = new SetClock(temporaryFolder());
    const station = new Station({ env: clock.env });
    onTestFinished(() => station.stop());
    await station.start();
    await supplierAt(station, 'Before');
    clock.set('-30d');
    await until(
      'noticed',
      () => kindsAt(station),
      kinds => kinds.length === 1,
    );
    clock.set('+0');
    await until(
      'over',
      () => kindsAt(station),
      kinds => kinds.length === 2,
    );
    expect(await kindsAt(station)).toEqual(['set_right', 'step']);
    expect(await clockAt(station)).toMatchObject({ standing: null });
  });

  it('stands before the last commit at a start', async () => {
    const clock = new SetClock(temporaryFolder());
    const station = new Station({ env: clock.env });
    onTestFinished(() => station.stop());
    await station.start();
    await supplierAt(station, 'Before');
    await station.kill();
    clock.set('-10m');
    await station.start();
    await expect.poll(() => kindsAt(station)).toEqual(['step_at_start']);
    const id = await supplierAt(station, 'After');
    expect((await historyAt(station, id))[0]?.clock_at_least).not.toBeNull();
  });
});

describe.skipIf(!HAS_FAKETIME)('the clocks of a fleet', () => {
  const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'holdpoint-clock-')));
  const [ofCentral = '', ofDock = ''] = folders;
  const clocks = { central: new SetClock(ofCentral), dock: new SetClock(ofDock) };
  let central: Station;
  let dock: Station;
  let lab: Station;
  beforeAll(async () => {
    central = await startCentral(clocks.central.env);
    dock = await startStation(central, 'Dock', { env: clocks.dock.env });
    lab = await startStation(central, 'Lab');
  });
  afterAll(async () => {
    for (const station of [lab, dock, central]) await station?.stop();
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  it('what a station marks is marked so everywhere, to the byte', async () => {
    await untilInStep(central, [dock, lab]);
    clocks.dock.set('-400d');
    const id = await supplierAt(dock, 'Of a dock that was set back');
    const [own] = await historyAt(dock, id);
    expect(own && daysIn(own)).toBe(400);
    await untilInStep(central, [dock, lab]);
    for (const other of [central, lab]) {
      const [entry] = await historyAt(other, id);
      expect(entry).toMatchObject({ hash: own?.hash, clock_at_least: own?.clock_at_least, unknown: [] });
      // Each machine's clock is its own matter.
      expect(await clockAt(other)).toMatchObject({ standing: null });
    }
    clocks.dock.set('+0');
    await until(
      'right',
      () => clockAt(dock),
      ({ standing }) => standing === null,
    );
    await expect.poll(() => kindsAt(dock)).toEqual(['set_right', 'step']);
  });

  it('goes to central on a stick as it is', async () => {
    const clock = new SetClock(temporaryFolder());
    const line = await FaultProxy.open({ target: central.origin, seed: 1 });
    const far = new Station({ env: clock.env });
    onTestFinished(async () => {
      await far.stop();
      await line.close();
    });
    await far.start();
    const enrolled = await holdpoint(environmentOf(far), 'enrol', line.origin, await newCode(central, 'Far'));
    expect(enrolled).toMatchObject({ code: 0 });
    await untilInStep(central, [far]);
    line.stop();
    clock.set('-30d');
    const id = await supplierAt(far, 'Of a far one that was set back');
    const file = join(temporaryFolder(), 'far.carry');
    expect(await holdpoint(environmentOf(far), 'carry', 'out', file)).toMatchObject({ code: 0 });
    expect(await holdpoint(environmentOf(central), 'carry', 'in', file)).toMatchObject({ code: 0 });
    const [[own], [entry]] = [await historyAt(far, id), await historyAt(central, id)];
    expect(entry).toMatchObject({ hash: own?.hash, clock_at_least: own?.clock_at_least });
    expect(entry && daysIn(entry)).toBe(30);
  });

  it('a clock that central’s time agrees with is confirmed by that', async () => {
    await dock.kill();
    clocks.dock.set('+3d');
    await central.kill();
    await dock.start();
    await supplierAt(dock, 'Three days ahead');
    await dock.kill();
    clocks.dock.set('+0');
    await dock.start();
    expect((await clockAt(dock)).standing).not.toBeNull();
    await central.start();
    await until(
      'agreed',
      () => clockAt(dock),
      ({ standing }) => standing === null,
    );
    await expect.poll(async () => (await kindsAt(dock)).slice(0, 2)).toEqual(['as_central', 'step_at_start']);
    await untilInStep(central, [dock, lab]);
  });

  it('central’s own clock is marked there, and no station compares with it', async () => {
    clocks.central.set('-400d');
    const id = await supplierAt(central, 'Of a central that was set back');
    expect((await historyAt(central, id)).map(daysIn)).toEqual([400]);
    const other = await supplierAt(lab, 'Of a lab that is right');
    await untilInStep(central, [dock, lab]);
    expect((await historyAt(lab, id)).map(daysIn)).toEqual([400]);
    const [own] = await historyAt(central, other);
    expect(own).toMatchObject({ clock_at_least: null });
    expect(Math.abs(own?.clock_offset ?? 0)).toBeLessThan(DAY);
    expect(await syncOf(lab)).toMatchObject({ clock_offset_ms: null });
    // Who joins meanwhile is not told the wrong time either.
    const gate = await startStation(central, 'Gate');
    onTestFinished(() => gate.stop());
    await untilInStep(central, [gate]);
    expect(await syncOf(gate)).toMatchObject({ clock_offset_ms: null });
    clocks.central.set('+0');
    await until(
      'right',
      () => clockAt(central),
      ({ standing }) => standing === null,
    );
    for (const each of [central, dock, lab]) expect(await faultsOf(each)).toEqual([]);
  });
});
