import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoginItemSettings, MenuItemConstructorOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFolderOf, profileFolderOf, serverEnvironment } from '../../electron/data-folder.ts';
import { openLogFile } from '../../electron/log-file.ts';
import { isStartedAtLogin, setStartAtLogin } from '../../electron/login-item.ts';
import { type MenuActions, menuBar, trayMenu } from '../../electron/menus.ts';
import { isPortTaken, shouldMove } from '../../electron/port.ts';
import { createSecrets } from '../../electron/secrets.ts';
import { createShutdown } from '../../electron/shutdown.ts';
import { watchSync } from '../../electron/sync-watch.ts';
import { shellTexts } from '../../electron/texts.ts';
import { describeTrouble, newestBackup } from '../../electron/trouble.ts';
import { desktopSettingsSchema, placeWindow } from '../../electron/window-state.ts';
import { defaultFolder, readConfig } from '../../server/app/config.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-shell-'));
});
afterEach(() => rm(folder, { recursive: true }));

const texts = shellTexts('en-GB');

describe('where everything is', () => {
  const windows = {
    platform: 'win32',
    home: 'C:\\Users\\ann',
    execPath: 'C:\\Program Files\\Holdpoint\\Holdpoint.exe',
    env: {
      ProgramData: 'C:\\ProgramData',
      ProgramFiles: 'C:\\Program Files',
      APPDATA: 'C:\\Users\\ann\\AppData\\Roaming',
      LOCALAPPDATA: 'C:\\Users\\ann\\AppData\\Local',
    },
  } as const;
  const ofOne = {
    ...windows,
    execPath: 'C:\\Users\\ann\\AppData\\Local\\Programs\\Holdpoint\\Holdpoint.exe',
  };

  it.each([
    ['installed for all users', windows, 'C:\\ProgramData\\Holdpoint'],
    [
      'the same, written otherwise',
      { ...windows, execPath: 'c:\\PROGRAM FILES\\holdpoint\\holdpoint.exe' },
      'C:\\ProgramData\\Holdpoint',
    ],
    ['installed for one user', ofOne, 'C:\\Users\\ann\\AppData\\Local\\Holdpoint'],
    [
      'a folder that only begins alike',
      { ...windows, execPath: 'C:\\Program Files Old\\x.exe' },
      'C:\\Users\\ann\\AppData\\Local\\Holdpoint',
    ],
    ['as it was told', { ...windows, env: { ...windows.env, HOLDPOINT_DATA: 'D:\\records' } }, 'D:\\records'],
  ])('on Windows, %s', (_how, installation, expected) => {
    expect(dataFolderOf(installation)).toBe(expected);
    // What is the user's own is never where all users are.
    expect(profileFolderOf(installation)).toBe('C:\\Users\\ann\\AppData\\Local\\Holdpoint\\desktop');
  });

  it('on Windows outside of what roams, unless they are in there already', () => {
    const roaming = 'C:\\Users\\ann\\AppData\\Roaming\\Holdpoint';
    const isThere = (path: string) => path === `${roaming}\\holdpoint.db`;
    expect(dataFolderOf(ofOne, isThere)).toBe(roaming);
    // The command line looks in the same places.
    expect(defaultFolder(ofOne.env, 'win32', isThere)).toBe(roaming);
    expect(defaultFolder(ofOne.env, 'win32', () => false)).toBe(dataFolderOf(ofOne, () => false));
    expect(dataFolderOf(windows, isThere)).toBe('C:\\ProgramData\\Holdpoint');
  });

  it('elsewhere where the command line looks for it', () => {
    const { env, execPath, platform } = process;
    const home = String(env.HOME);
    const clean = { XDG_DATA_HOME: env.XDG_DATA_HOME };
    expect(dataFolderOf({ platform, execPath, home, env: clean })).toBe(readConfig(clean).folder);
    expect(dataFolderOf({ platform: 'darwin', execPath, home: '/Users/ann', env: {} })).toBe(
      '/Users/ann/Library/Application Support/Holdpoint',
    );
  });

  it('the server is told so, and listens for this machine alone', () => {
    const env = {
      HOLDPOINT_HOST: '0.0.0.0',
      HOLDPOINT_CERTIFICATE: '/c',
      HOLDPOINT_PORT: '4999',
      NODE_OPTIONS: '-r x',
      PATH: '/bin',
    };
    expect(serverEnvironment(env, { folder: '/data', token: 't' })).toEqual({
      PATH: '/bin',
      HOLDPOINT_PORT: '4999',
      HOLDPOINT_HOST: '127.0.0.1',
      HOLDPOINT_DATA: '/data',
      HOLDPOINT_TOKEN: 't',
    });
    expect(serverEnvironment({ HOLDPOINT_TOKEN: 'given' }, { folder: '/', token: 't' }).HOLDPOINT_TOKEN).toBe(
      'given',
    );
  });
});

