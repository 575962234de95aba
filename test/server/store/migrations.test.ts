import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { verifyDependencies as proof } from '../../../server/backup/verify-dependencies.ts';
import { locksOfLot } from '../../../server/store/lots.ts';
import { FILE_VERSION, type Migration, migrate, migrations } from '../../../server/store/migrations.ts';
import { PROGRAM_VERSION } from '../../../server/store/program-version.ts';
import { backUp, listBackups } from '../../../server/store/restore/backup.ts';
import { restore } from '../../../server/store/restore/restore.ts';
import { Database } from '../../../server/store/sqlite/database.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { holdpoint } from '../transfer/holdpoint.ts';
import { MOMENTS, type Moment, migratePlanted, PLANTED_ROWS } from './migrating-child.ts';
import { temporaryFolder } from './sqlite/temporary-folder.ts';
import { create, START, temporaryStore } from './temporary-store.ts';

const clock = () => new Date(START);
const fileOf = (folder: string) => join(folder, 'holdpoint.db');

/** The closed folder of a store with two suppliers. */
async function usedFolder(): Promise<string> {
  const folder = temporaryFolder();
  const store = await temporaryStore({ folder });
  for (const name of ['Acme', 'Best']) await create(store, 'supplier', { name });
  await store.close();
  return folder;
}

/** As version 0.1.0 leaves it. */
async function oldFolder(): Promise<string> {
  const folder = await usedFolder();
  shell(folder, "PRAGMA user_version = 0; DELETE FROM local WHERE name = 'program'");
  return folder;
}

/** As a version that does not exist yet leaves it. */
async function newerFolder(): Promise<string> {
  const folder = await usedFolder();
  shell(
    folder,
    `PRAGMA user_version = ${FILE_VERSION + 3}; UPDATE local SET value = '9.8.7' WHERE name = 'program'`,
  );
  return folder;
}

function shell(folder: string, sql: string): void {
  const database = new DatabaseSync(fileOf(folder), { defensive: false });
  database.exec(sql);
  database.close();
}

function versionOf(file: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare('PRAGMA user_version').get();
  database.close();
  return row?.user_version;
}

/** The whole content, whatever page it lies on. */
function contentOf(folder: string): unknown {
  const database = new DatabaseSync(fileOf(folder), { readOnly: true });
  const schema = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all();
  const rows = ['local', 'history', 'stock', 'lookup', 'allocation', 'holdpoint__records__0'].map(table =>
    database.prepare(`SELECT * FROM "${table}"`).all(),
  );
  database.close();
  return { version: versionOf(fileOf(folder)), schema, rows };
}

function backupsIn(folder: string): string[] {
  const backups = join(folder, 'backups');
  return existsSync(backups) ? readdirSync(backups) : [];
}

const BEFORE = new RegExp(`^before-${PROGRAM_VERSION.replaceAll('.', '\\.')}-\\d{8}T\\d{9}Z\\.db$`);

describe('a new folder', () => {
  it('is of the present version at once, without a backup', async () => {
    const folder = temporaryFolder();
    const told: string[] = [];
    const store = await temporaryStore({ folder, onPreparing: doing => told.push(doing) });
    expect(store.usedBy).toBeUndefined();
    await store.close();
    expect(versionOf(fileOf(folder))).toBe(FILE_VERSION);
    expect([told, backupsIn(folder)]).toEqual([[], []]);
    const again = await temporaryStore({ folder });
    expect(again.usedBy).toBe(PROGRAM_VERSION);
  });

  it('has versions in order, without a gap', () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
  });

  it.each([
    ['before any table', ''],
    [
      'after the first table',
      'CREATE TABLE local (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
    ],
  ])('whose first start with 0.1.0 was cut off %s opens, with nothing to back up', async (_, sql) => {
    const folder = temporaryFolder();
    shell(folder, `PRAGMA journal_mode = WAL; ${sql}`);
    const store = await temporaryStore({ folder });
    await create(store, 'supplier', { name: 'First' });
    await store.close();
    expect(versionOf(fileOf(folder))).toBe(FILE_VERSION);
    expect(backupsIn(folder)).toEqual([]);
  });
});

