import { expect, it, onTestFinished, vi } from 'vitest';
import { AUDIT_TRAIL, type AuditEvent, putEvent } from '../../../../server/audit/event.ts';
import { authoredText } from '../../../../server/keys/authorship.ts';
import { newPrivateKey, publicKeyOf, signText } from '../../../../server/keys/ed25519.ts';
import { claimText, type FormerClaim } from '../../../../server/keys/former-claim.ts';
import { authorProofs } from '../../../../server/rules/author-proof.ts';
import {
  archivedCommits,
  keepArchive,
  keepPart,
  readArchive,
  readArchives,
  wasSignedThere,
} from '../../../../server/store/archive.ts';
import type { Commit } from '../../../../server/store/changes.ts';
import { readChainAfter } from '../../../../server/store/history.ts';
import { IdRemapping, type MovedCommit } from '../../../../server/store/id-remapping.ts';
import { type Moved, readMoved, writeMoved } from '../../../../server/store/moved.ts';
import type { SqlReader } from '../../../../server/store/sqlite/connection.ts';
import type { Store } from '../../../../server/store/store.ts';
import type { Author } from '../../../../server/store/unit-of-work.ts';
import { type ArchivePart, Archives } from '../../../../server/sync/central/archives.ts';
import { joinCentral } from '../../../../server/sync/station/join.ts';
import { sendArchive } from '../../../../server/sync/station/send-archive.ts';
import { openAuthority } from '../../../../server/trust/authority-key.ts';
import { createCheckpoints } from '../../../../server/trust/checkpoints.ts';
import { trailLines } from '../../../../server/trust/trail.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import type { AuditKind } from '../../../../shared/families/audit-event.ts';
import { families } from '../../../../shared/families/registry.ts';
import { fill, freshInstallation } from '../../../system/sync/moving/stand-alone.ts';
import { writeTrail } from '../../../system/trust/trail-file.ts';
import { Verifier } from '../../../system/trust/verifier.ts';
import { temporaryFolder } from '../../store/sqlite/temporary-folder.ts';
import { create, START, update } from '../../store/temporary-store.ts';
import { Central, faultsOf, letBring, Peer } from './fleet.ts';
import { giveKey, personKey, sessionAt } from './signing-people.ts';

/** The key of who is called Anna at central. */
const OF_CENTRAL = newPrivateKey();
const BY = { further: [], user: 'boss', at: '2026-06-20T00:00:00.000Z', reason: 'joined' };

/** An installation where Anna and programs have worked; what she wrote is signed by the key that her record there names. */
async function standAlone(
  folder = temporaryFolder(),
  key = personKey,
  through = (author: Author) => author,
): Promise<Store> {
  const store = await freshInstallation(folder);
  const { user } = await fill(store);
  await giveKey(store, user, key);
  const author = through(sessionAt(store.station, { id: user, login: 'anna' }));
  const { id } = await create(store, 'supplier', { name: 'By a program' });
  const commit = store.gate.commit.bind(store.gate);
  store.gate.commit = request =>
    commit({ ...request, actor: { ...request.actor, user: 'anna', userId: user, author } });
  await update(store, 'supplier', id, { name: 'By Anna' });
  await create(store, 'supplier', { name: 'Hers' });
  store.gate.commit = commit;
  return store;
}

const write = ({ gate }: Store, work: () => void) =>
  gate.applyRemote(() => {
    work();
    return { result: undefined };
  });

/** An event of the trail, in one transaction with what it tells. */
function note(store: Store, kind: AuditKind, details: AuditEvent['details'], keep = () => {}): Promise<void> {
  return store.gate.commit({
    actor: { user: AUDIT_TRAIL, rights: BY_SERVER },
    reason: null,
    work: work => putEvent(work, { kind, at: START, details }),
    answer: keep,
  });
}

