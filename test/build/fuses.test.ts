import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setFuses } from '../../build/fuses.ts';
import { writeStandInElectron } from './stand-in-electron.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-fuses-'));
});
afterEach(() => rm(folder, { recursive: true }));

const program = () => join(folder, 'electron');

it('sets every fuse, and leaves one that Electron has removed', async () => {
  await writeStandInElectron(folder, { fuses: '101100r11' });
  await setFuses(program());
  expect(await readFile(program(), 'latin1')).toContain('010011r01 the end');
});

it.each([
  ['fewer fuses than are decided', '10110001'],
  ['more', '1011000110'],
])('stops the build where the program has %s', async (_how, fuses) => {
  await writeStandInElectron(folder, { fuses });
  await expect(setFuses(program())).rejects.toThrow(`${fuses.length} fuses of version 1`);
  expect(await readFile(program(), 'latin1')).toContain(fuses);
});

it('stops the build where the program is not Electron', async () => {
  await writeStandInElectron(folder);
  await expect(setFuses(join(folder, 'version'))).rejects.toThrow('has no fuses');
});
