import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { createCentral } from '../../../server/enrolment/central.ts';
import { createFailureLimit } from '../../../server/identity/failure-limit.ts';
import { BLOCK_SIZE } from '../../../server/store/ids.ts';
import { backUp } from '../../../server/store/restore/backup.ts';
import { restore } from '../../../server/store/restore/restore.ts';
import { keepRole } from '../../../server/store/role.ts';
import { stationTables } from '../../../server/store/station-table.ts';
import type { Store } from '../../../server/store/store.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { create, temporaryStore } from '../store/temporary-store.ts';

/** A central over a store, with a clock that stands until it is moved. */
function centralOf(store: Store) {
  let now = Date.parse('2026-06-15T12:00:00.000Z');
  const { stations, enrolment } = createCentral({
    store,
    clock: () => new Date(now),
    protocol: { oldest: 1, newest: 1 },
    pin: () => null,
  });
  const inGate = <Result>(work: () => Result) => store.gate.together(async () => work());
  const newCode = (name: string, hours = 24, brings_records = false, uses = 1, group?: string) =>
    inGate(() => enrolment.createCode({ name, hours, brings_records, uses, group, by: 'tester' }).code);
  return {
    stations,
    enrolment,
    inGate,
    newCode,
    enrol: (
      code: string,
      station: string = randomUUID(),
      said: { brings_records?: boolean; name?: string } = {},
    ) =>
      inGate(() =>
        enrolment.enrol({
          code,
          station,
          protocol: { min: 1, max: 1 },
          clock: new Date(now).toISOString(),
          ...said,
        }),
      ),
    passHours(hours: number) {
      now += hours * 3_600_000;
    },
  };
}

const bearer = (key: string) => `Bearer ${key}`;

describe('a code', () => {
  it('lets an installation with records of its own in only where it says so, for a week from its first use', async () => {
    const store = await temporaryStore();
    const central = centralOf(store);
    const [plain, bringing] = [await central.newCode('Dock'), await central.newCode('Bay', 24, true)];
    const station = randomUUID();
    await expect(central.enrol(plain, station, { brings_records: true })).rejects.toThrow(
      'Ask central for a code with which it may bring them along.',
    );
    const { pending } = stationTables(store.database);
    expect(central.enrolment.listCodes().map(({ state }) => state)).toEqual(['open', 'open']);
    await central.enrol(bringing, station, { brings_records: true });
    central.passHours(1);
    await central.enrol(bringing, station, { brings_records: true });
    expect(pending.bringsAlongUntil(station)).toBe('2026-06-22T12:00:00.000Z');
    const fresh = await central.enrol(plain);
    expect(pending.bringsAlongUntil(fresh.station)).toBeNull();
    expect(central.enrolment.listCodes().map(({ brings_records }) => brings_records)).toEqual([false, true]);
  });

  it('puts a station into its group; without one it keeps its own, but for one that was revoked', async () => {
    const central = centralOf(await temporaryStore());
    const { stations, enrolment } = central;
    const station = randomUUID();
    const groupOf = () => stations.list().find(each => each.station === station)?.group;
    const comes = async (group?: string) => {
      const code = await central.newCode(`Dock ${randomUUID().slice(0, 8)}`, 24, false, 1, group);
      const about = { code, station, protocol: { min: 1, max: 1 }, clock: '2026-06-15T12:00:00.000Z' };
      const groups = await central.inGate(() => enrolment.groupsOf(about));
      await central.enrol(code, station);
      expect(groups.group).toBe(groupOf());
      return groups;
    };
    expect(await comes('Plant 1')).toEqual({ before: null, group: 'Plant 1' });
    expect(await comes()).toEqual({ before: 'Plant 1', group: 'Plant 1' });
    expect(await comes('Plant 2')).toEqual({ before: 'Plant 1', group: 'Plant 2' });
    await central.inGate(() => stations.revoke(stations.list()[0]?.id ?? 0));
    expect(await comes()).toEqual({ before: 'Plant 2', group: null });
  });

  it('expires by the clock, for the station that used it, too', async () => {
    const central = centralOf(await temporaryStore());
    const code = await central.newCode('Dock', 2);
    const station = randomUUID();
    central.passHours(1.99);
    await central.enrol(code, station);
    central.passHours(0.02);
    await expect(central.enrol(code, station)).rejects.toThrow(
      'This code was valid until 2026-06-15T14:00:00.000Z.',
    );
    const other = await central.newCode('Gate', 1);
    central.passHours(1);
    await expect(central.enrol(other)).rejects.toThrow('was valid until');
    expect(central.enrolment.listCodes().map(({ state }) => state)).toEqual(['used', 'expired']);
    // Its name is free again.
    await central.newCode('Gate');
  });

  it('that is used in a transaction that fails is not used', async () => {
    const store = await temporaryStore();
    const central = centralOf(store);
    const code = await central.newCode('Dock');
    const request = {
      code,
      station: randomUUID(),
      protocol: { min: 1, max: 1 },
      clock: '2026-06-15T12:00:00Z',
    };
    const failed = central.inGate(() => {
      central.enrolment.enrol(request);
      throw new Error('afterwards');
    });
    await expect(failed).rejects.toThrow('afterwards');
    expect(central.stations.list()).toEqual([]);
    expect((await central.enrol(code)).name).toBe('Dock');
  });
});

