import { foldLogin } from '../../../shared/families/user.ts';
import { proofOfAuthorship, readAuthorship } from '../../keys/authorship.ts';
import { proofOf } from '../../keys/signature-proof.ts';
import { type Archive, type ArchiveCheck, archivedCommits } from '../../store/archive.ts';
import type { Commit, Entry } from '../../store/changes.ts';
import { readCommit } from '../../store/history.ts';
import { IdRemapping } from '../../store/id-remapping.ts';
import { type Moved, movedIn } from '../../store/moved.ts';
import { ScratchHistory } from '../../store/scratch-history.ts';
import { SignedStates } from '../../store/signed-states.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { YieldToEventLoop } from '../../store/yield-to-event-loop.ts';
import { type FormerCommit, firstNotIssuedAgain } from './issued-again.ts';

/**
 * Compares what an installation had before it joined with what it issued again in a chain: nothing left out, added or altered, and what
 * people signed there is signed by the keys that they had there. That the archive itself is whole was found when it came.
 */
export async function checkArchive(
  sql: SqlReader,
  chain: string,
  archive: Pick<Archive, 'parts'>,
  yieldToEventLoop: YieldToEventLoop,
): Promise<ArchiveCheck> {
  const people = new FormerPeople();
  const moved = movedIn(readCommit(sql, chain, 1));
  if (!moved) return { fault: 'Its first commit does not say what was moved.', compared: 0 };
  using scratch = new ScratchHistory();
  const ids = new IdRemapping(moved);
  const signed = new SignedStates(scratch.sql, ids, key => key);
  let odd: Commit | undefined;
  // The first says what moved.
  let compared = 1;
  function* former(): Generator<FormerCommit> {
    let sequence = 0;
    for (const commit of archivedCommits(sql, chain, archive)) {
      sequence += 1;
      scratch.add(sequence, commit);
      if (!people.areProved(commit)) odd ??= commit;
      yield { sequence, commit };
    }
  }
  const notAgain = await firstNotIssuedAgain(
    former(),
    issuedAfterFirst(sql, chain),
    { ids, signed },
    count => {
      compared = count + 1;
      return yieldToEventLoop();
    },
  );
  const added = notAgain ? undefined : await addedAfter(sql, moved, compared, yieldToEventLoop);
  const name = ({ number, chain: of }: Commit) => `Commit ${number} of its former chain ${of}`;
  const fault = notAgain
    ? `${name(notAgain)} was not issued again as it was.`
    : odd
      ? `${name(odd)} is not what its author, or who signed in it, had signed.`
      : added
        ? `Commit ${added.number} of chain ${chain} is said to be from before, and was not there.`
        : null;
  return { fault, compared };
}

/**
 * The first of those that were taken as if they had been there (`wasBroughtAlong`: commits of what central replaces leave places)
 * that says so itself: by its time, or by what its author is said to have signed under another id. Users who were handed over are new.
 */
async function addedAfter(
  sql: SqlReader,
  { chain, former }: Pick<Moved, 'chain' | 'former'>,
  compared: number,
  yieldToEventLoop: YieldToEventLoop,
): Promise<Commit | undefined> {
  const joined = readCommit(sql, chain, 1)?.at ?? '';
  const last = Object.values(former).reduce((sum, head) => sum + head.number, 1);
  for (let number = compared + 1; number <= last; number += 1) {
    await yieldToEventLoop();
    const commit = readCommit(sql, chain, number);
    if (!commit) return undefined;
    const isHanded = commit.entries.every(({ subject }) => subject.startsWith('user:'));
    const isBefore = commit.at < joined && (commit.clock_at_least ?? null) === null;
    if (!isHanded && (isBefore || readAuthorship(commit.authorship)?.signed !== undefined)) return commit;
  }
  return undefined;
}

function* issuedAfterFirst(sql: SqlReader, chain: string): Generator<Commit | undefined> {
  for (let number = 2; ; number += 1) {
    const commit = readCommit(sql, chain, number);
    if (!commit) return;
    yield commit;
  }
}

/** Who worked at the installation, and which keys its own history gave them. */
class FormerPeople {
  /** By users: their logins and keys so far. */
  readonly #users = new Map<string, { logins: Set<string>; keys: Set<string> }>();

  /** Whether what a commit says of its author and signatures is so; of what nobody signed, or whose key is pending, it says nothing. */
  areProved(commit: Commit): boolean {
    this.#learn(commit);
    return this.#isAuthored(commit) && commit.entries.every(entry => this.#isSigned(entry));
  }

  #isSigned({ subject, changes }: Entry): boolean {
    const said = Object.fromEntries(changes.map(({ path, new: value }) => [path, value]));
    if (!subject.startsWith('signature:') || (said.meaning ?? null) === null) return true;
    const proof = proofOf(said);
    return (
      proof === 'none' ||
      (proof === 'proved' && this.#users.get(`user:${said.user_id}`)?.keys.has(String(said.key)) === true)
    );
  }

  #isAuthored(commit: Commit): boolean {
    if ((commit.authorship ?? null) === null) return true;
    const authorship = readAuthorship(commit.authorship);
    const proof = authorship ? proofOfAuthorship(commit, authorship) : 'broken';
    // Who writes an installation's disk before it joins puts over entries of his own what somebody signed elsewhere: nothing was given other ids there.
    if (!authorship || proof === 'broken' || authorship.signed !== undefined) return false;
    if (proof === 'pending') return true;
    const { user_id: id, key } = authorship.session;
    const user = this.#users.get(`user:${id}`);
    return Boolean(user?.keys.has(key) && user.logins.has(foldLogin(commit.user)));
  }

  #learn({ entries }: Commit): void {
    for (const { subject, changes } of entries) {
      if (!subject.startsWith('user:')) continue;
      const user = this.#users.get(subject) ?? { logins: new Set(), keys: new Set() };
      this.#users.set(subject, user);
      for (const { path, new: value } of changes) {
        if (path === 'login' && typeof value === 'string') user.logins.add(foldLogin(value));
        if (path === 'public_key' && typeof value === 'string') user.keys.add(value);
      }
    }
  }
}
