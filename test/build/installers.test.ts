import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Packager } from 'app-builder-lib';
import { AppInfo } from 'app-builder-lib/out/appInfo.js';
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import type { Configuration } from 'electron-builder';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { config } from '../../build/electron-builder.config.ts';
import { electronProgram } from '../../build/electron-runtime.ts';
import { FUSES, programOf } from '../../build/fuses.ts';
import { linuxScripts } from '../../build/linux-scripts.ts';
import { addressIn, openCommand } from '../../build/open-browser.ts';
import { environmentOf, signAdHoc, windowsSigning } from '../../build/signing.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const read = (name: string) => readFile(join(PROJECT, name));

describe('the configuration of the installers', () => {
  const validate = (given: Configuration) => validateConfiguration(given, new DebugLogger(false));

  it.each(['win', 'nsis', 'msi', 'mac', 'dmg', 'pkg', 'linux', 'deb', 'rpm', 'appImage'] as const)(
    'is valid for %s',
    async part => {
      await expect(validate(config)).resolves.toBeUndefined();
      // The check looks into every part, or it would prove nothing.
      const wrong = { ...config, [part]: { ...Object(config)[part], nonsense: true } };
      await expect(validate(wrong)).rejects.toThrow(`configuration.${part}`);
    },
  );

  it('names every target for both processors', () => {
    const targets = (['win', 'mac', 'linux'] as const).map(system =>
      config[system].target.map(({ target, arch }) => `${target} ${arch.join(' ')}`),
    );
    expect(targets).toEqual([
      ['nsis x64 arm64', 'msi x64 arm64'],
      ['dmg x64 arm64', 'zip x64 arm64', 'pkg x64 arm64'],
      ['AppImage x64 arm64', 'deb x64 arm64', 'rpm x64 arm64'],
    ]);
  });

  it('is named on disk as the document says', async () => {
    const manifest = JSON.parse(String(await read('package.json')));
    // Electron takes the app's name from there, the updater its folder from the other (app-builder-lib/out/appInfo.js).
    expect([manifest.productName, manifest.name]).toEqual([config.productName, 'holdpoint']);
    const info = new AppInfo({ config, metadata: manifest } as unknown as Packager, null);
    expect(String(await read('docs/desktop.md'))).toContain(`%LOCALAPPDATA%\\${info.updaterCacheDirName}`);
  });

  it('has icons in every format that is asked for', async () => {
    expect((await read(config.win.icon)).subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
    expect((await read(config.mac.icon)).subarray(0, 4).toString()).toBe('icns');
    for (const size of [16, 32, 48, 64, 128, 256, 512, 1024]) {
      const png = await read(`${config.linux.icon}/${size}x${size}.png`);
      expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
        'PNG',
        size,
        size,
      ]);
      expect(png.length).toBeLessThan(64 * 1024);
    }
  });

  it('signs for macOS with the hardened runtime, and what it may beside: compile, and see through the camera, which it says what for', async () => {
    expect(config.mac).toMatchObject({ hardenedRuntime: true, entitlements: 'build/entitlements.mac.plist' });
    const keys = [...String(await read(config.mac.entitlements)).matchAll(/<key>([^<]+)<\/key>/g)];
    expect(keys.map(([, key]) => key)).toEqual([
      'com.apple.security.cs.allow-jit',
      'com.apple.security.device.camera',
    ]);
    expect(config.mac.extendInfo).toMatchObject({
      NSCameraUsageDescription: expect.stringMatching(/camera/),
    });
  });

  it('leaves data where it is when the app is removed, and closes it to others on Windows', async () => {
    expect(config.nsis.deleteAppDataOnUninstall).toBe(false);
    const script = String(await read(config.nsis.include));
    const steps = [...script.matchAll(/^ +(RMDir|CreateDirectory|nsExec::ExecToLog) (.+)$/gm)].map(
      ([, command, what = '']) => `${command} ${what}`,
    );
    // A folder that another made first must not stay his, and every step before the last one closes.
    expect(steps).toEqual([
      'RMDir "$R8\\Holdpoint"',
      'CreateDirectory "$R8\\Holdpoint"',
      expect.stringContaining('/setowner *S-1-5-32-544 /T /C /L'),
      expect.stringContaining('/reset /T /C /L'),
      expect.stringContaining('/inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F`'),
      expect.stringContaining('Get-LocalGroup -Name Holdpoint'),
      expect.stringContaining('/grant:r $R6:(OI)(CI)M'),
    ]);
    // Whoever has just installed it works with it at once: a group is one's own from the next sign-in on only.
    expect(script).toContain('StrCpy $R6 "*S-1-5-4"');
    expect(script).not.toContain('New-LocalGroup');
    // No program of the same name in another folder is run by an administrator.
    expect(steps.slice(2).filter(step => !/^nsExec::ExecToLog `"\$R7\\/.test(step))).toEqual([]);
  });

  it('signs anew, by no identity, what the fuses have changed for macOS', () => {
    const ran: unknown[] = [];
    const run = (status: number) =>
      ((program: string, args: string[]) => {
        ran.push([program, args.at(-2), args.at(-1)]);
        return { status, stderr: 'no' };
      }) as unknown as typeof spawnSync;
    signAdHoc('/out/Holdpoint.app', { platform: 'linux', run: run(0) });
    signAdHoc('/out/Holdpoint.app', { platform: 'darwin', run: run(0) });
    expect(ran).toEqual([['codesign', '-', '/out/Holdpoint.app']]);
    expect(() => signAdHoc('/out/Holdpoint.app', { platform: 'darwin', run: run(1) })).toThrow(
      'codesign refuses',
    );
  });

  it('signs for Windows by a service, and never with the certificate of Apple', () => {
    const account = {
      AZURE_SIGNING_ENDPOINT: 'https://weu.codesigning.azure.net',
      AZURE_SIGNING_ACCOUNT: 'holdpoint',
      AZURE_SIGNING_PROFILE: 'public',
      AZURE_SIGNING_PUBLISHER: 'CN=Holdpoint',
    };
    expect(windowsSigning({})).toEqual({});
    expect(windowsSigning(account)).toEqual({
      azureSignOptions: {
        endpoint: 'https://weu.codesigning.azure.net',
        codeSigningAccountName: 'holdpoint',
        certificateProfileName: 'public',
        publisherName: 'CN=Holdpoint',
      },
    });
    expect(() => windowsSigning({ ...account, AZURE_SIGNING_PROFILE: '' })).toThrow('AZURE_SIGNING_PROFILE');
    const env = { CSC_LINK: 'a', CSC_KEY_PASSWORD: 'b', WIN_CSC_LINK: 'c' };
    expect(environmentOf('win32', env)).toEqual({ WIN_CSC_LINK: 'c' });
    expect(environmentOf('darwin', env)).toEqual(env);
  });

  it('links the name that people type to the command, on Debian and Fedora', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdpoint-scripts-'));
    try {
      const { afterInstall, afterRemove } = await linuxScripts(folder);
      const [installed, removed] = [
        await readFile(afterInstall, 'utf8'),
        await readFile(afterRemove, 'utf8'),
      ];
      for (const script of [installed, removed]) {
        expect(spawnSync('bash', ['-n'], { input: script }).status).toBe(0);
        expect(script).toContain('/bin/${' + "executable}'");
      }
      const links = installed.split('\n').filter(line => /ln -sf|--install/.test(line));
      expect(links.length).toBeGreaterThan(1);
      expect(links.filter(line => !line.includes('/bin/${' + "executable}' "))).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('sets the fuses where each system has them', () => {
    const packed = { folder: '/out', name: 'holdpoint', product: 'Holdpoint' };
    expect(programOf({ ...packed, platform: 'linux' })).toBe('/out/holdpoint');
    expect(programOf({ ...packed, platform: 'win32' })).toBe('/out/Holdpoint.exe');
    expect(programOf({ ...packed, platform: 'darwin' })).toBe(
      '/out/Holdpoint.app/Contents/Frameworks/Electron Framework.framework/Electron Framework',
    );
    const on = Object.entries(FUSES).flatMap(([name, isOn]) => (isOn ? [name] : []));
    expect(on).toEqual([
      'EnableCookieEncryption',
      'EnableEmbeddedAsarIntegrityValidation',
      'OnlyLoadAppFromAsar',
      'WasmTrapHandlers',
    ]);
  });
});

describe('the workflow for a public CI', () => {
  const workflowSchema = z.object({
    permissions: z.object({ contents: z.literal('read') }),
    jobs: z.record(
      z.string(),
      z.object({
        strategy: z.object({ matrix: z.object({ os: z.array(z.string()) }) }).optional(),
        steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })).default([]),
      }),
    ),
  });

  it("signs for each system with what is its own, and with nobody else's", async () => {
    const { jobs } = parse(String(await read('.github/workflows/build.yml')));
    const signing: { if?: string; run?: string; env?: object }[] = jobs.desktop.steps.filter(
      ({ run }: { run?: string }) => run === 'npm run dist',
    );
    const named = signing.map(step => [
      step.if,
      Object.keys(step.env ?? {}).filter(name => /LINK|SIGNING/.test(name)),
    ]);
    expect(named).toEqual([
      ["runner.os == 'Linux'", []],
      [
        "runner.os == 'Windows'",
        expect.arrayContaining(['AZURE_SIGNING_ENDPOINT', 'AZURE_SIGNING_PUBLISHER']),
      ],
      ["runner.os == 'macOS'", ['CSC_LINK']],
    ]);
  });

  it('builds and drives the app on every system, with scripts that are there', async () => {
    const { jobs } = workflowSchema.parse(parse(String(await read('.github/workflows/build.yml'))));
    const { desktop, check } = jobs;
    expect(desktop?.strategy?.matrix.os.map(os => os.split('-')[0])).toEqual(['ubuntu', 'windows', 'macos']);
    const runs = [check, desktop].flatMap(job => job?.steps.flatMap(({ run }) => run ?? []) ?? []);
    expect(runs).toEqual(expect.arrayContaining(['npm run check', 'npm run dist']));
    expect(runs.filter(run => run.includes('vitest run test/electron/app.e2e.long.test.ts'))).toHaveLength(2);
    const { scripts } = JSON.parse(String(await read('package.json')));
    for (const [, script = ''] of runs.join('\n').matchAll(/npm run ([\w:]+)/g)) {
      expect(Object.keys(scripts)).toContain(script);
    }
  });
});

describe('npm start', () => {
  it('finds Electron where it is, and nowhere else', async () => {
    expect(electronProgram({ ELECTRON_OVERRIDE_DIST_PATH: '/nowhere' })).toBeUndefined();
    const here = electronProgram({ ELECTRON_OVERRIDE_DIST_PATH: join(PROJECT, 'build') }, 'linux');
    expect(here).toBeUndefined();
    expect((await stat(PROJECT)).isDirectory()).toBe(true);
  });

  it('opens a browser only where somebody sees it', () => {
    expect(openCommand('linux', {})).toBeUndefined();
    expect(openCommand('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open']);
    expect(openCommand('darwin', {})).toEqual(['open']);
    expect(openCommand('win32', {})?.[0]).toBe('rundll32');
  });

  it('opens the first sign-in, else the screens', () => {
    const starting = 'Holdpoint serves http://127.0.0.1:4870/api/v2 (process 7)\n  Data           /d\n';
    expect(addressIn('')).toBeUndefined();
    expect(addressIn(starting)).toBe('http://127.0.0.1:4870');
    expect(
      addressIn(`${starting}  First sign-in  http://127.0.0.1:4870/first#ABC (once, within a day)\n`),
    ).toBe('http://127.0.0.1:4870/first#ABC');
  });
});