describe('a key', () => {
  it('is nowhere in the store', async () => {
    const store = await temporaryStore();
    const central = centralOf(store);
    const { key } = await central.enrol(await central.newCode('Dock'));
    const stored = JSON.stringify(store.database.all('SELECT * FROM station'));
    expect(stored).not.toContain(key.slice(4));
    expect(central.stations.authenticate(bearer(key))).toMatchObject({ name: 'Dock', scopes: ['station'] });
  });

  it('stays valid when the transaction that ends it fails, and tells listeners when it does not', async () => {
    const store = await temporaryStore();
    const central = centralOf(store);
    const { key } = await central.enrol(await central.newCode('Dock'));
    const ended: number[] = [];
    central.stations.onRevoke(id => ended.push(id));
    const failed = central.inGate(() => {
      central.stations.revoke(1);
      throw new Error('afterwards');
    });
    await expect(failed).rejects.toThrow('afterwards');
    const caller = central.stations.authenticate(bearer(key));
    expect([caller?.stationId, ended]).toEqual([1, []]);
    await central.inGate(() => central.stations.revoke(1));
    expect(central.stations.authenticate(bearer(key))).toBeNull();
    expect(ended).toEqual([caller?.tokenId]);
  });
});

describe('what a station tells', () => {
  it('is kept until it tells something else', async () => {
    const central = centralOf(await temporaryStore());
    await central.enrol(await central.newCode('Dock'));
    await central.inGate(() =>
      central.stations.noteContact(1, { unsent: 7, sequence: 40, held: 1, version: '2.1.0' }),
    );
    central.passHours(1);
    await central.inGate(() => central.stations.noteContact(1, { unsent: 0, clock_offset_ms: -1_500 }));
    expect(central.stations.list()).toMatchObject([
      {
        last_seen_at: '2026-06-15T13:00:00.000Z',
        unsent: 0,
        sequence: 40,
        held: 1,
        version: '2.1.0',
        clock_offset_ms: -1_500,
        behind: null,
      },
    ]);
  });
});

