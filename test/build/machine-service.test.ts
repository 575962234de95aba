import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBundles } from '../../build/bundles.ts';
import { readToldServer } from '../../server/app/told-server.ts';
import { readHeadMark } from '../../server/store/head-mark.ts';
import { type StandIn, startStandIn } from '../electron/stand-in-app.ts';
import { layServer } from '../support/lay-bundles.ts';
import { Station } from '../support/station.ts';
import { HAS_MOUNTS, MachineRoot } from './machine-root.ts';

const canRun = HAS_MOUNTS && spawnSync('dpkg-deb', ['--version']).status === 0;
const NAME = 'holdpoint-server';
const json = { 'Content-Type': 'application/json' };
const password = 'correct horse battery staple';
const LONG_MS = 600_000;

/** One server for a machine, from its installation to its removal: the tests go on from each other. */
describe.skipIf(!canRun)('the server of a machine', () => {
  let folder: string;
  let machine: MachineRoot;
  let unit = '';
  const apps: StandIn[] = [];
  const state = (...below: string[]) => machine.path('lib', NAME, ...below);
  const told = () => machine.path('run', NAME, 'server.json');
  const command = (...words: string[]) => machine.command(`/opt/${NAME}/holdpoint`, ...words);

  async function start(): Promise<void> {
    machine.start(unit);
    await expect.poll(() => readToldServer(told())?.origin ?? machine.output).toMatch(/^http:/);
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'holdpoint-machine-'));
    await Promise.all([layServer(folder), buildBundles(['electron'], folder)]);
    symlinkSync(join(import.meta.dirname, '..', '..', 'dist', 'renderer'), join(folder, 'renderer'));
    machine = new MachineRoot(join(folder, 'machine'));
    await machine.lay('7.0.0', folder);
  }, LONG_MS);
  afterAll(async () => {
    await Promise.all(apps.map(app => app.quit()));
    await machine?.stop('SIGKILL');
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('is installed by one command, which says first what it would do', () => {
    expect(command('service', 'status')).toMatchObject({
      status: 1,
      output: expect.stringContaining('not installed'),
    });
    const { status, output } = command('service', 'install', '--print');
    expect([status, output]).toEqual([0, expect.stringContaining(`systemctl restart ${NAME}`)]);
    expect([
      machine.asked(),
      existsSync(machine.path('etc', 'systemd', 'system', `${NAME}.service`)),
    ]).toEqual([[], false]);
    expect(command('service', 'install')).toMatchObject({ status: 0 });
    expect(machine.asked()).toEqual(['daemon-reload', `enable ${NAME}`, `restart ${NAME}`]);
    unit = readFileSync(machine.path('etc', 'systemd', 'system', `${NAME}.service`), 'utf8');
    const settings = machine.path('etc', 'holdpoint', 'server.env');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('4870', '0'));
    // A second time it leaves the settings.
    expect(command('service', 'install')).toMatchObject({ status: 0 });
    expect(readFileSync(settings, 'utf8')).toContain('HOLDPOINT_PORT=0\n');
    machine.asked();
  });

  it('is not installed from where others than root could write the program', () => {
    const open = machine.path('opt', NAME, 'dist', 'server');
    spawnSync('chmod', ['o+w', open]);
    const { status, output } = command('service', 'install');
    spawnSync('chmod', ['o-w', open]);
    expect([status, output]).toEqual([
      1,
      expect.stringContaining(`Others than root may write /opt/${NAME}/dist/server`),
    ]);
    expect(machine.asked()).toEqual([]);
  });

  it('writes its data and where it is, and reads and writes nothing else', async () => {
    const tried = [
      '/etc/x',
      `/opt/${NAME}/x`,
      '/var/lib/x',
      '/usr/x',
      '/root/x',
      '/home/x',
      `/var/lib/${NAME}/x`,
      `/run/${NAME}/x`,
      '/tmp/x',
    ];
    const script = `id -un; grep CapEff /proc/self/status; for path in ${tried.join(' ')}; do touch $path 2>/dev/null && echo $path; done; rm -f /var/lib/${NAME}/x /run/${NAME}/x; ls /root 2>&1`;
    const child = machine.underUnit(unit, `sh -c '${script}'`);
    let output = '';
    child.stdout?.on('data', data => (output += data));
    await once(child, 'close');
    expect(output.split('\n')).toEqual([
      'holdpoint',
      'CapEff:\t0000000000000000',
      `/var/lib/${NAME}/x`,
      `/run/${NAME}/x`,
      '/tmp/x',
      expect.stringContaining('Permission denied'),
      '',
    ]);
  });

  it('runs before anybody has signed in, and says what runs, as whom, on which data', async () => {
    await start();
    const { status, output } = command('service', 'status');
    expect(status).toBe(0);
    expect(output).toContain(`holdpoint-server (/etc/systemd/system/${NAME}.service)`);
    expect(output).toMatch(/Runs +process \d+ as holdpoint, version/);
    expect(output).toMatch(new RegExp(`Data +/var/lib/${NAME}\n`));
    expect((await fetch(`${readToldServer(told())?.origin}/app`)).status).toBe(200);
    // Whoever works at the machine sees that, and neither the data nor a way to change the service.
    const somebody = (...words: string[]) =>
      machine.command('setpriv', '--reuid', 'nobody', '--regid', 'nogroup', '--clear-groups', ...words);
    expect(somebody(`/opt/${NAME}/holdpoint`, 'service', 'status')).toMatchObject({ status: 0 });
    expect(somebody('cat', `/var/lib/${NAME}/token`)).toMatchObject({ status: 1 });
    const refused = somebody(`/opt/${NAME}/holdpoint`, 'service', 'remove');
    expect([refused.status, refused.output]).toEqual([1, expect.stringContaining('Only an administrator')]);
    expect(await machine.stop()).toBe(0);
    expect(command('service', 'status')).toMatchObject({
      status: 1,
      output: expect.stringMatching(/Runs +no\n/),
    });
  });

  it('takes over an installation of one person, with all that it has, and gives it back', async () => {
    const person = new Station({ folder: machine.path('root', 'data') });
    await person.start();
    expect((await person.post('/suppliers', { name: 'Harbour Fasteners' })).status).toBe(201);
    const inUse = command('service', 'move', '/root/data');
    expect([inUse.status, inUse.output]).toEqual([1, expect.stringContaining('/root/data')]);
    await person.stop();
    const moved = command('service', 'move', '/root/data');
    expect([moved.status, moved.output]).toEqual([0, expect.stringContaining('and verified there')]);
    expect(machine.asked()).toEqual([`stop ${NAME}`, `start ${NAME}`, `stop ${NAME}`, `start ${NAME}`]);
    expect(existsSync(machine.path('root', 'data', 'holdpoint.db'))).toBe(false);
    await start();
    const token = readFileSync(state('token'), 'utf8').trim();
    const origin = readToldServer(told())?.origin;
    const headers = { ...json, Authorization: `Bearer ${token}` };
    const made = await fetch(`${origin}/api/v2/suppliers`, {
      method: 'POST',
      headers,
      body: '{"name":"Of the service"}',
    });
    expect(made.status).toBe(201);
    await machine.stop();
    machine.asked();
    expect(command('service', 'move', '--back', '/root/none')).toMatchObject({ status: 1 });
    expect(machine.asked()).toEqual([`stop ${NAME}`, `start ${NAME}`]);
    const back = command('service', 'move', '--back', '/root/data');
    expect([back.status, back.output]).toEqual([0, expect.stringContaining('holdpoint service remove')]);
    expect(machine.asked()).toEqual([`stop ${NAME}`]);
    await person.start();
    expect((await person.get('/suppliers')).body).toMatchObject({
      data: [{ name: 'Harbour Fasteners' }, { name: 'Of the service' }],
    });
    await person.stop();
    expect(command('service', 'move', '/root/data')).toMatchObject({ status: 0 });
    machine.asked();
  });

  async function openApp(): Promise<StandIn> {
    const app = await startStandIn({ bundle: join(folder, 'electron'), env: { HOLDPOINT_SERVICE: told() } });
    apps.push(app);
    await app.next('window');
    return app;
  }
  const send = (app: StandIn, path: string, body: object) =>
    app.ask({ url: `app://bundle/api/v2${path}`, method: 'POST', headers: json, body: JSON.stringify(body) });
  const suppliers = async (app: StandIn) =>
    JSON.parse((await app.ask({ url: 'app://bundle/api/v2/suppliers?per_page=100' })).body).data.map(
      ({ name }: { name: string }) => name,
    );

  it(
    'serves two people at once, each by an app of their own, and goes on when one leaves',
    async () => {
      await start();
      const [ann, bob] = [await openApp(), await openApp()];
      const token = readFileSync(state('token'), 'utf8').trim();
      const origin = readToldServer(told())?.origin;
      for (const login of ['ann', 'bob']) {
        const made = await fetch(`${origin}/api/v2/x/users`, {
          method: 'POST',
          headers: { ...json, Authorization: `Bearer ${token}` },
          body: JSON.stringify({
            name: login,
            login,
            password,
            roles: ['administrator'],
            is_password_temporary: false,
          }),
        });
        expect([made.status, await made.text()]).toEqual([201, expect.anything()]);
      }
      expect((await send(ann, '/x/session', { login: 'ann', password })).status).toBeLessThan(300);
      expect((await send(bob, '/x/session', { login: 'bob', password })).status).toBeLessThan(300);
      const made = await Promise.all([
        send(ann, '/suppliers', { name: 'By Ann' }),
        send(bob, '/suppliers', { name: 'By Bob' }),
      ]);
      expect(made.map(({ status }) => status)).toEqual([201, 201]);
      const running = readToldServer(told())?.process;
      expect(ann.told('server').concat(bob.told('server'))).toEqual([]);
      expect(await ann.quit()).toBe(0);
      apps.splice(apps.indexOf(ann), 1);
      expect(await suppliers(bob)).toEqual(expect.arrayContaining(['By Ann', 'By Bob']));
      expect(readToldServer(told())?.process).toBe(running);
    },
    LONG_MS,
  );

  it(
    'ends in order while people write: what was answered is there, and the app finds it again',
    async () => {
      const [bob] = apps;
      if (bob === undefined) throw new Error('Nobody is there.');
      const answered: string[] = [];
      let isStopping = false;
      const writing = Array.from({ length: 4 }, async (_, who) => {
        for (let nth = 0; nth < 1_000; nth += 1) {
          const name = `Written ${who} ${nth}`;
          const { status } = await send(bob, '/suppliers', { name });
          if (status === 201) answered.push(name);
          else if (isStopping) return;
        }
      });
      await expect.poll(() => answered.length).toBeGreaterThan(10);
      isStopping = true;
      expect(await machine.stop()).toBe(0);
      await Promise.all(writing);
      expect(readHeadMark(state())).toMatchObject({ is_closed: true });
      await machine.lay('7.0.1', folder);
      await start();
      await expect
        .poll(async () => (await bob.ask({ url: 'app://bundle/api/v2/suppliers' })).status)
        .toBe(200);
      const names = new Set<string>();
      for (let page = 1; names.size < answered.length && page < 50; page += 1) {
        const { body } = await bob.ask({ url: `app://bundle/api/v2/suppliers?per_page=100&page=${page}` });
        for (const { name } of JSON.parse(body).data) names.add(name);
      }
      expect(answered.filter(name => !names.has(name))).toEqual([]);
      expect(bob.told('dialog')).toEqual([]);
      expect(JSON.parse(readFileSync(machine.path('opt', NAME, 'package.json'), 'utf8')).version).toBe(
        '7.0.1',
      );
    },
    LONG_MS,
  );

  it(
    'is killed while people write, and starts again with all that was answered',
    async () => {
      const [bob] = apps;
      if (bob === undefined) throw new Error('Nobody is there.');
      const answered: string[] = [];
      let isKilled = false;
      const writing = Array.from({ length: 4 }, async (_, who) => {
        for (let nth = 0; nth < 1_000; nth += 1) {
          const name = `Killed ${who} ${nth}`;
          const { status } = await send(bob, '/suppliers', { name });
          if (status === 201) answered.push(name);
          else if (isKilled) return;
        }
      });
      await expect.poll(() => answered.length).toBeGreaterThan(10);
      isKilled = true;
      await machine.stop('SIGKILL');
      await Promise.all(writing);
      expect(readHeadMark(state())).toMatchObject({ is_closed: false });
      machine.start(unit);
      await expect
        .poll(async () => (await bob.ask({ url: 'app://bundle/api/v2/suppliers' })).status)
        .toBe(200);
      const names = new Set<string>();
      for (let page = 1; page < 100; page += 1) {
        const { body } = await bob.ask({ url: `app://bundle/api/v2/suppliers?per_page=100&page=${page}` });
        const { data } = JSON.parse(body);
        for (const { name } of data) names.add(name);
        if (data.length < 100) break;
      }
      expect(answered.filter(name => !names.has(name))).toEqual([]);
      expect(bob.told('dialog')).toEqual([]);
    },
    LONG_MS,
  );

  it('is removed, and its data stay', async () => {
    await machine.stop();
    expect(command('service', 'remove')).toMatchObject({ status: 0 });
    expect(machine.asked()).toEqual([`disable --now ${NAME}`, 'daemon-reload']);
    expect(existsSync(machine.path('etc', 'systemd', 'system', `${NAME}.service`))).toBe(false);
    const { status, output } = machine.command(
      'env',
      `HOLDPOINT_DATA=/var/lib/${NAME}`,
      `/opt/${NAME}/holdpoint`,
      'verify',
    );
    expect([status, output]).toEqual([0, expect.stringContaining('Nothing is wrong')]);
  });
});
