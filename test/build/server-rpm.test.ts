import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packServerRpm } from '../../build/server-rpm.ts';
import { layServer } from '../support/lay-bundles.ts';
import { freePort } from '../support/station.ts';

const EPOCH = 1_790_000_000;
const hasRpm = ['rpm', 'rpmbuild'].every(name => spawnSync(name, ['--version']).status === 0);
const LONG_MS = 600_000;
const HOME = '/opt/holdpoint-server';

describe.skipIf(!hasRpm)('the package of the server for Fedora, RHEL and SUSE', () => {
  let folder: string;
  let bundle: string;
  let file: string;
  const pack = (version: string, into: string) =>
    packServerRpm({ folder: join(folder, into), version, compression: 'none', bundle, epoch: EPOCH });
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'holdpoint-server-rpm-'));
    await layServer(folder);
    bundle = join(folder, 'server');
    file = await pack('7.0.0', 'packages');
  }, LONG_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const query = (...words: string[]) =>
    spawnSync('rpm', ['-qp', ...words, file], { encoding: 'utf8', maxBuffer: 2 ** 26 }).stdout;

  it('holds the service, the command, the screens and a Node.js, root’s and nobody else’s', () => {
    expect(new Set(query('--qf', '[%{FILEUSERNAME}:%{FILEGROUPNAME}\\n]').trim().split('\n'))).toEqual(
      new Set(['root:root']),
    );
    expect(query('-l').split('\n')).toEqual(
      expect.arrayContaining([
        `${HOME}/bin/node`,
        `${HOME}/dist/server/main.js`,
        `${HOME}/dist/renderer/index.html`,
        `${HOME}/sbom.cdx.json`,
        '/usr/lib/systemd/system/holdpoint-server.service',
        '/etc/holdpoint/server.env',
      ]),
    );
    // What an administrator has written there stays.
    expect(query('--configfiles').trim()).toBe('/etc/holdpoint/server.env');
    expect(query('--qf', '[%{REQUIRENAME} ]').split(' ')).toEqual(
      expect.arrayContaining(['glibc', 'libstdc++', 'shadow-utils', 'util-linux']),
    );
  });

  it('leaves the service that an update has started: rpm runs the old package’s end after the new one’s beginning', () => {
    // A machine whose system is under systemd, as the scripts see it, and what they ask of it.
    const asked = join(folder, 'asked');
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    for (const name of ['systemctl', 'useradd', 'install', 'chown', 'chmod', 'update-alternatives', 'id'])
      writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${asked}\n`, { mode: 0o755 });
    const run = (tag: string, left: number) => {
      const script = query('--qf', `%{${tag}}`).replaceAll('/run/systemd/system', folder);
      const { status } = spawnSync('/bin/sh', ['-c', script, 'scriptlet', String(left)], {
        env: { PATH: `${bin}:/usr/bin:/bin` },
      });
      const said = existsSync(asked) ? readFileSync(asked, 'utf8') : '';
      rmSync(asked, { force: true });
      return { status, service: said.match(/(?<=^systemctl )(?:start|stop|restart|enable|disable)/gm) ?? [] };
    };
    const [begins, begun, ends, ended] = ['PREIN', 'POSTIN', 'PREUN', 'POSTUN'];
    expect([begins, begun].map(tag => run(String(tag), 1))).toEqual([
      { status: 0, service: [] },
      { status: 0, service: ['enable', 'restart'] },
    ]);
    const update = [
      run(String(begins), 2),
      run(String(begun), 2),
      run(String(ends), 1),
      run(String(ended), 1),
    ];
    expect(update).toEqual([
      { status: 0, service: ['stop'] },
      { status: 0, service: ['enable', 'restart'] },
      { status: 0, service: [] },
      { status: 0, service: [] },
    ]);
    expect([ends, ended].map(tag => run(String(tag), 0))).toEqual([
      { status: 0, service: ['stop', 'disable'] },
      { status: 0, service: [] },
    ]);
  });

  it('is the same to the byte when it is made again', { timeout: LONG_MS }, async () => {
    expect(readFileSync(await pack('7.0.0', 'other')).equals(readFileSync(file))).toBe(true);
  });

  it.skipIf(process.getuid?.() !== 0)('is unpacked by rpm, and serves', { timeout: LONG_MS }, async () => {
    const root = join(folder, 'root');
    mkdirSync(root);
    const unpacked = spawnSync('rpm', ['--root', root, '--nodeps', '--noscripts', '-i', file], {
      encoding: 'utf8',
    });
    expect(unpacked).toMatchObject({ status: 0 });
    expect(spawnSync('rpm', ['--root', root, '-V', '--nodeps', 'holdpoint-server']).status).toBe(0);
    const port = await freePort();
    const program = join(root, HOME, 'dist', 'server', 'main.js');
    const env = {
      PATH: process.env.PATH,
      HOLDPOINT_DATA: join(folder, 'data'),
      HOLDPOINT_PORT: String(port),
    };
    const server: ChildProcess = spawn(join(root, HOME, 'bin', 'node'), [program, 'run', 'serve'], { env });
    try {
      const status = async (path: string) =>
        fetch(`http://127.0.0.1:${port}${path}`).then(
          answer => answer.status,
          () => 0,
        );
      await expect.poll(() => status('/api/v2/status')).toBe(200);
      expect(await status('/app')).toBe(200);
    } finally {
      server.kill();
      await once(server, 'exit');
    }
  });
});
