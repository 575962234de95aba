import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagesFile } from '../../build/list-packages.ts';
import { copySource } from './copied-source.ts';
import { copyProject, packFor } from './packed-app.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const EPOCH = '1790000000';
const hasDpkg = spawnSync('dpkg-deb', ['--version']).status === 0;
const hasRpm = spawnSync('rpmbuild', ['--version']).status === 0;

/**
 * Two checkouts in two folders, built one after the other, at other times, with other names of the machine's settings. The screens
 * of the first are this checkout's, which were built before all tests.
 */
const checkouts: string[] = [];
beforeAll(async () => {
  for (const [at, environment] of [
    { TZ: 'UTC', LANG: 'C', HOME: '/root' },
    { TZ: 'Asia/Tokyo', LANG: 'de_AT.UTF-8', HOME: '/tmp' },
  ].entries()) {
    const folder = await copySource(['electron', 'LICENSE']);
    checkouts.push(folder);
    if (at === 0) {
      for (const name of ['renderer', packagesFile('renderer')])
        await cp(join(PROJECT, 'dist', name), join(folder, 'dist', name), { recursive: true });
    } else run(folder, environment, 'build/fresh-screens.ts', 'buildStaleScreens()');
    run(folder, environment, 'build/bundles.ts', "buildBundles(['server', 'electron'])");
    const mask = at === 0 ? 0o022 : 0o077;
    const ofBundle = `bundle: '${join(folder, 'dist', 'server')}', epoch: ${EPOCH}`;
    const central = `packCentral('${join(folder, 'central')}', { ${ofBundle} })`;
    run(folder, environment, 'build/central-package.ts', central, mask);
    const optionsFor = (kind: string) =>
      `{ folder: '${join(folder, kind)}', compression: 'none', ${ofBundle} }`;
    // Another mask of new files, too.
    if (hasDpkg)
      run(folder, environment, 'build/server-package.ts', `packServer(${optionsFor('deb')})`, mask);
    if (hasRpm) run(folder, environment, 'build/server-rpm.ts', `packServerRpm(${optionsFor('rpm')})`, mask);
  }
}, 900_000);
afterAll(() => {
  for (const folder of checkouts) rmSync(folder, { recursive: true, force: true });
});

function run(folder: string, environment: object, file: string, call: string, mask = 0o022): void {
  const name = call.slice(0, call.indexOf('('));
  const script = `process.umask(${mask}); const { ${name} } = await import('./${file}'); await ${call};`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production', VITEST: undefined, ...environment },
  });
  if (status !== 0) throw new Error(`${file}: ${stderr}`);
}

/** Every file below, by its digest. */
function digestsIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(
    names.sort().map(name => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

describe('two builds of one commit give the same bytes', () => {
  it.each([['server'], ['electron'], ['renderer']])('of dist/%s', name => {
    const [one = {}, other = {}] = checkouts.map(folder => digestsIn(join(folder, 'dist', name)));
    expect(Object.keys(one).length).toBeGreaterThan(2);
    expect(other).toEqual(one);
  });

  it('of the package of a central', () => {
    const [one, other] = checkouts.map(folder => digestsIn(join(folder, 'central')));
    expect(Object.keys(one ?? {})).toHaveLength(1);
    expect(other).toEqual(one);
  });

  it.skipIf(!hasDpkg)('of the package of the server, and of what is in it', () => {
    const unpacked = checkouts.map((folder, at) => {
      const packages = join(folder, 'deb');
      const [file = ''] = readdirSync(packages);
      const into = join(packages, `unpacked-${at}`);
      rmSync(into, { recursive: true, force: true });
      mkdirSync(into);
      expect(spawnSync('dpkg-deb', ['--raw-extract', join(packages, file), into]).status).toBe(0);
      return { file: readFileSync(join(packages, file)), files: digestsIn(into) };
    });
    const [one, other] = unpacked;
    // Which file it is, before that it is one.
    expect(other?.files).toEqual(one?.files);
    expect(Object.keys(one?.files ?? {})).toContain('opt/holdpoint-server/sbom.cdx.json');
    expect(other && one?.file.equals(other.file)).toBe(true);
  });

  it.skipIf(!hasRpm)('of the package of the server for Fedora, RHEL and SUSE', () => {
    const [one, other] = checkouts.map(folder => digestsIn(join(folder, 'rpm')));
    expect(Object.keys(one ?? {})).toHaveLength(1);
    expect(other).toEqual(one);
  });

  // What electron-builder's installers hold, and the updater replaces: the installers themselves take its downloads.
  it.each([
    ['linux', 'resources/app.asar'],
    ['win32', 'Holdpoint.exe'],
    ['darwin', 'Holdpoint.app/Contents/Info.plist'],
  ] as const)('of the packed app for %s', async (system, file) => {
    const packed = [];
    for (const checkout of checkouts) {
      const folder = join(checkout, 'packed');
      // Of a try before this one.
      rmSync(folder, { recursive: true, force: true });
      const project = await copyProject(folder);
      await cp(join(checkout, 'dist'), join(project, 'dist'), { recursive: true });
      packed.push(digestsIn(await packFor(folder, system, 'arm64')));
      rmSync(folder, { recursive: true });
    }
    const [one, other] = packed;
    expect(Object.keys(one ?? {})).toContain(file);
    expect(other).toEqual(one);
  });
});
