import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newBackupKey } from '../../../server/backup/backup-key.ts';
import type { BackupsOptions, Practised } from '../../../server/backup/backup-options.ts';
import { createBackups } from '../../../server/backup/backups.ts';
import type { BackupDone } from '../../../server/store/restore/backup.ts';
import { readBackupName } from '../../../server/store/restore/backup-names.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { create, START, temporaryStore } from '../store/temporary-store.ts';

/** Backups of a real store, with what was told of them. */
async function backupsOf(options: Partial<BackupsOptions> = {}) {
  const store = await temporaryStore();
  await create(store, 'supplier', { name: 'Acme' });
  const told: string[] = [];
  const done: BackupDone[] = [];
  const practised: Practised[] = [];
  let now = Date.parse('2026-07-01T00:00:00.000Z');
  const backups = createBackups({
    data: store.database.folder,
    clock: () => new Date(now),
    settings: () => ({ backup_folder: null, backup_keep: 14 }),
    since: () => START,
    onDone: each => done.push(each),
    onPractised: each => practised.push(each),
    onWarning: warning => told.push(warning),
    ...options,
  });
  onTestFinished(() => backups.close());
  const pass = (days: number) => {
    now += days * 86_400_000;
  };
  return { backups, told, done, practised, pass, data: store.database.folder };
}

async function keyed() {
  const { recipient, identity } = await newBackupKey();
  return { identity, key: () => ({ recipient, since: START, by: 'ada' }) };
}

describe('encrypted backups', () => {
  it('are pruned as plain ones are; those of other installations and plain ones of this one count apart', async () => {
    const second = temporaryFolder();
    const settings = () => ({ backup_folder: second, backup_keep: 2 });
    const { key } = await keyed();
    const other = await backupsOf({ settings, key });
    await other.backups.run();
    const { backups, pass } = await backupsOf({ settings, key });
    for (let day = 0; day < 3; day += 1) {
      await backups.run();
      pass(1);
    }
    const stations = readdirSync(second).map(name => readBackupName(name)?.station);
    expect(new Set(stations).size).toBe(2);
    expect(stations).toHaveLength(3);
  });

  it('keep no copy in the data folder, and no unfinished one of an earlier try', async () => {
    const second = temporaryFolder();
    const settings = () => ({ backup_folder: second, backup_keep: 2 });
    const { backups, data } = await backupsOf({ settings, ...(await keyed()) });
    mkdirSync(join(data, 'backups'));
    writeFileSync(join(data, 'backups', 'holdpoint-20260101T000000000Z.db.part'), 'cut off');
    const { file } = await backups.run();
    expect(file).toMatch(/\.db\.age$/);
    expect(readdirSync(join(data, 'backups'))).toEqual([]);
    expect(readdirSync(second)).toHaveLength(1);
  });

  it('that stop in the middle of their folder are kept in the data folder, and the next one is refused while it hangs', async () => {
    const second = temporaryFolder();
    // Who reads whose backup this is waits for good: only a writer would end that.
    execFileSync('mkfifo', [join(second, 'holdpoint-20200101T000000000Z.db')]);
    const settings = () => ({ backup_folder: second, backup_keep: 1 });
    const { backups, data, done } = await backupsOf({ settings, patienceMs: 10_000 });
    await expect(backups.run()).rejects.toThrow(
      /does not answer since .* The backup stands in the data folder instead/s,
    );
    expect(done[0]?.file.startsWith(join(data, 'backups'))).toBe(true);
    expect((await backups.state()).warning).toMatch(/^The last backup failed: The folder .* does not answer/);
    await expect(backups.runAnywhere()).resolves.toMatchObject({ verified: true });
  });
});

describe('a practice', () => {
  it('comes by itself once it is due where backups are plain, and not before', async () => {
    const settings = () => ({ backup_folder: null, backup_keep: 14, backup_drill_days: 31 });
    const { backups, pass, practised, data } = await backupsOf({ settings });
    await backups.run();
    backups.start();
    expect(await backups.state()).toMatchObject({
      practised: null,
      practice_due_at: '2026-07-16T12:00:00.000Z',
    });
    pass(16);
    await backups.run();
    backups.start();
    await expect.poll(() => practised).toHaveLength(1);
    expect(practised[0]).toMatchObject({ records: 1, commits: 1, fault: null });
    expect(existsSync(join(data, 'practice'))).toBe(false);
    expect((await backups.state()).practice_due_at).toBe('2026-08-17T00:00:00.000Z');
  });

  it('of an encrypted one waits for somebody with the key, unless a file has it', async () => {
    const settings = () => ({ backup_folder: null, backup_keep: 14, backup_drill_days: 1 });
    const { identity, key } = await keyed();
    const without = await backupsOf({ settings, key });
    await without.backups.run();
    without.backups.start();
    expect((await without.backups.state()).hints).toEqual([
      expect.stringMatching(/^No restore was practised yet/),
    ]);
    await expect(without.backups.practise(undefined)).rejects.toThrow(/is encrypted\. Give the recovery key/);
    await expect(without.backups.practise((await keyed()).identity)).rejects.toThrow(
      /The key that you gave is/,
    );
    expect(without.practised).toEqual([]);

    const keyFile = join(temporaryFolder(), 'key.txt');
    writeFileSync(keyFile, `${identity}\n`);
    const { backups, practised } = await backupsOf({ settings, key, keyFile });
    await backups.run();
    backups.start();
    await expect.poll(() => practised).toHaveLength(1);
    expect((await backups.state()).hints).toEqual([]);
  });
});
