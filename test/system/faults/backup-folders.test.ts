import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { isObject } from '../../support/expect-shape.ts';
import { type Answer, Station } from '../../support/station.ts';
import { smallDisk } from './small-disk.ts';

/** A disk in a file, which can hang, fill, vanish and be locked: only where this user may mount one. */
class Disk {
  readonly place = mkdtempSync(join(tmpdir(), 'holdpoint-share-'));
  readonly folder = join(this.place, 'share');
  readonly image = join(this.place, 'disk.img');

  make(): void {
    mkdirSync(this.folder);
    execFileSync('truncate', ['-s', '24M', this.image]);
    execFileSync('mkfs.ext4', ['-q', '-m', '0', this.image]);
    this.mount();
  }

  mount(): void {
    execFileSync('mount', ['-o', 'loop', this.image, this.folder], { stdio: 'pipe' });
  }

  unmount(): void {
    execFileSync('umount', [this.folder], { stdio: 'pipe' });
  }

  lock(how: 'ro' | 'rw'): void {
    execFileSync('mount', ['-o', `remount,${how}`, this.folder], { stdio: 'pipe' });
  }

  /** Whoever writes there waits until it thaws, and no signal ends that. */
  freeze(): void {
    execFileSync('fsfreeze', ['-f', this.folder]);
  }

  thaw(): void {
    spawnSync('fsfreeze', ['-u', this.folder]);
  }

  fill(): void {
    const { bavail, bsize } = statfsSync(this.folder);
    writeFileSync(join(this.folder, 'filler'), Buffer.alloc(bavail * bsize - 262_144));
  }

  drain(): void {
    rmSync(join(this.folder, 'filler'));
  }

  remove(): void {
    this.thaw();
    spawnSync('umount', ['-l', this.folder]);
    rmSync(this.place, { recursive: true, force: true });
  }
}

function canMount(): boolean {
  const disk = new Disk();
  try {
    disk.make();
    disk.freeze();
    return true;
  } catch (error) {
    // Not root, not Linux, or a container without the right to.
    if (error instanceof Error) return false;
    throw error;
  } finally {
    disk.remove();
  }
}

describe.skipIf(!canMount())('a folder of backups on a disk that fails', () => {
  const disk = new Disk();
  // What else is written there while it hangs.
  const station = new Station({ env: { HOLDPOINT_CHECKPOINTS: join(disk.folder, 'checkpoints') } });
  const folder = join(disk.folder, 'backups');
  const own = () => readdirSync(join(station.folder, 'backups'));

  beforeAll(async () => {
    disk.make();
    mkdirSync(join(disk.folder, 'checkpoints'));
    await station.start();
    await station.post('/suppliers', { name: 'Acme' });
    await station.put('/x/settings', { backup_folder: folder, is_backup_plain: true });
    expect((await station.post('/x/backups')).status).toBe(201);
    expect(own()).toEqual([]);
  });
  afterAll(async () => {
    disk.thaw();
    await station.stop();
    disk.remove();
  });

  /** It is said, the backup stands in the data folder, and everything else goes on. */
  async function isTold(status: number, words: RegExp): Promise<void> {
    const before = own().length;
    const backup = station.post('/x/backups');
    const others = await Promise.all([
      station.post('/suppliers', { name: 'While it fails' }),
      station.get('/x/attention'),
      station.get('/suppliers'),
    ]);
    expect(others.map(answer => answer.status)).toEqual([201, 200, 200]);
    const { status: given, body } = await backup;
    const message = isObject(body) ? String(body.message) : '';
    expect([given, message]).toEqual([status, expect.stringMatching(words)]);
    expect(message).toMatch(/ The backup stands in the data folder instead: .*\.db$/);
    expect(own()).toHaveLength(before + 1);
    const state = stateOf(await station.get('/x/backups'));
    expect(state.warning).toMatch(words);
    expect(JSON.stringify((await station.get('/x/attention')).body)).toMatch(/The last backup failed: The/);
  }

  async function isWell(): Promise<void> {
    const made = await station.post('/x/backups');
    expect([made.status, JSON.stringify(made.body)]).toEqual([201, expect.stringContaining(folder)]);
    expect(stateOf(await station.get('/x/backups')).warning).toBeNull();
  }

  it('that is locked, full or gone is told, and nothing is written in its place', async () => {
    disk.lock('ro');
    await isTold(409, /takes no backup: its disk is read-only/);
    disk.lock('rw');
    await isWell();

    disk.fill();
    await isTold(507, /The disk that holds .* is full/);
    expect(readdirSync(folder).filter(name => name.endsWith('.part'))).toEqual([]);
    disk.drain();
    await isWell();

    disk.unmount();
    await isTold(409, /are gone, or its disk is not there\. Connect it again/);
    expect(readdirSync(disk.folder)).toEqual([]);
    disk.mount();
    await isWell();
  });

  it('that hangs is told, and keeps neither other work nor the end of the server waiting', async () => {
    disk.freeze();
    await isTold(409, /does not answer since .* UTC: the disk or the share hangs/);
    // Nothing more is begun there as long as something waits for it.
    await isTold(409, /does not answer since/);
    await station.end();
    await station.start();
    expect((await station.post('/suppliers', { name: 'After a start' })).status).toBe(201);
    // One that has just begun is left behind as well.
    const cut = station.post('/x/backups').catch(() => undefined);
    await expect.poll(() => own().length + readdirSync(folder).length).toBeGreaterThan(0);
    await station.end();
    await cut;
    disk.thaw();
    await station.start();
    await isWell();
  });
});

it.skipIf(!canMount())('a full disk of the data folder keeps no plain backup from another disk', async () => {
  const disk = await smallDisk();
  const elsewhere = temporaryFolder();
  const post = async (path: string, body: object) => {
    const { origin, token } = disk.target;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const url = `${origin}/api/v2${path}`;
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };
  try {
    expect(await post('/suppliers', { name: 'Acme' })).toBe(201);
    disk.fill(20_000);
    expect(await post('/x/backups', { folder: elsewhere })).toBe(201);
    expect(readdirSync(elsewhere)).toEqual([expect.stringMatching(/^holdpoint-.*\.db$/)]);
  } finally {
    disk.free();
    await disk.close(async () => {});
  }
});

function stateOf({ body }: Answer): Record<string, unknown> {
  const data = isObject(body) ? body.data : undefined;
  if (!isObject(data)) throw new Error(JSON.stringify(body));
  return data;
}