describe('secrets', () => {
  const keyring = (
    backend: ReturnType<Electron.SafeStorage['getSelectedStorageBackend']>,
    isThere = true,
  ) => ({
    isEncryptionAvailable: () => isThere,
    getSelectedStorageBackend: () => backend,
    encryptString: (text: string) => Buffer.from(text).reverse(),
    decryptString: (bytes: Buffer) => Buffer.from(bytes).reverse().toString(),
  });
  const open = (safeStorage: ReturnType<typeof keyring>, platform: NodeJS.Platform = 'linux') =>
    createSecrets({ path: join(folder, 'secrets.json'), platform, safeStorage });

  it('are kept, sealed, where the system has a keyring', async () => {
    open(keyring('gnome_libsecret')).write('session', 'abc');
    expect(open(keyring('gnome_libsecret')).read('session')).toBe('abc');
    const text = await readFile(join(folder, 'secrets.json'), 'utf8');
    expect(text).not.toContain('abc');
    expect((await stat(join(folder, 'secrets.json'))).mode & 0o077).toBe(0);
    open(keyring('gnome_libsecret')).write('session', null);
    expect(open(keyring('gnome_libsecret')).read('session')).toBeUndefined();
  });

  it.each([
    ['basic_text', true, 'linux'],
    ['unknown', true, 'linux'],
    ['kwallet6', false, 'linux'],
    ['basic_text', false, 'win32'],
  ] as const)('are refused with %s, available %s, on %s', async (backend, isThere, platform) => {
    const secrets = open(keyring(backend, isThere), platform);
    secrets.write('session', 'abc');
    expect([secrets.isKept(), secrets.read('session'), await readdir(folder)]).toEqual([
      false,
      undefined,
      [],
    ]);
  });

  it('that a keyring does not open any more are as if there were none', () => {
    open(keyring('kwallet6')).write('session', 'abc');
    const broken = {
      ...keyring('kwallet6'),
      decryptString: () => {
        throw new Error('another key');
      },
    };
    expect(open(broken).read('session')).toBeUndefined();
  });
});

describe('the port', () => {
  it('is another one where a second person has data of their own, and nobody chose it', async () => {
    const isTaken = async () => true;
    const usual = { chosen: undefined, hasMoved: false, isTaken };
    expect(await shouldMove('refused', usual)).toBe(true);
    expect(await shouldMove('refused', { ...usual, chosen: '4870' })).toBe(false);
    expect(await shouldMove('refused', { ...usual, hasMoved: true })).toBe(false);
    expect(await shouldMove('refused', { ...usual, isTaken: async () => false })).toBe(false);
    expect(await shouldMove('keeps_ending', usual)).toBe(false);
  });

  it('is taken where a program listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await isPortTaken(port)).toBe(true);
    await new Promise(resolve => server.close(resolve));
    expect(await isPortTaken(port)).toBe(false);
  });
});

