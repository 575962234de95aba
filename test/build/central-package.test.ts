import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packCentral } from '../../build/central-package.ts';
import { REFUSED } from '../../server/app/exit-codes.ts';
import { Station } from '../support/station.ts';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

const RESTRICT = join(import.meta.dirname, 'restrict-families.py');
const canRestrict =
  process.platform === 'linux' &&
  process.arch === 'x64' &&
  spawnSync('python3', [RESTRICT, 'AF_UNIX', '--', 'true']).status === 0;

const documentOf = (name: string) => join(import.meta.dirname, '..', '..', 'docs', `${name}.md`);

let folder: string;
let central: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-headless-'));
  const file = await packCentral(folder);
  expect(spawnSync('tar', ['-xzf', file, '-C', folder]).status).toBe(0);
  central = file.replace(/\.tar\.gz$/, '');
});
afterAll(() => rm(folder, { recursive: true }));

describe('the headless package', () => {
  it('holds the server, the screens and how to run them', async () => {
    expect((await readdir(central)).sort()).toEqual([
      'Dockerfile',
      'LICENSE',
      'README',
      'central.env',
      'dist',
      'holdpoint',
      'holdpoint-central.service',
      'install.sh',
      'package.json',
      'sbom.cdx.json',
    ]);
    expect((await readdir(join(central, 'dist'))).sort()).toEqual(['renderer', 'server']);
    expect((await stat(join(central, 'install.sh'))).mode & 0o111).not.toBe(0);
    expect(spawnSync('sh', ['-n', join(central, 'install.sh')]).status).toBe(0);
  });

  it('is a central where it is unpacked', async () => {
    const server = new Station({ role: 'central', program: join(central, 'dist', 'server', 'main.js') });
    await server.start();
    try {
      expect((await server.post('/x/enrolment-codes', { name: 'Dock' })).status).toBe(201);
      expect(await (await fetch(`${server.origin}/app`)).text()).toContain('<div id="root">');
    } finally {
      await server.stop();
    }
  });

  it.skipIf(!hasSystemd)('its service stands before systemd', () => {
    const unit = join(central, 'holdpoint-central.service');
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('its service may write where backups are recommended to be', async () => {
    const unit = await readFile(join(central, 'holdpoint-central.service'), 'utf8');
    const [, listed = ''] = /^ReadWritePaths=(.+)$/m.exec(unit) ?? [];
    const writable = listed.split(' ').map(path => path.replace(/^-/, ''));
    const documents = [join(central, 'README'), ...['keeping', 'backups', 'verify/README'].map(documentOf)];
    const texts = await Promise.all(documents.map(path => readFile(path, 'utf8')));
    const named = texts.flatMap(
      text => text.match(/(?<![\w.~])\/(?:mnt|media|srv|var\/backups)\/[\w/]+/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(path => !writable.some(place => path.startsWith(`${place}/`)))).toEqual([]);
  });

  it.skipIf(!canRestrict)(
    'its service starts for the first time with the kinds of sockets that its unit allows',
    async () => {
      const unit = await readFile(join(central, 'holdpoint-central.service'), 'utf8');
      const families = /^RestrictAddressFamilies=(.+)$/m.exec(unit)?.[1]?.split(' ') ?? [];
      const words = [
        RESTRICT,
        ...families,
        '--',
        process.execPath,
        join(central, 'dist', 'server', 'main.js'),
      ];
      const child = spawn('python3', [...words, 'run', 'central'], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: process.env.PATH,
          HOLDPOINT_DATA: join(folder, 'restricted'),
          HOLDPOINT_HOST: '0.0.0.0',
          HOLDPOINT_HOSTS: 'central.example',
          HOLDPOINT_PORT: '0',
        },
      });
      const ended = once(child, 'close');
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', text => {
          output += text;
        });
      await expect.poll(() => child.exitCode ?? output).toContain('Certificate    SHA-256');
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    },
  );

  describe('where it is installed', () => {
    /** As root on a system without systemd, below a folder. */
    const install = async (root: string, ...args: string[]) => {
      const bin = join(folder, 'bin');
      await mkdir(bin, { recursive: true });
      for (const name of ['systemctl', 'useradd', 'chgrp'])
        await writeFile(join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
      await writeFile(join(bin, 'hostname'), '#!/bin/sh\necho dock-7.example\n', { mode: 0o755 });
      const env = { ...process.env, DESTDIR: root, PATH: `${bin}:${process.env.PATH}` };
      const ran = spawnSync('sh', [join(central, 'install.sh'), ...args], { env, encoding: 'utf8' });
      return { status: ran.status, output: ran.stdout + ran.stderr };
    };
    const settingsIn = (root: string) => readFile(join(root, 'etc', 'holdpoint', 'central.env'), 'utf8');

    it("is reached by the names that were given, or by the machine's own, and an update leaves them", async () => {
      const [named, unnamed] = [join(folder, 'named'), join(folder, 'unnamed')];
      expect(await install(named, '--hosts', 'central.example,10.0.0.5')).toMatchObject({ status: 0 });
      expect(await settingsIn(named)).toContain('\nHOLDPOINT_HOSTS=central.example,10.0.0.5\n');
      expect(await install(named)).toMatchObject({ status: 0 });
      expect(await settingsIn(named)).toContain('\nHOLDPOINT_HOSTS=central.example,10.0.0.5\n');
      expect((await install(unnamed)).output).toContain('HOLDPOINT_HOSTS=dock-7.example\n');
      expect(await install(unnamed, '--hosts', 'a b')).toMatchObject({
        status: 2,
        output: expect.stringContaining('separated by commas'),
      });
      const program = join(named, 'usr', 'local', 'bin', 'holdpoint');
      const env = { ...process.env, HOLDPOINT_DATA: join(folder, 'data') };
      const { status, stdout } = spawnSync(program, ['--help'], { env, encoding: 'utf8' });
      expect([status, stdout]).toEqual([0, expect.stringContaining('restore')]);
    });
  });

  it('its service and its container start what is there, and know when not to start it again', async () => {
    const unit = await readFile(join(central, 'holdpoint-central.service'), 'utf8');
    expect(unit).toContain('ExecStart=/usr/bin/env node /opt/holdpoint/dist/server/main.js run central');
    expect(unit).toContain(`RestartPreventExitStatus=${REFUSED}\n`);
    const dockerfile = await readFile(join(central, 'Dockerfile'), 'utf8');
    for (const [, sources = ''] of dockerfile.matchAll(/^COPY (.+) \.\/(?:dist)?$/gm)) {
      for (const name of sources.split(' ')) expect(await readdir(central)).toContain(name);
    }
    expect(dockerfile).toContain('USER node');
    expect(dockerfile).toContain('CMD ["node", "dist/server/main.js", "run", "central"]');
  });
});
