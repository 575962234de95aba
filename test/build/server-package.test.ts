import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourcesOf, writeAptRepository } from '../../build/apt-repository.ts';
import { packServer } from '../../build/server-package.ts';
import { REFUSED } from '../../server/app/exit-codes.ts';
import { closeWindows, openBrowser } from '../e2e/support/browser.ts';
import { newCode } from '../server/enrolment/enrolled.ts';
import { layServer } from '../support/lay-bundles.ts';
import { freePort, Station } from '../support/station.ts';

const EPOCH = 1_790_000_000;
const hasDpkg = spawnSync('dpkg-deb', ['--version']).status === 0;
/** A root that `debootstrap --variant=minbase --include=ca-certificates bookworm FOLDER` made; it is copied, and needs root. */
const DEBIAN = process.env.HOLDPOINT_DEBIAN_ROOT;
const LONG_MS = 600_000;

let folder: string;
let bundle: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-server-package-'));
  if (!hasDpkg) return;
  await layServer(folder);
  bundle = join(folder, 'server');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pack = (version: string, into = 'packages') =>
  packServer({ folder: join(folder, into), version, compression: 'none', bundle, epoch: EPOCH });

describe.skipIf(!hasDpkg)('the package of the server for Debian', () => {
  it('holds the service, the command, the screens and a Node.js, root’s and nobody else’s', {
    timeout: LONG_MS,
  }, async () => {
    const file = await pack('7.0.0');
    const listed = spawnSync('dpkg-deb', ['--contents', file], { encoding: 'utf8' }).stdout;
    const owners = new Set(
      listed
        .trim()
        .split('\n')
        .map(line => line.split(/\s+/)[1]),
    );
    expect([...owners]).toEqual(['root/root']);
    for (const path of [
      'opt/holdpoint-server/bin/node',
      'opt/holdpoint-server/dist/server/main.js',
      'opt/holdpoint-server/dist/renderer/index.html',
      'opt/holdpoint-server/policy/windows/Holdpoint.admx',
      'usr/lib/systemd/system/holdpoint-server.service',
      'etc/holdpoint/server.env',
    ])
      expect(listed).toContain(` ./${path}\n`);
    const unpacked = join(folder, 'unpacked');
    expect(spawnSync('dpkg-deb', ['--raw-extract', file, unpacked]).status).toBe(0);
    const unit = readFileSync(join(unpacked, 'usr/lib/systemd/system/holdpoint-server.service'), 'utf8');
    expect(unit).toContain(
      'ExecStart=/opt/holdpoint-server/bin/node /opt/holdpoint-server/dist/server/main.js run serve\n',
    );
    expect(unit).toContain(`RestartPreventExitStatus=${REFUSED}\n`);
    expect(unit).not.toContain('central');
    for (const script of ['postinst', 'prerm', 'postrm'])
      expect(spawnSync('sh', ['-n', join(unpacked, 'DEBIAN', script)]).status).toBe(0);
    const command = readFileSync(join(unpacked, 'opt/holdpoint-server/holdpoint'), 'utf8');
    expect(command).not.toMatch(/central| node "/);
  });

  it('is the same to the byte when it is made again', { timeout: LONG_MS }, async () => {
    const [one, other] = [await pack('7.0.0'), await pack('7.0.0', 'other')];
    expect(readFileSync(one).equals(readFileSync(other))).toBe(true);
  });
});

/** The whole life of a machine: see the issue of rolling out. */
describe.skipIf(!DEBIAN || !hasDpkg)('on a Debian', () => {
  let root: string;
  let central: Station;
  let port: number;
  let key: string;
  let service: ChildProcess | undefined;
  let output = '';
  const inRoot = (...path: string[]) => join(root, ...path);
  const published = () => join(central.folder, 'updates', 'apt');
  const home = () => join(folder, 'gnupg');

  beforeAll(async () => {
    root = join(folder, 'root');
    run('cp', ['-a', String(DEBIAN), root]);
    port = await freePort();
    central = new Station({
      role: 'central',
      env: { HOLDPOINT_HOST: '0.0.0.0', HOLDPOINT_HOSTS: '127.0.0.1' },
    });
    await central.start();
    mkdirSync(home(), { mode: 0o700 });
    const gpg = ['--homedir', home(), '--batch'];
    run('gpg', [
      ...gpg,
      '--passphrase',
      '',
      '--quick-generate-key',
      'p@holdpoint.invalid',
      'ed25519',
      'sign',
      '1y',
    ]);
    const listed = run('gpg', [...gpg, '--with-colons', '--list-keys']);
    key = /^fpr:+([0-9A-F]{40}):/m.exec(listed)?.[1] ?? '';
    await publish('7.0.0');
    // As IT sets a machine up: the repository, its key, and by which certificate central is known.
    rmSync(inRoot('etc/apt/sources.list'), { force: true });
    mkdirSync(inRoot('etc/apt/keyrings'), { recursive: true });
    copyFileSync(join(published(), 'holdpoint.asc'), inRoot('etc/apt/keyrings/holdpoint.asc'));
    writeFileSync(
      inRoot('etc/apt/sources.list.d/holdpoint.sources'),
      sourcesOf('stable').replace('CENTRAL', central.origin),
    );
    writeFileSync(inRoot('etc/ssl/certs/holdpoint-central.pem'), String(central.certificate));
    writeFileSync(
      inRoot('etc/apt/apt.conf.d/50holdpoint'),
      'Acquire::https::127.0.0.1::CAInfo "/etc/ssl/certs/holdpoint-central.pem";\n',
    );
  }, LONG_MS);
  afterAll(async () => {
    await closeWindows();
    await stop();
    await central?.stop();
  });

  async function publish(...versions: string[]): Promise<void> {
    const packages = [];
    for (const version of versions) packages.push(await pack(version));
    await writeAptRepository({
      folder: published(),
      ring: 'stable',
      packages,
      key,
      home: home(),
      now: new Date(),
    });
  }

  const chroot = (...words: string[]) =>
    run('chroot', [
      root,
      'env',
      '-i',
      'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
      'DEBIAN_FRONTEND=noninteractive',
      ...words,
    ]);

  /** The unit's command line as its user, with what the unit lets it see and write: what systemd does by namespaces. */
  async function start(): Promise<void> {
    const unit = readFileSync(inRoot('usr/lib/systemd/system/holdpoint-server.service'), 'utf8');
    const all = (name: string) =>
      [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
    const [user = '', state = '', told = '', command = ''] = [
      'User',
      'StateDirectory',
      'RuntimeDirectory',
      'ExecStart',
    ].map(name => all(name)[0]);
    expect(all('ProtectSystem')).toEqual(['strict']);
    const settings = all('EnvironmentFile').flatMap(path =>
      readFileSync(inRoot(path.replace(/^-/, '')), 'utf8')
        .split('\n')
        .filter(line => /^[A-Z_]+=/.test(line)),
    );
    const script = [
      'set -e',
      'mount --make-rprivate /',
      `mount --bind ${root} ${root}`,
      `mount -o remount,bind,ro ${root}`,
      `mount -t tmpfs none ${root}/tmp`,
      `mount -t tmpfs none ${root}/home`,
      `mount -t proc none ${root}/proc`,
      `mount --bind /dev ${root}/dev`,
      `mount --bind ${root}.state ${root}/var/lib/${state}`,
      `mount -t tmpfs -o mode=0755 none ${root}/run`,
      `chroot ${root} install -d -o ${user} -m ${all('RuntimeDirectoryMode')[0]} /run/${told}`,
      `umask ${all('UMask')[0]}`,
      `exec chroot ${root} setpriv --reuid ${user} --regid ${all('Group')[0]} --init-groups --no-new-privs --bounding-set=-all --inh-caps=-all env -i ${[...all('Environment'), ...settings].join(' ')} ${command}`,
    ].join('\n');
    // Outside of the root that is read only, as /var/lib/… of the machine is to the unit.
    if (!existsSync(`${root}.state`)) run('cp', ['-a', inRoot('var/lib', state), `${root}.state`]);
    const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    service = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', text => {
        output += text;
      });
    await expect
      .poll(async () => (await ask('/api/v2/status').catch(() => undefined))?.status ?? output)
      .toBe(200);
  }

  /** As systemd does: the process of the service is told, not what holds its namespaces. */
  async function stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = service;
    service = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'close');
    const [inner] = run('pgrep', ['--parent', String(child.pid)])
      .trim()
      .split('\n');
    process.kill(Number(inner), signal);
    await ended;
  }

  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const stations = async () =>
    (
      (await central.get('/x/stations')).body as {
        data: { name: string; group: string; last_seen_at: string | null }[];
      }
    ).data;
  const command = (...words: string[]) => run('chroot', [root, '/usr/bin/holdpoint', ...words]);

  it('is installed by apt from central, enrols by policy alone, and serves the screens before anybody signs in', {
    timeout: LONG_MS,
  }, async () => {
    chroot('apt-get', '-o', 'APT::Update::Error-Mode=any', 'update');
    chroot('apt-get', 'install', '--yes', 'holdpoint-server');
    const code = await newCode(central, 'Roll-out', { uses: 2, group: 'Plant Wels' });
    const policy = { central: central.origin, enrolment_code: code, station_name: 'Dock PC', port };
    writeFileSync(inRoot('etc/holdpoint/policy.json'), JSON.stringify(policy), { mode: 0o640 });
    chroot('chgrp', 'holdpoint', '/etc/holdpoint/policy.json');
    expect(chroot('/usr/bin/holdpoint', 'policy')).toContain('(is set)');
    // The package has brought the service; the command leaves that to it.
    expect(chroot('/usr/bin/holdpoint', 'service', 'install', '--print')).toBe(
      'systemctl enable holdpoint-server\nsystemctl restart holdpoint-server\n',
    );
    await start();
    await expect.poll(stations).toMatchObject([{ name: 'Dock PC', group: 'Plant Wels' }]);
    await expect.poll(async () => (await stations())[0]?.last_seen_at).not.toBeNull();
    const page = await (await openBrowser()).newContext({ locale: 'en' }).then(context => context.newPage());
    await page.goto(`http://127.0.0.1:${port}/app`);
    await page.getByRole('textbox', { name: 'User name' }).waitFor();
    expect(output).not.toContain(code);
  });

  it('survives the death of its process, and stays the station that it was', {
    timeout: LONG_MS,
  }, async () => {
    await stop('SIGKILL');
    await start();
    expect(await stations()).toHaveLength(1);
  });

  it('is updated by central’s repository, with its data', { timeout: LONG_MS }, async () => {
    await publish('7.0.0', '7.0.1');
    // What prerm does where systemd runs.
    await stop();
    chroot('apt-get', '-o', 'APT::Update::Error-Mode=any', 'update');
    chroot('apt-get', 'upgrade', '--yes');
    expect(chroot('dpkg-query', '-W', '-f', '$' + '{Version}', 'holdpoint-server')).toBe('7.0.1');
    expect(JSON.parse(readFileSync(inRoot('opt/holdpoint-server/package.json'), 'utf8')).version).toBe(
      '7.0.1',
    );
    await start();
    expect(await stations()).toHaveLength(1);
    await stop();
  });

  it('is removed without its data, and purged with them', { timeout: LONG_MS }, () => {
    // The state of the service, where the machine has it.
    rmSync(inRoot('var/lib/holdpoint-server'), { recursive: true });
    run('cp', ['-a', `${root}.state`, inRoot('var/lib/holdpoint-server')]);
    chroot('apt-get', 'remove', '--yes', 'holdpoint-server');
    expect([
      existsSync(inRoot('opt/holdpoint-server')),
      existsSync(inRoot('usr/bin/holdpoint')),
      existsSync(inRoot('var/lib/holdpoint-server/holdpoint.db')),
      existsSync(inRoot('etc/holdpoint/server.env')),
    ]).toEqual([false, false, true, true]);
    chroot('apt-get', 'install', '--yes', 'holdpoint-server');
    expect(command('verify')).toContain('Nothing is wrong with /var/lib/holdpoint-server/holdpoint.db');
    chroot('apt-get', 'purge', '--yes', 'holdpoint-server');
    expect([
      existsSync(inRoot('var/lib/holdpoint-server')),
      existsSync(inRoot('etc/holdpoint/server.env')),
      existsSync(inRoot('opt/holdpoint-server')),
    ]).toEqual([false, false, false]);
  });
});

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? ''}${stdout}${stderr}`);
  return stdout;
}
