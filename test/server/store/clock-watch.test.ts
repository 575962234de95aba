import { hash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { readClockFacts } from '../../../server/store/clock-facts.ts';
import { readCommitsAfter } from '../../../server/store/history.ts';
import type { Store } from '../../../server/store/store.ts';
import { unknownIn } from '../../../server/store/unknown-in.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { canonicalJson } from '../../../shared/contract/canonical-json.ts';
import { temporaryFolder } from './sqlite/temporary-folder.ts';
import { create, temporaryStore } from './temporary-store.ts';

const START = Date.parse('2026-06-15T12:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A machine: its clock, which people set, and how long it runs, which nobody sets. */
class Machine {
  readonly folder = temporaryFolder();
  wall = START;
  steady = 1_000_000;

  /** Time passes, by both clocks. */
  pass(milliseconds: number): void {
    this.wall += milliseconds;
    this.steady += milliseconds;
  }

  /** Somebody sets the clock. */
  set(milliseconds: number): void {
    this.wall += milliseconds;
  }

  /** Off, and on again after so long: the steady clock begins anew. */
  off(milliseconds: number): void {
    this.wall += milliseconds;
    this.steady = 20_000;
  }

  open(): Promise<Store> {
    return temporaryStore({
      folder: this.folder,
      clock: () => new Date(this.wall),
      steady: () => this.steady,
    });
  }
}

async function write(store: Store) {
  await create(store, 'supplier', { name: 'Acme' });
  const last = readCommitsAfter(store.database.reader, 0, 1_000).at(-1);
  if (!last) throw new Error('Nothing was written.');
  return last.commit;
}

async function factsOf(store: Store) {
  await store.gate.briefly(() => undefined);
  return readClockFacts(store.database.reader, { offset: 0, limit: 100 }).facts.toReversed();
}

const kindsOf = async (store: Store) => (await factsOf(store)).map(({ kind }) => kind);
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

async function confirm(store: Store, reason = 'I looked at my watch.') {
  await factsOf(store);
  const step = store.clockWatch.standing()?.step ?? 0;
  await store.gate.together(async () => store.clockWatch.confirm(step, 'bob', reason));
}

describe('what is no step', () => {
  it.each<[string, (machine: Machine) => void]>([
    ['work as usual', machine => machine.pass(3 * HOUR)],
    ['a night in which the machine slept', machine => machine.pass(14 * HOUR)],
    ['a clock that the network sets by a minute', machine => machine.set(-MINUTE)],
  ])('%s', async (_name, happen) => {
    const machine = new Machine();
    const store = await machine.open();
    await write(store);
    happen(machine);
    expect(await write(store)).not.toHaveProperty('clock_at_least');
    expect(await kindsOf(store)).toEqual([]);
  });

  it('a weekend off', async () => {
    const machine = new Machine();
    const before = await machine.open();
    await write(before);
    await before.close();
    machine.off(60 * HOUR);
    const store = await machine.open();
    expect(await write(store)).not.toHaveProperty('clock_at_least');
    expect(await kindsOf(store)).toEqual([]);
  });

  it('the network, which gives the time to a machine that has just started', async () => {
    const machine = new Machine();
    const before = await machine.open();
    await write(before);
    await before.close();
    // Its clock did not run overnight.
    machine.off(0);
    const store = await machine.open();
    machine.pass(MINUTE);
    machine.set(14 * HOUR);
    expect(await write(store)).not.toHaveProperty('clock_at_least');
    machine.set(-14 * HOUR);
    expect(await write(store)).toHaveProperty('clock_at_least');
  });

  it('a month in which the two clocks run apart by 100 millionths', async () => {
    const machine = new Machine();
    const store = await machine.open();
    for (let hour = 0; hour < 24 * 30; hour++) {
      machine.pass(HOUR);
      machine.set(HOUR * 100e-6);
      expect(store.clockWatch.standing()).toBeNull();
    }
    expect(await write(store)).not.toHaveProperty('clock_at_least');
  });
});

describe('a step while the store is open', () => {
  it.each([
    ['back', -400 * DAY],
    ['back by three minutes', -3 * MINUTE],
    ['ahead', 365 * DAY],
  ])('%s is marked in what is written, hashed with it, and kept as a fact', async (_name, by) => {
    const machine = new Machine();
    const store = await machine.open();
    await write(store);
    machine.pass(MINUTE);
    machine.set(by);
    const told: string[] = [];
    store.clockWatch.onStep(() => told.push('step'));
    const marked = await write(store);
    // As versions keep it that do not know it, and hash it.
    const row = store.database.get<{ entries: string }>('SELECT entries FROM history ORDER BY sequence DESC');
    expect(JSON.parse(row?.entries ?? '')).toMatchObject({
      further: { clock_at_least: marked.clock_at_least },
    });
    const { hash: _, ...content } = marked;
    expect(hash('sha256', canonicalJson(content))).toBe(marked.hash);
    expect(marked).toMatchObject({
      at: iso(START + MINUTE + by),
      clock_at_least: iso(START + MINUTE),
    });
    expect(told).toEqual(['step']);
    machine.pass(HOUR);
    expect(await write(store)).toMatchObject({ clock_at_least: iso(START + MINUTE + HOUR) });
    expect(told).toEqual(['step']);
    expect(await factsOf(store)).toMatchObject([
      { kind: 'step', clock: iso(START + MINUTE + by), at_least: iso(START + MINUTE), user: null },
    ]);
    // It is known, and no member of a later version.
    expect(unknownIn(marked, marked.entries[0]?.subject ?? '')).toEqual([]);
    expect((await verify(machine.folder, verifyDependencies)).findings).toEqual([]);
  });

  it('ends when the clock is right again, without anybody', async () => {
    const machine = new Machine();
    const store = await machine.open();
    machine.set(-400 * DAY);
    expect(await write(store)).toHaveProperty('clock_at_least');
    machine.pass(HOUR);
    machine.set(400 * DAY + 30_000);
    expect(await write(store)).not.toHaveProperty('clock_at_least');
    expect(await kindsOf(store)).toEqual(['step', 'set_right']);
  });

  it('is another one when the clock is set again, and not right', async () => {
    const machine = new Machine();
    const store = await machine.open();
    machine.set(-400 * DAY);
    await write(store);
    machine.set(390 * DAY);
    const commit = await write(store);
    expect(commit).toMatchObject({ at: iso(START - 10 * DAY), clock_at_least: iso(START) });
    expect(await kindsOf(store)).toEqual(['step', 'step']);
  });

  it('is also made of several that are small', async () => {
    const machine = new Machine();
    const store = await machine.open();
    for (let minute = 0; minute < 5; minute++) {
      machine.pass(MINUTE);
      machine.set(-MINUTE);
      await write(store);
    }
    expect(store.clockWatch.standing()).not.toBeNull();
  });

  it("ends when central's time agrees", async () => {
    const machine = new Machine();
    const store = await machine.open();
    machine.set(HOUR);
    expect(await write(store)).toHaveProperty('clock_at_least');
    store.clockWatch.agreesWithCentral();
    expect(await write(store)).not.toHaveProperty('clock_at_least');
    expect(await kindsOf(store)).toEqual(['step', 'as_central']);
  });

  it('is not there between the readings of two clocks while the machine falls asleep', async () => {
    const machine = new Machine();
    let sleeps = false;
    const store = await temporaryStore({
      folder: machine.folder,
      clock: () => new Date(machine.wall),
      steady: () => {
        const read = machine.steady;
        if (sleeps) machine.pass(10 * HOUR);
        sleeps = false;
        return read;
      },
    });
    sleeps = true;
    expect(await write(store)).not.toHaveProperty('clock_at_least');
  });
});

describe('a person confirms', () => {
  it('with a reason, what the person has seen, once', async () => {
    const machine = new Machine();
    const store = await machine.open();
    machine.set(DAY);
    await write(store);
    const [fact] = await factsOf(store);
    const confirmed = (step: number) =>
      store.gate.together(async () => store.clockWatch.confirm(step, 'bob', 'By my watch.'));
    await expect(confirmed(999)).rejects.toMatchObject({ code: 'conflict' });
    await confirmed(fact?.id ?? 0);
    expect((await factsOf(store)).at(-1)).toMatchObject({
      kind: 'confirmed',
      clock: iso(START + DAY),
      at_least: iso(START),
      user: 'bob',
      reason: 'By my watch.',
    });
    expect(await write(store)).not.toHaveProperty('clock_at_least');
    await expect(confirmed(fact?.id ?? 0)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('a clock that was ahead by years and is right now: it stays confirmed, through starts and steps to come', async () => {
    const machine = new Machine();
    machine.set(3_650 * DAY);
    let store = await machine.open();
    // Nobody can tell: the machine may have been off as long.
    expect(await write(store)).not.toHaveProperty('clock_at_least');
    await store.close();
    machine.off(-3_650 * DAY);
    store = await machine.open();
    const first = await write(store);
    expect(first).toMatchObject({ at: iso(START), clock_at_least: iso(START + 3_650 * DAY) });
    await confirm(store, 'It was ten years ahead.');
    await store.close();
    machine.off(MINUTE);
    store = await machine.open();
    expect(store.clockWatch.standing()).toBeNull();
    const second = await write(store);
    expect(second).not.toHaveProperty('clock_at_least');
    expect(second.number).toBe(first.number + 1);
    await store.close();
    machine.off(HOUR);
    store = await machine.open();
    expect(store.clockWatch.standing()).toBeNull();
    await store.close();
    machine.off(-DAY);
    store = await machine.open();
    expect(store.clockWatch.standing()).not.toBeNull();
  });
});

describe('a start', () => {
  it('notices a clock that stands before the last commit, not by two minutes', async () => {
    const machine = new Machine();
    await (await machine.open()).close();
    let store = await machine.open();
    await write(store);
    await store.close();
    machine.off(-2 * MINUTE);
    store = await machine.open();
    expect(store.clockWatch.standing()).toBeNull();
    await store.close();
    machine.off(-MINUTE);
    store = await machine.open();
    expect(await write(store)).toMatchObject({ at: iso(START - 3 * MINUTE), clock_at_least: iso(START) });
    expect(await kindsOf(store)).toEqual(['step_at_start']);
  });

  it.each([
    ['back', -400 * DAY],
    ['ahead', 400 * DAY],
  ])('does not make the mark of a clock that was set %s go away', async (_name, by) => {
    const machine = new Machine();
    let store = await machine.open();
    await write(store);
    machine.set(by);
    await write(store);
    await factsOf(store);
    await store.close();
    machine.off(HOUR);
    store = await machine.open();
    const told: string[] = [];
    store.clockWatch.onStep(() => told.push('step'));
    expect(told).toEqual(['step']);
    expect(await write(store)).toHaveProperty('clock_at_least');
    expect(await kindsOf(store)).toEqual(['step']);
    await store.close();
    machine.off(HOUR - by);
    store = await machine.open();
    expect(await write(store)).not.toHaveProperty('clock_at_least');
    expect(await kindsOf(store)).toEqual(['step', 'set_right']);
  });

  it('finds again what a crash kept from being told', async () => {
    const machine = new Machine();
    let store = await machine.open();
    await write(store);
    machine.set(365 * DAY);
    await write(store);
    await factsOf(store);
    await store.close();
    alter(machine.folder, 'DROP TRIGGER clock_fact_is_never_deleted; DELETE FROM clock_fact');
    machine.off(HOUR);
    store = await machine.open();
    expect(await write(store)).toMatchObject({ clock_at_least: iso(START + HOUR) });
    expect(await factsOf(store)).toMatchObject([{ at_least: iso(START), clock: iso(START + 365 * DAY) }]);
  });

  it('notices it in a new chain too, after a restore', async () => {
    const machine = new Machine();
    let store = await machine.open();
    await write(store);
    const { chain, station } = store.gate;
    await store.close();
    alter(machine.folder, `UPDATE local SET value = '${station}.00000000' WHERE name = 'chain'`);
    machine.off(-DAY);
    store = await machine.open();
    expect(store.gate.chain).not.toBe(chain);
    expect(store.clockWatch.standing()).toMatchObject({ atLeast: iso(START) });
  });

  it('notices without a commit what an hour of running has noted', async () => {
    const machine = new Machine();
    let store = await machine.open();
    await write(store);
    await store.close();
    store = await machine.open();
    machine.pass(5 * DAY);
    store.clockWatch.look();
    await factsOf(store);
    await store.close();
    machine.off(-DAY);
    store = await machine.open();
    expect(store.clockWatch.standing()).toMatchObject({ atLeast: iso(START + 5 * DAY) });
  });
});

function alter(folder: string, sql: string): void {
  const database = new DatabaseSync(join(folder, 'holdpoint.db'), { defensive: false });
  database.exec(sql);
  database.close();
}
