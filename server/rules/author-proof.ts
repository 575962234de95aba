import type { StoredRecord } from '../../shared/contract/present.ts';
import type { AuditKind } from '../../shared/families/audit-event.ts';
import { foldLogin } from '../../shared/families/user.ts';
import {
  isKeyPending,
  isMovedAlike,
  proofWith,
  readAuthorship,
  readCertificate,
  type SessionCertificate,
} from '../keys/authorship.ts';
import { type FormerClaim, readClaim } from '../keys/former-claim.ts';
import type { Commit } from '../store/changes.ts';
import { stationOf } from '../store/history.ts';
import type { Records } from '../store/records.ts';

/**
 * - `proved`: a session of the author has signed it, which the author's own key lets sign.
 * - `moved`: the same, under other ids that it had then.
 * - `revoked`: with a key that was revoked before it came to central, so that it may be of whoever had that: a person let it in.
 * - `pending`: a session of the author has signed it, at a station that did not have the author's key, which has not said so yet.
 * - `broken`: it is not what was signed, or not signed by the author's key.
 * - `unsigned`: the author is a person and it is from before keys.
 * - `without`: the same from later, so that central held it: a person let it in.
 * - `brought`: an installation had it before it joined, whose people and keys are not those of here: what it names is its word.
 * - `program`: a program or the installation itself wrote it.
 */
export type AuthorProof =
  | 'proved'
  | 'moved'
  | 'revoked'
  | 'pending'
  | 'broken'
  | 'unsigned'
  | 'without'
  | 'brought'
  | 'program';

/**
 * What commits prove of their authors, as far as the users' records here say whose keys they are.
 * @param wasHeldFirst whether central held the commit when it arrived
 * @param wasBrought whether its installation had it before it joined
 * @param wasSignedThere whether its author had signed it at an installation before that joined, as its archive says
 */
export function authorProofs(
  records: Pick<Records, 'all' | 'findBy'>,
  wasHeldFirst: (commit: Commit) => boolean,
  wasBrought: (commit: Commit) => boolean = () => false,
  wasSignedThere: (commit: Commit) => boolean = () => false,
): (commit: Commit) => AuthorProof {
  let users: Map<string, StoredRecord> | undefined;
  const userOf = (login: string) => {
    users ??= usersByLogin(records);
    return users.get(foldLogin(login));
  };
  let certificates: Map<string, SessionCertificate[]> | undefined;
  const certificatesOf = ({ session_key: key }: SessionCertificate) => {
    certificates ??= certificatesIn(records);
    return certificates.get(key) ?? [];
  };
  let claims: FormerClaim[] | undefined;
  const isClaimed = (
    id: number,
    keys: readonly string[],
    { station, key }: { station: string; key: string },
  ) => {
    claims ??= claimsIn(records);
    return claims.some(
      one =>
        one.user_id === id && one.station === station && one.former_key === key && keys.includes(one.key),
    );
  };
  return commit => {
    const user = userOf(commit.user);
    if ((commit.authorship ?? null) === null) {
      if (!user) return 'program';
      if (wasBrought(commit)) return 'brought';
      return wasHeldFirst(commit) ? 'without' : 'unsigned';
    }
    const sent = readAuthorship(commit.authorship);
    if (!sent) return 'broken';
    const keys = user ? keysOf(user) : [];
    const { proof, authorship } = proofWith(commit, sent, session =>
      certificatesOf(session).filter(({ key }) => keys.includes(key)),
    );
    const { user_id: id, key } = authorship.session;
    if (proof === 'broken' || (proof === 'moved' && !isMovedAlike(commit, authorship))) return 'broken';
    if (proof === 'pending') return user?.id === id ? proof : 'broken';
    if (user?.id === id && keys.includes(key))
      return isRevokedKey(user.fields, key) && wasHeldFirst(commit) ? 'revoked' : proof;
    const { station } = authorship.session;
    // The text is for anybody to read: over what another station wrote, or what a person had to let in, it says nothing.
    const isIts =
      proof === 'moved' &&
      !isKeyPending(sent.session) &&
      stationOf(commit.chain) === station &&
      !wasHeldFirst(commit);
    const trusted = user ? keys.filter(one => !isRevokedKey(user.fields, one)) : [];
    if (isIts && user && isClaimed(user.id, trusted, { station, key }) && wasSignedThere(commit))
      return proof;
    // Of an installation that joined and brought it along: nobody here has said that the key is theirs.
    return proof === 'moved' ? 'brought' : 'broken';
  };
}

/** Of sessions that began while the key of their user was pending, by their keys: as many as there are of each. */
function certificatesIn(records: Pick<Records, 'findBy'>): Map<string, SessionCertificate[]> {
  const events = records.findBy('audit-event', 'kind', 'session_certified' satisfies AuditKind);
  const found = events.flatMap(({ fields }) => readCertificate(fields.details) ?? []);
  return Map.groupBy(found, ({ session_key: key }) => key);
}

/** What people have said of the keys that they had before their installation joined. */
function claimsIn(records: Pick<Records, 'findBy'>): FormerClaim[] {
  const events = records.findBy('audit-event', 'kind', 'former_key_claimed' satisfies AuditKind);
  return events.flatMap(({ fields }) => readClaim(fields.details) ?? []);
}

function usersByLogin(records: Pick<Records, 'all'>): Map<string, StoredRecord> {
  const users = new Map<string, StoredRecord>();
  for (const user of records.all('user')) {
    const { login, former_logins: former } = user.fields;
    for (const name of [...textsOf(former), ...textsOf([login])]) users.set(foldLogin(name), user);
  }
  return users;
}

/** Whether somebody else may have the key since. */
export function isRevokedKey({ revoked_keys: keys }: StoredRecord['fields'], key: unknown): boolean {
  return Array.isArray(keys) && keys.includes(key);
}

/** The key that the person has, and those before it: what they signed stands. */
function keysOf({ fields }: StoredRecord): string[] {
  return [...textsOf(fields.former_keys), ...textsOf([fields.public_key])];
}

function textsOf(values: unknown): string[] {
  return Array.isArray(values) ? values.filter(value => typeof value === 'string') : [];
}