/** Puts what Anna had signed, of the same time and reason, over entries that somebody else chose. */
const overOthers =
  (author: Author): Author =>
  (commit, seen) => {
    const change = { path: 'name', old: null, new: 'Hers', over: [] };
    const hers = { ...commit, entries: [{ subject: 'supplier:7', changes: [change] }] };
    const authorship = author(hers, seen);
    return { ...authorship, signed: authoredText(hers, authorship.session, seen) };
  };

interface Joined {
  central: Central;
  dock: Peer;
  chain: string;
  archives: Archives;
  /** As at the next start. */
  open: () => Archives;
  checked: (string | null)[];
  /** Sends all of it. @param through what becomes of a part on its way */
  send: (through?: (part: ArchivePart) => ArchivePart) => Promise<void>;
  faults: unknown[];
}

/** It has joined a central, which has all that was issued again. */
async function joined(alone?: Store): Promise<Joined> {
  const store = alone ?? (await standAlone());
  const { folder } = store.database;
  const central = await Central.open();
  // Somebody else, whose id and login are the same.
  const { id } = await create(central.store, 'user', { name: 'Anna of central', login: 'anna' });
  await giveKey(central.store, id, OF_CENTRAL);
  await letBring(central, store, 3);
  await joinCentral(store, 3, () => {}, BY);
  await store.close();
  const dock = await Peer.open(request => central.answer(request), folder);
  await dock.settle();
  const [checked, faults]: [(string | null)[], unknown[]] = [[], []];
  const open = () =>
    new Archives({
      store: central.store,
      async onChecked(of, archive, keep) {
        checked.push(archive.checked?.fault ?? null);
        const { station, checked: said, commits } = archive;
        const details = { station, chain: of, commits, is_same: said?.fault === null, reason: said?.fault };
        await note(central.store, 'archive_checked', details, keep);
      },
      onFault: error => faults.push(error),
    });
  const archives = open();
  const send: Joined['send'] = async (through = part => part) => {
    const done = Promise.withResolvers<void>();
    const sender = sendArchive({
      store: dock.store,
      hasSentAll: () => dock.engine.state().unsent === 0,
      async send(part) {
        const answer = await archives.take(dock.store.station, through(JSON.parse(JSON.stringify(part))));
        if (answer.is_whole) done.resolve();
        return answer;
      },
      onFault(error) {
        faults.push(error);
        done.resolve();
      },
    });
    onTestFinished(() => sender.close());
    await done.promise;
    await sender.close();
    await archives.close();
  };
  return {
    central,
    dock,
    chain: readMoved(dock.store.database.reader)?.chain ?? '',
    archives,
    open,
    checked,
    send,
    faults,
  };
}

/** What both verifiers say of central's trail. */
async function verdict({ store }: Central): Promise<{ codes: number[]; output: string }> {
  const authority = openAuthority(store.database.folder);
  const checkpoint = createCheckpoints({ store, authority, clock: () => new Date(START) }).present;
  const lines = [];
  for await (const line of trailLines({ store, version: '0', clock: () => new Date(START), checkpoint }))
    lines.push(line);
  const file = `${temporaryFolder()}/trail.jsonl`;
  writeTrail(file, lines as never);
  const both = [Verifier.own(), Verifier.second()];
  const said = await Promise.all(both.map(one => one.verify(file)));
  await Promise.all(both.map(one => one.close()));
  return { codes: said.map(({ code }) => code), output: said.map(({ output }) => output).join('\n') };
}

it('what an installation had before it joined comes to central, which finds that it is what was issued again', async () => {
  const { central, dock, chain, checked, send, faults } = await joined();
  await send();
  expect([checked, faults]).toEqual([[null], []]);
  const { reader } = central.store.database;
  const archive = readArchive(reader, chain);
  expect(archive?.heads).toEqual(readMoved(dock.store.database.reader)?.former);
  const commits = archive ? [...archivedCommits(reader, chain, archive)] : [];
  expect(commits.length).toBe(archive?.commits);
  // Anybody sees it in central's file, each commit with the key of who made it there.
  const { codes, output } = await verdict(central);
  expect(codes, output).toEqual([0, 0]);
  expect(output).toContain(
    `what its installation had before it joined is here: ${commits.length} commits, 2 of`,
  );
  expect(output).toMatch(
    /commit \S+ of anna was brought along with other ids, signed by the key \w{64} of user:\d+ there, line \d+/,
  );
});

