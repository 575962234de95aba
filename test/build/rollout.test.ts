import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readToldServer } from '../../server/app/told-server.ts';
import { layServer } from '../support/lay-bundles.ts';
import { freePort } from '../support/station.ts';
import { HAS_MOUNTS, MachineRoot } from './machine-root.ts';

const NAME = 'holdpoint-server';
const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'rollout.md');
const canRun = HAS_MOUNTS && spawnSync('dpkg-deb', ['--version']).status === 0;

/** The lines of its blocks for a shell, as they follow each other. */
const commands = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(
  ([, block = '']) => block.trim().split('\n'),
);

/** What each is to say, by a part of the command. */
const SAYS: [command: string, says: RegExp][] = [
  ['service status', /Address +http:\/\/127\.0\.0\.1:/],
  ['du -sh', /\/var\/lib\/holdpoint-server\n$/],
  ['holdpoint policy', /This machine has no policy/],
  ['holdpoint verify', /Nothing is wrong with \/var\/lib\/holdpoint-server/],
  ['backup --to', /\/var\/backups\/holdpoint\/holdpoint-.* verified/],
  ['holdpoint support', /support\.txt is written/],
  ['holdpoint restore', /is restored and verified/],
  ['service remove', /is removed\. Its data stay/],
];

describe.skipIf(!canRun)('the commands of docs/rollout.md', () => {
  let folder: string;
  let machine: MachineRoot;
  let unit: string;

  async function start(): Promise<void> {
    machine.start(unit);
    await expect
      .poll(() => readToldServer(machine.path('run', NAME, 'server.json'))?.origin ?? machine.output)
      .toMatch(/^http:/);
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'holdpoint-rollout-'));
    await layServer(folder);
    machine = new MachineRoot(join(folder, 'machine'));
    await machine.lay('7.0.0', folder);
    expect(machine.command('holdpoint', 'service', 'install')).toMatchObject({ status: 0 });
    unit = readFileSync(machine.path('etc', 'systemd', 'system', `${NAME}.service`), 'utf8');
    const settings = machine.path('etc', 'holdpoint', 'server.env');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('4870', String(await freePort())));
  }, 600_000);
  afterAll(async () => {
    await machine?.stop('SIGKILL');
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('each do what is said of them, one after the other', { timeout: 600_000 }, async () => {
    expect(commands.length).toBeGreaterThan(10);
    await start();
    const untold = new Set(SAYS.map(([command]) => command));
    for (const line of commands) {
      const [backup = ''] = existsSync(machine.path('lib', NAME, 'backups'))
        ? readdirSync(machine.path('lib', NAME, 'backups')).filter(name => name.endsWith('.db'))
        : [];
      const words = line.replace(/^sudo /, '').replace('FILE', backup);
      if (/systemctl stop|service remove/.test(words)) await machine.stop();
      const { status, output } = machine.command('sh', '-c', words);
      expect([line, status, output]).toEqual([line, 0, expect.anything()]);
      if (/systemctl start/.test(words)) await start();
      for (const [command, says] of SAYS) {
        if (!words.includes(command)) continue;
        expect(output).toMatch(says);
        untold.delete(command);
      }
    }
    expect([...untold]).toEqual([]);
    expect(existsSync(machine.path('lib', NAME))).toBe(false);
    expect(readFileSync(machine.path('etc', 'passwd'), 'utf8')).not.toContain('holdpoint');
  });

  it('name the codes by which a command ends as they are', () => {
    expect(machine.command('holdpoint', 'no-such-command').status).toBe(2);
    expect(machine.command('holdpoint', 'service', 'status').status).toBe(1);
  });
});
