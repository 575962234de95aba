import { execFile } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Held } from '../../../shared/operations/exchange-operations.ts';
import type { signatureSchema } from '../../../shared/operations/identity-operations.ts';
import { newCode } from '../../server/enrolment/enrolled.ts';
import { Browser, errorOf, PASSWORD } from '../../server/identity/browser.ts';
import { environmentOf, holdpoint } from '../../server/transfer/holdpoint.ts';
import { Station } from '../../support/station.ts';
import { FaultProxy } from '../sync/kit/fault-proxy.ts';
import {
  assigned,
  dataOf,
  startCentral,
  syncOf,
  until,
  untilInStep,
  untilPasswords,
} from '../sync/processes/installation.ts';
import { hashedAnew, type Line, readTrail, signedAnew, type TrailCommit, writeTrail } from './trail-file.ts';

type Signature = z.infer<typeof signatureSchema>;

/** A central, two stations with a line that can be cut, and people who sign by `gxp`. */
let central: Station;
let dock: Station;
let lab: Station;
const lines = new Map<Station, FaultProxy>();
let folder: string;
const users: Record<string, number> = {};
const VERIFIER = fileURLToPath(new URL('../../../docs/verify/verify.mjs', import.meta.url));

function run(...words: string[]): Promise<{ code: number; output: string }> {
  return new Promise(resolve => {
    execFile(process.execPath, words, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` });
    });
  });
}

const NEXT = 'nine brown otters';
/** Set by somebody else, and what Quinn chooses then. */
const GIVEN = 'windmill copper lantern';
const LAST = 'seven amber kettles';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-keys-'));
  central = await startCentral();
  const person = async (login: string, role: string) => {
    const user = {
      login,
      name: `Name of ${login}`,
      roles: [role],
      password: PASSWORD,
      is_password_temporary: false,
    };
    users[login] = dataOf<{ id: number }>(await central.post('/x/users', user)).id;
  };
  await person('root', 'administrator');
  await person('quinn', 'quality');
  await person('rita', 'quality');
  await person('sam', 'quality');
  dataOf(await central.put('/x/settings', { esignature_policy: 'gxp' }));
  [dock, lab] = [new Station({ folder: join(folder, 'dock') }), new Station({ folder: join(folder, 'lab') })];
  for (const [name, at] of [
    ['Dock', dock],
    ['Lab', lab],
  ] as const) {
    await at.start();
    const line = await FaultProxy.open({ target: central.origin, seed: 1 });
    lines.set(at, line);
    const code = await newCode(central, name);
    const enrolled = await holdpoint(environmentOf(at), 'enrol', line.origin, code);
    if (enrolled.code !== 0) throw new Error(enrolled.output);
  }
  await untilInStep(central, [dock, lab]);
  await untilPasswords(central, [dock, lab]);
});
afterAll(async () => {
  for (const at of [dock, lab, central]) await at?.stop();
  for (const line of lines.values()) await line.close();
  if (folder) rmSync(folder, { recursive: true });
});

async function signedIn(at: Station, login: string, password = PASSWORD): Promise<Browser> {
  const browser = new Browser(at.origin);
  dataOf(await browser.signIn(login, password));
  return browser;
}

/** A report that this person closes, signed with the password. */
async function closeReport(at: Station, browser: Browser, password = PASSWORD): Promise<number> {
  const report = { ncr_number: `NCR-${crypto.randomUUID().slice(0, 8)}`, source: 'internal' };
  const { id } = dataOf<{ id: number }>(await at.post('/ncrs', report));
  const signature = { esignature_password: password, esignature_reason: 'Settled.' };
  dataOf(await browser.patch(`/ncrs/${id}`, { status: 'closed', reason: 'Settled.', ...signature }));
  return id;
}

async function signaturesAt(at: Station, id: number): Promise<Signature[]> {
  return dataOf(await at.get(`/x/signatures/ncr/${id}`));
}

const proofsAt = async (at: Station, id: number) => (await signaturesAt(at, id)).map(({ proof }) => proof);

/** Whose keys lie on this machine. */
function keysAt(at: Station): number[] {
  const database = new DatabaseSync(join(at.folder, 'holdpoint.db'), { readOnly: true });
  const rows = database.prepare('SELECT user_id FROM user_key ORDER BY user_id').all();
  database.close();
  return rows.map(({ user_id: id }) => Number(id));
}

const heldAtCentral = async () => dataOf<Held[]>(await central.get('/x/held'));

describe('a person', () => {
  it('signs at a station with a key of their own, which comes when they sign in there, and all see it', async () => {
    const browser = await signedIn(dock, 'quinn');
    await until(
      'its key',
      async () => keysAt(dock),
      keys => keys.includes(users.quinn ?? 0),
    );
    expect(keysAt(dock)).not.toContain(users.rita);
    expect(keysAt(lab)).not.toContain(users.quinn);
    const id = await closeReport(dock, browser);
    expect(await proofsAt(dock, id)).toEqual(['proved']);
    await untilInStep(central, [dock, lab]);
    for (const at of [central, lab]) expect(await proofsAt(at, id)).toEqual(['proved']);
    const [one] = await signaturesAt(lab, id);
    expect(one?.key).toMatch(/^[0-9a-f]{64}$/);
    expect(await heldAtCentral()).toEqual([]);
  });

  it('signs with it while central is away, also after a restart', async () => {
    lines.get(dock)?.stop();
    await dock.end();
    await dock.start();
    const id = await closeReport(dock, await signedIn(dock, 'quinn'));
    expect(await proofsAt(dock, id)).toEqual(['proved']);
    lines.get(dock)?.resume();
    await untilInStep(central, [dock, lab]);
    expect(await proofsAt(central, id)).toEqual(['proved']);
    expect(await heldAtCentral()).toEqual([]);
  });

  it('signs without it where they never signed in with central in reach: it is said, held at central, and let in there', async () => {
    // Nobody signs in there so whom central has not assigned.
    await assigned(central, lab, [users.rita ?? 0]);
    lines.get(lab)?.stop();
    await until(
      'away',
      () => syncOf(lab),
      ({ state }) => state === 'offline',
    );
    const id = await closeReport(lab, await signedIn(lab, 'rita'));
    expect(await proofsAt(lab, id)).toEqual(['none']);
    lines.get(lab)?.resume();
    const held = await until('held', heldAtCentral, ({ length }) => length === 1);
    expect(held[0]).toMatchObject({
      code: expect.stringMatching(/^not_proved: /),
      why: expect.stringContaining("The author's key was not at the station yet."),
      station_name: 'Lab',
    });
    const boss = await signedIn(central, 'sam');
    const decision = {
      reason: 'Rita says that it was her.',
      esignature_password: PASSWORD,
      esignature_reason: 'Asked.',
    };
    dataOf(await boss.post(`/x/held/${held[0]?.commit_id}/release`, decision));
    await untilInStep(central, [dock, lab]);
    const both = await signaturesAt(dock, id);
    expect(both).toHaveLength(2);
    expect(both).toContainEqual(expect.objectContaining({ user_name: 'Name of rita', proof: 'none' }));
    expect(both).toContainEqual(
      expect.objectContaining({ user_name: 'Name of sam', meaning: 'decision', proof: 'proved' }),
    );
    // She is in reach now: the next one has her key.
    const next = await closeReport(lab, await signedIn(lab, 'rita'));
    expect(await proofsAt(lab, next)).toEqual(['proved']);
  });

  it('writes where the key is not yet: it is held, and let in by itself once they sign in there with central in reach', async () => {
    const made = await central.post('/x/users', {
      login: 'tess',
      name: 'Name of tess',
      roles: ['operator'],
      password: PASSWORD,
      is_password_temporary: false,
    });
    users.tess = dataOf<{ id: number }>(made).id;
    await untilInStep(central, [dock, lab]);
    await assigned(central, lab, [users.tess]);
    lines.get(lab)?.stop();
    await until(
      'away',
      () => syncOf(lab),
      ({ state }) => state === 'offline',
    );
    const first = await signedIn(lab, 'tess');
    const { id } = dataOf<{ id: number }>(await first.post('/suppliers', { name: 'Late Ltd' }));
    dataOf(await first.patch(`/suppliers/${id}`, { primary_name: 'Lee' }));
    const proofs = async (at: Station) =>
      dataOf<{ author_proof: string }[]>(await at.get(`/x/history/supplier/${id}`)).map(
        ({ author_proof: proof }) => proof,
      );
    expect(await proofs(lab)).toEqual(['pending', 'pending']);
    lines.get(lab)?.resume();
    await until('held', heldAtCentral, ({ length }) => length > 0);
    expect((await central.get(`/suppliers/${id}`)).status).toBe(404);
    // Another shift: what she wrote is of a session that is over.
    dataOf(await first.post('/x/session/end'));
    await signedIn(lab, 'tess');
    await until('let in', heldAtCentral, ({ length }) => length === 0);
    await untilInStep(central, [dock, lab]);
    for (const at of [central, dock, lab]) expect(await proofs(at)).toEqual(['proved', 'proved']);
    expect(dataOf(await dock.get(`/suppliers/${id}`))).toMatchObject({
      name: 'Late Ltd',
      primary_name: 'Lee',
    });
  });

  it('keeps the key with a password of their own choice, and what was signed before stays proved', async () => {
    const browser = await signedIn(central, 'quinn');
    const before = dataOf<{ public_key: string }>(await central.get(`/x/users/${users.quinn}`));
    const id = await closeReport(central, browser);
    const change = { password: NEXT, current_password: PASSWORD };
    dataOf(await browser.post(`/x/users/${users.quinn}/password`, change));
    const after = dataOf<{ public_key: string }>(await central.get(`/x/users/${users.quinn}`));
    expect(after.public_key).toBe(before.public_key);
    await untilInStep(central, [dock, lab]);
    await untilPasswords(central, [dock]);
    await signedIn(dock, 'quinn', NEXT);
    expect(errorOf(await new Browser(dock.origin).signIn('quinn')).status).toBe(401);
    const next = await closeReport(dock, await signedIn(dock, 'quinn', NEXT), NEXT);
    expect(await proofsAt(dock, next)).toEqual(['proved']);
    expect(await proofsAt(central, id)).toEqual(['proved']);
  });

  it('gets another key with a password that somebody else sets; the former one counts for what it signed', async () => {
    const former = await closeReport(dock, await signedIn(dock, 'quinn', NEXT), NEXT);
    await untilInStep(central, [dock, lab]);
    const before = dataOf<{ public_key: string }>(await central.get(`/x/users/${users.quinn}`));
    lines.get(dock)?.stop();
    await until(
      'away',
      () => syncOf(dock),
      ({ state }) => state === 'offline',
    );
    const root = await signedIn(central, 'root');
    dataOf(await root.post(`/x/users/${users.quinn}/password`, { password: GIVEN, reason: 'Forgotten.' }));
    const after = dataOf<{ public_key: string }>(await central.get(`/x/users/${users.quinn}`));
    expect(after.public_key).not.toBe(before.public_key);
    // Whoever knows the former password, at a station that has not heard of it.
    const late = await closeReport(dock, await signedIn(dock, 'quinn', NEXT), NEXT);
    expect(await proofsAt(dock, late)).toEqual(['proved']);
    lines.get(dock)?.resume();
    const [held] = await until('held', heldAtCentral, ({ length }) => length === 1);
    expect(held?.why).toContain('the key was replaced meanwhile');
    const boss = await signedIn(central, 'root');
    dataOf(await boss.post(`/x/held/${held?.commit_id}/withdraw`, { reason: 'It was not Quinn.' }));
    const own = await signedIn(central, 'quinn', GIVEN);
    const chosen = { password: LAST, current_password: GIVEN };
    dataOf(await own.post(`/x/users/${users.quinn}/password`, chosen));
    await untilInStep(central, [dock, lab]);
    for (const at of [central, dock, lab]) expect(await proofsAt(at, former)).toEqual(['proved']);
    await untilPasswords(central, [dock]);
    await signedIn(dock, 'quinn', LAST);
    const next = await closeReport(dock, await signedIn(dock, 'quinn', LAST), LAST);
    expect(await proofsAt(dock, next)).toEqual(['proved']);
  });

  it('is told by a wrong password that it is wrong, and has signed nothing', async () => {
    const browser = await signedIn(dock, 'quinn', LAST);
    const { id } = dataOf<{ id: number }>(
      await dock.post('/ncrs', { ncr_number: 'NCR-W', source: 'internal' }),
    );
    const wrong = { esignature_password: 'not it at all', esignature_reason: 'So.' };
    const answer = await browser.patch(`/ncrs/${id}`, { status: 'closed', reason: 'So.', ...wrong });
    expect(errorOf(answer)).toMatchObject({ status: 422, fields: ['esignature_password'] });
    expect(await signaturesAt(dock, id)).toEqual([]);
  });
});

describe('a key', () => {
  it('lies on no disk but sealed, and in no answer', async () => {
    const database = new DatabaseSync(join(central.folder, 'holdpoint.db'), { readOnly: true });
    const rows = database.prepare('SELECT sealed FROM user_key').all();
    const holding = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
      .filter(({ name }) =>
        database
          .prepare(`SELECT * FROM "${name}"`)
          .all()
          .some(row => JSON.stringify(row).includes(String(rows[0]?.sealed))),
      );
    database.close();
    expect(rows).toHaveLength(5);
    for (const { sealed } of rows) expect(sealed).toMatch(/^key\$10\$8\$1\$[\w-]{22}\$[\w-]{16}\$[\w-]{86}$/);
    expect(holding.map(({ name }) => name)).toEqual(['user_key']);
    for (const path of ['/x/users', `/x/users/${users.quinn}`, `/x/records/user/${users.quinn}/history`]) {
      const text = JSON.stringify((await central.get(path)).body);
      expect(text).not.toContain('key$10');
    }
    for (const file of readdirSync(dock.folder, { recursive: true, withFileTypes: true })) {
      if (file.isFile() && !file.name.startsWith('holdpoint.db'))
        expect(readFileSync(join(file.parentPath, file.name)).includes('key$10'), file.name).toBe(false);
    }
  });

  it('is given to a station for the right password only, and to nobody who is no station', async () => {
    const stationKey = readFileSync(join(dock.folder, 'station.key'), 'utf8').trim();
    const ask = (body: object, bearer: string) =>
      central.call('POST', '/x/stations/key', { body, headers: { authorization: `Bearer ${bearer}` } });
    const right = { login: 'RITA', password: PASSWORD };
    expect(dataOf(await ask(right, stationKey))).toMatchObject({ user_id: users.rita });
    expect(errorOf(await ask({ ...right, password: 'not it at all' }, stationKey))).toMatchObject({
      status: 403,
    });
    expect(errorOf(await ask({ ...right, login: 'nobody' }, stationKey))).toMatchObject({ status: 403 });
    expect((await ask(right, central.token)).status).toBe(403);
    expect((await ask(right, 'hp_none')).status).toBe(401);
    expect((await dock.post('/x/stations/key', right)).status).toBe(403);
  });

  it('is made for somebody who has none at the next sign-in: after an update, with nothing to do', async () => {
    const alone = new Station({ folder: join(folder, 'alone') });
    await alone.start();
    const user = {
      login: 'ann',
      name: 'Ann',
      roles: ['administrator'],
      password: PASSWORD,
      is_password_temporary: false,
    };
    const { id } = dataOf<{ id: number }>(await alone.post('/x/users', user));
    await alone.end();
    // As a former version left it.
    const database = new DatabaseSync(join(alone.folder, 'holdpoint.db'));
    database.exec('DELETE FROM user_key');
    database.close();
    await alone.start();
    const [browser] = await Promise.all([signedIn(alone, 'ann'), signedIn(alone, 'ann')]);
    await until(
      'its key',
      async () => keysAt(alone),
      keys => keys.includes(id),
    );
    // Who signs in twice at once gets one.
    const file = new DatabaseSync(join(alone.folder, 'holdpoint.db'), { readOnly: true });
    const made = file.prepare("SELECT count(*) AS n FROM history WHERE user = 'sign-in'").get();
    file.close();
    expect(made?.n).toBe(1);
    dataOf(await browser.put('/x/settings', { esignature_policy: 'gxp' }));
    const report = await closeReport(alone, browser);
    expect(await proofsAt(alone, report)).toEqual(['proved']);
    expect((await holdpoint(environmentOf(alone), 'verify')).output).toContain('Nothing is wrong');
    await alone.stop();
  });

  it('is all that the stand-alone verifier needs to tell who signed, and a forged signature from a true one', async () => {
    const file = join(folder, 'signed.jsonl');
    expect(await holdpoint(environmentOf(central), 'trail', file)).toMatchObject({ code: 0 });
    const whole = await run(VERIFIER, file);
    expect(whole.output).toMatch(/signatures: \d+ proved by the signer's own key, 1 made without one/);
    expect(whole.code).toBe(0);
    // As somebody does who has the key of central, too.
    const key = createPrivateKey(readFileSync(join(central.folder, 'authority.key')));
    const forged = readTrail(file).map(line => {
      const made = line.commit?.entries.find(({ subject }) => subject.startsWith('signature:'));
      const name = made?.changes.find(({ path }) => path === 'user_name');
      if (name) name.new = 'Name of sam';
      return line;
    });
    writeTrail(file, signedAnew(hashedAnew(forged), key));
    const found = await run(VERIFIER, file);
    expect(found.output).toContain('says something else than the key in it has signed');
    expect(found.code).toBe(1);
  });

  it('has signed each commit of its session, and what was known of the log: who rewrites it with all hashes and keys is found', async () => {
    const file = join(folder, 'authored.jsonl');
    expect(await holdpoint(environmentOf(central), 'trail', file)).toMatchObject({ code: 0 });
    expect((await run(VERIFIER, file)).output).toMatch(
      /commits of people: [1-9]\d* proved by their own keys, 0 given other ids since, 0 whose key is pending/,
    );
    const key = createPrivateKey(readFileSync(join(central.folder, 'authority.key')));
    const rewritten = async (name: string, change: (commit: TrailCommit, lines: Line[]) => void) => {
      const lines = readTrail(file);
      const line = lines.findLast(({ commit }) => commit?.authorship);
      if (!line?.commit) throw new Error('Nothing is signed.');
      change(line.commit, lines);
      const path = join(folder, `${name}.jsonl`);
      writeTrail(path, signedAnew(hashedAnew(lines), key));
      return run(VERIFIER, path);
    };
    const other = await rewritten('other', commit => {
      for (const change of commit.entries.flatMap(({ changes }) => changes))
        if (change.path === 'status') change.new = 'open';
    });
    expect(other).toMatchObject({
      code: 1,
      output: expect.stringContaining('is not what the session in it has signed'),
    });
    const late = await rewritten('late', commit => {
      commit.at = '2031-01-01T00:00:00.000Z';
    });
    expect(late.output).toContain('was written when its session was not in force');
    const earlier = await rewritten('earlier', (_, lines) => {
      const [first] = lines.flatMap(({ commit }) => commit ?? []);
      if (first) first.reason = 'As agreed.';
    });
    expect(earlier).toMatchObject({
      code: 1,
      output: expect.stringContaining('having seen another history'),
    });
    const [before, after] = await Promise.all([
      run(VERIFIER, file),
      rewritten('stripped', commit => {
        delete commit.authorship;
      }),
    ]);
    const unsigned = ({ output }: { output: string }) =>
      Number(/(\d+) not signed by who had a key/.exec(output)?.[1]);
    expect(unsigned(after)).toBe(unsigned(before) + 1);
  });
});
