import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandIn } from '../../electron/command.ts';

const SCRIPTS = join(import.meta.dirname, '..', '..', 'build', 'command');

it.each([
  [['app'], undefined],
  [['app', '--hidden'], undefined],
  [['app', 'holdpoint://part/7'], undefined],
  // A link cannot pretend to be a command.
  [['app', 'holdpoint://part/7', '--', '--holdpoint-command', 'restore'], undefined],
  [['app', '--holdpoint-command', '--'], []],
  [
    ['app', '--no-sandbox', '--holdpoint-command', '--', 'enrol', 'https://central.example', '--separate'],
    ['enrol', 'https://central.example', '--separate'],
  ],
])('%j is the command %j', (args, words) => {
  expect(commandIn(args)).toEqual(words);
});

describe('the script of the packages', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdpoint command-'));
    await mkdir(join(folder, 'bin'));
    await cp(join(SCRIPTS, 'holdpoint'), join(folder, 'bin', 'holdpoint'));
    await writeFile(join(folder, 'holdpoint'), '#!/bin/sh\nprintf "%s|" "$@"\nexit 3\n', { mode: 0o755 });
    await mkdir(join(folder, 'usr'));
    await symlink(join(folder, 'bin', 'holdpoint'), join(folder, 'usr', 'holdpoint'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = (...args: string[]) => {
    const { status, stdout } = spawnSync(join(folder, 'usr', 'holdpoint'), args, { encoding: 'utf8' });
    return [status, stdout];
  };

  it('hands a command over as it is, without a screen and with its exit code', () => {
    const words = ['restore', 'a "file"', '--key-file', '$HOME'];
    const [status, given] = run(...words);
    expect(status).toBe(3);
    const args = String(given).split('|').slice(0, -1);
    expect(commandIn(['app', ...args])).toEqual(words);
    expect(args).toContain('--ozone-platform=headless');
  });

  it.each([[[]], [['--hidden']], [['holdpoint://part/7']]])('opens the app for %j', args => {
    expect(run(...args)).toEqual([3, args.length === 0 ? '|' : `${args.join('|')}|`]);
  });

  it('for Windows does the same from a folder below the program', async () => {
    const script = await readFile(join(SCRIPTS, 'holdpoint.cmd'), 'utf8');
    expect(script).toContain('"%~dp0..\\Holdpoint.exe" --holdpoint-command -- %*\r\n');
    expect(script.split('\r\n').every(line => !line.includes('\n'))).toBe(true);
  });
});
