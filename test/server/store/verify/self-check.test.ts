import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { verifyDependencies } from '../../../../server/backup/verify-dependencies.ts';
import { restore } from '../../../../server/store/restore/restore.ts';
import { RECORDS_TABLE, verify } from '../../../../server/store/verify/verify.ts';
import { audit, recordsOf } from '../audit.ts';
import { temporaryFolder } from '../sqlite/temporary-folder.ts';
import { create, START, temporaryStore } from '../temporary-store.ts';

const FILES = ['holdpoint.db', 'holdpoint.db-wal', 'head.json', 'marks.json'];
const FRAME = 4_096 + 24;

/** The files of a store with five suppliers, as a kill leaves them: everything is in the log. */
async function killed(): Promise<string> {
  const store = await temporaryStore();
  for (const name of ['A', 'B', 'C', 'D', 'E']) await create(store, 'supplier', { name });
  const folder = temporaryFolder();
  for (const name of FILES) copyFileSync(join(store.database.folder, name), join(folder, name));
  await store.close();
  return folder;
}

function flip(file: string, offset: number): void {
  const bytes = readFileSync(file);
  bytes[offset] = (bytes[offset] ?? 0) ^ 0x10;
  writeFileSync(file, bytes);
}

describe('after an unclean stop', () => {
  it('a whole store opens, says what was looked at, and is clean after it was closed', async () => {
    const folder = await killed();
    const store = await temporaryStore({ folder });
    expect(store.selfCheck).toMatchObject({ isUnclean: true, findings: [] });
    expect(store.selfCheck.looked).toContain('5 newest commits, 5 records of theirs');
    expect(recordsOf(store)).toHaveLength(5);
    await create(store, 'supplier', { name: 'F' });
    await store.close();
    const again = await temporaryStore({ folder });
    expect(again.selfCheck).toMatchObject({ isUnclean: false, findings: [] });
  });

  it.each<[string, (wal: string) => void, RegExp]>([
    [
      'cut',
      wal => truncateSync(wal, readFileSync(wal).length - 3 * FRAME),
      /History ends at commit \d; commit 5/,
    ],
    ['cut to nothing', wal => rmSync(wal), /There is no history; commit 5/],
    ['flipped', wal => flip(wal, readFileSync(wal).length - 20 * FRAME - 100), /log is broken at frame/],
    ['flipped at its head', wal => flip(wal, 9), /The head of its log cannot be read/],
  ])('a log that was %s is reported; nothing is written over it', async (_, harm, what) => {
    const folder = await killed();
    const wal = join(folder, 'holdpoint.db-wal');
    harm(wal);
    const [database, log] = ['holdpoint.db', 'holdpoint.db-wal'].map(name => bytesOf(join(folder, name)));
    const opened = await temporaryStore({ folder }).catch((error: Error) => error);
    if (opened instanceof Error) {
      expect(opened.message).toMatch(/holdpoint restore/);
    } else {
      expect(opened.selfCheck.findings[0]?.what).toMatch(what);
      await expect(create(opened, 'supplier', { name: 'F' })).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/can be read only.*holdpoint verify.*holdpoint restore/),
      });
      await opened.close();
    }
    expect(bytesOf(join(folder, 'holdpoint.db'))).toEqual(database);
    expect(bytesOf(wal)).toEqual(log);
  });

  it('what is left can be gone on with, told apart from what was lost', async () => {
    const folder = await killed();
    const wal = join(folder, 'holdpoint.db-wal');
    truncateSync(wal, readFileSync(wal).length - 3 * FRAME);
    const clock = () => new Date(START);
    const report = await restore({
      folder,
      file: join(folder, 'holdpoint.db'),
      ...verifyDependencies,
      clock,
    });
    expect(report).toMatchObject({ block: 1, records: 4, lost: { commits: 0 } });
    expect(existsSync(`${report.aside}-wal`)).toBe(true);
    const store = await temporaryStore({ folder });
    expect(store.selfCheck.findings).toEqual([]);
    expect((await create(store, 'supplier', { name: 'F' })).id).toBe(2 ** 20 + 1);
  });
});

