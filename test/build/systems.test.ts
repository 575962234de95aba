import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import asar from '@electron/asar';
import { getCurrentFuseWire } from '@electron/fuses';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FUSES } from '../../build/fuses.ts';
import { copyProject, packFor } from './packed-app.ts';

/** What goes into the package stands in package.test.ts; here, what becomes of it on every system. */
const FILES = ['dist/electron/main.js', 'dist/electron/preload.cjs', 'dist/server/main.js'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-systems-'));
  const projectDir = await copyProject(folder);
  for (const name of [...FILES, 'node_modules/left-pad/index.js', 'server/app/main.ts']) {
    await mkdir(dirname(join(projectDir, name)), { recursive: true });
    await writeFile(join(projectDir, name), name);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function expectPackage(archive: string): Promise<void> {
  const names = asar.listPackage(archive, { isPack: false }).map(name => name.replaceAll('\\', '/').slice(1));
  const isFolder = (name: string) => names.some(other => other.startsWith(`${name}/`));
  expect(names.filter(name => !isFolder(name)).sort()).toEqual([...FILES, 'package.json'].sort());
}

/** What Electron compares with the archive's header before it runs anything of it. */
function digestOf(archive: string): string {
  return createHash('sha256').update(asar.getRawHeader(archive).headerString).digest('hex');
}

async function expectFuses(program: string): Promise<void> {
  const { version: _version, ...wire } = await getCurrentFuseWire(program);
  const states = Object.values(wire).map(state => String.fromCharCode(Number(state)));
  expect(states).toEqual(Object.values(FUSES).map(isOn => (isOn ? '1' : '0')));
}

describe.each(['x64', 'arm64'] as const)('for Windows on %s', arch => {
  it('the program has its name, its picture, its fuses and the digest of what it runs', async () => {
    const app = await packFor(folder, 'win32', arch);
    expect(await readdir(app)).toEqual(expect.arrayContaining(['Holdpoint.exe', 'resources']));
    expect(await readdir(join(app, 'bin'))).toEqual(['holdpoint.cmd']);
    const archive = join(app, 'resources', 'app.asar');
    await expectPackage(archive);
    expect(await readdir(join(app, 'resources'))).toContain('LICENSE.txt');
    expect((await readdir(join(app, 'locales'))).sort()).toEqual(['de.pak', 'en-US.pak']);

    const program = join(app, 'Holdpoint.exe');
    await expectFuses(program);
    const { entries } = NtExecutableResource.from(
      NtExecutable.from(new Uint8Array(await readFile(program)).buffer),
    );
    const integrity = entries.find(({ type, id }) => type === 'INTEGRITY' && id === 'ELECTRONASAR');
    expect(JSON.parse(new TextDecoder().decode(integrity?.bin))).toEqual([
      { file: 'resources\\app.asar', alg: 'SHA256', value: digestOf(archive) },
    ]);
    expect(Resource.IconGroupEntry.fromEntries(entries)[0]?.icons.length).toBe(7);
    const [version] = Resource.VersionInfo.fromEntries(entries);
    const [language = { lang: 0, codepage: 0 }] = version?.getAllLanguagesForStringValues() ?? [];
    expect(version?.getStringValues(language)).toMatchObject({
      ProductName: 'Holdpoint',
      FileDescription: 'Holdpoint',
      LegalCopyright: expect.stringContaining('Holdpoint'),
    });
  });
});

describe.each(['x64', 'arm64'] as const)('for macOS on %s', arch => {
  it('the app has its name, its picture, its links, its fuses and the digest of what it runs', async () => {
    const app = join(await packFor(folder, 'darwin', arch), 'Holdpoint.app');
    const contents = join(app, 'Contents');
    const archive = join(contents, 'Resources', 'app.asar');
    await expectPackage(archive);
    expect((await readdir(join(contents, 'Resources'))).sort()).toEqual([
      'LICENSE.txt',
      'app.asar',
      'bin',
      'de.lproj',
      'en.lproj',
      'icon.icns',
      'policy',
    ]);
    await expectFuses(app);
    // From there the command finds the program.
    expect((await stat(join(contents, 'Resources', 'bin', 'holdpoint'))).mode & 0o111).not.toBe(0);
    expect((await stat(join(contents, 'MacOS', 'Holdpoint'))).isFile()).toBe(true);
    const properties = (await readFile(join(contents, 'Info.plist'), 'utf8')).replace(/>\s+</g, '><');
    for (const [key, value] of [
      ['CFBundleName', '<string>Holdpoint</string>'],
      ['CFBundleIdentifier', '<string>io.holdpoint.station</string>'],
      ['CFBundleURLSchemes', '<array><string>holdpoint</string></array>'],
      ['LSMinimumSystemVersion', '<string>13.0</string>'],
      [
        'ElectronAsarIntegrity',
        `<dict><key>Resources/app.asar</key><dict><key>algorithm</key><string>SHA256</string><key>hash</key><string>${digestOf(archive)}</string>`,
      ],
    ]) {
      expect(properties).toContain(`<key>${key}</key>${value}`);
    }
  });
});

describe('for Linux on arm64', () => {
  it('the program has its name and its fuses', async () => {
    const app = await packFor(folder, 'linux', 'arm64');
    await expectPackage(join(app, 'resources', 'app.asar'));
    await expectFuses(join(app, 'holdpoint'));
    expect((await stat(join(app, 'bin', 'holdpoint'))).mode & 0o111).not.toBe(0);
  });
});
