import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packCentral } from '../../build/central-package.ts';
import { REFUSED } from '../../server/app/exit-codes.ts';
import { Station } from '../support/station.ts';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

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
      'holdpoint-central.service',
      'install.sh',
      'package.json',
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
