import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { environmentOf, holdpoint, startHoldpoint } from '../../server/transfer/holdpoint.ts';
import { isObject } from '../../support/expect-shape.ts';
import { type Answer, Station } from '../../support/station.ts';

const hasAge = spawnSync('age', ['--version']).status === 0;

/** Somebody takes the disk with the backups; somebody else needs them. Real processes, the real command line. */
describe('encrypted backups', () => {
  const station = new Station();
  const place = mkdtempSync(join(tmpdir(), 'holdpoint-backups-'));
  const second = join(place, 'second');
  const stick = join(place, 'stick.txt');
  const secret = 'Wolfram-Zangenwerk';
  const run = (...words: string[]) => holdpoint(environmentOf(station), ...words);
  const backups = () => readdirSync(second).filter(name => name.startsWith('holdpoint-'));
  const newest = () => join(second, backups().sort().at(-1) ?? '');

  beforeAll(async () => {
    await station.start();
    await station.post('/suppliers', { name: secret });
    await station.put('/x/settings', { backup_folder: second });
  });
  afterAll(async () => {
    await station.stop();
    rmSync(place, { recursive: true, force: true });
  });

  it('are made once somebody has the key, which is nowhere on the machine', async () => {
    const before = await run('backup');
    expect(before.code, before.output).toBe(0);
    expect(readFileSync(newest()).includes(secret)).toBe(true);
    const hints = (await station.get('/x/backups')).body;
    expect(dataOf(hints).hints).toContainEqual(expect.stringMatching(/^Backups are not encrypted/));

    const inside = await run('backup-key', '--out', join(station.folder, 'key.txt'));
    expect([inside.code, inside.output]).toEqual([
      1,
      expect.stringContaining('who takes that takes the key along'),
    ]);
    const unasked = await run('backup-key');
    expect([unasked.code, unasked.output]).toEqual([1, expect.stringContaining('--out FILE')]);
    const made = await run('backup-key', '--out', stick);
    expect(made.code, made.output).toBe(0);
    expect(made.output).toMatch(/^Backups are encrypted to the key [0-9a-z]{8} \(age1/);
    const identity = /AGE-SECRET-KEY-1\w+/.exec(readFileSync(stick, 'utf8'))?.[0] ?? '';
    expect(made.output).not.toContain(identity);

    const encrypted = await run('backup');
    expect(encrypted.code, encrypted.output).toBe(0);
    expect(newest()).toMatch(/-[0-9a-f]{8}-[0-9a-z]{8}\.db\.age$/);
    expect(readFileSync(newest(), 'latin1')).toMatch(/^age-encryption\.org\/v1\n-> X25519 /);
    expect(readFileSync(newest()).includes(secret)).toBe(false);
    await station.end();
    const all = filesOf(station.folder);
    expect(all.filter(file => readFileSync(file, 'latin1').includes(identity.slice(16, 40)))).toEqual([]);
    // No copy that is not encrypted is left beside the backups, or in their place in the data folder.
    expect(all.filter(file => file.endsWith('.part') || /backups\/.*\.db$/.test(file))).toEqual([]);
    await station.start();
    const shown = await run('backup-key');
    expect(shown.output).toMatch(/The recovery key itself is not on this machine/);
    expect(shown.output).not.toContain('AGE-SECRET');
  });

  it('are restored on another machine with the key, from a file, from the environment, as somebody types it', async () => {
    const folder = temporaryFolder();
    const env = { HOLDPOINT_DATA: folder };
    const unasked = await holdpoint(env, 'restore', newest());
    expect([unasked.code, unasked.output]).toEqual([
      1,
      expect.stringMatching(/is encrypted to the key \w{8}\. .*--key-file FILE/),
    ]);
    const restored = await holdpoint(env, 'restore', newest(), '--key-file', stick);
    expect(restored.code, restored.output).toBe(0);
    expect(restored.output).toMatch(/is restored and verified: \d+ records/);
    expect(readdirSync(folder).filter(name => name.includes('decrypted'))).toEqual([]);
    const identity = /AGE-SECRET-KEY-1(\w+)/.exec(readFileSync(stick, 'utf8'))?.[1] ?? '';
    const typed = identity.toLowerCase().replace(/(.{6})/g, '$1 ');
    const again = await holdpoint({ ...env, HOLDPOINT_BACKUP_KEY: typed }, 'restore', newest());
    expect(again.code, again.output).toBe(0);
    expect((await holdpoint(env, 'verify')).output).toContain('Nothing is wrong');
    expect(names(join(folder, 'holdpoint.db'))).toContain(secret);
  });

  it('with a wrong, mistyped or short key, or of a damaged file, nothing is restored and the reason is said', async () => {
    const folder = temporaryFolder();
    const env = { HOLDPOINT_DATA: folder };
    const first = await holdpoint(env, 'restore', newest(), '--key-file', stick);
    expect(first.code, first.output).toBe(0);
    const before = readFileSync(join(folder, 'holdpoint.db'));
    const refusedWith = async (key: string, file = newest()) => {
      const { code, output } = await holdpoint({ ...env, HOLDPOINT_BACKUP_KEY: key }, 'restore', file);
      expect(code, output).toBe(1);
      expect(readFileSync(join(folder, 'holdpoint.db')).equals(before)).toBe(true);
      expect(readdirSync(folder).filter(name => name.startsWith('restoring'))).toEqual([]);
      return output;
    };
    const other = join(temporaryFolder(), 'other.txt');
    const elsewhere = { HOLDPOINT_DATA: temporaryFolder() };
    expect((await holdpoint(elsewhere, 'backup-key', '--out', other)).code).toBe(0);
    expect(await refusedWith(readFileSync(other, 'utf8'))).toMatch(
      /The key does not open .*\. The key that you gave is \w{8}; by its name, \w{8} opens it\. Look for the paper/,
    );
    const key = /AGE-SECRET-KEY-1\w+/.exec(readFileSync(stick, 'utf8'))?.[0] ?? '';
    expect(await refusedWith(`${key.slice(0, 30)}${key[30] === 'Q' ? 'P' : 'Q'}${key.slice(31)}`)).toMatch(
      /is mistyped/,
    );
    expect(await refusedWith(key.slice(0, -1))).toMatch(/58 characters .* these are 57, 1 too few/);
    expect(await refusedWith('age1xyz')).toMatch(/This is the recipient/);

    const cut = join(temporaryFolder(), 'cut.db.age');
    copyFileSync(newest(), cut);
    truncateSync(cut, statSync(cut).size - 70_000);
    expect(await refusedWith(key, cut)).toMatch(/was cut or altered since it was encrypted/);
    truncateSync(cut, 100);
    expect(await refusedWith(key, cut)).toMatch(/was cut or altered since it was encrypted/);
    copyFileSync(newest(), cut);
    const bytes = readFileSync(cut);
    bytes[100_000] = (bytes[100_000] ?? 0) ^ 1;
    writeFileSync(cut, bytes);
    expect(await refusedWith(key, cut)).toMatch(/was cut or altered since it was encrypted/);
    // What an earlier version wrote, and what is not encrypted, is restored as before.
    const plain = join(second, backups().find(name => name.endsWith('.db')) ?? '');
    expect((await holdpoint(env, 'restore', plain)).code).toBe(0);
  });

  it('of a former key bring that one back, which is said with the way to the present one', async () => {
    const folder = temporaryFolder();
    const to = temporaryFolder();
    const keys = temporaryFolder();
    const here = (...words: string[]) => holdpoint({ HOLDPOINT_DATA: folder }, ...words);
    expect((await here('backup-key', '--out', join(keys, 'former'))).code).toBe(0);
    expect((await here('backup', '--to', to)).code).toBe(0);
    expect((await here('backup-key', '--new', '--out', join(keys, 'present'))).code).toBe(0);
    const present = /age1\w+/.exec(readFileSync(join(keys, 'present'), 'utf8'))?.[0] ?? '';
    const [file = ''] = readdirSync(to);
    const restored = await here('restore', join(to, file), '--key-file', join(keys, 'former'));
    expect(restored.code, restored.output).toBe(0);
    expect(restored.output).toContain(`holdpoint backup-key --recipient ${present}`);
    expect((await here('backup-key', '--recipient', present)).output).toContain(present);
  });

  it('a restore that is cut off leaves the database as it was', async () => {
    const folder = temporaryFolder();
    const env = { HOLDPOINT_DATA: folder };
    expect((await holdpoint(env, 'restore', newest(), '--key-file', stick)).code).toBe(0);
    const before = readFileSync(join(folder, 'holdpoint.db'));
    const fifo = join(temporaryFolder(), 'slow.db.age');
    // It gets a part of the backup and then nothing more.
    const part = readFileSync(newest()).subarray(0, 70_000);
    writeFileSync(fifo, part);
    const { child, run: ends } = startHoldpoint(env, 'restore', newest(), '--key-file', stick);
    await expect
      .poll(() => existsSync(join(folder, 'restoring-decrypted.db')) || child.exitCode !== null, {
        interval: 1,
      })
      .toBe(true);
    child.kill('SIGKILL');
    await ends;
    expect(
      readFileSync(join(folder, 'holdpoint.db')).equals(before) ||
        readdirSync(folder).some(name => name.includes('set-aside')),
    ).toBe(true);
    expect((await holdpoint(env, 'verify')).output).toContain('Nothing is wrong');
    expect((await holdpoint(env, 'restore', newest(), '--key-file', stick)).code).toBe(0);
    expect(readdirSync(folder).filter(name => name.startsWith('restoring'))).toEqual([]);
  });

  it.skipIf(!hasAge)('are opened by the age command, without Holdpoint', () => {
    const to = join(temporaryFolder(), 'holdpoint.db');
    execFileSync('age', ['-d', '-i', stick, '-o', to, newest()]);
    expect(names(to)).toContain(secret);
  });

  it('are practised with the key, and the trail has it', async () => {
    const unasked = await run('drill');
    expect([unasked.code, unasked.output]).toEqual([1, expect.stringContaining('is encrypted to the key')]);
    const drill = await run('drill', '--key-file', stick);
    expect(drill.code, drill.output).toBe(0);
    expect(drill.output).toMatch(
      /can be restored: \d+ records and \d+ commits, verified, in .* Nothing here was changed\./,
    );
    expect(existsSync(join(station.folder, 'practice'))).toBe(false);
    await expect.poll(async () => (await trail('restore_practised')).length).toBe(1);
    const bytes = readFileSync(newest());
    bytes[90_000] = (bytes[90_000] ?? 0) ^ 1;
    writeFileSync(newest(), bytes);
    const damaged = await run('drill', '--key-file', stick);
    expect([damaged.code, damaged.output]).toEqual([
      1,
      expect.stringMatching(/cannot be restored: .*was cut or altered/),
    ]);
    expect(dataOf((await station.get('/x/backups')).body).warning).toMatch(
      /^The restore that was practised on .* failed/,
    );
    const today = (await station.get('/x/attention')).body;
    expect(JSON.stringify(today)).toContain('that was practised on');
    expect((await run('backup')).code).toBe(0);
    expect((await run('drill', '--key-file', stick)).code).toBe(0);
    expect(dataOf((await station.get('/x/backups')).body).warning).toBeNull();
  });

  it('to a key that somebody put into the database are told, and another key is in the trail', async () => {
    const [set] = await trail('backup_key_set');
    expect(set).toMatchObject({ details: { former: null, way: 'made here' } });
    await station.end();
    const foreign = join(temporaryFolder(), 'foreign.txt');
    const elsewhere = { HOLDPOINT_DATA: temporaryFolder() };
    expect((await holdpoint(elsewhere, 'backup-key', '--out', foreign)).code).toBe(0);
    const recipient = /age1\w+/.exec(readFileSync(foreign, 'utf8'))?.[0] ?? '';
    const database = new DatabaseSync(join(station.folder, 'holdpoint.db'));
    const row = database.prepare("SELECT value FROM local WHERE name = 'backup_recipient'").get();
    const changed = JSON.stringify({ ...JSON.parse(String(row?.value)), recipient });
    database.prepare("UPDATE local SET value = ? WHERE name = 'backup_recipient'").run(changed);
    database.close();
    await station.start();
    expect(dataOf((await station.get('/x/backups')).body).warning).toMatch(/which nobody set in Holdpoint/);
    const other = await run('backup-key', '--recipient', recipient);
    expect(other.code, other.output).toBe(0);
    expect(dataOf((await station.get('/x/backups')).body).warning).toBeNull();
    expect(await trail('backup_key_set')).toHaveLength(2);
    const mistyped = await run(
      'backup-key',
      '--recipient',
      `${recipient.slice(0, -1)}${recipient.endsWith('q') ? 'p' : 'q'}`,
    );
    expect([mistyped.code, mistyped.output]).toEqual([
      1,
      expect.stringContaining('This is no recipient of age'),
    ]);
    const off = await run('backup-key', '--off');
    expect(off.code, off.output).toBe(0);
    expect(await trail('backup_key_removed')).toHaveLength(1);
  });

  async function trail(kind: string): Promise<Record<string, unknown>[]> {
    const { body } = await station.get('/x/audit', { kind });
    return isObject(body) && Array.isArray(body.data) ? body.data : [];
  }
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap(entry =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

function names(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return JSON.stringify(database.prepare('SELECT document FROM "holdpoint__records__0"').all());
  } finally {
    database.close();
  }
}

function dataOf(body: Answer['body']): Record<string, unknown> {
  const data = isObject(body) ? body.data : undefined;
  if (!isObject(data)) throw new Error(JSON.stringify(body));
  return data;
}
