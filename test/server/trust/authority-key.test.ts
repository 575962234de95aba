import { createPrivateKey } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fingerprintOfKey } from '../../../server/keys/ed25519.ts';
import { openAuthority } from '../../../server/trust/authority-key.ts';
import { isSigned, signCheckpoint } from '../../../server/trust/checkpoint.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';

const STANDING = {
  installation: 'a1',
  at: '2026-06-30T12:00:00.000Z',
  log: { epoch: 'e1', sequence: 40, hash: 'ab'.repeat(32) },
  chain: null,
};

/** RFC 8032, 7.1, test 1: its secret key in the frame of PKCS 8 (RFC 8410). */
const VECTOR = {
  secret: '302e020100300506032b657004220420 9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

describe('the key of an installation', () => {
  it('is made once, for its owner only, and is the same at the next start', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'authority.key');
    const first = openAuthority(folder);
    chmodSync(path, 0o644);
    expect(openAuthority(folder).key).toBe(first.key);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(openAuthority(temporaryFolder()).key).not.toBe(first.key);
  });

  it.each([
    ['is cut off', '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw'],
    ['is of another kind', undefined],
  ])('that %s is refused with the file and the remedy, and never replaced', (_name, content) => {
    const folder = temporaryFolder();
    const path = join(folder, 'authority.key');
    writeFileSync(path, content ?? ecKey());
    const before = readFileSync(path, 'utf8');
    expect(() => openAuthority(folder)).toThrow(/authority\.key cannot be used: .*Put it back from a copy/);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('that cannot be read is refused in the same words, and never replaced', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'authority.key');
    // Also root reads no folder.
    mkdirSync(path);
    expect(() => openAuthority(folder)).toThrow(/authority\.key cannot be used: .*Put it back from a copy/);
    expect(statSync(path).isDirectory()).toBe(true);
    if (process.getuid?.() === 0) return;
    const own = temporaryFolder();
    const { key } = openAuthority(own);
    const file = join(own, 'authority.key');
    chmodSync(file, 0);
    // Its owner may take it back, and does.
    expect(openAuthority(own).key).toBe(key);
  });

  it.skipIf(process.platform !== 'linux')(
    'that others can read, and that is not to be changed, is refused in words, and kept',
    () => {
      const folder = temporaryFolder();
      // A file whose rights nobody changes, root neither.
      symlinkSync('/proc/sys/kernel/ostype', join(folder, 'authority.key'));
      expect(() => openAuthority(folder)).toThrow(
        /authority\.key can be read by others than its owner.*chmod 600.*keep it/,
      );
      expect(lstatSync(join(folder, 'authority.key')).isSymbolicLink()).toBe(true);
    },
  );
});

describe('a checkpoint', () => {
  it('is the same bytes for ever: the test vector of docs/verify', () => {
    const folder = temporaryFolder();
    const der = Buffer.from(VECTOR.secret.replace(' ', ''), 'hex');
    const pem = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({
      type: 'pkcs8',
      format: 'pem',
    });
    writeFileSync(join(folder, 'authority.key'), pem);
    const checkpoint = signCheckpoint(openAuthority(folder), STANDING);
    const documented = readFileSync(new URL('../../../docs/verify/vector.json', import.meta.url), 'utf8');
    expect(checkpoint.key).toBe(VECTOR.key);
    expect(JSON.parse(documented).checkpoints).toEqual([checkpoint]);
    expect(fingerprintOfKey(checkpoint.key)).toBe(
      '21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9',
    );
  });

  it('counts for what was signed and nothing else', () => {
    const authority = openAuthority(temporaryFolder());
    const checkpoint = signCheckpoint(authority, STANDING);
    expect(isSigned(checkpoint)).toBe(true);
    const other = openAuthority(temporaryFolder());
    const log = { ...STANDING.log, sequence: 41 };
    for (const forged of [
      { ...checkpoint, installation: 'a2' },
      { ...checkpoint, at: '2026-06-30T12:00:00.001Z' },
      { ...checkpoint, log },
      { ...checkpoint, log: null },
      { ...checkpoint, chain: { chain: 'c', number: 1, hash: STANDING.log.hash } },
      { ...checkpoint, key: other.key },
      { ...checkpoint, signature: signCheckpoint(other, STANDING).signature },
      { ...checkpoint, key: 'A'.repeat(43) },
      { ...checkpoint, signature: 'A'.repeat(86) },
      { ...checkpoint, key: 'AQ'.padEnd(43, 'A'), signature: `AQ${'A'.repeat(84)}` },
    ])
      expect(isSigned(forged)).toBe(false);
  });
});

function ecKey(): string {
  return `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgevZzL1gdAFr88hb2
OF/2NxApJCzGCEDdfSp6VQO30hyhRANCAAQRWz+jn65BtOMvdyHKcvjBeBSDZH2r
1RTwjmYSi9R/zpBnuQ4EiMnCqfMPWiZqB4QdbAd0E7oH50VpuZ1P087G
-----END PRIVATE KEY-----
`;
}