/** By which key a claim is signed, in the place of Anna's of now and of then. */
type Signers = { now?: typeof personKey; former?: typeof personKey };

/** The claim in central's trail, as signing in at the station makes it. */
async function claim(
  { central, dock }: Pick<Joined, 'central' | 'dock'>,
  members: Partial<FormerClaim> = {},
  { now = OF_CENTRAL, former = personKey }: Signers = {},
): Promise<void> {
  const { store } = central;
  const anna = store.records.findBy('user', 'login', 'anna')[0]?.id ?? 0;
  const keys = { key: publicKeyOf(OF_CENTRAL), former_key: publicKeyOf(personKey) };
  const said = { station: dock.store.station, user_id: anna, login: 'anna', at: START, ...keys, ...members };
  const text = claimText(said);
  const details = { ...said, proof: signText(now, text), former_proof: signText(former, text) };
  await note(store, 'former_key_claimed', details);
}

const signedIn = (reader: SqlReader, chain: string) =>
  readChainAfter(reader, chain, 1, 1_000, 1e9).commits.flatMap(({ commit }) =>
    commit.authorship ? [commit] : [],
  );

/** What history says of Anna's commits that were brought along, and how many both verifiers count as hers. */
async function hersAt({ store }: Central, chain: string): Promise<{ proofs: unknown[]; counted: number }> {
  const { reader } = store.database;
  const proofOf = authorProofs(
    store.records,
    () => false,
    () => true,
    commit => wasSignedThere(reader, commit),
  );
  const proofs = signedIn(reader, chain).map(proofOf);
  const { output } = await verdict({ store } as Central);
  const counts = [...output.matchAll(/commits of people: \d+ proved by their own keys, (\d+) given/g)];
  expect(new Set(counts.map(([, count]) => count)).size, output).toBe(1);
  return { proofs, counted: Number(counts[0]?.[1]) };
}

it('what both keys of a person say makes what was brought along theirs', async () => {
  const site = await joined();
  await site.send();
  expect(await hersAt(site.central, site.chain)).toEqual({ proofs: ['brought', 'brought'], counted: 0 });
  await claim(site);
  expect(await hersAt(site.central, site.chain)).toEqual({ proofs: ['moved', 'moved'], counted: 2 });
});

const other = newPrivateKey();
it.each<[string, Partial<FormerClaim>, Signers]>([
  ['by the key of then alone', {}, { now: other }],
  ['by the key of now alone', {}, { former: other }],
  ['for a key of then that nobody had there', { former_key: publicKeyOf(other) }, { former: other }],
  ['by a key that the person does not have', { key: publicKeyOf(other) }, { now: other }],
  ['for another person', { user_id: 77 }, {}],
  ['of another installation', { station: 'another' }, {}],
  ['in another spelling', { former_key: `${publicKeyOf(personKey)}=` }, {}],
])('nothing that was brought along is of who claims it %s', async (_, members, signers) => {
  const site = await joined();
  await site.send();
  await claim(site, members, signers);
  expect(await hersAt(site.central, site.chain)).toEqual({ proofs: ['brought', 'brought'], counted: 0 });
});

it('nor of who claims it before central has the archive', async () => {
  const site = await joined();
  await claim(site);
  expect(await hersAt(site.central, site.chain)).toEqual({ proofs: ['brought', 'brought'], counted: 0 });
});

