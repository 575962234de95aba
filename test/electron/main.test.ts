import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildBundles } from '../../build/bundles.ts';
import { config } from '../../build/electron-builder.config.ts';
import { bridgeChannels } from '../../electron/bridge-channels.ts';
import { KIOSK_WINDOW, SAFE_PREFERENCES } from '../../electron/window-policy.ts';
import { readHeadMark } from '../../server/store/head-mark.ts';
import { SECRET_LENGTH, writeEnrolmentCode } from '../../shared/contract/enrolment-code.ts';
import { layServer } from '../support/lay-bundles.ts';
import { TESTED } from '../support/tested-program.ts';
import { type StandIn, startStandIn } from './stand-in-app.ts';

/** The whole main process as it is bundled, on a stand-in for Electron, with its real server process. */
let folder: string;
let bundle: string;
let app: StandIn | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-desktop-'));
  await Promise.all([layServer(folder, TESTED), buildBundles(['electron'], folder)]);
  await symlink(join(import.meta.dirname, '..', '..', 'dist', 'renderer'), join(folder, 'renderer'));
  bundle = join(folder, 'electron');
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(async () => {
  await app?.quit();
  app = undefined;
});

const json = { 'Content-Type': 'application/json' };
const password = 'correct horse battery staple';

/** Makes the first administrator as the page does that the app opens at first. */
async function signIn(running: StandIn, path: unknown): Promise<void> {
  const code = String(path).split('#')[1];
  const made = await running.ask({
    url: 'app://bundle/api/v2/x/first-administrator',
    method: 'POST',
    headers: json,
    body: JSON.stringify({ code, name: 'Ann', login: 'ann', password }),
  });
  expect([made.status, made.headers['set-cookie']]).toEqual([201, undefined]);
}

async function makeSupplier(running: StandIn, name: string): Promise<number> {
  const made = await running.ask({
    url: 'app://bundle/api/v2/suppliers',
    method: 'POST',
    headers: json,
    body: JSON.stringify({ name }),
  });
  expect([made.status, made.body]).toEqual([201, expect.stringContaining(name)]);
  return JSON.parse(made.body).data.id;
}

