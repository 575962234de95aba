import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { publishAddress, publishedAddress, withdrawAddress } from '../../../server/app/own-address.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-address-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('says where a server of this machine is, as long as it is there', () => {
  expect(publishedAddress(folder)).toBeUndefined();
  publishAddress(folder, 'http://127.0.0.1:4870');
  expect(publishedAddress(folder)).toBe('http://127.0.0.1:4870');
  withdrawAddress(folder);
  withdrawAddress(folder);
  expect(publishedAddress(folder)).toBeUndefined();
});

it('says nothing of one that others reach', async () => {
  publishAddress(folder, 'https://central.example:4870');
  expect(await readdir(folder)).toEqual([]);
});

it.each([
  'http://127.0.0.1.evil.example:80',
  'http://127.0.0.1@evil.example/',
  'http://evil.example',
  'file:///etc/passwd',
  '',
])('leads no app to %j', async text => {
  await writeFile(join(folder, 'own-address'), text);
  expect(publishedAddress(folder)).toBeUndefined();
});

it('is an address alone, whatever else is written there', async () => {
  await writeFile(join(folder, 'own-address'), 'http://127.0.0.1:4870/x?y#z\n');
  expect(publishedAddress(folder)).toBe('http://127.0.0.1:4870');
});