describe('a folder of 0.1.0', () => {
  it('is backed up, checked and brought up once', async () => {
    const folder = await oldFolder();
    const old = join(folder, 'backups', 'before-0.0.9-20200101T000000000Z.db.part');
    mkdirSync(join(folder, 'backups'));
    writeFileSync(old, 'of an opening that was cut off');
    const told: string[] = [];
    const store = await temporaryStore({ folder, onPreparing: doing => told.push(doing) });
    expect(store.usedBy).toBe('0.1.0');
    expect(told).toEqual([
      expect.stringMatching(/earlier version.*backed up/),
      expect.stringMatching(/^The backup is whole: .*before-/),
      ...migrations.map(({ version }) => expect.stringContaining(`File version ${version}: `)),
      'What is worked out from the records is worked out anew.',
    ]);
    await create(store, 'supplier', { name: 'After' });
    await store.close();
    const [backup = '', ...others] = backupsIn(folder);
    expect(backup).toMatch(BEFORE);
    expect(others).toEqual([]);
    const file = join(folder, 'backups', backup);
    expect(await verify(file, proof)).toMatchObject({ faults: 0, commits: 2 });
    expect([versionOf(file), versionOf(fileOf(folder))]).toEqual([0, FILE_VERSION]);
    expect(await verify(folder, proof)).toMatchObject({ faults: 0, commits: 3 });

    const again = await temporaryStore({ folder, onPreparing: doing => told.push(doing) });
    expect(again.usedBy).toBe(PROGRAM_VERSION);
    await again.close();
    expect(told).toHaveLength(3 + migrations.length);
    // Retention leaves it alone.
    await backUp({ data: folder, folder: join(folder, 'backups'), keep: 1, at: START }, proof);
    expect(listBackups(join(folder, 'backups'))).toHaveLength(1);
    expect(backupsIn(folder)).toContain(backup);
  });

  it('that another program has used since says so, without a migration', async () => {
    const folder = await usedFolder();
    shell(folder, "UPDATE local SET value = '9.8.7' WHERE name = 'program'");
    const store = await temporaryStore({ folder });
    expect(store.usedBy).toBe('9.8.7');
    expect(backupsIn(folder)).toEqual([]);
  });

  it('can be restored from a backup, and is brought up when it opens', async () => {
    const folder = await oldFolder();
    const { file } = await backUp({ data: folder, folder: temporaryFolder(), keep: 1, at: START }, proof);
    const target = await usedFolder();
    expect(await restore({ folder: target, file, ...proof, clock })).toMatchObject({ records: 2 });
    expect(versionOf(fileOf(target))).toBe(0);
    const store = await temporaryStore({ folder: target });
    await create(store, 'supplier', { name: 'After' });
    await store.close();
    expect(versionOf(fileOf(target))).toBe(FILE_VERSION);
    expect(await verify(target, proof)).toMatchObject({ faults: 0, commits: 3 });
  });

  it('is verified without being changed', async () => {
    const folder = await oldFolder();
    const before = readFileSync(fileOf(folder));
    expect(await verify(folder, proof)).toMatchObject({ faults: 0 });
    expect(readFileSync(fileOf(folder)).equals(before)).toBe(true);
  });

  it('with damage that the look at its end finds opens for reading only, as it was', async () => {
    const folder = await oldFolder();
    const head = join(folder, 'head.json');
    writeFileSync(head, readFileSync(head, 'utf8').replace('"number":2', '"number":3'));
    expect(await expectReadOnly(folder)).toEqual([]);
  });

  it("with damage that the backup's check finds opens for reading only, as it was", async () => {
    const folder = await oldFolder();
    shell(folder, "UPDATE holdpoint__records__0 SET document = replace(document, 'Acme', 'Acne')");
    expect(await expectReadOnly(folder)).toEqual([expect.stringMatching(/backed up and checked/)]);
  });

  it.each([
    ['rows', 'DELETE FROM lookup; DELETE FROM history_subject'],
    ['a table', 'DROP TABLE lookup'],
  ])('whose derived %s are wrong is brought up, so that rebuild can mend them', async (_, sql) => {
    const folder = await oldFolder();
    shell(folder, sql);
    const store = await temporaryStore({ folder });
    await store.rebuild();
    await store.close();
    expect(versionOf(fileOf(folder))).toBe(FILE_VERSION);
    expect(await verify(folder, proof)).toMatchObject({ faults: 0 });
  });

  it('stays as it is where no backup can be made', async () => {
    const folder = await oldFolder();
    writeFileSync(join(folder, 'backups'), 'a file in the place of the folder');
    const before = contentOf(folder);
    await expect(temporaryStore({ folder })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/as they were: before they are changed .* backup .* failed.*backups/),
    });
    expect(contentOf(folder)).toEqual(before);
  });

  it('stays as it is on a full disk, and opens when there is room', async context => {
    const disk = temporaryFolder();
    const size = 6 * 2 ** 20;
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]).status !== 0)
      return context.skip();
    try {
      const source = await oldFolder();
      for (const name of ['holdpoint.db', 'head.json', 'marks.json'])
        writeFileSync(join(disk, name), readFileSync(join(source, name)));
      const filler = join(disk, 'filler');
      const left = 2 * statSync(fileOf(disk)).size;
      writeFileSync(filler, Buffer.alloc(size - left));
      const before = contentOf(disk);
      await expect(temporaryStore({ folder: disk })).rejects.toMatchObject({
        code: 'storage_full',
        message: expect.stringMatching(/as they were.*is full. Free some space and try again/),
      });
      expect(contentOf(disk)).toEqual(before);
      expect(backupsIn(disk)).toEqual([]);
      spawnSync('rm', [filler]);
      const store = await temporaryStore({ folder: disk });
      expect(store.usedBy).toBe('0.1.0');
      await store.close();
    } finally {
      spawnSync('umount', ['-l', disk]);
    }
  });
});

