import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readBackupNotes } from '../../../server/backup/backup-notes.ts';
import { sendBackups } from '../../../server/backup/send-backups.ts';
import { CentralFailure } from '../../../server/sync/client/central-failure.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import type { BackupPart } from '../../../shared/operations/station-backup-operations.ts';

const NAME = 'holdpoint-20260131T080000000Z-0a1b2c3d-qpzry9x8.db.age';
const folders: string[] = [];
const senders: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const sender of senders.splice(0)) await sender.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A station's data folder with one backup, and a central that takes what `answer` lets it. */
function dataFolder(size = 300_000) {
  const data = mkdtempSync(join(tmpdir(), 'holdpoint-send-'));
  folders.push(data);
  const backup = join(data, NAME);
  const bytes = randomBytes(size);
  writeFileSync(backup, bytes);
  let arrived = Buffer.alloc(0);
  const parts: BackupPart[] = [];
  const take = (part: BackupPart) => {
    parts.push(part);
    const chunk = Buffer.from(part.data, 'base64');
    if (part.from === arrived.length) arrived = Buffer.concat([arrived, chunk]);
    return { received: arrived.length, is_kept: arrived.length === part.bytes, pause_ms: 0 };
  };
  const begin = (change: Partial<Parameters<typeof sendBackups>[0]> = {}) => {
    const sender = sendBackups({
      data,
      clock: () => new Date(),
      backups: {
        newestEncrypted: () => backup,
        stage: async (file, to) => copyFileSync(file, to),
      },
      isWanted: () => true,
      isByPolicy: false,
      isExchanging: () => true,
      isBusy: () => false,
      send: async part => take(part),
      onFault: error => {
        throw error;
      },
      ...change,
    });
    senders.push(sender);
    sender.start();
    return sender;
  };
  return { data, backup, bytes, parts, take, begin, arrived: () => arrived };
}

it('a backup arrives byte for byte, in parts of a bounded size, and nothing of it is left to wait', async () => {
  const { data, bytes, parts, begin, arrived } = dataFolder();
  const sender = begin();
  await expect.poll(() => sender.state()?.kept?.file).toBe(NAME);
  expect(arrived().equals(bytes)).toBe(true);
  const digest = createHash('sha256').update(bytes).digest('hex');
  expect(new Set(parts.map(part => part.digest))).toEqual(new Set([digest]));
  expect(Math.max(...parts.map(part => Buffer.from(part.data, 'base64').length))).toBeLessThanOrEqual(
    131_072,
  );
  expect(readdirSync(join(data, 'sending'))).toEqual([]);
  expect(readBackupNotes(data).sent).toMatchObject({ file: NAME, bytes: bytes.length });
  const count = parts.length;
  sender.look();
  await sender.close();
  expect(parts).toHaveLength(count);
});

it('no part leaves while the exchange has something to say', async () => {
  const { begin, take } = dataFolder();
  const seen: string[] = [];
  let asked = 0;
  const sender = begin({
    isBusy: () => {
      asked += 1;
      const isBusy = asked % 3 !== 0;
      seen.push(isBusy ? 'busy' : 'idle');
      return isBusy;
    },
    send: async part => {
      seen.push(part.data === '' ? 'asks' : 'part');
      return take(part);
    },
  });
  await expect.poll(() => sender.state()?.kept?.file).toBe(NAME);
  expect(seen.slice(0, 5)).toEqual(['asks', 'busy', 'busy', 'idle', 'part']);
  expect(seen.flatMap((what, at) => (what === 'part' ? [seen[at - 1]] : []))).not.toContain('busy');
});

it('it goes on where central says that it is: after a lost answer, a cut, and in another process', async () => {
  const { bytes, parts, begin, take, arrived } = dataFolder();
  let calls = 0;
  const cut = begin({
    send: async part => {
      calls += 1;
      const answer = take(part);
      // It arrived, and nobody heard of it.
      if (calls === 3) throw new CentralFailure('cut', 'The line is gone.');
      return answer;
    },
  });
  await expect.poll(() => calls).toBeGreaterThanOrEqual(5);
  await cut.close();
  const had = arrived().length;
  expect(had).toBeGreaterThan(0);
  const sender = begin();
  await expect.poll(() => sender.state()?.kept?.file).toBe(NAME);
  expect(arrived().equals(bytes)).toBe(true);
  // Each byte left once, but for the part whose answer was lost, if that.
  const sent = parts.reduce((sum, { data }) => sum + Buffer.from(data, 'base64').length, 0);
  expect(sent).toBe(bytes.length);
});

it('what central refuses is told, and what it can never take is given up', async () => {
  const { data, begin } = dataFolder();
  const refusing = (code: 'conflict' | 'not_found' | 'storage_full' | 'too_large', message: string) =>
    begin({
      send: async () => {
        throw new AppError(code, message);
      },
    });
  const full = refusing('storage_full', 'The disk of central has no room for this backup: it is full.');
  await expect
    .poll(() => full.fault())
    .toBe(
      'Central takes no backup of this station: The disk of central has no room for this backup: it is full.',
    );
  expect(existsSync(join(data, 'sending', NAME))).toBe(true);
  await full.close();
  const former = refusing('not_found', 'There is nothing here.');
  await expect.poll(() => former.fault()).toContain('it is of an earlier version');
  await former.close();
  const large = refusing('too_large', 'Too large.');
  await expect.poll(() => large.fault()).toContain('Too large.');
  expect(basename(NAME) in readdirSync(join(data, 'sending'))).toBe(false);
});

it('without the setting, or without a central, nothing is sent', async () => {
  const { parts, begin } = dataFolder();
  const off = begin({ isWanted: () => false });
  const alone = begin({ isExchanging: () => false });
  await Promise.all([off.close(), alone.close()]);
  expect([off.state(), alone.state()?.kept, parts]).toEqual([null, null, []]);
});
