import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packServer } from '../../build/server-package.ts';

/** Whether this machine lets a test have mounts of its own. */
export const HAS_MOUNTS =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;

/** Which of the machine's folders are the test's own, with what is in them; the rest is the machine's, and is not changed. */
const OWN = {
  etc: '/etc',
  opt: '/opt',
  lib: '/var/lib',
  backups: '/var/backups',
  run: '/run',
  root: '/root',
} as const;
const NAME = 'holdpoint-server';
type Own = keyof typeof OWN;

/**
 * A machine as far as a service sees it: its own `/etc`, `/opt`, `/var/lib`, `/var/backups`, `/run` and `/root` over those of the system, in a
 * namespace of mounts, and a `systemctl` that only writes down what it is asked for.
 */
export class MachineRoot {
  readonly #folder: string;
  #service: ChildProcess | undefined;
  /** What the service wrote so far. */
  output = '';

  constructor(folder: string) {
    this.#folder = folder;
    for (const name of Object.keys(OWN)) mkdirSync(join(folder, name), { recursive: true });
    chmodSync(folder, 0o755);
    cpSync('/etc', join(folder, 'etc'), { recursive: true, verbatimSymlinks: true });
    mkdirSync(this.path('opt', 'stubs'));
    const log = 'echo "$@" >>/opt/stubs/asked';
    writeFileSync(this.path('opt', 'stubs', 'systemctl'), `#!/bin/sh\n${log}\n`, { mode: 0o755 });
    symlinkSync(`/opt/${NAME}/holdpoint`, this.path('opt', 'stubs', 'holdpoint'));
  }

  /** Unpacks the package of the server, without what its scripts do. @param built with the bundle of the server in it */
  async lay(version: string, built: string): Promise<void> {
    const packages = join(this.#folder, 'packages');
    const bundle = join(built, 'server');
    const file = await packServer({
      folder: packages,
      version,
      compression: 'none',
      bundle,
      epoch: 1_790_000_000,
    });
    const unpacked = join(packages, 'unpacked');
    const { status, stderr } = spawnSync('dpkg-deb', ['--raw-extract', file, unpacked], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    rmSync(this.path('opt', NAME), { recursive: true, force: true });
    cpSync(join(unpacked, 'opt', NAME), this.path('opt', NAME), { recursive: true });
    rmSync(packages, { recursive: true });
  }

  /** Where a file of the machine lies for the test. */
  path(own: Own, ...below: string[]): string {
    return join(this.#folder, own, ...below);
  }

  /** What systemctl was asked for since the last call. */
  asked(): string[] {
    const file = this.path('opt', 'stubs', 'asked');
    const lines = readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1);
    writeFileSync(file, '');
    return lines;
  }

  /** As an administrator types it. */
  command(...words: string[]): { status: number | null; output: string } {
    // With processes of its own: those of another machine's service have the same user.
    const own = 'mount -t proc none /proc';
    const script = [...this.#mounts(), own, 'export PATH="/opt/stubs:$PATH"', 'exec "$@"'].join('\n');
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      ['--mount', '--pid', '--fork', 'sh', '-c', script, 'sh', ...words],
      {
        encoding: 'utf8',
      },
    );
    return { status, output: stdout + stderr };
  }

  /**
   * The unit's command line, or another one in its place, as its user and under the restrictions of the unit that a namespace of
   * mounts, capabilities and the mask can give; what systemd does by filters of system calls is not among them.
   */
  underUnit(unit: string, command?: string): ChildProcess {
    const all = (name: string) =>
      [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
    const one = (name: string) => all(name)[0] ?? '';
    const is = (name: string, value: string) => {
      if (one(name) !== value) throw new Error(`The unit has ${name}=${one(name)}, this runs ${value}.`);
    };
    is('ProtectSystem', 'strict');
    for (const name of ['ProtectHome', 'PrivateTmp', 'PrivateDevices', 'NoNewPrivileges']) is(name, 'yes');
    is('CapabilityBoundingSet', '');
    const settings = all('EnvironmentFile').flatMap(path =>
      readFileSync(this.path('etc', path.replace(/^-?\/etc\//, '')), 'utf8')
        .split('\n')
        .filter(line => /^[A-Z_]+=/.test(line)),
    );
    const [state, run] = [`/var/lib/${one('StateDirectory')}`, `/run/${one('RuntimeDirectory')}`];
    const owner = `${one('User')}:${one('Group')}`;
    const own: string[] = Object.values(OWN);
    const backups = one('ReadWritePaths')
      .split(' ')
      .map(path => path.replace(/^-/, ''))
      .filter(path => own.includes(path));
    const writable = [state, run, ...backups];
    const script = [
      ...this.#mounts(),
      `mkdir -p ${state} ${run}`,
      `chown ${owner} ${state} ${run}`,
      `chmod ${one('StateDirectoryMode')} ${state}`,
      `chmod ${one('RuntimeDirectoryMode')} ${run}`,
      ...writable.map(path => `mount --bind ${path} ${path}`),
      // Everything but these, and what the kernel has.
      `for path in $(awk '{ print $5 }' /proc/self/mountinfo); do
        case $path in ${writable.join('|')}|/proc|/proc/*|/sys|/sys/*|/dev|/dev/*) ;;
        *) mount -o remount,bind,ro "$path" 2>/dev/null || [ "$path" != / ] ;;
        esac
      done`,
      ...['/tmp', '/var/tmp', '/dev/shm'].map(path => `mount -t tmpfs -o mode=1777 none ${path}`),
      ...['/home', '/root'].map(path => `mount -t tmpfs -o mode=0000 none ${path}`),
      'mount -t proc none /proc',
      `umask ${one('UMask')}`,
      `exec setpriv --reuid ${one('User')} --regid ${one('Group')} --init-groups --no-new-privs --bounding-set=-all --inh-caps=-all env -i PATH=/usr/bin:/bin ${[...all('Environment'), ...settings].join(' ')} ${command ?? one('ExecStart')}`,
    ].join('\n');
    return spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Runs the service until `stop`. */
  start(unit: string): void {
    const child = this.underUnit(unit);
    this.#service = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', text => {
        this.output += text;
      });
  }

  /** As systemd does: the process of the service is told, not what holds its namespaces. Answers how it ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#service;
    this.#service = undefined;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'close');
    const inner = spawnSync('pgrep', ['--parent', String(child.pid)], { encoding: 'utf8' }).stdout.trim();
    process.kill(Number(inner.split('\n')[0]), signal);
    return (await ended)[0];
  }

  #mounts(): string[] {
    const own = Object.entries(OWN).map(([name, path]) => `mount --bind ${join(this.#folder, name)} ${path}`);
    return ['set -e', 'mount --make-rprivate /', ...own];
  }
}
