import { spawnSync } from 'node:child_process';
import { chmod, cp, lutimes, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemdUnit } from '../server/service/systemd-unit.ts';
import { buildStaleScreens } from './fresh-screens.ts';
import { nodeRuntime, ownProcessor } from './node-runtime.ts';
import { layProgram, type ServerProgramOptions } from './server-program.ts';
import { sourceEpoch } from './source-epoch.ts';

const PROJECT = join(import.meta.dirname, '..');
const NAME = 'holdpoint-server';
const HOME = `opt/${NAME}`;
const SCRIPTS = ['postinst', 'prerm', 'postrm'] as const;

const UNIT = systemdUnit({
  role: 'serve',
  description: 'Holdpoint server',
  documentation: `file:///${HOME}/LICENSE`,
  node: `/${HOME}/bin/node`,
  program: `/${HOME}/dist/server/main.js`,
  settings: '/etc/holdpoint/server.env',
  state: NAME,
  run: NAME,
  name: NAME,
});

export interface ServerPackageOptions {
  /** Where the package is written. */
  folder: string;
  /** Of the package; the project's unless said. */
  version?: string;
  /** As `dpkg-deb` knows them; `none` where it matters how long it takes. */
  compression?: 'xz' | 'none';
  /** The bundle of the server, where it is built already, with the list of its packages beside it. */
  bundle?: string;
  /** What the files are dated by, in seconds since 1970 (SOURCE_DATE_EPOCH): two packages of one source are the same. */
  epoch: number;
}

/**
 * Packs the server of one machine for Debian and Ubuntu as `holdpoint-server_<version>_<architecture>.deb`: a service of
 * systemd that runs as a user of its own, on a Node.js that comes along, with the screens. Made by `dpkg-deb` alone.
 * Answers the path.
 */
export async function packServer(options: ServerPackageOptions): Promise<string> {
  const { folder, compression = 'xz', epoch } = options;
  const architecture = run('dpkg', ['--print-architecture']).trim();
  const root = await mkdtemp(join(tmpdir(), `${NAME}-`));
  const at = (...path: string[]) => join(root, ...path);
  try {
    const { version } = await layServer(root, options);
    await mkdir(at('DEBIAN'));
    for (const script of SCRIPTS) {
      await cp(join(PROJECT, 'build', 'server', script), at('DEBIAN', script));
      await chmod(at('DEBIAN', script), 0o755);
    }
    await writeFile(at('DEBIAN', 'conffiles'), '/etc/holdpoint/server.env\n');
    await writeFile(at('DEBIAN', 'control'), controlOf({ version, architecture }));
    await datedAs(root, epoch);
    await mkdir(folder, { recursive: true });
    const file = join(folder, `${NAME}_${version}_${architecture}.deb`);
    run('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', root, file], {
      SOURCE_DATE_EPOCH: String(epoch),
    });
    return file;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Lays into `root` what the package installs, whichever kind of package it is. */
export async function layServer(
  root: string,
  options: Pick<ServerProgramOptions, 'version' | 'bundle'>,
): Promise<{ version: string; license: string }> {
  const at = (...path: string[]) => join(root, ...path);
  const scratch = await mkdtemp(join(tmpdir(), `${NAME}-node-`));
  try {
    for (const path of [`${HOME}/bin`, 'etc/holdpoint', 'usr/lib/systemd/system'])
      await mkdir(at(path), { recursive: true });
    const node = await nodeRuntime({ system: 'linux', processor: ownProcessor() }, { scratch });
    if (node === undefined) throw new Error('npm has no Node.js for this machine.');
    const laid = await layProgram(at(HOME), { ...options, node, nodeAt: 'bin/node' });
    await writeFile(at(HOME, 'holdpoint'), await commandOfServer(), { mode: 0o755 });
    await writeFile(at('usr/lib/systemd/system', `${NAME}.service`), UNIT);
    await cp(join(PROJECT, 'build', 'server', 'server.env'), at('etc/holdpoint/server.env'));
    return laid;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function controlOf({ version, architecture }: { version: string; architecture: string }): string {
  return `Package: ${NAME}
Version: ${version}
Architecture: ${architecture}
Maintainer: The Holdpoint maintainers <maintainers@holdpoint.invalid>
Depends: libc6 (>= 2.28), libstdc++6, passwd, util-linux
Section: misc
Priority: optional
Homepage: https://holdpoint.invalid
Description: Holdpoint, the server of this machine
 Quality and inventory records for a receiving dock, as a service for all who work
 at the machine, with the screens for the browser, before anybody signs in.
`;
}

/** The command is central's, with other places and the Node.js that comes along. */
async function commandOfServer(): Promise<string> {
  const text = await readFile(join(PROJECT, 'build', 'central', 'holdpoint'), 'utf8');
  const made = [
    ['/var/lib/holdpoint', `/var/lib/${NAME}`],
    ['--init-groups node', `--init-groups /${HOME}/bin/node`],
    ['exec node ', `exec /${HOME}/bin/node `],
    ['central.env', 'server.env'],
    ['a central', 'the server of a machine'],
    // Services are an administrator's.
    ['if [ "$(id -u)" = 0 ]', 'if [ "$1" != service ] && [ "$(id -u)" = 0 ]'],
  ].reduce((whole, [from = '', to = '']) => whole.replaceAll(from, to), text);
  if (/central|exec node|groups node/i.test(made))
    throw new Error(`Of the command something is still central's:\n${made}`);
  return made;
}

/** All files and folders, from below. */
export async function datedAs(path: string, epoch: number): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await datedAs(join(path, entry.name), epoch);
    else await lutimes(join(path, entry.name), epoch, epoch);
    await chmod(join(path, entry.name), modeOf(join(path, entry.name), entry.isDirectory()));
  }
  await lutimes(path, epoch, epoch);
}

/** Whatever mask the building machine has. */
function modeOf(path: string, isFolder: boolean): number {
  const isProgram =
    isFolder || /\/(DEBIAN\/(postinst|prerm|postrm)|bin\/node|holdpoint-server\/holdpoint)$/.test(path);
  return isProgram ? 0o755 : 0o644;
}

function run(program: string, args: readonly string[], env: Record<string, string> = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
  return stdout;
}

if (import.meta.main) {
  await buildStaleScreens();
  const folder = join(PROJECT, 'dist', 'installers');
  process.stdout.write(`${await packServer({ folder, epoch: sourceEpoch() })}\n`);
}
