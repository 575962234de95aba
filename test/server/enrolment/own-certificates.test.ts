import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fingerprintOf, followersOf } from '../../../server/enrolment/certificate-chain.ts';
import { OwnCertificates } from '../../../server/enrolment/own-certificates.ts';
import { selfMade } from '../../support/certificates.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';

const NOW = new Date('2026-06-15T12:00:00.000Z');
const LATER = { goes_over_at: '2026-07-15T12:00:00.000Z', is_once_heard: true };

function open(folder: string) {
  return OwnCertificates.open({ folder, hosts: known => ['localhost', ...known], now: () => NOW });
}

const presentOf = (own: OwnCertificates) => fingerprintOf(own.present.certificate);

function copyOf(folder: string): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** A folder whose next certificate is announced. */
async function announced() {
  const folder = temporaryFolder();
  const own = await open(folder);
  const first = presentOf(own);
  await own.announce(LATER);
  return { folder, own, first, next: fingerprintOf(own.next?.certificate ?? '') };
}

describe("central's own certificates", () => {
  it('announce the next one, speak with the present one, and go over', async () => {
    const { folder, own, first, next } = await announced();
    expect([presentOf(own), own.next]).toEqual([
      first,
      expect.objectContaining({ ...LATER, announced_at: NOW.toISOString() }),
    ]);
    expect(followersOf(own.shown.certificates, first)).toHaveLength(2);
    expect(own.shown.present).toBe(first);
    // Asked again, only the time changes.
    await own.announce({ goes_over_at: '2026-06-16T12:00:00.000Z', is_once_heard: false });
    expect(fingerprintOf(own.next?.certificate ?? '')).toBe(next);
    let told = 0;
    own.onChange(() => {
      told += 1;
    });
    own.goOver();
    own.goOver();
    expect([presentOf(own), own.next, told]).toEqual([next, undefined, 1]);
    const again = await open(folder);
    expect([presentOf(again), again.shown, again.warnings]).toEqual([next, own.shown, []]);
    expect(readFileSync(join(folder, 'central.crt'), 'utf8')).toBe(again.present.certificate);
    expect(existsSync(join(folder, 'central.next.key'))).toBe(false);
  });

  it('keep private keys for their owner only, and in no other file', async () => {
    const { folder, own } = await announced();
    const secret = () =>
      readdirSync(folder).filter(name => readFileSync(join(folder, name), 'utf8').includes('PRIVATE'));
    expect(secret()).toEqual(['central.key', 'central.next.key']);
    for (const name of secret()) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
    own.goOver();
    expect(secret()).toEqual(['central.key']);
    expect(statSync(join(folder, 'central.key')).mode & 0o777).toBe(0o600);
  });

  it('go on from wherever an announcement was cut off', async () => {
    const folder = temporaryFolder();
    const first = presentOf(await open(folder));
    // The key is written, and nobody heard of anything.
    writeFileSync(join(folder, 'central.next.key'), selfMade().key, { mode: 0o600 });
    writeFileSync(join(folder, 'central.certificates.json.new'), '{"certif');
    const own = await open(folder);
    expect([presentOf(own), own.next]).toEqual([first, undefined]);
    await own.announce(LATER);
    own.goOver();
    expect(followersOf((await open(folder)).shown.certificates, first)).toHaveLength(2);
  });

  it('go on from wherever the going over was cut off', async () => {
    const { folder, own, next } = await announced();
    const before = copyOf(folder);
    own.goOver();
    const done = (name: string, to: string) => cpSync(join(folder, name), join(to, name));
    const decided = copyOf(before);
    done('central.certificates.json', decided);
    const moved = copyOf(decided);
    renameSync(join(moved, 'central.next.key'), join(moved, 'central.key'));
    for (const cut of [decided, moved]) {
      const opened = await open(cut);
      expect([presentOf(opened), opened.warnings]).toEqual([next, []]);
      expect(readFileSync(join(cut, 'central.crt'), 'utf8')).toBe(own.present.certificate);
      expect(readdirSync(cut).sort()).toEqual(['central.certificates.json', 'central.crt', 'central.key']);
    }
    // Not decided yet: both hold.
    expect((await open(before)).next).toBeDefined();
  });

  it('break the chain, during a renewal as well, and from wherever that was cut off', async () => {
    const { folder, own, first, next } = await announced();
    const before = copyOf(folder);
    await own.breakChain();
    const broken = presentOf(own);
    expect([first, next]).not.toContain(broken);
    expect(own.shown).toEqual({
      certificates: [{ certificate: own.present.certificate, signature: null }],
      present: broken,
    });
    const cut = copyOf(before);
    cpSync(join(folder, 'central.certificates.json'), join(cut, 'central.certificates.json'));
    cpSync(join(folder, 'central.key'), join(cut, 'central.next.key'));
    expect(presentOf(await open(cut))).toBe(broken);
  });

  it('say that an earlier certificate was put back, and lead on from it', async () => {
    const { folder, own, first } = await announced();
    const earlier = copyOf(folder);
    own.goOver();
    for (const name of ['central.crt', 'central.key']) cpSync(join(earlier, name), join(folder, name));
    const opened = await open(folder);
    expect([presentOf(opened), opened.warnings]).toEqual([
      first,
      [expect.stringContaining('stations that have gone over')],
    ]);
    await opened.announce(LATER);
    opened.goOver();
    const [renewed] = [await open(folder)];
    expect([renewed.warnings, followersOf(renewed.shown.certificates, first)?.length]).toEqual([[], 2]);
  });

  it('give up an announced certificate whose key is gone', async () => {
    const { folder, first } = await announced();
    rmSync(join(folder, 'central.next.key'));
    const own = await open(folder);
    expect([presentOf(own), own.next, own.shown.certificates.length]).toEqual([first, undefined, 1]);
    expect(own.warnings).toEqual([expect.stringContaining('Renew again')]);
  });

  it('keep the last hundred', async () => {
    const folder = temporaryFolder();
    const own = await open(folder);
    for (let count = 0; count < 105; count += 1) {
      await own.announce(LATER);
      own.goOver();
    }
    const { certificates, present } = (await open(folder)).shown;
    expect([certificates.length, present]).toEqual([
      100,
      fingerprintOf(certificates.at(-1)?.certificate ?? ''),
    ]);
    expect(followersOf(certificates, fingerprintOf(certificates[0]?.certificate ?? ''))).toHaveLength(100);
  });
});
