import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPasswords } from '../../../server/identity/passwords.ts';
import { publicKeyOf } from '../../../server/keys/ed25519.ts';
import { newCode } from '../../server/enrolment/enrolled.ts';
import { Browser, PASSWORD } from '../../server/identity/browser.ts';
import { environmentOf, holdpoint } from '../../server/transfer/holdpoint.ts';
import { earlierProgram } from '../../support/earlier-program.ts';
import { Station } from '../../support/station.ts';
import { dataOf, passwordsIn, until, untilInStep } from '../sync/processes/installation.ts';

/** What somebody has who takes a station's disk or backup along, and guesses the password that everybody here has. */
interface Loot {
  /** Whose password is known by it, and who can be signed for. */
  guessed: number[];
  signable: number[];
  /** What the station signs and calls central with. */
  hasOwnKeys: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-stolen-'));
/** Gives every station all passwords, as before. */
const GIVES_ALL = earlierProgram(folder, [['people.has(id) && isActive(id)', 'isActive(id)']]);
const passwords = createPasswords();
const users: Record<string, number> = {};
let central: Station;
let dock: Station;
let own: readonly string[];

const place = { role: 'central', folder: join(folder, 'central') } as const;

beforeAll(async () => {
  central = new Station({ ...place, program: GIVES_ALL });
  await central.start();
  for (const login of ['olga', 'vera']) {
    const user = {
      login,
      name: login,
      roles: ['operator'],
      password: PASSWORD,
      is_password_temporary: false,
    };
    users[login] = dataOf<{ id: number }>(await central.post('/x/users', user)).id;
  }
  dock = new Station({ folder: join(folder, 'dock') });
  await dock.start();
  const body = { address: central.origin, code: await newCode(central, 'Dock') };
  dataOf(await dock.post('/x/sync/enrol', body));
  await untilInStep(central, [dock]);
  dataOf(await new Browser(dock.origin).signIn('olga'));
  const textOf = (name: string) => readFileSync(join(dock.folder, name), 'utf8').trim();
  own = [textOf('authority.key').split('\n')[1] ?? '', textOf('station.key')];
});
afterAll(async () => {
  for (const each of [dock, central]) await each?.kill();
  rmSync(folder, { recursive: true, force: true });
});

function filesIn(place: string): string[] {
  if (!statSync(place).isDirectory()) return [place];
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' });
  return names.map(name => join(place, name)).filter(path => statSync(path).isFile());
}

/** Every byte is looked at, also where nothing is any more. */
async function lootOf(place: string): Promise<Loot> {
  const texts = filesIn(place).map(file => readFileSync(file, 'latin1'));
  const found = (pattern: RegExp) => new Set(texts.flatMap(text => text.match(pattern) ?? []));
  const database = new DatabaseSync(join(folder, 'central', 'holdpoint.db'), {
    readOnly: true,
    timeout: 10_000,
  });
  const rows = database
    .prepare('SELECT user_id, hash, public_key FROM user_secret JOIN user_key USING (user_id)')
    .all();
  database.close();
  const of = (name: 'hash' | 'public_key', value: unknown) =>
    rows.flatMap(row => (row[name] === value ? Number(row.user_id) : []));
  const loot: Loot = { guessed: [], signable: [], hasOwnKeys: false };
  for (const hash of found(/scrypt\$\d\d\$\d+\$\d\$[\w-]{22}\$[\w-]{43}/g))
    if (await passwords.isPassword(PASSWORD, hash)) loot.guessed.push(...of('hash', hash));
  for (const sealed of found(/key\$\d\d\$\d+\$\d\$[\w-]{22}\$[\w-]{16}\$[\w-]{86}/g)) {
    const key = await passwords.open(PASSWORD, sealed);
    if (key) loot.signable.push(...of('public_key', publicKeyOf(key)));
  }
  loot.hasOwnKeys = own.every(text => texts.some(each => each.includes(text)));
  return { ...loot, guessed: loot.guessed.toSorted(), signable: loot.signable.toSorted() };
}

async function backup(name: string): Promise<string> {
  const to = join(folder, name);
  expect(await holdpoint(environmentOf(dock), 'backup', '--to', to)).toMatchObject({ code: 0 });
  return to;
}

it('tells nothing of who never signed in there, where a central that gives all would tell of everybody', async () => {
  const { olga, vera } = users;
  await until(
    'all given',
    async () => passwordsIn(dock),
    ({ size }) => size === 2,
  );
  const careless = await backup('careless');
  await dock.stop();
  expect(await lootOf(dock.folder)).toEqual({ guessed: [olga, vera], signable: [olga], hasOwnKeys: true });
  expect(await lootOf(careless)).toEqual({ guessed: [olga, vera], signable: [olga], hasOwnKeys: false });

  // Central is updated: what the station has no need of is gone, and not to be found in the file either.
  await central.stop();
  central = new Station({ ...place, port: Number(new URL(central.origin).port) });
  for (const each of [central, dock]) await each.start();
  await until(
    'dropped',
    async () => passwordsIn(dock),
    ({ size }) => size === 1,
  );
  const careful = await backup('careful');
  await dock.stop();
  expect(await lootOf(dock.folder)).toEqual({ guessed: [olga], signable: [olga], hasOwnKeys: true });
  expect(await lootOf(careful)).toEqual({ guessed: [olga], signable: [olga], hasOwnKeys: false });
});

it('tells of who is assigned to a group only while the station is in it, and the assignment stands', async () => {
  const user = {
    login: 'gina',
    name: 'gina',
    roles: ['operator'],
    password: PASSWORD,
    is_password_temporary: false,
  };
  const { id: gina } = dataOf<{ id: number }>(await central.post('/x/users', user));
  const { olga } = users;
  const command = async (...words: string[]) => {
    const done = await holdpoint(environmentOf(central), 'station', ...words);
    expect(done, done.output).toMatchObject({ code: 0 });
    return done.stdout;
  };
  const lab = new Station({ folder: join(folder, 'lab') });
  try {
    for (const each of [dock, lab]) await each.start();
    const body = { address: central.origin, code: await newCode(central, 'Lab') };
    dataOf(await lab.post('/x/sync/enrol', body));
    const all = dataOf<{ id: number; name: string }[]>(await central.get('/x/stations'));
    const at = String(all.find(({ name }) => name === 'Dock')?.id);
    const has = (count: number) =>
      until(
        `${count} there`,
        async () => passwordsIn(dock),
        ({ size }) => size === count,
      );
    /** What is guessed by the dock's disk, and who can be signed for. */
    const guessed = async (signers = [olga]) => {
      await dock.stop();
      const { guessed: found, signable } = await lootOf(dock.folder);
      expect(signable).toEqual(signers);
      await dock.start();
      return found;
    };
    expect(await holdpoint(environmentOf(central), 'station', 'assign', at, 'gina', '--group')).toMatchObject(
      {
        code: 1,
        output: expect.stringContaining('is in no group'),
      },
    );
    expect(await command('group', at, 'Plant 1')).toContain('is in the group "Plant 1"');
    expect(await command('assign', at, 'gina', '--group')).toMatch(/gina +gina +assigned to its group/);
    await has(2);
    expect(await guessed()).toEqual([olga, gina].toSorted());
    const single = await holdpoint(environmentOf(central), 'station', 'unassign', at, 'gina');
    expect(single).toMatchObject({ code: 1, output: expect.stringContaining('whole_group') });

    // Signed in there: what the group gave goes with the group all the same.
    dataOf(await new Browser(dock.origin).signIn('gina'));
    await untilInStep(central, [dock, lab]);
    expect(await command('group', at)).toContain('is in no group');
    await has(1);
    expect(await guessed()).toEqual([olga]);

    await command('group', at, 'Plant 1');
    await has(2);
    expect(await command('unassign', at, 'gina', '--group')).not.toContain('gina');
    await has(1);
    expect(await guessed()).toEqual([olga]);
    await lab.stop();
    expect((await lootOf(lab.folder)).guessed).toEqual([]);
  } finally {
    await lab.kill();
  }
});

it('has what the station signs with in no backup, where a version that keeps it in the database would', async () => {
  await dock.stop();
  const database = new DatabaseSync(join(dock.folder, 'holdpoint.db'));
  database.prepare("INSERT INTO local (name, value) VALUES ('planted', ?)").run(own.join(' '));
  database.close();
  await dock.start();
  expect(await lootOf(await backup('planted'))).toMatchObject({ hasOwnKeys: true });
});
