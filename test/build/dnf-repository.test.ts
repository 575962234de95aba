import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dnfSourceOf, writeDnfRepository } from '../../build/dnf-repository.ts';
import type { Station } from '../support/station.ts';
import { startCentral } from '../system/sync/processes/installation.ts';

const hasDnf = ['dnf', 'rpmbuild', 'createrepo_c', 'gpg'].every(
  name => spawnSync(name, ['--version']).status === 0,
);
const NOW = new Date();

/** The real dnf, in a root of its own, against the repository of a real central. */
describe.skipIf(!hasDnf)('a repository for dnf at central', () => {
  let central: Station;
  let folder: string;
  let machine: string;
  let keys: Record<'publisher' | 'stranger', string>;
  beforeAll(async () => {
    central = await startCentral();
    folder = mkdtempSync(join(tmpdir(), 'holdpoint-dnf-'));
    keys = { publisher: newKey('publisher'), stranger: newKey('stranger') };
  });
  afterAll(async () => {
    await central?.stop();
    // Its agent ends with its folder.
    rmSync(folder, { recursive: true, force: true });
  });

  const home = () => join(folder, 'gnupg');
  const published = () => join(central.folder, 'updates', 'dnf');
  function newKey(name: string): string {
    mkdirSync(home(), { recursive: true, mode: 0o700 });
    const gpg = (...words: string[]) =>
      spawnSync('gpg', ['--homedir', home(), '--batch', ...words], { encoding: 'utf8' });
    const who = `${name}@holdpoint.invalid`;
    const made = gpg('--passphrase', '', '--quick-generate-key', who, 'rsa3072', 'sign', '1y');
    if (made.status !== 0) throw new Error(made.stderr);
    return /^fpr:+([0-9A-F]{40}):/m.exec(gpg('--with-colons', '--list-keys', who).stdout)?.[1] ?? '';
  }

  /** A package that holds nothing but its version. */
  const made = new Map<string, string>();
  function packageOf(version: string, text = version): string {
    const top = mkdtempSync(join(folder, 'package-'));
    const spec = `Name: holdpoint-server\nVersion: ${version}\nRelease: 1\nSummary: ${text}\nLicense: MIT\nBuildArch: noarch\n%description\n${text}\n%files\n`;
    writeFileSync(join(top, 'package.spec'), spec);
    const { status, stderr } = spawnSync(
      'rpmbuild',
      ['-bb', '--quiet', '--define', `_topdir ${top}`, join(top, 'package.spec')],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    return join(top, 'RPMS', 'noarch', `holdpoint-server-${version}-1.noarch.rpm`);
  }

  interface Ring {
    ring?: string;
    key?: 'publisher' | 'stranger';
    now?: Date;
    into?: string;
  }
  async function publish(versions: string[], options: Ring = {}): Promise<void> {
    const { ring = 'stable', key = 'publisher', now = NOW, into = published() } = options;
    const packages = versions.map(version => {
      const file = made.get(version) ?? packageOf(version);
      made.set(version, file);
      return file;
    });
    await writeDnfRepository({ folder: into, ring, packages, key: keys[key], home: home(), now });
  }

  function follow(ring: string): void {
    const source = dnfSourceOf(ring)
      .replace('CENTRAL', central.origin)
      .replace('/etc/pki/rpm-gpg', join(machine, 'etc'));
    writeFileSync(join(machine, 'repos', 'holdpoint.repo'), source);
  }

  /** A machine that follows a ring and has the publisher's key. */
  beforeEach(async () => {
    rmSync(published(), { recursive: true, force: true });
    machine = mkdtempSync(join(folder, 'machine-'));
    for (const path of ['etc', 'repos', 'cache', 'root', 'log', 'state']) mkdirSync(join(machine, path));
    writeFileSync(
      join(machine, 'dnf.conf'),
      `[main]\nreposdir=${machine}/repos\ncachedir=${machine}/cache\nlogdir=${machine}/log\npersistdir=${machine}/state\nvarsdir=${machine}/etc\npluginpath=\nplugins=0\nkeepcache=1\nretries=1\n`,
    );
    await publish(['1.0']);
    copyFileSync(join(published(), 'holdpoint.asc'), join(machine, 'etc', 'holdpoint.asc'));
    follow('stable');
  });

  function dnf(...words: string[]): { isDone: boolean; said: string } {
    const { status, stdout, stderr } = spawnSync(
      'dnf',
      [
        ...['-c', join(machine, 'dnf.conf'), `--installroot=${join(machine, 'root')}`, '--releasever=1'],
        ...['--assumeyes', '--refresh', ...words],
      ],
      { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } },
    );
    return { isDone: status === 0, said: stdout + stderr };
  }
  const installed = () => {
    const root = join(machine, 'root');
    return spawnSync('rpm', ['--root', root, '-q', '--qf', '%{VERSION}', 'holdpoint-server'], {
      encoding: 'utf8',
    }).stdout;
  };

  it('is read and installed from, and updated from N to N+1', async () => {
    expect(dnf('install', 'holdpoint-server')).toMatchObject({ isDone: true });
    expect(installed()).toBe('1.0');
    await publish(['1.0', '1.1']);
    expect(dnf('upgrade')).toMatchObject({ isDone: true });
    expect(installed()).toBe('1.1');
  });

  it('has rings: what goes to pilot is not offered in stable', async () => {
    await publish(['2.0'], { ring: 'pilot' });
    expect(dnf('install', 'holdpoint-server')).toMatchObject({ isDone: true });
    expect(installed()).toBe('1.0');
    follow('pilot');
    expect(dnf('upgrade')).toMatchObject({ isDone: true });
    expect(installed()).toBe('2.0');
  });

  it('refuses to put another package under a name that it has given', async () => {
    const again = {
      ...{ folder: published(), ring: 'stable', packages: [packageOf('1.0', 'another content')] },
      ...{ key: keys.publisher, home: home(), now: NOW },
    };
    await expect(writeDnfRepository(again)).rejects.toThrow('is there with another content');
  });

  const repodata = (ring = 'stable') => join(published(), ring, 'repodata');
  function alter(path: string, at: number): void {
    const bytes = readFileSync(path);
    const place = at < 0 ? bytes.length + at : at;
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  }
  const primary = (ring = 'stable') =>
    join(repodata(ring), readdirSync(repodata(ring)).find(name => name.endsWith('-primary.xml.gz')) ?? '');

  // The attacks of The Update Framework's list that a central could try that somebody else holds.
  it.each<[string, () => Promise<unknown> | unknown]>([
    ['another key signs', () => publish(['9.0'], { key: 'stranger' })],
    ['the signed list is altered', () => alter(join(repodata(), 'repomd.xml'), -3)],
    ['a list that it names is altered', () => alter(primary(), -20)],
    ['the signature is left out', () => rmSync(join(repodata(), 'repomd.xml.asc'))],
    [
      'lists of another ring are mixed in',
      async () => {
        await publish(['9.0'], { ring: 'pilot' });
        cpSync(primary('pilot'), primary());
        cpSync(join(published(), 'pilot'), join(published(), 'stable'), {
          recursive: true,
          filter: from => !from.endsWith('.xml') && !from.endsWith('.asc'),
        });
      },
    ],
    [
      'lists of an older ring are mixed in',
      async () => {
        const older = join(folder, 'older-lists');
        rmSync(older, { recursive: true, force: true });
        await publish(['0.9'], { into: older, now: new Date(NOW.getTime() - 86_400_000) });
        const lists = join(older, 'stable', 'repodata');
        const old = readdirSync(lists).find(name => name.endsWith('-primary.xml.gz')) ?? '';
        cpSync(join(lists, old), primary());
      },
    ],
    [
      'a package is altered',
      () => alter(join(published(), 'stable', 'holdpoint-server-1.0-1.noarch.rpm'), -20),
    ],
  ])('is not believed where %s', async (_what, attack) => {
    await attack();
    expect(dnf('install', 'holdpoint-server')).toMatchObject({ isDone: false });
    expect(installed()).toContain('not installed');
  });

  it('takes no machine back: neither by an older ring that is replayed, nor by an older version', async () => {
    const older = join(folder, 'older');
    await publish(['1.0'], { into: older, now: new Date(NOW.getTime() - 86_400_000) });
    await publish(['1.0', '1.1']);
    expect(dnf('install', 'holdpoint-server')).toMatchObject({ isDone: true });
    rmSync(join(published(), 'stable'), { recursive: true });
    cpSync(join(older, 'stable'), join(published(), 'stable'), { recursive: true });
    dnf('upgrade');
    expect(installed()).toBe('1.1');
    // A ring that the publisher signed later and in which the version is taken back: what is installed stays.
    rmSync(join(published(), 'stable'), { recursive: true });
    await publish(['1.0'], { now: new Date(NOW.getTime() + 1_000) });
    expect(dnf('upgrade')).toMatchObject({ isDone: true });
    expect(dnf('install', 'holdpoint-server')).toMatchObject({ isDone: true });
    expect(installed()).toBe('1.1');
  });

  it('does not notice a ring that is frozen: dnf knows no end of one', async () => {
    rmSync(published(), { recursive: true });
    await publish(['1.0'], { now: new Date(NOW.getTime() - 400 * 86_400_000) });
    expect(dnf('install', 'holdpoint-server')).toMatchObject({ isDone: true });
    expect(installed()).toBe('1.0');
  });

  it('publishes nothing that lies beside it', async () => {
    writeFileSync(join(published(), 'stable', 'notes.txt'), 'x');
    writeFileSync(join(repodata(), 'secret.xml'), 'x');
    for (const [path, status] of [
      ['holdpoint.asc', 200],
      ['stable/repodata/repomd.xml', 200],
      ['stable/repodata/secret.xml', 404],
      ['stable/notes.txt', 404],
      ['stable', 404],
    ] as const)
      expect([path, (await central.fetch(`${central.origin}/dnf/${path}`)).status]).toEqual([path, status]);
  });
});