it('verify finds what somebody altered of it at central', async () => {
  const { central, chain, send } = await joined();
  await send();
  expect(await faultsOf(central.store)).toEqual([]);
  const { database } = central.store;
  const archive = readArchive(database.reader, chain);
  const [first, ...others] = archive ? archivedCommits(database.reader, chain, archive) : [];
  for (const altered of [others, [{ ...first, user: 'eve' }, ...others], [first]]) {
    await write(central.store, () => {
      keepPart(database, chain, 0, altered as Commit[]);
    });
    expect(await faultsOf(central.store)).toEqual([
      expect.stringContaining('before it joined is not as it came'),
    ]);
  }
  // A shorter one, with what stands beside it made right.
  await write(central.store, () => {
    keepPart(database, chain, 0, [first as Commit]);
    const { chain: of = '', number = 0, hash = '' } = first ?? {};
    if (archive) keepArchive(database, chain, { ...archive, heads: { [of]: { number, hash } } });
  });
  expect(await faultsOf(central.store)).toEqual([expect.stringContaining('it ends elsewhere than')]);
  await write(central.store, () =>
    database.run("UPDATE local SET value = 'x' WHERE name LIKE 'archive_part:%'"),
  );
  expect(await faultsOf(central.store)).toEqual([expect.stringContaining('it cannot be read')]);
});

it('goes on where central says, and takes nothing twice', async () => {
  const { archives, central, chain, dock, send, checked } = await joined();
  const { station } = dock.store;
  const ask = { chain, part: 0, commits: [] };
  expect(await archives.take(station, ask)).toEqual({ parts: 0, is_whole: false });
  const parts: ArchivePart[] = [];
  await send(part => {
    parts.push(part);
    return part;
  });
  const again = parts.find(({ commits }) => commits.length > 0);
  expect(await archives.take(station, again ?? ask)).toEqual({ parts: 1, is_whole: true });
  await archives.close();
  expect([checked, readArchive(central.store.database.reader, chain)?.parts]).toEqual([[null], 1]);
});

it.each<[string, (moved: Moved) => Moved]>([
  ['became a station of its own since', moved => ({ ...moved, chain: 'another.1' })],
  ['joined by a former version', ({ areUsersHanded: _, ...moved }) => moved],
])('is not sent by one that %s', async (_, alter) => {
  const { dock } = await joined();
  const { database } = dock.store;
  const moved = readMoved(database.reader);
  if (!moved) throw new Error('Nothing was moved.');
  await write(dock.store, () => writeMoved(database, alter(moved)));
  const send = vi.fn();
  const sender = sendArchive({ store: dock.store, hasSentAll: () => true, send, onFault: send });
  await sender.close();
  expect(send).not.toHaveBeenCalled();
});

it('is of the station that joined, of its chain, and of commits that follow each other up to where it joined', async () => {
  const { archives, chain, dock, send } = await joined();
  const { station } = dock.store;
  const refused = (part: ArchivePart, by = station) =>
    expect(archives.take(by, part)).rejects.toMatchObject({
      code: expect.stringMatching(/conflict|validation/),
    });
  let first: readonly Commit[] = [];
  await send(part => {
    first = part.commits;
    return { ...part, commits: [] };
  }).catch(() => {});
  await refused({ chain, part: 0, commits: first }, 'another');
  await refused({ chain: `${station}.none`, part: 0, commits: first });
  await refused({ chain, part: 0, commits: first.slice(1) });
  await refused({ chain, part: 0, commits: first.map(one => ({ ...one, user: 'eve' })) });
  await refused({ chain, part: 0, commits: first.map(one => ({ ...one, chain: `${station}.other` })) });
});

const renamed = (commit: MovedCommit): MovedCommit => ({
  ...commit,
  entries: commit.entries.map(entry => ({
    ...entry,
    changes: entry.changes.map(one => (one.path === 'name' ? { ...one, new: 'Of somebody else' } : one)),
  })),
});

