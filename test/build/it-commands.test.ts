import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOLDPOINT } from '../support/command-line.ts';
import { Station } from '../support/station.ts';
import { codesIn, expectKnown } from './known-commands.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const document = readFileSync(join(PROJECT, 'docs', 'desktop.md'), 'utf8');
const codes = codesIn(document);
const has = (...programs: string[]) =>
  programs.every(program => spawnSync(program, ['--version']).status === 0);
const hasApt = has('dpkg-deb', 'gpg', 'gpgv');
const hasDnf = has('rpmbuild', 'createrepo_c', 'gpg');

/** What IT types by docs/desktop.md; those of the service are typed by machine-service.test.ts and rollout.test.ts. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-it-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As a person's shell does it. */
function shell(
  line: string,
  { cwd = folder, env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, HOLDPOINT_TOKEN: undefined, ...env },
  });
  expect({ line, status, stderr: status === 0 ? '' : stderr }).toEqual({ line, status: 0, stderr: '' });
  return stdout;
}

it('names commands that are there, with options that they have', () => {
  const commands = codes
    .map(code => code.replace(/^sudo /, '').replace(/"[^"]*"/g, 'name'))
    .filter(code => /^holdpoint [a-z]/.test(code));
  expect(commands.length).toBeGreaterThan(10);
  commands.forEach(expectKnown);
});

describe('at central', () => {
  let central: Station;
  beforeAll(async () => {
    central = new Station({ role: 'central' });
    await central.start();
  });
  afterAll(() => central.stop());
  const holdpoint = (line: string) => {
    const { hostname, port } = new URL(central.origin);
    const env = { HOLDPOINT_DATA: central.folder, HOLDPOINT_HOST: hostname, HOLDPOINT_PORT: port };
    return shell(line.replace(/^holdpoint /, `'${process.execPath}' '${HOLDPOINT}' `), { env });
  };
  const typed = (start: string) => {
    const [code] = codes.filter(each => each.startsWith(start));
    expect(code, start).toBeDefined();
    return String(code);
  };

  it('a code for several stations is made, and ended', () => {
    expect(holdpoint(typed('holdpoint station code'))).toMatch(/^HP1-[\w-]+\n$/);
    const rows = () => holdpoint('holdpoint station codes').split('\n');
    const id = rows()
      .find(row => row.includes('Roll-out') && !row.endsWith('revoked'))
      ?.split(' ')[0];
    const [end = ''] = /holdpoint\s+station end-code ID/.exec(document) ?? [];
    holdpoint(end.replace(/\s+/g, ' ').replace('ID', String(id)));
    expect(rows().filter(row => row.startsWith(`${id} `))).toEqual([expect.stringMatching(/revoked$/)]);
  });

  it('a report for support has what crashed, and a PIN becomes a hash', () => {
    const [support = ''] = codes.filter(code => code === 'holdpoint support --crashes');
    holdpoint(`${support} report.txt`);
    expect(readFileSync(join(folder, 'report.txt'), 'utf8').length).toBeGreaterThan(500);
    const pin = holdpoint(
      `echo 493817 | ${typed('holdpoint policy pin')} --pin-stdin`.replace(
        'holdpoint',
        `'${process.execPath}' '${HOLDPOINT}'`,
      ),
    );
    expect(pin).toMatch(/^scrypt\$/);
  });

  it('backups are encrypted to a key that was made elsewhere', async () => {
    const recipient = await identityToRecipient(await generateIdentity());
    holdpoint(typed('holdpoint backup-key --recipient').replace('age1…', recipient));
    holdpoint('holdpoint backup');
    const made = readdirSync(join(central.folder, 'backups'));
    expect(made.length).toBeGreaterThan(0);
    expect(made.filter(name => !name.endsWith('.age'))).toEqual([]);
  });
});

/** Where the publisher's key is: a folder with packages, and the project's own build scripts. */
describe('where the publisher has the key', () => {
  const blocks = [...document.matchAll(/^```sh\n(node build\/\w+-repository\.ts .*)\n```$/gm)].map(
    ([, line = '']) => line,
  );
  let home: string;
  let key: string;
  beforeAll(() => {
    home = join(folder, 'gnupg');
    mkdirSync(home, { mode: 0o700 });
    mkdirSync(join(folder, 'dist', 'installers'), { recursive: true });
    symlinkSync(join(PROJECT, 'build'), join(folder, 'build'));
    if (!has('gpg')) return;
    const gpg = (line: string) => shell(`gpg --batch ${line}`, { env: { GNUPGHOME: home } });
    gpg("--passphrase '' --quick-generate-key p@holdpoint.invalid ed25519 sign 1y");
    key = /^fpr:+([0-9A-F]{40}):/m.exec(gpg('--with-colons --list-keys'))?.[1] ?? '';
  });
  const publish = (kind: string) => {
    const [line = ''] = blocks.filter(each => each.includes(`${kind}-repository`));
    const words = line.replace('FINGERPRINT', key).replace(/^node/, `'${process.execPath}'`);
    return shell(words, { env: { GNUPGHOME: home } });
  };

  it.skipIf(!hasApt)('a ring for apt is written, with what a machine needs', () => {
    const root = join(folder, 'package', 'DEBIAN');
    mkdirSync(root, { recursive: true });
    writeFileSync(
      join(root, 'control'),
      'Package: holdpoint-server\nVersion: 7.0.0\nArchitecture: all\nMaintainer: p <p@holdpoint.invalid>\nDescription: none\n',
    );
    shell('dpkg-deb --build package dist/installers/holdpoint-server_7.0.0_all.deb');
    expect(publish('apt')).toContain('CENTRAL');
    shell(
      'gpg --dearmor <apt/holdpoint.asc >ring.gpg && gpgv --keyring ./ring.gpg apt/dists/stable/InRelease',
      {
        env: { GNUPGHOME: home },
      },
    );
  });

  it.skipIf(!hasDnf)('a ring for dnf is written, with what a machine needs', () => {
    writeFileSync(
      join(folder, 'one.spec'),
      'Name: holdpoint-server\nVersion: 7.0.0\nRelease: 1\nSummary: none\nLicense: MIT\nBuildArch: noarch\n%description\nNone.\n%files\n',
    );
    shell(`rpmbuild -bb --quiet --define '_topdir ${folder}/rpm' one.spec`);
    shell('cp rpm/RPMS/noarch/*.rpm dist/installers/');
    expect(publish('dnf')).toContain('CENTRAL');
    shell('gpg --verify dnf/stable/repodata/repomd.xml.asc dnf/stable/repodata/repomd.xml', {
      env: { GNUPGHOME: home },
    });
  });
});
