import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import asar from '@electron/asar';
import { getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FUSES } from '../../build/fuses.ts';
import { startStandIn } from '../electron/stand-in-app.ts';
import { Station } from '../support/station.ts';
import { asTested, BUILT, TESTED } from '../support/tested-program.ts';
import { type PackedApp, packApp } from './packed-app.ts';

/**
 * What of the contract is asked of the packed server: every family. All of it is asked of the same bundle by the tests of
 * the contract themselves; `HOLDPOINT_PACKAGE=full` asks it of the packed one too.
 */
const CONTRACT =
  process.env.HOLDPOINT_PACKAGE === 'full' ? ['test/contract/'] : ['test/contract/families.test.ts'];
/** More means that something came in that nobody meant to ship. */
const ASAR_LIMIT_MB = 17;

let packed: PackedApp;
let unpacked: string;
beforeAll(async () => {
  packed = await packApp();
  unpacked = join(packed.folder, 'unpacked');
  asar.extractAll(packed.asar, unpacked);
});
afterAll(() => rm(packed.folder, { recursive: true, force: true }));

describe('the package', () => {
  it('holds what was built and nothing else', () => {
    const names = asar
      .listPackage(packed.asar, { isPack: false })
      .map(name => name.replaceAll('\\', '/').slice(1));
    const files = names.filter(name => !names.some(other => other.startsWith(`${name}/`)));
    const allowed = [
      /^package\.json$/,
      /^dist\/electron\/((main|desktop|command|data-folder|server-process|command-process)\.js|preload\.cjs|icon\.png)$/,
      /^dist\/server\/[\w.-]+\.js$/,
      /^dist\/(server|renderer)\/files\.json$/,
      /^dist\/renderer\/(index\.html|icon\.svg|sw\.js|docs\.js)$/,
      /^dist\/renderer\/assets\/[\w.-]+\.(js|css|wasm|woff2|svg|png)$/,
    ];
    expect(files.filter(name => !allowed.some(pattern => pattern.test(name)))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining([
        'dist/electron/main.js',
        'dist/electron/server-process.js',
        'dist/electron/command-process.js',
        'dist/electron/preload.cjs',
        'dist/server/main.js',
        'dist/server/print-thread.js',
        'dist/renderer/index.html',
      ]),
    );
  });

  it('names its main program, and no script or dependency', async () => {
    const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ main: 'dist/electron/main.js', type: 'module' });
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('scripts');
  });

  it('is small', async () => {
    const { size } = await stat(packed.asar);
    expect(size / 1024 / 1024).toBeLessThan(ASAR_LIMIT_MB);
  });

  it('has the digest of every file in its header', () => {
    const { header } = asar.getRawHeader(packed.asar);
    const leaves: unknown[] = [];
    const walk = (node: object): void => {
      if ('files' in node && typeof node.files === 'object' && node.files !== null) {
        for (const child of Object.values(node.files)) walk(child);
      } else leaves.push(node);
    };
    walk(header);
    expect(leaves.length).toBeGreaterThan(20);
    expect(leaves.filter(leaf => !(leaf instanceof Object && 'integrity' in leaf))).toEqual([]);
  });

  it('has its fuses set, all of them', async () => {
    const { version: _version, ...wire } = await getCurrentFuseWire(join(packed.app, 'holdpoint'));
    const wanted = Object.values(FUSES).map((isOn, index) => [
      String(index),
      (isOn ? '1' : '0').charCodeAt(0),
    ]);
    expect(Object.entries(wire)).toEqual(wanted);
  });

  it('has its languages, the licence, and what the updater needs to know', async () => {
    const resources = join(packed.app, 'resources');
    expect((await readdir(join(packed.app, 'locales'))).sort()).toEqual(['de.pak', 'en-US.pak']);
    expect(await readFile(join(resources, 'LICENSE.txt'), 'utf8')).toContain('MIT License');
    expect(await readFile(join(resources, 'app-update.yml'), 'utf8')).toContain(
      'updaterCacheDirName: holdpoint',
    );
  });
});

describe('unpacked, with Node.js alone', () => {
  it('its server is, file for file, the bundle that is built, and the tests run but for the cost of a password and the publisher', async () => {
    const [built, shipped] = [BUILT, join(unpacked, 'dist', 'server')];
    const names = (await readdir(shipped)).sort();
    expect((await readdir(built)).filter(name => /\.js$|^files\.json$/.test(name)).sort()).toEqual(names);
    for (const name of names) {
      const [one, other] = await Promise.all([built, shipped].map(folder => readFile(join(folder, name))));
      expect(one?.equals(other ?? Buffer.alloc(0)), name).toBe(true);
    }
    let changed = 0;
    for (const name of names.filter(each => each.endsWith('.js'))) {
      const [text, tested] = await Promise.all([shipped, TESTED].map(at => readFile(join(at, name), 'utf8')));
      expect(tested, name).toBe(asTested(String(text)));
      if (tested !== text) changed += 1;
    }
    expect(changed).toBeLessThanOrEqual(2);
  });

  it('its server serves the interface and the screens', async () => {
    const station = new Station({ program: join(unpacked, 'dist', 'server', 'main.js') });
    await station.start();
    try {
      const made = await station.post('/suppliers', { name: 'From the package' });
      const { id } = (made.body as { data: { id: number } }).data;
      expect((await station.get(`/suppliers/${id}`)).body).toMatchObject({
        status: 'success',
        data: { id, name: 'From the package' },
      });
      expect((await station.get('/openapi.json')).body).toMatchObject({
        openapi: expect.stringMatching(/^3\.1/),
      });
      const page = await fetch(`${station.origin}/app/records/supplier`);
      const html = await page.text();
      expect([page.status, html]).toEqual([200, expect.stringContaining('<div id="root">')]);
      const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(html) ?? [];
      const answer = await fetch(station.origin + script);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('javascript'),
      ]);
    } finally {
      await station.stop();
    }
  });

  it('its server passes the contract tests', { timeout: 600_000 }, async () => {
    const run = spawn(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/build/contract-run.ts', ...CONTRACT],
      {
        // Not as a part of this run.
        env: {
          ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))),
          HOLDPOINT_PROGRAM: join(unpacked, 'dist', 'server', 'main.js'),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [output, [code]] = await Promise.all([text(run.stdout), once(run, 'exit')]);
    expect(code, output).toBe(0);
    expect(output).toMatch(/^\d{3,} passed, 0 failed, 0 skipped$/m);
  });

  it('its main process, on a stand-in for Electron, starts the server and serves pages through it', async () => {
    const app = await startStandIn({ bundle: join(unpacked, 'dist', 'electron') });
    try {
      const { path } = await app.next('window');
      expect(path).toMatch(/^app:\/\/bundle\/first#/);
      const page = await app.ask({ url: 'app://bundle/app' });
      expect([page.status, page.body]).toEqual([200, expect.stringContaining('<div id="root">')]);
      const status = await app.ask({ url: 'app://bundle/api/v2/status' });
      expect([status.status, JSON.parse(status.body)]).toMatchObject([200, { status: 'success' }]);
    } finally {
      await app.quit();
    }
  });
});
