import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sourcesOf, writeAptRepository } from '../../build/apt-repository.ts';
import { aptFile } from '../../server/updates/apt-files.ts';
import type { Station } from '../support/station.ts';
import { startCentral } from '../system/sync/processes/installation.ts';

const hasApt = ['apt-get', 'dpkg-deb', 'gpg'].every(name => spawnSync(name, ['--version']).status === 0);
const NOW = new Date();
const DAY_MS = 86_400_000;

/** The real apt of this machine, with folders of its own, against the repository of a real central. */
describe.skipIf(!hasApt)('a repository for apt at central', () => {
  let central: Station;
  let folder: string;
  let apt: string;
  let keys: Record<'publisher' | 'stranger', string>;
  beforeAll(async () => {
    central = await startCentral();
    folder = mkdtempSync(join(tmpdir(), 'holdpoint-apt-'));
    keys = { publisher: newKey('publisher'), stranger: newKey('stranger') };
  });
  afterAll(async () => {
    await central?.stop();
    // Its agent ends with its folder.
    rmSync(folder, { recursive: true, force: true });
  });

  const home = () => join(folder, 'gnupg');
  const published = () => join(central.folder, 'updates', 'apt');
  function newKey(name: string): string {
    mkdirSync(home(), { recursive: true, mode: 0o700 });
    const gpg = (...words: string[]) =>
      spawnSync('gpg', ['--homedir', home(), '--batch', ...words], { encoding: 'utf8' });
    const made = gpg(
      '--passphrase',
      '',
      '--quick-generate-key',
      `${name}@holdpoint.invalid`,
      'ed25519',
      'sign',
      '1y',
    );
    if (made.status !== 0) throw new Error(made.stderr);
    const listed = gpg('--with-colons', '--list-keys', `${name}@holdpoint.invalid`).stdout;
    return /^fpr:+([0-9A-F]{40}):/m.exec(listed)?.[1] ?? '';
  }

  /** A package that holds nothing but its version. */
  function packageOf(version: string, text = version): string {
    const root = mkdtempSync(join(folder, 'package-'));
    mkdirSync(join(root, 'DEBIAN'));
    const control = `Package: holdpoint-server\nVersion: ${version}\nArchitecture: all\nMaintainer: T <t@holdpoint.invalid>\nDescription: ${text}\n`;
    writeFileSync(join(root, 'DEBIAN', 'control'), control);
    const file = join(mkdtempSync(join(folder, 'built-')), `holdpoint-server_${version}_all.deb`);
    const { status, stderr } = spawnSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', root, file]);
    if (status !== 0) throw new Error(String(stderr));
    return file;
  }

  const made = new Map<string, string>();
  interface Ring {
    ring?: string;
    key?: 'publisher' | 'stranger';
    now?: Date;
    validDays?: number;
    into?: string;
  }
  async function publish(versions: string[], options: Ring = {}): Promise<void> {
    const { ring = 'stable', key = 'publisher', now = NOW, validDays, into = published() } = options;
    const packages = versions.map(version => {
      const file = made.get(version) ?? packageOf(version);
      made.set(version, file);
      return file;
    });
    // apt asks for what is newer than what it has, and a server tells that in whole seconds.
    await sleep(1_000 - (Date.now() % 1_000));
    await writeAptRepository({ folder: into, ring, packages, key: keys[key], home: home(), now, validDays });
  }

  /** A machine that follows a ring and has the publisher's key. */
  beforeEach(async () => {
    rmSync(published(), { recursive: true, force: true });
    apt = mkdtempSync(join(folder, 'machine-'));
    for (const path of ['etc', 'state/lists/partial', 'cache/archives/partial', 'log'])
      mkdirSync(join(apt, path), { recursive: true });
    writeFileSync(join(apt, 'status'), '');
    await publish(['1.0']);
    copyFileSync(join(published(), 'holdpoint.asc'), join(apt, 'etc', 'holdpoint.asc'));
    const sources = sourcesOf('stable')
      .replace('CENTRAL', central.origin)
      .replace('/etc/apt/keyrings', join(apt, 'etc'));
    writeFileSync(join(apt, 'etc', 'holdpoint.sources'), sources);
    writeFileSync(
      join(apt, 'apt.conf'),
      `Dir::Etc::SourceList "/dev/null"; Dir::Etc::SourceParts "${apt}/etc"; Dir::Etc::Parts "/dev/null"; Dir::State "${apt}/state";
Dir::State::status "${apt}/status"; Dir::Cache "${apt}/cache"; Dir::Log "${apt}/log"; APT::Sandbox::User "root"; APT::Architecture "amd64"; Acquire::Languages "none";\n`,
    );
  });

  function run(program: string, ...words: string[]): { isDone: boolean; said: string } {
    const { status, stdout, stderr } = spawnSync(program, words, {
      cwd: apt,
      encoding: 'utf8',
      env: { ...process.env, APT_CONFIG: join(apt, 'apt.conf'), LC_ALL: 'C' },
    });
    return { isDone: status === 0, said: stdout + stderr };
  }
  const update = () => run('apt-get', '-o', 'APT::Update::Error-Mode=any', 'update');
  const offered = () => /Candidate: (\S+)/.exec(run('apt-cache', 'policy', 'holdpoint-server').said)?.[1];

  it('is read, and gives the package as it was published', async () => {
    expect(update()).toMatchObject({ isDone: true });
    expect(offered()).toBe('1.0');
    await publish(['1.0', '1.1']);
    expect(update()).toMatchObject({ isDone: true });
    expect(offered()).toBe('1.1');
    expect(run('apt-get', 'download', 'holdpoint-server')).toMatchObject({ isDone: true });
    const name = 'holdpoint-server_1.1_all.deb';
    expect(readFileSync(join(apt, name))).toEqual(readFileSync(join(published(), 'pool', name)));
  });

  it('has rings: what goes to pilot is not offered in stable', async () => {
    await publish(['2.0'], { ring: 'pilot' });
    expect(update()).toMatchObject({ isDone: true });
    expect(offered()).toBe('1.0');
    writeFileSync(
      join(apt, 'etc', 'holdpoint.sources'),
      readFileSync(join(apt, 'etc', 'holdpoint.sources'), 'utf8').replace('stable', 'pilot'),
    );
    expect(update()).toMatchObject({ isDone: true });
    expect(offered()).toBe('2.0');
  });

  it('refuses to put another package under a name that it has given', async () => {
    const other = packageOf('1.0', 'another content');
    const again = {
      folder: published(),
      ring: 'stable',
      packages: [other],
      key: keys.publisher,
      home: home(),
      now: NOW,
    };
    await expect(writeAptRepository(again)).rejects.toThrow('is there with another content');
  });

  // The attacks of The Update Framework's list that a central could try that somebody else holds.
  it.each<[string, () => Promise<unknown> | unknown, RegExp]>([
    [
      'another key signs',
      () => publish(['9.0'], { key: 'stranger' }),
      /NO_PUBKEY|not signed|couldn't be verified/,
    ],
    [
      'a list is altered',
      () => alter('dists/stable/main/binary-all/Packages.gz'),
      /Hash Sum mismatch|unexpected size/,
    ],
    [
      'the signed text is altered',
      () => alter('dists/stable/InRelease'),
      /BADSIG|invalid|NOSPLIT|not signed/,
    ],
    [
      'lists of another ring are mixed in',
      async () => {
        await publish(['9.0'], { ring: 'pilot' });
        const [from, to] = ['pilot', 'stable'].map(ring => join(published(), 'dists', ring, 'main'));
        cpSync(String(from), String(to), { recursive: true });
      },
      /Hash Sum mismatch|unexpected size/,
    ],
    [
      'the ring is frozen beyond its time',
      () => publish(['9.0'], { now: new Date(NOW.getTime() - 3 * DAY_MS), validDays: 1 }),
      /is expired/,
    ],
    [
      'signatures are left out',
      () => {
        for (const name of ['InRelease', 'Release.gpg']) rmSync(join(published(), 'dists/stable', name));
      },
      /is not signed/,
    ],
  ])('is not believed where %s', async (_what, attack, said) => {
    await attack();
    const refused = update();
    expect(refused.said).toMatch(said);
    expect(refused.isDone).toBe(false);
    expect(offered()).not.toBe('9.0');
  });

  it('is not believed about a package that was altered', async () => {
    expect(update()).toMatchObject({ isDone: true });
    alter('pool/holdpoint-server_1.0_all.deb');
    const refused = run('apt-get', 'download', 'holdpoint-server');
    expect([refused.isDone, refused.said]).toEqual([
      false,
      expect.stringMatching(/Hash Sum mismatch|unexpected size/),
    ]);
  });

  it('takes no machine back: neither by an older ring that is replayed, nor by an older version', async () => {
    const older = join(folder, 'older');
    await publish(['1.0'], { into: older, now: new Date(NOW.getTime() - DAY_MS) });
    await publish(['1.0', '1.1']);
    expect(update()).toMatchObject({ isDone: true });
    rmSync(join(published(), 'dists'), { recursive: true });
    cpSync(join(older, 'dists'), join(published(), 'dists'), { recursive: true });
    update();
    expect(offered()).toBe('1.1');
    // A ring that the publisher took back: what is installed stays.
    writeFileSync(
      join(apt, 'status'),
      'Package: holdpoint-server\nStatus: install ok installed\nVersion: 1.1\nArchitecture: all\nMaintainer: T <t@holdpoint.invalid>\nDescription: 1.1\n\n',
    );
    await publish(['1.0'], { now: new Date(NOW.getTime() + 1_000) });
    update();
    expect(run('apt-get', '--simulate', 'dist-upgrade').said).toContain('0 upgraded, 0 newly installed');
  });

  it('publishes nothing that lies beside it', async () => {
    writeFileSync(join(published(), 'secret.txt'), 'x');
    writeFileSync(join(published(), 'pool', 'notes.txt'), 'x');
    symlinkSync('/etc/hostname', join(published(), 'pool', 'link.deb'));
    for (const [path, status] of [
      ['holdpoint.asc', 200],
      ['dists/stable/InRelease', 200],
      ['secret.txt', 404],
      ['pool/notes.txt', 404],
      ['pool/link.deb', 404],
      ['dists/stable', 404],
    ] as const)
      expect([path, (await central.fetch(`${central.origin}/apt/${path}`)).status]).toEqual([path, status]);
    expect(aptFile(published(), 'pool/../../../token.deb')).toBeUndefined();
  });

  function alter(name: string): void {
    const path = join(published(), name);
    const bytes = readFileSync(path);
    const at = name.endsWith('InRelease') ? bytes.indexOf('Label') : bytes.length - 20;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  }
});
