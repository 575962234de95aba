import { certifiedBy, certifySession, openSession } from '../../../../server/identity/session-keys.ts';
import type { Authorship, Seen, SessionCertificate } from '../../../../server/keys/authorship.ts';
import { newPrivateKey, publicKeyOf } from '../../../../server/keys/ed25519.ts';
import type { Commit } from '../../../../server/store/changes.ts';
import { unauthoredFault } from '../../../../server/sync/central/authored-by.ts';
import type { AuthorReader } from '../../../../server/sync/central/pushed.ts';
import type { RecordReader } from '../../../../server/sync/protocol/siblings.ts';

/**
 * Every order of what may befall the keys of one person, up to a depth, while a station sends what she, somebody else and nobody has
 * signed. After each step each commit is judged, and an oracle that knows who wrote it and when says what has to come of it.
 */

const AT = '2026-06-15T12:00:00.000Z';
const STATION = '00000000-0000-4000-8000-000000000001';
const OLGA = { id: 7, login: 'olga' };

/** Her keys, the one after the other. */
const keys = [newPrivateKey(), newPrivateKey()] as const;
const [stranger] = [newPrivateKey()];

type KeyName = 0 | 1;

export interface State {
  /** The key that she has; null: none yet, or revoked. */
  key: KeyName | null;
  isRevoked: boolean;
  /** Whether the station has signed before. */
  signs: boolean;
  /** Whether the station's sessions are of one that was revoked. */
  isStationRevoked: boolean;
  /** Which of her keys have certified the session that began while it was pending. */
  certified: readonly KeyName[];
  /** Whether her commit was taken already, under other ids. */
  isTaken: boolean;
}

export const START: State = {
  key: null,
  isRevoked: false,
  signs: false,
  isStationRevoked: false,
  certified: [],
  isTaken: false,
};

const steps: Record<string, (state: State) => State> = {
  'gets her first key': state =>
    state.key === null && !state.isRevoked && state.certified.length === 0 ? { ...state, key: 0 } : state,
  'gets the next key': state =>
    state.key === null && !state.isRevoked ? state : { ...state, key: 1, isRevoked: false },
  'is revoked': state => ({ ...state, key: null, isRevoked: true }),
  'signs at the station': state => ({ ...state, signs: true }),
  'has the station revoked': state => ({ ...state, isStationRevoked: true }),
  'certifies the session': state =>
    state.key === null || state.certified.includes(state.key)
      ? state
      : { ...state, certified: [...state.certified, state.key] },
  'has it taken': state => ({ ...state, isTaken: true }),
};

const content = {
  chain: `${STATION}.1`,
  number: 1,
  commit_id: 'c1',
  at: AT,
  clock_offset: null,
  user: OLGA.login,
  reason: null,
  entries: [{ subject: 'supplier:7', changes: [{ path: 'name', old: null, new: 'Acme', over: [] }] }],
  previous_hash: '',
  hash: 'h',
};
const seen = { epoch: 'e', sequence: 3, hash: 'right' };

function signedIn(key: Parameters<typeof certifySession>[1]['key'], station = STATION) {
  const secret = 's'.repeat(43);
  const opened = openSession(secret, certifySession(secret, { user: OLGA, key, station, at: new Date(AT) }));
  if (!opened) throw new Error('It does not open.');
  return opened;
}

const [own, next, pending, foreign] = [keys[0], keys[1], undefined, stranger].map(key => signedIn(key));
if (!own || !next || !pending || !foreign) throw new Error('There are no sessions.');
const by = (session: ReturnType<typeof signedIn>, what = content, saw = seen): Commit =>
  ({ ...content, authorship: session.sign(what, saw) as Authorship }) as Commit;

/** What the station sends, and whose it is. */
export const commits: Record<
  string,
  { commit: Commit; signer: KeyName | 'pending' | 'nobody' | 'stranger'; isTrue: boolean; seesRight: boolean }
> = {
  'signed with her first key': { commit: by(own), signer: 0, isTrue: true, seesRight: true },
  'signed with her next key': { commit: by(next), signer: 1, isTrue: true, seesRight: true },
  'signed while it was pending': { commit: by(pending), signer: 'pending', isTrue: true, seesRight: true },
  unsigned: { commit: content as Commit, signer: 'nobody', isTrue: true, seesRight: true },
  'signed by a stranger': { commit: by(foreign), signer: 'stranger', isTrue: true, seesRight: true },
  'altered since': {
    commit: by(own, { ...content, entries: [] }),
    signer: 0,
    isTrue: false,
    seesRight: true,
  },
  'over another log': {
    commit: by(own, content, { ...seen, hash: 'other' }),
    signer: 0,
    isTrue: true,
    seesRight: false,
  },
};

/** Whether central may let it count, by who wrote it and what she has: written without the code that is tried. */
export function mayCount(state: State, name: string): boolean {
  const { signer, isTrue, seesRight } = commits[name] ?? {};
  const { key, isRevoked, signs, isStationRevoked, certified, isTaken } = state;
  if (isRevoked || !isTrue) return false;
  if (signer === 'nobody') return key === null || !signs;
  if (signer === 'stranger') return false;
  // Of who never had a key it is the station's word.
  if (signer === 'pending' && key === null) return true;
  const proves = signer === 'pending' ? key !== null && certified.includes(key) : key === signer;
  return proves && !isStationRevoked && seesRight === true && !isTaken;
}

/** Central's knowledge of the state. */
export function authorsOf(state: State): AuthorReader {
  const certificates = state.certified.map(name =>
    certifiedBy(keys[name], pending?.certificate as SessionCertificate),
  );
  return {
    userOf: () => ({
      id: OLGA.id,
      isActive: true,
      roles: [],
      publicKey: state.key === null ? null : publicKeyOf(keys[state.key]),
      isRevoked: state.isRevoked,
      rolesAt: () => [],
      rolesSince: () => [],
    }),
    signs: () => state.signs,
    isRevoked: () => state.isStationRevoked,
    certificatesOf: () => certificates,
    movedTo: () => (state.isTaken ? ['c9'] : []),
    taken: (id: string) => (state.isTaken && id === 'c9' ? content : undefined),
    commit: () => undefined,
    contradicts: (saw: Seen | null) => saw !== null && saw.hash !== 'right',
  } as unknown as AuthorReader;
}

const nothing = {
  creator: () => undefined,
  siblings: () => [],
  value: () => undefined,
  isWithdrawn: () => false,
} as unknown as RecordReader;

/** The first thing that is not as it has to be, with how it came to that; undefined: there is none. */
export function explore(
  depth: number,
  authors: (state: State) => AuthorReader = authorsOf,
): { states: number; violation?: string } {
  const known = new Map([[JSON.stringify(START), { state: START, way: '' }]]);
  let front = [...known.values()];
  for (let step = 0; step <= depth; step += 1) {
    for (const { state, way } of front)
      for (const [name, { commit }] of Object.entries(commits)) {
        const counts = unauthoredFault(commit, nothing, authors(state)) === undefined;
        if (counts !== mayCount(state, name))
          return {
            states: known.size,
            violation: `${way || ' at first'}: ${name} ${counts ? 'counts' : 'is held'}`,
          };
      }
    const following: typeof front = [];
    for (const { state, way } of front)
      for (const [name, take] of Object.entries(steps)) {
        const after = take(state);
        const text = JSON.stringify(after);
        if (known.has(text)) continue;
        const found = { state: after, way: `${way} ${name},` };
        known.set(text, found);
        following.push(found);
      }
    front = following;
  }
  return { states: known.size };
}