describe('the app', () => {
  it('works from the first sign-in to its end, also when its server is killed', async () => {
    app = await startStandIn({ bundle });
    const running = app;
    const { pid } = await running.next('server');
    const { path, preferences } = await running.next('window');
    expect(preferences).toEqual({ ...SAFE_PREFERENCES, preload: join(bundle, 'preload.cjs') });
    expect(await running.next('sandbox')).toBeDefined();
    expect((await running.next('schemes')).schemes).toMatchObject([
      { scheme: 'app', privileges: { standard: true, secure: true } },
    ]);

    // A page has the session of whoever signed in, and never sees it.
    expect((await running.ask({ url: 'app://bundle/api/v2/suppliers' })).status).toBe(401);
    await signIn(running, path);
    const id = await makeSupplier(running, 'Harbour Fasteners');
    const events = await running.ask({ url: 'app://bundle/api/v2/x/events', first: true });
    expect([events.status, events.body]).toEqual([200, expect.stringContaining('retry:')]);

    process.kill(Number(pid), 'SIGKILL');
    const next = await running.next('server');
    expect(next.pid).not.toBe(pid);
    await expect
      .poll(async () => (await running.ask({ url: `app://bundle/api/v2/suppliers/${id}` })).status)
      .toBe(200);

    running.emit('power', 'resume');
    running.emit('app', 'second-instance', {}, ['holdpoint', `holdpoint://supplier/${id}`]);
    expect((await running.next('window')).path).toBe(`app://bundle/app/records/supplier/${id}`);
    expect(running.told('ipc').map(({ channel }) => channel)).toEqual(Object.values(bridgeChannels));
    expect((await running.next('tray')).text).toMatch(/^Holdpoint: /);

    // A label is printed when the viewer has read it, and is blank before.
    running.invoke(bridgeChannels.print, {
      ...{ kind: 'printer', title: 'Lot 7', printer: 'zebra', width_mm: 100, height_mm: 50 },
      content: '%PDF-1.7',
    });
    expect(await running.next('printed')).toMatchObject({
      ...{ on: 'zebra', what: 'the paper', silent: true },
      ...{ width: 100_000, height: 50_000 },
    });
    // What a printer did not take is kept, with the system's word for it, and nothing else waits for it.
    for (const printer of ['jammed', 'leaving', 'zebra']) {
      running.invoke(bridgeChannels.print, {
        ...{ kind: 'printer', title: printer, printer, width_mm: 100, height_mm: 50 },
        content: '%PDF-1.7',
      });
    }
    expect(await running.next('printed')).toMatchObject({ on: 'zebra', what: 'the paper' });
    const jobs = async () =>
      JSON.parse(
        await readFile(join(running.folder, 'share', 'holdpoint', 'desktop', 'labels.json'), 'utf8'),
      );
    await expect.poll(jobs).toMatchObject([
      { title: 'jammed', state: 'failed', fault: 'refused', detail: 'Print job failed' },
      { title: 'leaving', state: 'failed', fault: 'refused', detail: 'Invalid deviceName provided' },
    ]);
    expect((await running.next('app-id')).id).toBe(config.appId);
    // What crashes is kept for whoever asks, and sent nowhere.
    expect(running.told('path')).toContainEqual({
      event: 'path',
      name: 'crashDumps',
      path: join(running.folder, 'share', 'holdpoint', 'desktop', 'crashes'),
    });
    expect((await running.next('crash-reporter')).options).toEqual({ uploadToServer: false });

    const log = await readFile(join(running.data, 'logs', 'holdpoint.log'), 'utf8');
    expect(log).toContain('The server ended; it starts again in');
    // The password, the code and the session stand in no file of the log.
    expect(log).not.toMatch(/correct horse|holdpoint_session|first#[A-Z0-9]/);
    // It ends only when its server has ended in order.
    expect(await running.quit()).toBe(0);
    expect(() => process.kill(Number(next.pid), 0)).toThrow('ESRCH');
  });

  it.skipIf(process.getuid?.() !== 0)('does what the policy of the machine says of it', async () => {
    const policy = join(await mkdtemp(join(folder, 'policy-')), 'policy.json');
    const asked = { starts_at_login: true, keeps_running: false, language: 'de', printer: 'zebra' };
    await writeFile(policy, JSON.stringify(asked));
    app = await startStandIn({ bundle, env: { HOLDPOINT_POLICY: policy } });
    await app.next('window');
    expect((await app.next('tray')).text).toBe('Holdpoint: Der Server läuft.');
    const entry = join(app.folder, 'autostart', 'holdpoint.desktop');
    expect(await readFile(entry, 'utf8')).toContain('--hidden');
    const settings = join(app.folder, 'share', 'holdpoint', 'desktop', 'settings.json');
    app.invoke(bridgeChannels.openLogs);
    expect(await app.next('shown')).toMatchObject({ path: join(app.data, 'logs', 'holdpoint.log') });
    // What the person had chosen stays theirs, for when the policy is gone.
    expect(await readFile(settings, 'utf8').catch(() => '')).not.toContain('"starts_at_login":true');
  });

  it.skipIf(process.getuid?.() !== 0)(
    'of a kiosk fills the screen, has no menu, and ends with the machine alone',
    async () => {
      const policy = join(await mkdtemp(join(folder, 'policy-')), 'policy.json');
      await writeFile(policy, JSON.stringify({ kiosk: true }));
      app = await startStandIn({ bundle, env: { HOLDPOINT_POLICY: policy }, args: ['--hidden'] });
      const { options, preferences } = await app.next('window');
      expect(options).toMatchObject(KIOSK_WINDOW);
      expect(preferences).toEqual({
        ...SAFE_PREFERENCES,
        preload: join(bundle, 'preload.cjs'),
        devTools: false,
      });
      expect(await app.next('menu')).toMatchObject({ isThere: false });
      expect(app.told('tray')).toEqual([]);
      app.closeWindow();
      expect(await app.next('close-asked')).toMatchObject({ isPrevented: true });
      // It works on, and shows nobody the files of the machine.
      expect((await app.ask({ url: 'app://bundle/api/v2/status' })).status).toBe(200);
      app.invoke(bridgeChannels.openLogs);
      app.shutDown();
      expect(await app.ended()).toBe(0);
      expect(app.told('shown')).toEqual([]);
    },
  );

  it('says why where its server cannot start, and tries again when it is told to', async () => {
    app = await startStandIn({ bundle, env: { HOLDPOINT_PORT: 'none' } });
    const { options } = await app.next('dialog');
    expect(options).toMatchObject({
      title: 'Holdpoint cannot start',
      detail: expect.stringContaining('HOLDPOINT_PORT="none" cannot be used.'),
      buttons: [
        'Try again',
        'Show the log',
        'Check the data',
        'Bring a backup back …',
        'Write a report for support',
        'Quit Holdpoint',
      ],
    });
    app.choose(1);
    expect((await app.next('shown')).path).toBe(join(app.data, 'logs', 'holdpoint.log'));
    await app.next('dialog');
    await app.next('server');
    // A command runs in the place of the server, and says the same.
    app.choose(2);
    await app.next('server');
    expect((await app.next('dialog')).options).toMatchObject({ message: expect.stringContaining('minutes') });
    expect((await app.next('dialog')).options).toMatchObject({
      message: 'The data are not as they must be, or were not read.',
      detail: expect.stringContaining('HOLDPOINT_PORT="none" cannot be used.'),
    });
    app.choose(0);
    app.choose(0);
    await app.next('dialog');
    // A report is written all the same.
    app.choose(4);
    await app.next('server');
    await app.next('dialog');
    const report = join(app.data, 'logs', 'holdpoint-support.txt');
    expect((await app.next('dialog')).options).toMatchObject({ message: expect.stringContaining(report) });
    expect(await readFile(report, 'utf8')).toContain('HOLDPOINT_PORT: none');
    app.choose(0);
    app.choose(0);
    await app.next('shown');
    await app.next('dialog');
    app.choose(0);
    await app.next('server');
    await app.next('dialog');
    app.choose(5);
    expect(await app.ended()).toBe(0);
  });

  it.each([
    [
      'Windows ends the session, also with all windows closed',
      'win32',
      (running: StandIn) => running.endSession(),
    ],
    ['the machine is shut down', 'linux', (running: StandIn) => running.shutDown()],
  ])('closes the store before %s', async (_when, platform, end) => {
    app = await startStandIn({ bundle, env: { STAND_IN_PLATFORM: platform } });
    await app.next('window');
    expect(readHeadMark(app.data)).toMatchObject({ is_closed: false });
    end(app);
    expect(await app.ended()).toBe(0);
    expect(readHeadMark(app.data)).toMatchObject({ is_closed: true });
  });

  it('lets a second person at the machine in, who works on when the first one leaves', async () => {
    // Both apps have the data of the machine, as an installation for all users of Windows.
    const data = join(folder, 'shared');
    const first = await startStandIn({ bundle, env: { HOLDPOINT_DATA: data } });
    onTestFinished(async () => void (await first.quit()));
    await signIn(first, (await first.next('window')).path);
    const id = await makeSupplier(first, 'Harbour Fasteners');
    app = await startStandIn({ bundle, env: { HOLDPOINT_DATA: data } });
    const second = app;
    await second.next('window');
    const login = await second.ask({
      url: 'app://bundle/api/v2/x/session',
      method: 'POST',
      headers: json,
      body: JSON.stringify({ login: 'ann', password }),
    });
    expect(login.status).toBeLessThan(300);
    const read = async () => (await second.ask({ url: `app://bundle/api/v2/suppliers/${id}` })).status;
    expect(await read()).toBe(200);
    expect(await first.quit()).toBe(0);
    await expect.poll(read).toBe(200);
    expect(second.told('dialog')).toEqual([]);
  });

  it('reaches central by the proxy that the system names', async () => {
    app = await startStandIn({ bundle, env: { STAND_IN_PROXY: 'PROXY 127.0.0.1:9; DIRECT' } });
    await signIn(app, (await app.next('window')).path);
    const code = writeEnrolmentCode({ secret: 'A'.repeat(SECRET_LENGTH), fingerprint: null });
    const enrolled = await app.ask({
      url: 'app://bundle/api/v2/x/sync/enrol',
      method: 'POST',
      headers: json,
      body: JSON.stringify({ address: 'https://central.example', code }),
    });
    expect(enrolled.body).toContain('the proxy cannot be reached');
    expect((await app.next('proxy')).url).toBe('https://central.example:443/');
  });

  it('is the command line too, for whoever has nothing but the package', async () => {
    const data = join(folder, 'commanded');
    const command = async (...words: string[]) => {
      const running = await startStandIn({
        bundle,
        env: { HOLDPOINT_DATA: data, HOLDPOINT_LOG: 'silent' },
        args: ['--holdpoint-command', '--', ...words],
      });
      await running.ended();
      const code = await running.quit();
      return `${code} ${running.output()}`;
    };
    expect(await command('backup', '--to', join(folder, 'kept'))).toMatch(/^0 /);
    const [backup = ''] = await readdir(join(folder, 'kept'));
    expect(await command('restore', join(folder, 'kept', backup))).toMatch(/^0 .* is restored and verified/);
    expect(await command('restore', 'none.db')).toMatch(/^1 holdpoint: .*none\.db/s);
    expect(await command('no-such-command')).toMatch(/^2 /);
  });

  it('leaves the sandbox off where it was started without, as an AppImage is without user namespaces', async () => {
    app = await startStandIn({ bundle, args: ['--no-sandbox'] });
    await app.next('window');
    expect(app.told('sandbox')).toEqual([]);
    expect(await readFile(join(app.data, 'logs', 'holdpoint.log'), 'utf8')).toContain('without the sandbox');
  });

  it('is there once', async () => {
    app = await startStandIn({ bundle, env: { STAND_IN_SECOND: '1' } });
    expect(await app.ended()).toBe(0);
    expect(app.told('server')).toEqual([]);
  });
});
