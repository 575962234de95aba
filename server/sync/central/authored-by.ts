import { authoredIn, proofWith, readAuthorship, type SessionCertificate } from '../../keys/authorship.ts';
import type { Commit } from '../../store/changes.ts';
import { stationOf } from '../../store/history.ts';
import { HOLD_SUBJECT, MOVED_SUBJECT } from '../../store/subjects.ts';
import type { RecordReader } from '../protocol/siblings.ts';
import { followsMoves, isMovedFrom } from './moved-commit.ts';
import type { AuthorReader } from './pushed.ts';

/**
 * Why a commit that a station sends is not proved to be of its author, in words. Who has a key signs with it, once the station's
 * program can: what came before that is from before keys. A program's commits, and those of who has no key yet, are the station's.
 */
export function unauthoredFault(
  commit: Commit,
  read: RecordReader,
  authors: AuthorReader,
): string | undefined {
  const author = authors.userOf(commit.user);
  const key = author?.publicKey ?? null;
  const isRevoked = author?.isRevoked === true;
  if ((commit.authorship ?? null) === null) {
    const isBeforeKeys = !isRevoked && (key === null || !authors.signs(stationOf(commit.chain)));
    if (isBeforeKeys || isOfExchange(commit) || followsMoves(commit, read, authors)) return undefined;
    return isRevoked ? REVOKED_PERSON : UNSIGNED;
  }
  const sent = readAuthorship(commit.authorship);
  if (!sent) return BROKEN;
  const ofKey = ({ key: one }: SessionCertificate) => Number(one !== key);
  const { proof, authorship } = proofWith(commit, sent, session =>
    // What a former key certified says that it was replaced.
    authors.certificatesOf(session).toSorted((one, other) => ofKey(one) - ofKey(other)),
  );
  if (proof === 'broken') return BROKEN;
  const { session } = authorship;
  if (author?.id !== session.user_id) return FOREIGN;
  if (isRevoked) return REVOKED_PERSON;
  // Of who has no key yet it is the station's word, as what is not signed at all.
  if (proof === 'pending') return key === null ? undefined : PENDING_KEY;
  if (key !== session.key) return FOREIGN;
  if (authors.isRevoked(session.station)) return REVOKED;
  if (authors.contradicts(authorship.seen)) return CONTRADICTED;
  const original = proof === 'moved' ? authoredIn(authorship) : commit;
  if (!original) return BROKEN;
  if (isThere(original.commit_id, session, commit, authors)) return TWICE;
  return proof === 'proved' || isMovedFrom({ original, seen: authorship.seen }, commit, read, authors)
    ? undefined
    : OTHERWISE;
}

/**
 * Whether what was signed is at central already, whichever came first: once signed counts once. What was held of it, or given up, is
 * for the station that sent it to issue again, and for no other one.
 */
function isThere(
  id: string,
  { session_key: key }: SessionCertificate,
  commit: Commit,
  authors: AuthorReader,
): boolean {
  const isTaken = (one: string) => one !== commit.commit_id && authors.taken(one) !== undefined;
  if (authors.movedTo(key, id).some(isTaken)) return true;
  const known = id === commit.commit_id ? undefined : authors.commit(id);
  // Under its name somebody else may have sent something.
  if (!known || readAuthorship(known.authorship)?.session.session_key !== key) return false;
  return stationOf(known.chain) !== stationOf(commit.chain) || isTaken(id);
}

/** It says something of the exchange alone: that a held commit is given up. */
function isOfExchange({ entries }: Commit): boolean {
  return entries.every(
    ({ subject }) => subject.startsWith(HOLD_SUBJECT) || subject.startsWith(MOVED_SUBJECT),
  );
}

const ASK = 'Ask the author.';
const UNSIGNED = `The author has a key, and this was not signed with it: the station did not have it then, or somebody else wrote it. ${ASK}`;
export const PENDING_KEY =
  "The author's key was not at the station yet. When the author next signs in there with central in reach, what lacks nothing else is let in by itself. Or ask the author.";
const BROKEN = `What is signed is not what it says. Somebody altered it. ${ASK}`;
const FOREIGN = `It is not signed with the author's present key: the key was replaced meanwhile, or somebody else wrote it. ${ASK}`;
const REVOKED = `It was signed at a station that was revoked since. ${ASK}`;
const REVOKED_PERSON = `The author's password and key were revoked, because somebody else may have them. ${ASK}`;
const CONTRADICTED =
  "It is said to follow a history that is not central's: central's files were altered, or the station's. Compare checkpoints before it is released.";
const TWICE = `The author signed it once, and central has it already. ${ASK}`;
const OTHERWISE = `It was issued again under other ids, and says more than the author signed. ${ASK}`;