describe('at every start', () => {
  it('an older database put in the place of the newer is reported', async () => {
    const store = await temporaryStore();
    const { folder, file } = store.database;
    await create(store, 'supplier', { name: 'A' });
    await store.close();
    const older = readFileSync(file);
    const next = await temporaryStore({ folder });
    await create(next, 'supplier', { name: 'B' });
    await next.close();
    writeFileSync(file, older);
    const opened = await temporaryStore({ folder });
    expect(opened.selfCheck.findings[0]?.what).toMatch(/History ends at commit 1; commit 2 had been written/);
    expect(recordsOf(opened)).toHaveLength(1);
    await expect(create(opened, 'supplier', { name: 'C' })).rejects.toThrow(/can be read only/);
  });

  it('a database that is gone is not replaced by an empty one', async () => {
    const store = await temporaryStore();
    await create(store, 'supplier', { name: 'A' });
    await store.close();
    rmSync(store.database.file);
    const { folder } = store.database;
    await expect(temporaryStore({ folder })).rejects.toThrow(/is gone, although this folder had one/);
    await expect(temporaryStore({ folder })).rejects.toThrow(/is gone, although this folder had one/);
  });

  it.each(['stock', 'lot_fact', 'bucket', 'lookup', 'history_subject', 'search_index'])(
    'a derived table that is gone is worked out anew, and told: %s',
    async table => {
      const store = await temporaryStore();
      const { folder } = store.database;
      await create(store, 'company', { name: 'Ours' });
      const { id: part_id } = await create(store, 'part', { name: 'Jar', unit_of_measure: 'units' });
      await create(store, 'receiving-inspection', {
        items: [{ part_id, serial_number: 'LOT-1', quantity_accepted: 10 }],
      });
      await store.close();
      drop(store.database.file, table);
      const { findings } = await verify(folder, { ...verifyDependencies });
      expect(findings).toEqual([
        expect.objectContaining({
          where: `table ${table}`,
          remedy: expect.stringContaining('holdpoint rebuild'),
        }),
      ]);
      const told: string[] = [];
      const opened = await temporaryStore({ folder, onPreparing: doing => told.push(doing) });
      // Whoever waits for the start, as the desktop app does, waits on.
      expect(told).toEqual(['What is worked out from the records is worked out anew.']);
      expect(opened.selfCheck).toMatchObject({ lost: [table], findings: [] });
      expect(audit(opened)).toEqual([]);
      expect(await verify(folder, { ...verifyDependencies })).toMatchObject({ findings: [] });
      await opened.close();
      const onPreparing = (doing: string) => expect.unreachable(doing);
      expect((await temporaryStore({ folder, onPreparing })).selfCheck.lost).toEqual([]);
    },
  );

  it('a derived table that was made anew and not filled, because the start was cut off, is filled by the next', async () => {
    const store = await temporaryStore();
    const { folder, file } = store.database;
    await create(store, 'company', { name: 'Ours' });
    await store.close();
    const shell = new DatabaseSync(file);
    shell.exec("DELETE FROM bucket; INSERT INTO local VALUES ('unfilled', 'bucket')");
    shell.close();
    const opened = await temporaryStore({ folder });
    expect(opened.selfCheck).toMatchObject({ lost: ['bucket'], findings: [] });
    expect(audit(opened)).toEqual([]);
    expect(await verify(folder, { ...verifyDependencies })).toMatchObject({ findings: [] });
    await opened.close();
    expect((await temporaryStore({ folder })).selfCheck.lost).toEqual([]);
  });

  it.each(['allocation', 'token', 'local', RECORDS_TABLE])(
    'a table of facts that is gone is not replaced by an empty one: %s',
    async table => {
      const store = await temporaryStore();
      const { folder, file } = store.database;
      await create(store, 'supplier', { name: 'A' });
      await store.close();
      drop(file, table);
      const { findings } = await verify(folder, { ...verifyDependencies });
      expect(findings[0]).toMatchObject({ remedy: expect.stringContaining('holdpoint restore') });
      const refusal = new RegExp(`table ${table}.*holdpoint verify.*holdpoint restore`);
      await expect(temporaryStore({ folder })).rejects.toThrow(refusal);
      await expect(temporaryStore({ folder })).rejects.toThrow(refusal);
    },
  );

  it('a note of the tables that is not what was written is no reason to refuse', async () => {
    const store = await temporaryStore();
    const { folder, file } = store.database;
    await create(store, 'supplier', { name: 'A' });
    await store.close();
    const shell = new DatabaseSync(file);
    const { changes } = shell
      .prepare("UPDATE local SET value = replace(value, 'stock', 'stoak') WHERE name = 'tables'")
      .run();
    shell.close();
    expect(changes).toBe(1);
    const opened = await temporaryStore({ folder });
    expect(opened.selfCheck).toMatchObject({ lost: [], findings: [] });
  });

  it('a damaged page that is met while serving ends writing', async () => {
    const store = await temporaryStore();
    const { folder, file } = store.database;
    for (let index = 0; index < 300; index += 1) await create(store, 'supplier', { name: `S${index}` });
    const root = store.database.get<{ rootpage: number }>(
      'SELECT rootpage FROM sqlite_schema WHERE name = ?',
      RECORDS_TABLE,
    );
    await store.close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, ((root?.rootpage ?? 0) - 1) * 4_096, (root?.rootpage ?? 0) * 4_096);
    writeFileSync(file, bytes);
    const opened = await temporaryStore({ folder });
    expect(() => recordsOf(opened)).toThrow(/is damaged and can be read only/);
    await expect(create(opened, 'supplier', { name: 'F' })).rejects.toThrow(
      /is damaged and can be read only/,
    );
    await opened.close();
    const again = await temporaryStore({ folder });
    expect(again.selfCheck).toMatchObject({ isUnclean: true });
    expect(again.selfCheck.findings[0]?.what).toMatch(/SQLite finds damage|cannot be read/);
  });
});

function drop(file: string, table: string): void {
  const shell = new DatabaseSync(file);
  shell.exec(`DROP TABLE "${table}"`);
  shell.close();
}

/** A reader makes an empty log where there is none. */
function bytesOf(file: string): Buffer {
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
}
