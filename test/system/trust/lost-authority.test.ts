import { execFile } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuthorityAnswer } from '../../../shared/operations/checkpoint-operations.ts';
import type { Attention } from '../../../shared/operations/overview-operations.ts';
import { errorOf, PASSWORD } from '../../server/identity/browser.ts';
import { environmentOf, holdpoint } from '../../server/transfer/holdpoint.ts';
import { HOLDPOINT } from '../../support/command-line.ts';
import { Station } from '../../support/station.ts';
import { dataOf, startStation, supplierAt, until, untilInStep } from '../sync/processes/installation.ts';
import { hashedAnew, type Line, readTrail, signedAnew, writeTrail } from './trail-file.ts';
import { Verifier } from './verifier.ts';

const VERIFIER = fileURLToPath(new URL('../../../docs/verify/verify.mjs', import.meta.url));
const REASON = 'The disk was lost.';

let folder: string;
let central: Station;
let dock: Station;
/** SHA-256 of central's keys. */
let former: string;
let present: string;
const inFolder = (name: string) => join(folder, name);

function run(words: string[], input = '', env = {}): Promise<{ code: number; output: string }> {
  return new Promise(resolve => {
    const options = { env: { ...process.env, NODE_ENV: undefined, ...env } };
    const child = execFile(process.execPath, words, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    );
    child.stdin?.end(input);
  });
}

const second = Verifier.second();
/** What the verifier says; the second one has to come to the same. */
async function verified(name: string, ...words: string[]): Promise<{ code: number; output: string }> {
  const [own, other] = await Promise.all([
    run([VERIFIER, inFolder(name), ...words]),
    second.verify(inFolder(name), ...words),
  ]);
  expect(other.code, `${own.output}\n${other.output}`).toBe(own.code);
  return own;
}
const trailTo = async (name: string) =>
  expect(await holdpoint(environmentOf(central), 'trail', inFolder(name))).toMatchObject({ code: 0 });
const authority = async () => dataOf<AuthorityAnswer>(await central.get('/x/authority'));
const certify = (login: string, more: object = {}) =>
  central.post('/x/authority/certify', {
    ...{ login, password: PASSWORD, fingerprint: present, reason: REASON },
    ...more,
  });
