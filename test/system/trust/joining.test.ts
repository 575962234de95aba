import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { newCode } from '../../server/enrolment/enrolled.ts';
import { Browser, errorOf, PASSWORD } from '../../server/identity/browser.ts';
import { environmentOf, holdpoint } from '../../server/transfer/holdpoint.ts';
import { HOLDPOINT } from '../../support/command-line.ts';
import { Station } from '../../support/station.ts';
import { dataOf, faultsOf, startCentral, until, untilInStep } from '../sync/processes/installation.ts';
import { Verifier } from './verifier.ts';

/** What Anna signed by at the dock while it stood alone, and what she has at central. */
const BEFORE = PASSWORD;
const NOW = 'nine brown otters';

const verifiers = [Verifier.own(), Verifier.second()];
afterAll(() => Promise.all(verifiers.map(one => one.close())));

interface Site {
  folder: string;
  central: Station;
  /** Stands alone. */
  dock: Station;
}

async function site(): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-joining-'));
  const [central, dock] = [await startCentral(), new Station({ folder: join(folder, 'dock') })];
  onTestFinished(async () => {
    for (const station of [dock, central]) await station.stop();
    rmSync(folder, { recursive: true });
  });
  await dock.start();
  return { folder, central, dock };
}

const anna = (password: string) => ({
  ...{ login: 'anna', name: 'Anna Berg', roles: ['quality'], password },
  is_password_temporary: false,
});

async function signedIn(at: Station, password: string, login = 'anna'): Promise<Browser> {
  const browser = new Browser(at.origin);
  await until(
    'signed in',
    () => browser.signIn(login, password),
    ({ status }) => status === 201,
  );
  return browser;
}

/** Of what is said to be by her, of the supplier. */
async function proofsAt(at: Station, id: number): Promise<unknown[]> {
  const commits = dataOf<{ user: string; author_proof: unknown }[]>(
    await at.get(`/x/history/supplier/${id}`),
  );
  return commits.flatMap(({ user, author_proof: proof }) => (user === 'anna' ? [proof] : []));
}

/** What both verifiers say of central's trail: their exit codes, and what is counted of people's commits. */
async function verdict({
  folder,
  central,
}: Site): Promise<{ codes: number[]; counts: (number[] | undefined)[]; output: string }> {
  const file = join(folder, 'central.jsonl');
  expect(await holdpoint(environmentOf(central), 'trail', file)).toMatchObject({ code: 0 });
  const said = await Promise.all(verifiers.map(one => one.verify(file)));
  const countsIn = (text: string) => /commits of people: .*/.exec(text)?.[0].match(/\d+/g)?.map(Number);
  const counts = said.map(({ output }) => countsIn(output));
  return { codes: said.map(({ code }) => code), counts, output: said.map(({ output }) => output).join('\n') };
}

it('what somebody signed before the installation joined is theirs at central and in its file, once they have signed in and said so', async () => {
  const made = await site();
  const { central, dock } = made;
  dataOf(await dock.post('/x/users', anna(BEFORE)));
  dataOf(await dock.post('/x/users', { ...anna(BEFORE), login: 'eve', name: 'Eve' }));
  await signedIn(dock, BEFORE, 'eve');
  const there = await signedIn(dock, BEFORE);
  const { id } = dataOf<{ id: number }>(await there.post('/suppliers', { name: 'Acme' }));
  dataOf(await there.patch(`/suppliers/${id}`, { name: 'Acme Ltd', reason: 'Renamed.' }));

  const code = await newCode(central, 'Dock', { brings_records: true });
  expect(await holdpoint(environmentOf(dock), 'enrol', central.origin, code)).toMatchObject({ code: 0 });
  await untilInStep(central, [dock]);
  const events = async (kind: string) =>
    dataOf<{ details: object }[]>(await central.get(`/x/audit?kind=${kind}`));
  await until(
    'the archive',
    () => events('archive_checked'),
    ({ length }) => length > 0,
  );
  expect(await events('archive_checked')).toMatchObject([{ details: { name: 'Dock', is_same: true } }]);
  const moved = dataOf<{ id: number }>(await dock.get(`/x/moved/suppliers/${id}`)).id;
  dataOf(await central.post('/x/users', anna(NOW)));
  await untilInStep(central, [dock]);
  // One login is no proof that it is one person.
  expect(await proofsAt(central, moved)).toEqual(['brought', 'brought']);
  const before = await verdict(made);
  expect(before.codes, before.output).toEqual([0, 0]);
  expect(before.output).toContain('whom nobody here has claimed to be');
  expect(before.counts[0]?.[1]).toBe(0);

  const here = await signedIn(dock, NOW);
  await until(
    'her key',
    async () =>
      here.post('/x/former-keys/claim', { login: 'anna', password: NOW, former_password: 'not the one' }),
    ({ status }) => status === 422,
  );
  const claim = (members: object) =>
    here.post('/x/former-keys/claim', { login: 'anna', password: NOW, former_password: BEFORE, ...members });
  expect(errorOf(await claim({ password: 'not hers' })).fields).toEqual(['password']);
  expect((await claim({ former_login: 'nobody' })).status).toBe(404);
  // Of who has another name here nothing would be theirs, and the key would be gone.
  expect(errorOf(await claim({ former_login: 'eve' })).fields).toEqual(['former_login']);
  expect(await proofsAt(central, moved)).toEqual(['brought', 'brought']);
  const words = ['user', 'claim-key', 'anna', '--passwords-stdin'];
  const env = { ...process.env, ...environmentOf(dock) };
  const claimed = promisify(execFile)(process.execPath, [HOLDPOINT, ...words], { env });
  claimed.child.stdin?.end(`${NOW}\n${BEFORE}\n`);
  expect((await claimed).stdout).toContain('is shown as by "anna"');
  expect((await claim({})).status).toBe(404);
  await until(
    'proved',
    () => proofsAt(central, moved),
    proofs => proofs.every(proof => proof === 'moved'),
  );
  await untilInStep(central, [dock]);

  const after = await verdict(made);
  expect(after.codes, after.output).toEqual([0, 0]);
  const added = after.counts.map((counts, which) => (counts?.[1] ?? 0) - (before.counts[which]?.[1] ?? 0));
  expect(added, after.output).toEqual([2, 2]);
  for (const at of [central, dock]) expect(await faultsOf(at)).toEqual([]);
  // Nothing of the former password is left on the disk.
  expect(readFileSync(join(dock.folder, 'holdpoint.db'), 'latin1')).not.toContain('former_key:anna');
});