/** Answers what was told. */
async function expectReadOnly(folder: string): Promise<string[]> {
  const before = readFileSync(fileOf(folder));
  const told: string[] = [];
  const store = await temporaryStore({ folder, onPreparing: doing => told.push(doing) });
  expect(store.database.damage?.message).toMatch(/damaged and can be read only/);
  expect(store.records.total('supplier')).toBe(2);
  await expect(create(store, 'supplier', { name: 'No' })).rejects.toMatchObject({ code: 'unavailable' });
  await store.close();
  expect(readFileSync(fileOf(folder)).equals(before)).toBe(true);
  expect(backupsIn(folder)).toEqual([]);
  return told;
}

describe('a step that fails', () => {
  const failing = (version: number): Migration => ({
    version,
    name: 'fail',
    run(sql) {
      sql.exec('CREATE TABLE half (n INTEGER); DROP TABLE import_key');
      sql.exec('INSERT INTO nowhere VALUES (1)');
    },
  });
  const run = async (folder: string, steps: readonly Migration[]) => {
    const database = Database.open({ folder });
    const backup = { file: 'before.db' };
    try {
      await migrate({ database, steps, tell: () => {}, backUp: async () => backup });
    } finally {
      database.close();
    }
  };

  it('is undone, says so, and the next opening goes on', async () => {
    const folder = await oldFolder();
    const before = contentOf(folder);
    await expect(run(folder, [failing(1)])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /as they were: go on with the former version.*file version 1 \(fail\).*nowhere/,
      ),
    });
    expect(contentOf(folder)).toEqual(before);
    const store = await temporaryStore({ folder });
    expect(store.records.total('supplier')).toBe(2);
  });

  it('leaves the steps before it, and names the backup', async () => {
    const folder = await oldFolder();
    await expect(run(folder, [...migrations, failing(FILE_VERSION + 1)])).rejects.toThrow(
      /in part: .* restore before\.db/,
    );
    expect(versionOf(fileOf(folder))).toBe(FILE_VERSION);
    const store = await temporaryStore({ folder });
    expect(store.usedBy).toBe('0.1.0');
  });
});

it.each(MOMENTS)('a kill %s leaves a file that opens the next time', async moment => {
  const folder = await oldFolder();
  const child = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('migrating-child.ts', import.meta.url)), folder, moment],
    {
      encoding: 'utf8',
    },
  );
  expect([child.signal, child.stderr]).toEqual(['SIGKILL', '']);
  const seen: Moment[] = [];
  await migratePlanted(folder, at => seen.push(at));
  const database = new DatabaseSync(fileOf(folder), { readOnly: true });
  expect(database.prepare('SELECT count(*) AS n FROM planted WHERE more IS NULL').get()).toEqual({
    n: PLANTED_ROWS,
  });
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  expect(database.prepare('SELECT count(*) AS n FROM history').get()).toEqual({ n: 2 });
  database.close();
  expect(versionOf(fileOf(folder))).toBe(FILE_VERSION + 2);
  // Steps that were done are not done again, and the same state is backed up once.
  const isFirstDone = MOMENTS.indexOf(moment) > MOMENTS.indexOf('in the first step');
  expect(seen.includes('in the first step')).toBe(!isFirstDone);
  const first = backupsIn(folder).filter(name => versionOf(join(folder, 'backups', name)) === 0);
  expect(first).toHaveLength(1);
});