const hire = async (login: string, role: string) => {
  const user = { login, name: login, roles: [role], password: PASSWORD, is_password_temporary: false };
  dataOf(await central.post('/x/users', user));
};
const saidAt = async (station: Station) =>
  dataOf<Attention>(await station.get('/x/attention')).find(({ kind }) => kind === 'authority')?.says ?? null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-lost-'));
  central = new Station({ role: 'central', folder: inFolder('central') });
  await central.start();
  for (const login of ['ada', 'bob']) await hire(login, 'administrator');
  await hire('olga', 'operator');
  dock = await startStation(central, 'Dock');
  await supplierAt(central, 'Before');
  await untilInStep(central, [dock]);
  former = (await authority()).key;
  expect(await authority()).toEqual({
    ...{ key: former, former: null, since: null, certified_by: [], says: null },
  });
  expect(await holdpoint(environmentOf(central), 'checkpoint', inFolder('kept.json'))).toMatchObject({
    code: 0,
  });
  expect(errorOf(await certify('ada', { fingerprint: former }))).toMatchObject({ status: 409 });
  expect(await saidAt(dock)).toBeNull();
  await central.end();
  rmSync(join(central.folder, 'authority.key'));
  await central.start();
  present = (await authority()).key;
});
afterAll(async () => {
  await second.close();
  for (const station of [dock, central]) await station?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

describe('an authority key that was lost', () => {
  it('is told at central and at its stations, on the same day too, with both fingerprints', async () => {
    expect(present).not.toBe(former);
    expect(await authority()).toMatchObject({ former, certified_by: [], says: await saidAt(central) });
    const said = await until(
      'noticed',
      () => saidAt(dock),
      says => says !== null,
    );
    expect(said).toContain(
      `Central signs with another key than before: SHA-256 ${present} in the place of ${former}.`,
    );
    expect(said).toContain('Certified by 0 of 2.');
    await until(
      'in the log',
      async () => dock.output,
      text => text.includes('Central signs with another key'),
    );
    await dock.restart();
    expect(await saidAt(dock)).toBe(said);
  });

  it('is certified by administrators of before, each once, with their own passwords', async () => {
    await hire('eve', 'administrator');
    expect(errorOf(await certify('eve'))).toMatchObject({
      ...{ status: 409, message: expect.stringContaining('administrators of before') },
    });
    expect(errorOf(await certify('olga'))).toMatchObject({ status: 422, fields: ['login'] });
    expect(errorOf(await certify('ada', { password: 'not it at all' }))).toMatchObject({
      fields: ['password'],
    });
    expect(errorOf(await certify('ada', { fingerprint: former }))).toMatchObject({ fields: ['fingerprint'] });
    const missing = await central.post('/x/authority/certify', {});
    expect(errorOf(missing).fields.toSorted()).toEqual(['fingerprint', 'password', 'reason']);
    expect((await authority()).certified_by).toEqual([]);
    const words = ['authority', 'certify', 'ada', '--reason', REASON, '--fingerprint', present];
    const told = await run(
      [HOLDPOINT, ...words, '--password-stdin'],
      `${PASSWORD}\n`,
      environmentOf(central),
    );
    expect(told).toMatchObject({ code: 0, output: expect.stringContaining('Certified by 1 of 2 (ada).') });
    expect(errorOf(await certify('ada'))).toMatchObject({ status: 409 });
    await until(
      'one',
      () => saidAt(dock),
      says => says?.includes('1 of 2 (ada)') === true,
    );
  });

  it('is another one for the verifier until two have', async () => {
    await trailTo('one.jsonl');
    const one = await verified('one.jsonl', '--key', former, '--checkpoint', inFolder('kept.json'));
    expect(one.output).toContain('signed by another key than the one you gave');
    expect(one.code).toBe(1);
    const without = await verified('one.jsonl', '--checkpoint', inFolder('kept.json'));
    expect(without.output).toMatch(
      /Ask: .* signed with key .* before, and with .* now: no two administrators/,
    );
    expect(without.code).toBe(0);
  });

  it('counts once two have, at central, at stations, and by the files alone', async () => {
    expect(dataOf<AuthorityAnswer>(await certify('bob'))).toMatchObject({ key: present, says: null });
    await until(
      'quiet',
      () => saidAt(dock),
      says => says === null,
    );
    expect(await saidAt(central)).toBeNull();
    // It does not end when one of them leaves.
    const [bob] = dataOf<{ id: number; login: string }[]>(await central.get('/x/users')).filter(
      ({ login }) => login === 'bob',
    );
    dataOf(await central.patch(`/x/users/${bob?.id}`, { is_active: false }));
    await untilInStep(central, [dock]);
    await dock.restart();
    expect(await saidAt(dock)).toBeNull();
    expect(await saidAt(central)).toBeNull();
    expect((await holdpoint(environmentOf(central), 'authority', 'show')).output).toContain(
      'The key counts.',
    );
    await trailTo('two.jsonl');
    const words = ['--key', former, '--checkpoint', inFolder('kept.json')];
    const two = await verified('two.jsonl', ...words);
    expect(two.output).toMatch(/counts in the place of .*: certified by ada \(line \d+: .*\) and bob \(line/);
    expect(two.code).toBe(0);
    // Who was an administrator before only something says that the former key has signed.
    const alone = await verified('two.jsonl', '--key', former);
    expect(alone.output).toContain('can be told with a checkpoint that it has signed');
    expect(alone.code).toBe(1);
  });

  it('counts not by what somebody makes who has central’s disk and its new key', async () => {
    const key = createPrivateKey(readFileSync(join(central.folder, 'authority.key')));
    const forged = async (
      name: string,
      change: (details: Record<string, unknown>, lines: Line[]) => void,
    ) => {
      const lines = readTrail(inFolder('two.jsonl'));
      const told = lines.flatMap(({ commit }) => commit?.entries ?? []).flatMap(({ changes }) => changes);
      const details = told
        .filter(({ path, new: value }) => path === 'details' && isCertificate(value))
        .at(-1);
      change(details?.new as Record<string, unknown>, lines);
      writeTrail(inFolder(name), signedAnew(hashedAnew(lines), key));
      return verified(name, '--key', former, '--checkpoint', inFolder('kept.json'));
    };
    const isCertificate = (value: unknown) =>
      value !== null && typeof value === 'object' && 'signer' in value;
    expect(await forged('same.jsonl', () => undefined)).toMatchObject({ code: 0 });
    for (const [name, change] of [
      ['reason', { reason: 'Another.' }],
      ['person', { user_id: 1 }],
      ['former', { former: 'A'.repeat(43) }],
    ] as const) {
      const { code, output } = await forged(`${name}.jsonl`, details => Object.assign(details, change));
      expect(output, name).toContain('signed by another key than the one you gave');
      expect(code, name).toBe(1);
    }
    // The same one twice.
    const twice = await forged('twice.jsonl', (details, lines) => {
      const [first] = lines
        .flatMap(({ commit }) => commit?.entries ?? [])
        .flatMap(({ changes }) => changes)
        .filter(({ path, new: value }) => path === 'details' && isCertificate(value));
      Object.assign(details, first?.new);
    });
    expect(twice.code).toBe(1);
  });
});