describe('blocks', () => {
  it('of central and of stations come from one source', async () => {
    const store = await temporaryStore();
    const central = centralOf(store);
    const first = await central.enrol(await central.newCode('Dock'));
    store.database.run("INSERT INTO allocation (counter, block, next) VALUES ('supplier', 0, ?)", BLOCK_SIZE);
    const supplier = await create(store, 'supplier', {});
    const second = await central.enrol(await central.newCode('Gate'));
    const further = await central.inGate(() => central.stations.takeBlock(1));
    expect([first.block, supplier.id, second.block, further.block]).toEqual([1, 2 * BLOCK_SIZE + 1, 3, 4]);
    expect(further.blocks).toEqual([1, 4]);
    expect(store.ids.owns(BLOCK_SIZE + 1)).toBe(false);
  });

  it('are never given twice by a central that was restored, and its stations and their ends stay known', async () => {
    const store = await temporaryStore();
    const { folder } = store.database;
    const central = centralOf(store);
    const early = await central.enrol(await central.newCode('Early'));
    const revoked = await central.enrol(await central.newCode('Revoked'));
    const open = await central.newCode('Later');
    const many = await central.newCode('Hall', 24, false, 2);
    const { file } = await backUp(
      { data: folder, folder: temporaryFolder(), keep: 14, at: '2026-06-15T12:00:00.000Z' },
      verifyDependencies,
    );
    const later = await central.enrol(open);
    await central.enrol(many);
    await central.enrol(many);
    const further = await central.inGate(() => central.stations.takeBlock(1));
    await central.inGate(() => central.stations.revoke(2));
    await store.close();

    const report = await restore({ folder, file, ...verifyDependencies, clock: () => new Date() });
    const again = await temporaryStore({ folder });
    const restored = centralOf(again);
    const fresh = await restored.enrol(await restored.newCode('Fresh'));
    const own = again.ids.blocks();
    const blocks = [early.block, revoked.block, later.block, further.block, report.block, fresh.block];
    expect(new Set(blocks).size).toBe(blocks.length);
    expect(own).toEqual([report.block]);
    expect(
      [early, revoked, later].map(({ key }) => restored.stations.authenticate(bearer(key))?.name),
    ).toEqual(['Early', undefined, 'Later']);
    await expect(restored.enrol(open)).rejects.toThrow('used already');
    await expect(restored.enrol(many)).rejects.toThrow('This code let in 2 stations, as many as it may.');
  });

  it('are not given twice where the former database is gone, by the mark beside it', async () => {
    const store = await temporaryStore();
    const { folder } = store.database;
    const central = centralOf(store);
    const { file } = await backUp(
      { data: folder, folder: temporaryFolder(), keep: 14, at: '2026-06-15T12:00:00.000Z' },
      verifyDependencies,
    );
    const lost = await central.enrol(await central.newCode('Lost'));
    await store.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${folder}/holdpoint.db${end}`, { force: true });
    const { block } = await restore({ folder, file, ...verifyDependencies, clock: () => new Date() });
    expect(block).toBe(lost.block + 1);
  });
});

describe('the role of a data folder', () => {
  it('is kept from its first start as one or the other', async () => {
    const { database } = await temporaryStore();
    expect(keepRole(database, undefined)).toBe('station');
    expect(keepRole(database, 'central')).toBe('central');
    expect(keepRole(database, undefined)).toBe('central');
    expect(() => keepRole(database, 'station')).toThrow(
      'is that of a central. Start it with npm run central',
    );
  });
});

describe('the limit on failures', () => {
  const limitOf = (options: { perAddress?: number; overall?: number } = {}) => {
    const clock = { now: 0 };
    const limit = createFailureLimit({
      perAddress: 2,
      overall: 5,
      windowMs: 1_000,
      now: () => clock.now,
      ...options,
    });
    return { clock, limit };
  };

  it('holds for an address, until its time is over', () => {
    const { clock, limit } = limitOf();
    for (const address of ['10.0.0.1', '::ffff:10.0.0.1']) {
      limit.check(address);
      limit.note(address);
    }
    expect(() => limit.check('10.0.0.1')).toThrow('Try again in 1 seconds');
    limit.check('10.0.0.2');
    clock.now = 1_000;
    limit.check('10.0.0.1');
  });

  it('takes the addresses of one IPv6 network for one', () => {
    const { limit } = limitOf();
    for (const address of ['2001:db8:0:1::5', '2001:db8:0:1:ffff::6']) limit.note(address);
    expect(() => limit.check('2001:db8::1:0:0:0:7')).toThrow('Too many attempts');
    limit.check('2001:db8:0:2::5');
  });

  it('holds for all addresses together', () => {
    const { limit } = limitOf();
    for (let host = 1; host <= 5; host += 1) limit.note(`10.0.0.${host}`);
    expect(() => limit.check('10.9.9.9')).toThrow('Too many attempts');
  });
});
