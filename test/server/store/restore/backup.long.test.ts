import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createBackups } from '../../../../server/backup/backups.ts';
import { verifyDependencies } from '../../../../server/backup/verify-dependencies.ts';
import { backUp, listBackups } from '../../../../server/store/restore/backup.ts';
import { restore } from '../../../../server/store/restore/restore.ts';
import type { Store } from '../../../../server/store/store.ts';
import { tokenTable } from '../../../../server/store/token-table.ts';
import { verify } from '../../../../server/store/verify/verify.ts';
import { audit, commitsOf, recordsOf } from '../audit.ts';
import { temporaryFolder } from '../sqlite/temporary-folder.ts';
import { create, itemIds, START, temporaryStore, update } from '../temporary-store.ts';

const clock = () => new Date('2026-07-01T00:00:00.000Z');

/** One backup of a store's folder, into a folder of its own. */
async function backedUp({ database }: Store, options: { at?: string; folder?: string; keep?: number } = {}) {
  const folder = options.folder ?? temporaryFolder();
  const at = options.at ?? START;
  return backUp({ data: database.folder, folder, keep: options.keep ?? 14, at }, verifyDependencies);
}

function restoreInto(folder: string, file: string) {
  return restore({ folder, file, ...verifyDependencies, clock });
}

describe('a backup', () => {
  it('is a whole copy of its own, readable by its owner, while the store goes on', async () => {
    const store = await temporaryStore();
    await create(store, 'supplier', { name: 'Before' });
    const done = await backedUp(store);
    await create(store, 'supplier', { name: 'After' });
    expect(done).toMatchObject({ records: 1, commits: 1, verified: true });
    expect(done.file).toMatch(/\/holdpoint-20260615T120000000Z\.db$/);
    expect(await verify(done.file, { ...verifyDependencies })).toMatchObject({ faults: 0, records: 1 });
    expect(readdirSync(join(done.file, '..'))).toEqual(['holdpoint-20260615T120000000Z.db']);
  });

  it('is not kept when what it copies is damaged', async () => {
    const store = await temporaryStore();
    await create(store, 'supplier', { name: 'Acme' });
    store.database.run('DELETE FROM history_subject');
    const folder = temporaryFolder();
    await expect(backedUp(store, { folder })).rejects.toThrow(
      /is not whole and was not kept: A record's history/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('goes as the oldest of this station, beyond those to keep; files of others stay', async () => {
    const store = await temporaryStore();
    const folder = temporaryFolder();
    const foreign = join(folder, 'holdpoint-20200101T000000000Z.db');
    writeFileSync(foreign, 'of another station');
    for (const day of [10, 11, 12, 13])
      await backedUp(store, { folder, keep: 2, at: `2026-06-${day}T12:00:00.000Z` });
    // A clock that was set back makes the newest look like the oldest.
    const back = await backedUp(store, { folder, keep: 2, at: '2016-06-15T12:00:00.000Z' });
    expect(listBackups(folder).map(({ at }) => at.slice(0, 10))).toEqual([
      '2026-06-13',
      '2020-01-01',
      '2016-06-15',
    ]);
    expect(existsSync(back.file)).toBe(true);
  });
});

describe('daily backups', () => {
  function backupsOf(options: { now?: () => Date; second?: string | null; since?: string | null }) {
    const data = temporaryFolder();
    const warnings: string[] = [];
    const backups = createBackups({
      data,
      clock: options.now ?? clock,
      settings: () => ({ backup_folder: options.second ?? null, backup_keep: 3 }),
      since: () => options.since ?? null,
      onDone: () => {},
      onWarning: warning => warnings.push(warning),
    });
    onTestFinished(() => backups.close());
    return { backups, data, warnings };
  }

  it('warn while there is no place but the data folder, and no longer', async () => {
    const { backups, data, warnings } = backupsOf({});
    backups.start();
    expect(warnings).toEqual([expect.stringContaining(`in the data folder only (${join(data, 'backups')})`)]);
    expect(await backups.state()).toMatchObject({
      folder: join(data, 'backups'),
      warning: warnings[0],
      backups: [],
    });
    const second = temporaryFolder();
    expect(await backupsOf({ second }).backups.state()).toMatchObject({ folder: second, warning: null });
  });

  it('catch up at start when the last is older than a day, and say so when that fails', async () => {
    const { backups, data, warnings } = backupsOf({ since: START });
    mkdirSync(join(data, 'holdpoint.db'));
    backups.start();
    await expect.poll(() => warnings.at(-1)).toMatch(/^The last backup failed: /);
    expect((await backups.state()).warning).toMatch(/^The last backup failed: /);
  });

  it.each([
    ['20260630T010000000Z', null],
    ['20260701T230000000Z', null],
  ])('wait while there is one within a day: %s', async (stamp, second) => {
    const { backups, data, warnings } = backupsOf({ since: START, second });
    mkdirSync(join(data, 'backups'));
    writeFileSync(join(data, 'backups', `holdpoint-${stamp}.db`), '');
    backups.start();
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(warnings).toHaveLength(1);
  });

  it('come once a day, however often it is looked, and the oldest go', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const store = await temporaryStore();
    await create(store, 'supplier', { name: 'Acme' });
    const done: string[] = [];
    let now = Date.parse('2026-07-01T00:00:00.000Z');
    const backups = createBackups({
      data: store.database.folder,
      clock: () => new Date(now),
      settings: () => ({ backup_folder: null, backup_keep: 2 }),
      since: () => new Date(now).toISOString(),
      onDone: ({ file }) => done.push(file),
      onWarning: () => {},
    });
    await backups.run();
    backups.start();
    const hours: number[] = [];
    for (let tenth = 1; tenth <= 6 * 24 * 3; tenth += 1) {
      now += 600_000;
      vi.advanceTimersByTime(600_000);
      // A look that begins one is waited for: the next look is ten minutes later, and none takes so long.
      const isDue = tenth % (6 * 24) === 0;
      if (isDue) await vi.waitFor(() => expect(done).toHaveLength(2 + hours.length), { timeout: 120_000 });
      if (isDue) hours.push(tenth / 6);
      expect(done).toHaveLength(1 + hours.length);
    }
    await backups.close();
    expect(hours).toEqual([24, 48, 72]);
    expect((await backups.state()).backups.map(({ at }) => at.slice(0, 10))).toEqual([
      '2026-07-04',
      '2026-07-03',
    ]);
  });

  it('refuse a folder that is not absolute', async () => {
    await expect(backupsOf({}).backups.run('here')).rejects.toThrow('folder: Give the whole path');
  });
});

