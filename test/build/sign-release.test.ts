import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRelease, requireFeed } from '../../shared/contract/signed-release.ts';
import { digestOf, feedOf, writeRelease } from '../server/updates/release.ts';

const COMMAND = join(import.meta.dirname, '..', '..', 'build', 'sign-release.ts');

let folder: string;
let key: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-release-'));
  key = join(folder, 'publisher.pem');
  await writeRelease(folder, { version: '1.2.3', bytes: Buffer.from('linux'), signed: null });
});
afterEach(() => rm(folder, { recursive: true }));

/** As the documents say: openssl makes the key. */
function makeKey(...args: string[]): void {
  const made = spawnSync('openssl', ['genpkey', '-algorithm', 'ed25519', ...args, '-out', key]);
  expect(made.status).toBe(0);
}

function signIt(words: string[] = [], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [COMMAND, '--folder', folder, '--key', key, ...words],
    { env: { ...process.env, ...env }, encoding: 'utf8' },
  );
  return { status, says: stdout + stderr, publicKey: /that name ([\w-]{43}) /.exec(stdout)?.[1] ?? '' };
}

/** The feed of Windows beside the one of Linux. */
async function addWindows(version: string): Promise<void> {
  const name = `holdpoint-${version}-win-x64.exe`;
  const bytes = Buffer.from('windows');
  await writeFile(join(folder, name), bytes);
  await writeFile(
    join(folder, 'latest.yml'),
    feedOf({ name, version, sha512: digestOf(bytes), size: bytes.length }),
  );
}

it('the publisher signs the feeds of all systems at once, with a key that openssl has made', async () => {
  await addWindows('1.2.3');
  makeKey('-aes256', '-pass', 'pass:harbour');
  const passphrase = { HOLDPOINT_PUBLISHER_PASSPHRASE: 'harbour' };
  const { status, publicKey } = signIt(['--ring', 'pilot', '--valid-days', '30'], passphrase);
  expect(status).toBe(0);
  const statement = await readFile(join(folder, 'release.json'), 'utf8');
  const now = new Date();
  const release = await readRelease(statement, { keys: [publicKey], now, ring: 'pilot' });
  expect(release).toMatchObject({ version: '1.2.3', ring: 'pilot' });
  expect(Date.parse(release.expires_at) - Date.parse(release.signed_at)).toBe(30 * 86_400_000);
  for (const name of ['latest.yml', 'latest-linux.yml'])
    await requireFeed(release, name, await readFile(join(folder, name), 'utf8'));
  const later = new Date(Date.parse(release.expires_at) + 1);
  await expect(readRelease(statement, { keys: [publicKey], now: later })).rejects.toThrow('signs it anew');
});

it('signs nothing that does not fit together', async () => {
  makeKey();
  await addWindows('1.2.4');
  expect(signIt()).toMatchObject({
    status: 1,
    says: expect.stringContaining('The feeds are of 1.2.3 and 1.2.4'),
  });
  await addWindows('1.2.3');
  await writeFile(join(folder, 'holdpoint-1.2.3-win-x64.exe'), 'another one');
  expect(signIt().says).toContain('holdpoint-1.2.3-win-x64.exe is not the file that latest.yml offers');
  await addWindows('1.2.3');
  expect(signIt(['--ring', '../x']).says).toContain('../x is no ring');
  expect(signIt().status).toBe(0);
});