it('a file of which this version works out other locks is worked out again as it opens, and has its new table', async () => {
  const folder = temporaryFolder();
  const store = await temporaryStore({ folder });
  const { id: part_id } = await create(store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  const { id } = await create(store, 'inventory', { part_id, batch_number: 'L', opening_quantity: 5 });
  await create(store, 'inspection', { inventory_id: id });
  await store.close();
  shell(
    folder,
    "PRAGMA user_version = 2; DELETE FROM lot_fact WHERE lock IS NOT NULL; DROP TABLE brought_along; DELETE FROM local WHERE name = 'tables'",
  );
  const again = await temporaryStore({ folder });
  expect(again.database.damage).toBeUndefined();
  expect(locksOfLot(again.database.reader, id)).toMatchObject([{ lock: 'inspection_open' }]);
  expect((await verify(folder, proof)).findings).toEqual([]);
});

it('a file whose open inspections stand under the day of their making has them under their own', async () => {
  const folder = temporaryFolder();
  const store = await temporaryStore({ folder });
  await create(store, 'inspection', { inspection_date: '2026-01-31' });
  await store.close();
  const days = "SELECT value FROM lookup WHERE place = 'open.inspection_open'";
  shell(
    folder,
    `PRAGMA user_version = 4; UPDATE lookup SET value = '${START.slice(0, 10)}' WHERE place = 'open.inspection_open'`,
  );
  const again = await temporaryStore({ folder });
  expect(again.database.damage).toBeUndefined();
  expect(again.database.reader.all(days)).toEqual([{ value: '2026-01-31' }]);
  expect((await verify(folder, proof)).findings).toEqual([]);
});

describe('a file of a later version', () => {
  const REFUSED = new RegExp(
    `is of file version ${FILE_VERSION + 3}, last used by Holdpoint 9\\.8\\.7; this is Holdpoint ${PROGRAM_VERSION}, ` +
      `which knows file versions up to ${FILE_VERSION}\\. Install Holdpoint 9\\.8\\.7 or a later one\\. The file is unchanged\\.`,
  );

  it('is refused by everything that opens it, and stays as it is', async () => {
    const folder = await newerFolder();
    const file = fileOf(folder);
    const before = readFileSync(file);
    await expect(temporaryStore({ folder })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(REFUSED),
    });
    await expect(verify(folder, proof)).rejects.toThrow(REFUSED);
    await expect(verify(file, proof)).rejects.toThrow(REFUSED);
    const target = await usedFolder();
    const present = readFileSync(fileOf(target));
    await expect(restore({ folder: target, file, ...proof, clock })).rejects.toThrow(REFUSED);
    expect(readFileSync(fileOf(target)).equals(present)).toBe(true);
    const backups = temporaryFolder();
    await expect(backUp({ data: folder, folder: backups, keep: 1, at: START }, proof)).rejects.toThrow(
      REFUSED,
    );
    expect(readdirSync(backups)).toEqual([]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('is refused as such also where its tables are others, or its log holds the version', async () => {
    const folder = await usedFolder();
    const database = new DatabaseSync(fileOf(folder), { defensive: false });
    database.exec(`PRAGMA user_version = ${FILE_VERSION + 3}; DROP TABLE local; DROP TABLE history`);
    await expect(temporaryStore({ folder })).rejects.toThrow(
      new RegExp(
        `of file version ${FILE_VERSION + 3}; .* Install the version of Holdpoint that wrote it or a later one`,
      ),
    );
    database.close();
  });

  it('gives way to a backup of this version', async () => {
    const folder = await usedFolder();
    const { file } = await backUp({ data: folder, folder: temporaryFolder(), keep: 1, at: START }, proof);
    const newer = await newerFolder();
    const report = await restore({ folder: newer, file, ...proof, clock });
    expect(versionOf(report.aside ?? '')).toBe(FILE_VERSION + 3);
    const store = await temporaryStore({ folder: newer });
    expect(store.records.total('supplier')).toBe(2);
  });

  it('is refused by the server and every command, with words', async () => {
    const folder = await newerFolder();
    const file = fileOf(folder);
    const before = readFileSync(file);
    const env = { HOLDPOINT_DATA: folder, HOLDPOINT_PORT: '0' };
    const commands = [
      ['token', 'list'],
      ['export', 'supplier'],
      ['rebuild'],
      ['backup'],
      ['verify'],
      ['verify', file],
      ['restore', file],
    ];
    for (const words of commands) {
      const { code, output } = await holdpoint(env, ...words);
      expect({ words, code, output }).toEqual({ words, code: 1, output: expect.stringMatching(REFUSED) });
      expect(output).not.toMatch(/\n\s+at /);
    }
    const server = spawnSync(process.execPath, ['server/app/main.ts', 'serve'], {
      env: { ...process.env, NODE_ENV: undefined, ...env },
      encoding: 'utf8',
    });
    expect(server.status).toBe(78);
    expect(server.stderr).toMatch(/^Holdpoint cannot start: /);
    expect(server.stderr).toMatch(REFUSED);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});
