import { certifySession, openSession, type SessionAuthor } from '../../../../server/identity/session-keys.ts';
import type { Authorship } from '../../../../server/keys/authorship.ts';
import { newPrivateKey, publicKeyOf } from '../../../../server/keys/ed25519.ts';
import type { Commit, Entry } from '../../../../server/store/changes.ts';
import { stationOf } from '../../../../server/store/history.ts';
import { unauthoredFault } from '../../../../server/sync/central/authored-by.ts';
import type { AuthorReader } from '../../../../server/sync/central/pushed.ts';
import type { RecordReader } from '../../../../server/sync/protocol/siblings.ts';
import type { StoredEntry } from './machines.ts';
import { set, type Write } from './scope.ts';
import { Violation } from './violation.ts';

/**
 * Olga works at both stations. Central says which key is hers in a record that goes with the log, and a station has her sign with
 * the one that it has heard of; what is signed and judged so is real.
 */

export const PERSON = 'user:1';
export const FIRST_KEY = 'k1';
const AT = '2026-06-15T12:00:00.000Z';
const keys: Readonly<Record<string, ReturnType<typeof newPrivateKey>>> = {
  k1: newPrivateKey(),
  k2: newPrivateKey(),
  stranger: newPrivateKey(),
};

/** By whom a station has something signed: by her, by nobody, by a key of its own, or by what she signed of something else. */
export type Signing = 'own' | 'nobody' | 'stranger' | 'replayed';

export const renew = set([`${PERSON}/key`, 'k2']);
export const revoke = set([`${PERSON}/key`, null]);
export const revokeStation = set([`${PERSON}/revoked`, 'a']);
/** A station that was altered makes the change in her name. */
export const forged = (signing: Signing, ...pairs: Parameters<typeof set>): Write => {
  const write = set(...pairs);
  return { ...write, name: `${write.name}, signed by ${signing}`, signing };
};

/** Central's word on her, of whoever reads the records. */
export function authorsOf(read: RecordReader): AuthorReader {
  const key = keyIn(read);
  return {
    userOf: () => ({
      id: 1,
      isActive: true,
      roles: [],
      publicKey: key === null ? null : publicOf(key),
      isRevoked: key === null,
      rolesAt: () => [],
      rolesSince: () => [],
    }),
    signs: () => true,
    isRevoked: (station: string) => read.value(PERSON, 'revoked') === station,
    certificatesOf: () => [],
    movedTo: () => [],
    taken: () => undefined,
    commit: () => undefined,
    contradicts: () => false,
  } as unknown as AuthorReader;
}

/** As central judges it; nothing where nobody has a key. */
export function signedFault(
  commit: Commit,
  read: RecordReader,
  authors: (read: RecordReader, commit: Commit) => AuthorReader = authorsOf,
): string | undefined {
  if (read.creator(PERSON) === undefined) return undefined;
  const why = unauthoredFault(commit, read, authors(read, commit));
  return why === undefined ? undefined : `not_proved: ${why}`;
}

/** What a station puts beside a commit, and when that says that it was made. */
export function signedAt(
  station: string,
  read: RecordReader,
  {
    commitId,
    entries,
    signing = 'own',
  }: { commitId: string; entries: Entry[]; signing?: Signing | undefined },
): Pick<Commit, 'at' | 'authorship'> {
  const key = read.creator(PERSON) === undefined ? null : keyIn(read);
  const isHers = signing === 'own' || signing === 'replayed';
  // By a password that was revoked she signs nothing, and goes on.
  if (key === null || signing === 'nobody') return { at: read.creator(PERSON) === undefined ? '' : AT };
  const session = sessionOf(station, isHers ? key : 'stranger');
  const content = { at: AT, clock_offset: null, user: station, reason: null };
  const said =
    signing === 'replayed' ? { commit_id: 'another', entries: [] } : { commit_id: commitId, entries };
  const authorship = session.sign({ ...content, ...said }, null) as Authorship;
  if (isHers) made.set(authorship.proof, { key, station, text: textOf(said) });
  if (signing === 'own') everSigned.add(textOf(said));
  return { at: AT, authorship };
}

const textOf = ({ commit_id, entries }: { commit_id: string; entries: readonly unknown[] }) =>
  JSON.stringify([commit_id, entries]);

/** What she has signed, by the signature: with which key, where, and what. */
const made = new Map<string, { key: string; station: string; text: string }>();
/** What she signs wherever she has a key as it is written. */
const everSigned = new Set<string>();
const sessions = new Map<string, SessionAuthor>();

function sessionOf(station: string, key: string): SessionAuthor {
  const name = `${station} ${key}`;
  const known = sessions.get(name);
  if (known) return known;
  const secret = 's'.repeat(43);
  const user = { id: 1, login: 'olga' };
  const opened = openSession(
    secret,
    certifySession(secret, { user, key: keys[key], station, at: new Date(AT) }),
  );
  if (!opened) throw new Error('It does not open.');
  sessions.set(name, opened);
  return opened;
}

const keyIn = (read: RecordReader) => (read.value(PERSON, 'key') ?? null) as string | null;

export const publicOf = (key: string) => {
  const one = keys[key];
  if (!one) throw new Error(`There is no key ${key}.`);
  return publicKeyOf(one);
};

/**
 * N, told without the code that judges: of a station nothing counts as it comes in but what she has signed, with the key that she has at
 * that place of the log, at a station that was not revoked there; and nothing else of hers is held for that.
 */
export function checkSigned(log: readonly StoredEntry[]): void {
  let key: string | null = null;
  let revoked: unknown;
  let wasWithout = false;
  for (const { commit, decisions } of log) {
    for (const { subject, changes } of commit.entries) {
      if (subject !== PERSON) continue;
      for (const { path, new: value } of changes) {
        if (path === 'key') key = value as string | null;
        else revoked = value;
        wasWithout ||= path === 'key' && value === null;
      }
    }
    const [decision] = decisions;
    if (stationOf(commit.chain) === 'z' || decision?.commit_id !== commit.commit_id) continue;
    const by = made.get((commit.authorship as Authorship | undefined)?.proof ?? '');
    if (!commit.authorship && everSigned.has(textOf(commit)) && !wasWithout)
      throw new Violation(`N: ${commit.commit_id} has lost what she signed.`);
    const isHers = by !== undefined && by.text === textOf(commit);
    const isProved = isHers && key !== null && by.key === key && revoked !== by.station;
    if (!isProved && decision.outcome === 'applied')
      throw new Violation(`N: ${commit.commit_id} counts, and nobody with her key has signed it.`);
    if (isProved && decision.reason?.startsWith('not_proved'))
      throw new Violation(
        `N: ${commit.commit_id} is held, though she has signed it with the key that she has.`,
      );
  }
}