describe('the log', () => {
  it('rotates, and keeps so many files', async () => {
    const log = openLogFile({ folder, limit: 100, files: 3 });
    for (let line = 0; line < 30; line++)
      log.write(`line ${String(line).padStart(2, '0')} ${'x'.repeat(20)}\n`);
    log.close();
    expect((await readdir(folder)).sort()).toEqual(['holdpoint.1.log', 'holdpoint.2.log', 'holdpoint.log']);
    expect(await readFile(log.path, 'utf8')).toMatch(/line 29 x+\n$/);
    for (const name of await readdir(folder))
      expect((await stat(join(folder, name))).size).toBeLessThanOrEqual(100);
    expect(log.lastLines()).toHaveLength(20);
  });

  it('loses no line to another file where it cannot rotate', async () => {
    const log = openLogFile({ folder, limit: 20, files: 2 });
    log.write('before the limit\n');
    // A folder in its place is not removed.
    await mkdir(join(folder, 'holdpoint.1.log'));
    log.write('at the limit\n');
    const other = openSync(join(folder, 'other.db'), 'w');
    log.write('after\n');
    closeSync(other);
    log.close();
    expect(await readFile(log.path, 'utf8')).toBe('before the limit\nat the limit\nafter\n');
    expect(await readFile(join(folder, 'other.db'), 'utf8')).toBe('');
  });

  it('goes on where it was, also when it cannot be written', async () => {
    const first = openLogFile({ folder });
    first.write('one\n');
    first.close();
    const second = openLogFile({ folder });
    second.write('two\n');
    expect(await readFile(second.path, 'utf8')).toBe('one\ntwo\n');
    second.close();
    second.write('three\n');
    expect(second.lastLines()).toEqual(['two', 'three', expect.stringContaining('cannot be written')]);
  });
});

describe('the window', () => {
  const screens = [{ x: 0, y: 0, width: 1920, height: 1040 }];
  it.each([
    [
      'where it was',
      { x: 100, y: 50, width: 1000, height: 700 },
      { x: 100, y: 50, width: 1000, height: 700 },
    ],
    [
      'not larger than the screen',
      { x: 0, y: 0, width: 4000, height: 3000 },
      { x: 0, y: 0, width: 1920, height: 1040 },
    ],
    [
      'not where no screen is any more',
      { x: 2500, y: 50, width: 1000, height: 700 },
      { width: 1280, height: 860 },
    ],
    [
      'not with its head out of reach',
      { x: 100, y: -400, width: 1000, height: 700 },
      { width: 1280, height: 860 },
    ],
    ['anywhere the first time', null, { width: 1280, height: 860 }],
  ] as const)('opens %s', (_where, kept, placed) => {
    expect(placeWindow(kept, screens)).toEqual({ ...placed, minWidth: 800, minHeight: 600 });
  });
});

describe('starting at login', () => {
  it('is an entry of the user on Linux', async () => {
    const options = {
      platform: 'linux',
      program: '/home/ann/My $Apps/Hold%point.AppImage',
      configFolder: folder,
      app: { setLoginItemSettings: () => {} },
    } as const;
    setStartAtLogin(true, options);
    const path = join(folder, 'autostart', 'holdpoint.desktop');
    expect(await readFile(path, 'utf8')).toContain(
      'Exec="/home/ann/My \\$Apps/Hold%%point.AppImage" --hidden\n',
    );
    setStartAtLogin(false, options);
    setStartAtLogin(false, options);
    expect(await readdir(join(folder, 'autostart'))).toEqual([]);
  });

  it('is known by a word, and on macOS by the system', () => {
    const at = (platform: NodeJS.Platform, wasOpenedAtLogin: boolean) =>
      ({
        platform,
        app: { getLoginItemSettings: () => ({ wasOpenedAtLogin }) as LoginItemSettings },
      }) as const;
    expect(isStartedAtLogin(['app', '--hidden'], at('win32', false))).toBe(true);
    expect(isStartedAtLogin(['app'], at('darwin', true))).toBe(true);
    expect(isStartedAtLogin(['app'], at('darwin', false))).toBe(false);
    expect(isStartedAtLogin(['app'], at('win32', true))).toBe(false);
  });

  it.each(['win32', 'darwin'] as const)('is told to the system on %s', platform => {
    const told: unknown[] = [];
    const app = { setLoginItemSettings: (settings: unknown) => void told.push(settings) };
    setStartAtLogin(true, { platform, program: 'x', configFolder: folder, app });
    expect(told).toEqual([{ openAtLogin: true, args: ['--hidden'] }]);
  });
});

