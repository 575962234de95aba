import { hash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFirstRecords } from '../../../server/app/first-records.ts';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { moveInstallation } from '../../../server/service/move-installation.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { create, temporaryStore } from '../store/temporary-store.ts';

const move = (from: string, to: string) =>
  moveInstallation({ from, to, ...verifyDependencies, clock: () => new Date('2026-11-26T10:00:00.000Z') });

/** A folder that somebody has worked with: a supplier, the key of a station, a profile of the app. */
async function workedWith(name: string): Promise<string> {
  const store = await temporaryStore();
  const { folder } = store.database;
  await create(store, 'supplier', { name });
  await store.close();
  writeFileSync(join(folder, 'station.key'), 'the key', { mode: 0o600 });
  mkdirSync(join(folder, 'desktop'));
  writeFileSync(join(folder, 'desktop', 'settings.json'), '{}');
  mkdirSync(join(folder, 'backups'));
  writeFileSync(join(folder, 'backups', 'holdpoint-1.db'), 'a backup');
  return folder;
}

async function freshOne(): Promise<string> {
  const store = await temporaryStore();
  await writeFirstRecords(store, { isCentral: false, isEnrolled: false });
  await store.close();
  return store.database.folder;
}

async function suppliersIn(folder: string): Promise<number> {
  const store = await temporaryStore({ folder });
  try {
    return store.records.total('supplier');
  } finally {
    await store.close();
  }
}

/** Without what reading a database leaves. */
const contentOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => statSync(join(folder, name)).isFile() && !/^lock\.db$|-wal$|-shm$/.test(name))
    .sort()
    .map(name => `${name} ${hash('sha256', readFileSync(join(folder, name)))}`);

describe('an installation that is moved', () => {
  it('is whole in the other folder, and no database is left where it was', async () => {
    const [from, to] = [await workedWith('Harbour Fasteners'), await freshOne()];
    const report = await move(from, to);
    expect(report.commits).toBeGreaterThan(0);
    expect(readFileSync(join(to, 'station.key'), 'utf8')).toBe('the key');
    expect(statSync(join(to, 'station.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(to, 'backups', 'holdpoint-1.db'), 'utf8')).toBe('a backup');
    expect([existsSync(join(to, 'desktop')), existsSync(join(from, 'desktop', 'settings.json'))]).toEqual([
      false,
      true,
    ]);
    expect([existsSync(join(from, 'holdpoint.db')), existsSync(report.left)]).toEqual([false, true]);
    // What the service began with is kept too, and nothing of the work is left.
    expect(existsSync(String(report.aside))).toBe(true);
    expect(readdirSync(to).filter(name => name.startsWith('moving'))).toEqual([]);
    expect(await suppliersIn(to)).toBe(1);
  });

  it('goes back with what was written meanwhile', async () => {
    const [from, to] = [await workedWith('Harbour Fasteners'), temporaryFolder()];
    expect((await move(from, to)).aside).toBeNull();
    const store = await temporaryStore({ folder: to });
    await create(store, 'supplier', { name: 'Written by the service' });
    await store.close();
    writeFileSync(join(to, 'station.key'), 'renewed');
    await move(to, from);
    expect(await suppliersIn(from)).toBe(2);
    expect(readFileSync(join(from, 'station.key'), 'utf8')).toBe('renewed');
    expect(existsSync(join(to, 'holdpoint.db'))).toBe(false);
  });

  it.skipIf(process.getuid?.() !== 0)('belongs to whom the new folder belongs', async () => {
    const [from, to] = [await workedWith('Harbour Fasteners'), temporaryFolder()];
    chownSync(to, 4_870, 4_871);
    await move(from, to);
    const owners = readdirSync(to, { recursive: true, encoding: 'utf8' }).map(name => {
      const { uid, gid } = statSync(join(to, name));
      return `${uid}:${gid}`;
    });
    expect([...new Set(owners)]).toEqual(['4870:4871']);
  });
});

describe('nothing is changed', () => {
  it.each([
    [
      'where the new folder has been worked with',
      async (_from: string, to: string) => {
        const store = await temporaryStore({ folder: to });
        await create(store, 'supplier', { name: 'Of the service' });
        await store.close();
      },
      /has been worked with \(1 commits\)/,
    ],
    [
      'where a database is damaged',
      async (from: string) => {
        const file = join(from, 'holdpoint.db');
        const bytes = readFileSync(file);
        const at = bytes.lastIndexOf('Harbour Fasteners');
        bytes.write('X', at);
        writeFileSync(file, bytes);
      },
      /is not whole and was not moved/,
    ],
    [
      'where a link leads out of the folder',
      async (from: string) => symlinkSync('/etc/hostname', join(from, 'backups', 'link')),
      /backups\/link is a link, or no file/,
    ],
  ])('%s', async (_when, spoil, says) => {
    const [from, to] = [await workedWith('Harbour Fasteners'), await freshOne()];
    await spoil(from, to);
    const before = [contentOf(to), existsSync(join(from, 'holdpoint.db'))];
    await expect(move(from, to)).rejects.toThrow(says);
    const after = contentOf(to).filter(line => !line.startsWith('moving/'));
    expect([after, existsSync(join(from, 'holdpoint.db'))]).toEqual(before);
  });
});