it.each<[string, (station: string) => string[], string?]>([
  ['a name that no checkpoint has', station => [`${station}.${'x'.repeat(100)}`]],
  ["another installation's", () => ['another.1']],
  ['an end that is no hash', station => [`${station}.1`], 'a'],
  ['too many', station => Array.from({ length: 65 }, (_, at) => `${station}.${at}`)],
])('central takes nothing of a station that names as its former chains %s', async (_, names, hash) => {
  const alone = await standAlone();
  const all = alone.database.all.bind(alone.database);
  const heads = names(alone.station).map(chain => ({ chain, number: 1, hash: hash ?? 'a'.repeat(64) }));
  vi.spyOn(alone.database, 'all').mockImplementation(((sql: string, ...values: []) =>
    sql.includes('GROUP BY chain ORDER BY chain') ? heads : all(sql, ...values)) as never);
  const { archives, chain, dock, central } = await joined(alone);
  await expect(archives.take(dock.store.station, { chain, part: 0, commits: [] })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(readArchives(central.store.database.reader)).toEqual([]);
});

it('nor of one that nobody let bring records', async () => {
  const { archives, chain, dock, central } = await joined();
  await write(central.store, () => central.store.database.run('DELETE FROM brought_along'));
  await expect(archives.take(dock.store.station, { chain, part: 0, commits: [] })).rejects.toMatchObject({
    code: 'forbidden',
  });
});

it.each<[string, (commit: MovedCommit) => MovedCommit]>([
  ['says otherwise what somebody signed,', commit => (commit.authorship ? renamed(commit) : commit)],
  ['alters', commit => ({ ...commit, reason: commit.reason === 'more' ? 'less' : commit.reason })],
  ['leaves out', commit => (commit.reason === 'more' ? { ...commit, entries: [] } : commit)],
  ['dates otherwise', commit => ({ ...commit, at: commit.reason === 'more' ? START : commit.at })],
  ['ascribes', commit => ({ ...commit, user: commit.user === 'anna' ? 'quinn' : commit.user })],
])('a station that %s something while it joins is found', async (what, alter) => {
  const store = await standAlone();
  const { commit } = IdRemapping.prototype;
  const altering = vi.spyOn(IdRemapping.prototype, 'commit').mockImplementation(function (
    this: IdRemapping,
    ...asked
  ) {
    return alter(commit.apply(this, asked));
  });
  onTestFinished(() => altering.mockRestore());
  const site = joined(store);
  const { central, chain, send, checked, dock } = await site;
  altering.mockRestore();
  await send();
  expect(checked).toEqual([expect.stringContaining('was not issued again as it was')]);
  expect(readMoved(dock.store.database.reader)).toBeDefined();
  if (!what.includes('signed')) return;
  await claim({ central, dock });
  expect(await hersAt(central, chain)).toEqual({ proofs: ['brought', 'brought'], counted: 0 });
});

it('what somebody signed, put over other entries on the disk before joining, is found and is not theirs', async () => {
  const site = await joined(await standAlone(undefined, personKey, overOthers));
  await site.send();
  expect(site.checked).toEqual([expect.stringContaining('is not what its author')]);
  await claim(site);
  expect(await hersAt(site.central, site.chain)).toEqual({ proofs: ['brought', 'brought'], counted: 0 });
  const { codes, output } = await verdict(site.central);
  expect(codes, output).toEqual([1, 1]);
  // That central found nothing wrong with it is no word of who writes its database.
  const { database } = site.central.store;
  const archive = readArchive(database.reader, site.chain);
  expect(await faultsOf(site.central.store)).toEqual([]);
  await write(site.central.store, () => {
    const checked = { fault: null, compared: 100 };
    if (archive) keepArchive(database, site.chain, { ...archive, checked });
  });
  expect(await faultsOf(site.central.store)).toEqual([expect.stringContaining('is not what its author')]);
});

it('what somebody signed is theirs in the place where it was issued again alone, and not where a person had to let it in', async () => {
  const { central, dock, chain, send } = await joined();
  await send();
  await claim({ central, dock });
  const { reader } = central.store.database;
  const proofOf = (alter: (commit: Commit) => Commit, wasHeld = false) => {
    const [hers] = signedIn(reader, chain).map(alter);
    const prove = authorProofs(
      central.store.records,
      () => wasHeld,
      () => true,
      one => wasSignedThere(reader, one),
    );
    return hers && prove(hers);
  };
  expect(proofOf(commit => commit)).toBe('moved');
  expect(proofOf(commit => commit, true)).toBe('brought');
  expect(proofOf(commit => ({ ...commit, chain: 'another.1' }))).toBe('brought');
  expect(proofOf(commit => ({ ...commit, chain: `${dock.store.station}.other` }))).toBe('brought');
  expect(proofOf(commit => ({ ...commit, number: 1_000 }))).toBe('brought');
});

it('what a station adds, while it may bring records, to what it had is found', async () => {
  const site = await joined();
  const { dock, send, checked, central } = site;
  const author = overOthers(sessionAt(dock.store.station, { id: 1, login: 'anna' }));
  const commit = dock.store.gate.commit.bind(dock.store.gate);
  dock.store.gate.commit = request =>
    commit({ ...request, actor: { ...request.actor, user: 'anna', author } });
  await create(dock.store, 'supplier', { name: 'Of later' });
  await dock.settle();
  await send();
  expect(checked).toEqual([expect.stringContaining('is said to be from before, and was not there')]);
  await claim(site);
  expect(await hersAt(central, site.chain)).toMatchObject({ counted: 0 });
});

it('nothing is of who claims it by a key that was revoked', async () => {
  const site = await joined();
  const { store } = site.central;
  await site.send();
  await claim(site);
  const anna = store.records.findBy('user', 'login', 'anna')[0]?.id ?? 0;
  await store.gate.commit({
    actor: { user: 'root', rights: BY_SERVER },
    reason: null,
    work: work => {
      const { fields } = work.require('user', anna);
      const revoked = { former_keys: [publicKeyOf(OF_CENTRAL)], revoked_keys: [publicKeyOf(OF_CENTRAL)] };
      work.set(families.user, anna, { ...fields, ...revoked, public_key: publicKeyOf(other) });
    },
    answer: () => undefined,
  });
  expect(await hersAt(site.central, site.chain)).toEqual({ proofs: ['brought', 'brought'], counted: 0 });
});

it('what cannot be compared is said', async () => {
  const { central, chain, send, checked, faults } = await joined();
  const failing = vi.spyOn(IdRemapping.prototype, 'commit').mockImplementation(() => {
    throw new Error('There is no family of this name.');
  });
  onTestFinished(() => failing.mockRestore());
  await send();
  failing.mockRestore();
  expect([checked, faults]).toEqual([[expect.stringContaining('It could not be compared')], []]);
  const events = central.store.records.findBy('audit-event', 'kind', 'archive_checked');
  expect(events).toMatchObject([{ fields: { details: { chain, is_same: false } } }]);
});

it('what ends the process while it is compared does not do so at each start', async () => {
  const { central, chain, send, checked, open } = await joined();
  await send();
  const { database } = central.store;
  const archive = readArchive(database.reader, chain);
  if (!archive) throw new Error('There is none.');
  await write(central.store, () => keepArchive(database, chain, { ...archive, checked: null, tries: 2 }));
  const next = open();
  next.start();
  await expect.poll(() => checked.length).toBe(2);
  await next.close();
  expect(checked).toEqual([null, expect.stringContaining('the process ended while it was compared')]);
});

it('what was signed there by a key that its author did not have is found, by central and in its file', async () => {
  const { central, send, checked } = await joined(await standAlone(undefined, newPrivateKey()));
  await send();
  expect(checked).toEqual([
    expect.stringContaining('is not what its author, or who signed in it, had signed'),
  ]);
  const { codes, output } = await verdict(central);
  expect(codes, output).toEqual([1, 1]);
  expect(output).toContain("is signed by a key that was not anna's there");
});