describe('a restore', () => {
  it('begins a new chain and a block that was never used, so that no id and no number comes twice', async () => {
    const store = await temporaryStore();
    const { folder } = store.database;
    const write = async (target: Store) => {
      const part = await create(target, 'part', { name: 'Jar', unit_of_measure: 'units' });
      const order = await create(target, 'order', { items: [{ part_id: part.id, quantity: 1 }] });
      const shipment = await create(target, 'shipment', {});
      return {
        ids: [part.id, order.id, shipment.id, ...itemIds(order, 'items')],
        numbers: [order.fields.order_number, shipment.fields.shipment_number],
      };
    };
    const kept = await write(store);
    const { file } = await backedUp(store);
    const lost = await write(store);
    const chains = [commitsOf(store)[0]?.chain];
    await store.close();

    const seen = [lost];
    for (const block of [1, 2]) {
      const report = await restoreInto(folder, file);
      expect(report).toMatchObject({ block, records: 3, lost: { commits: 3 } });
      expect(existsSync(report.aside ?? '')).toBe(true);
      const again = await temporaryStore({ folder });
      expect(recordsOf(again)).toHaveLength(3);
      seen.push(await write(again));
      expect(audit(again)).toEqual([]);
      expect(await verify(folder, { ...verifyDependencies })).toMatchObject({
        faults: 0,
        records: 6,
        chains: 2,
      });
      chains.push(commitsOf(again).at(-1)?.chain);
      expect(again.ids.stationCode).toBe(String(block));
      await again.close();
      if (block === 1) rmSync(report.aside ?? '');
    }
    expect(new Set(chains).size).toBe(3);
    for (const index of kept.ids.keys()) {
      const given = [kept, ...seen].map(({ ids }) => ids[index]);
      expect(new Set(given).size, String(given)).toBe(given.length);
    }
    const numbers = [kept, ...seen].flatMap(given => given.numbers);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.at(-1)).toMatch(/^SH-2-000001$/);
  });

  it('says what the former database has and the backup lacks', async () => {
    const store = await temporaryStore();
    const { id } = await create(store, 'supplier', { name: 'Acme' });
    const { file } = await backedUp(store);
    await update(store, 'supplier', id, { name: 'Later' });
    const newest = commitsOf(store).at(-1)?.at;
    await store.close();
    const { lost } = await restoreInto(store.database.folder, file);
    expect(lost).toEqual({ commits: 1, newest });
  });

  it('keeps revoked what was revoked since, and gives no token an id of a lost one', async () => {
    const store = await temporaryStore();
    const insert = (name: string, { database } = store) =>
      tokenTable(database).insert({ name, hash: name, scopes: [], created_at: START, revoked_at: null });
    insert('a');
    const { file } = await backedUp(store);
    insert('b');
    tokenTable(store.database).revoke(1, 'now');
    await store.close();
    await restoreInto(store.database.folder, file);
    const again = await temporaryStore({ folder: store.database.folder });
    expect(again.database.all('SELECT id, revoked_at FROM token')).toEqual([{ id: 1, revoked_at: 'now' }]);
    expect(tokenTable(again.database).list()).toMatchObject([{ name: 'a', revoked_at: 'now' }]);
    insert('c', again);
    expect(again.database.get('SELECT max(id) AS id FROM token')).toEqual({ id: 3 });
  });

  it('refuses while the store is open, a file that is not there, and one that is not whole, and changes nothing', async () => {
    const store = await temporaryStore();
    const { folder } = store.database;
    await create(store, 'supplier', { name: 'Acme' });
    const { file } = await backedUp(store);
    await store.close();
    const before = readFileSync(join(folder, 'holdpoint.db'));
    await expect(restoreInto(folder, `${file}x`)).rejects.toThrow(/There is no file/);
    const bytes = readFileSync(file);
    const text = bytes.indexOf('"Acme"');
    bytes[text + 1] = 0x42;
    writeFileSync(file, bytes);
    await expect(restoreInto(folder, file)).rejects.toThrow(/is not whole and was not restored/);
    writeFileSync(file, 'no database');
    await expect(restoreInto(folder, file)).rejects.toThrow(/is not whole and was not restored/);
    expect(readFileSync(join(folder, 'holdpoint.db')).equals(before)).toBe(true);
    expect(readdirSync(folder).filter(name => name.startsWith('restoring'))).toEqual([]);
  });

  it('that was cut off keeps the store from opening, and is finished by another one', async () => {
    const store = await temporaryStore();
    const { folder } = store.database;
    await create(store, 'supplier', { name: 'Acme' });
    const { file } = await backedUp(store);
    await create(store, 'supplier', { name: 'Lost' });
    await store.close();
    const aside = join(folder, 'holdpoint-set-aside-x.db');
    writeFileSync(join(folder, 'restoring.json'), JSON.stringify({ file, aside }));
    await expect(temporaryStore({ folder })).rejects.toThrow(/was cut off. Run it again: holdpoint restore/);
    const report = await restoreInto(folder, file);
    expect(report).toMatchObject({ aside, lost: { commits: 1 }, records: 1 });
    expect(recordsOf(await temporaryStore({ folder }))).toHaveLength(1);
  });
});