describe('menus', () => {
  const called: string[] = [];
  const actions: MenuActions = {
    open: () => called.push('open'),
    quit: () => called.push('quit'),
    set: change => called.push(JSON.stringify(change)),
    openLogs: () => called.push('logs'),
    openData: () => called.push('data'),
    openDocumentation: () => called.push('docs'),
    lookForUpdates: () => called.push('look'),
    installUpdate: () => called.push('install'),
  };
  const state = {
    texts,
    settings: desktopSettingsSchema.parse({}),
    policy: {},
    isKiosk: false,
    update: { kind: 'latest' },
    sync: 'All is well.',
  } as const;
  const labels = (items: readonly MenuItemConstructorOptions[]): string[] =>
    items.flatMap(({ label, submenu }) => [
      ...(label ? [label] : []),
      ...(Array.isArray(submenu) ? labels(submenu) : []),
    ]);
  const flat = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
    items.flatMap(item => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);

  it('say how the exchange stands, and what waits to be installed', () => {
    expect(trayMenu(state, actions)[0]).toEqual({ label: 'All is well.', enabled: false });
    const ready = {
      ...state,
      update: { kind: 'ready', version: '1.2.3', needs_administrator: false },
    } as const;
    expect(labels(trayMenu(ready, actions))).toContain('Version 1.2.3 is installed when Holdpoint is closed');
    const waiting = { ...ready, update: { ...ready.update, needs_administrator: true } };
    const install = flat(menuBar(waiting, actions, 'win32')).find(({ label }) => label?.includes('1.2.3'));
    expect(install).toMatchObject({ label: expect.stringContaining('administrator'), enabled: true });
    (install?.click as (() => void) | undefined)?.();
    expect(called.splice(0)).toEqual(['install']);
    const closed = { ...state, update: { kind: 'closed', window: '22:00-05:00' } } as const;
    expect(flat(menuBar(closed, actions, 'win32'))).toContainEqual({
      label: 'Updates: 22:00-05:00',
      enabled: false,
    });
    expect(labels(trayMenu(closed, actions)).join()).not.toMatch(/[Uu]pdate|[Ii]nstall/);
    expect(
      flat(menuBar(state, actions, 'win32')).find(({ label }) => label === texts.lookForUpdates)?.enabled,
    ).toBe(true);
  });

  it('lock what the administrators of the machine decided', () => {
    const locked = { ...state, policy: { keeps_running: false } };
    const choices = flat(menuBar(locked, actions, 'linux')).filter(({ type }) => type === 'checkbox');
    expect(choices.map(({ label, enabled }) => [label, enabled])).toEqual([
      [texts.keepRunning, false],
      [texts.startAtLogin, true],
    ]);
  });

  it('do what they say, and have no developer tools', () => {
    for (const { click } of flat(menuBar(state, actions, 'darwin'))) (click as (() => void) | undefined)?.();
    expect(called).toEqual([
      '{"keeps_running":false}',
      '{"starts_at_login":true}',
      'quit',
      'docs',
      'look',
      'logs',
      'data',
    ]);
    const roles = flat(menuBar(state, actions, 'linux')).map(({ role }) => role);
    expect(roles).not.toContain('toggleDevTools');
    expect(roles).not.toContain('viewMenu');
  });

  it('have every text in both languages', () => {
    const german = shellTexts('de-CH');
    expect(Object.keys(german)).toEqual(Object.keys(texts));
    expect(Object.entries(german).filter(([key, text]) => texts[key as keyof typeof texts] === text)).toEqual(
      [],
    );
  });
});

describe('when the server cannot start', () => {
  it('a person is told why, and what there is to do', () => {
    const trouble = describeTrouble({
      texts,
      why: 'refused',
      lastLines: ['{"level":30}', 'Holdpoint cannot start: Port 4870 is in use. Set HOLDPOINT_PORT.', 'last'],
      backup: '/data/backups/b.db',
    });
    expect(trouble.detail).toBe(
      'Holdpoint cannot start: Port 4870 is in use. Set HOLDPOINT_PORT.\n\nLast backup: /data/backups/b.db',
    );
    expect(trouble.buttons.map(({ action }) => action)).toEqual([
      'try_again',
      'show_log',
      'verify',
      'restore',
      'support',
      'quit',
    ]);
  });

  it('without a backup that is said, and long words are cut', () => {
    const lastLines = Array.from({ length: 20 }, (_each, line) => `${line} ${'y'.repeat(500)}`);
    const { detail, buttons } = describeTrouble({ texts, why: 'keeps_ending', lastLines, backup: undefined });
    expect(detail.split('\n')).toHaveLength(8);
    expect(detail).toContain('There is no backup');
    expect(buttons.map(({ action }) => action)).toEqual([
      'try_again',
      'show_log',
      'verify',
      'restore',
      'support',
      'quit',
    ]);
  });

  it('the newest backup is found by its name', async () => {
    expect(newestBackup(join(folder, 'none'))).toBeUndefined();
    await mkdir(join(folder, 'backups'));
    for (const name of [
      'holdpoint-20310115T080000000Z.db',
      'holdpoint-20310116T080000000Z.db',
      'zzz.db',
      'holdpoint-9.db.new',
    ])
      await writeFile(join(folder, 'backups', name), '');
    expect(newestBackup(folder)).toBe(join(folder, 'backups', 'holdpoint-20310116T080000000Z.db'));
    const encrypted = 'holdpoint-20310117T080000000Z-0a1b2c3d-qqqqqqqq.db.age';
    await writeFile(join(folder, 'backups', encrypted), '');
    expect(newestBackup(folder)).toBe(join(folder, 'backups', encrypted));
  });
});

describe('the end of the app', () => {
  it('waits for what it runs, and comes whatever goes wrong', async () => {
    for (const isFailing of [false, true]) {
      const faults: unknown[] = [];
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const quit = Promise.withResolvers<void>();
      const prevented: string[] = [];
      const event = (name: string) => ({ preventDefault: () => void prevented.push(name) });
      const shutdown = createShutdown({
        stop: () => promise,
        quit: quit.resolve,
        onFault: error => faults.push(error),
      });
      shutdown.beforeQuit(event('first'));
      shutdown.beforeQuit(event('again'));
      if (isFailing) reject(new Error('no'));
      else resolve();
      await quit.promise;
      shutdown.beforeQuit(event('last'));
      expect([prevented, faults.length]).toEqual([['first', 'again'], isFailing ? 1 : 0]);
    }
  });
});

it('the tray has the exchange in the words of the server', async () => {
  const told: (string | null)[] = [];
  let answer: () => Promise<Response> = async () => Response.json({ data: { says: 'All is well.' } });
  let origin: string | undefined = 'http://127.0.0.1:4870';
  const asked: RequestInit[] = [];
  const watch = watchSync({
    origin: () => origin,
    token: 't',
    onSays: says => told.push(says),
    fetch: (_url, init) => {
      asked.push(init ?? {});
      return answer();
    },
  });
  await watch.look();
  await watch.look();
  answer = async () => Response.json({ data: { says: 'w'.repeat(500) } });
  await watch.look();
  answer = async () => Response.json({ status: 'error' }, { status: 503 });
  await watch.look();
  answer = () => Promise.reject(new Error('gone'));
  await watch.look();
  origin = undefined;
  await watch.look();
  watch.close();
  expect(told).toEqual(['All is well.', `${'w'.repeat(119)}…`, null]);
  expect(asked[0]).toEqual({ headers: { Authorization: 'Bearer t' } });
});
