import { foldLogin } from '../../../shared/families/user.ts';
import { isMovedAlike, proofOfAuthorship, readAuthorship } from '../../keys/authorship.ts';
import { type Archive, type ArchiveCheck, archivedCommits } from '../../store/archive.ts';
import type { Commit } from '../../store/changes.ts';
import { readCommit } from '../../store/history.ts';
import { IdRemapping } from '../../store/id-remapping.ts';
import { movedIn } from '../../store/moved.ts';
import { ScratchHistory } from '../../store/scratch-history.ts';
import { SignedStates } from '../../store/signed-states.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { YieldToEventLoop } from '../../store/yield-to-event-loop.ts';
import { type FormerCommit, firstNotIssuedAgain } from '../log/issued-again.ts';

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
  if (!moved) return { fault: 'Its first commit does not say what was moved.', keys: {} };
  using scratch = new ScratchHistory();
  const ids = new IdRemapping(moved);
  const signed = new SignedStates(scratch.sql, ids, key => key);
  let odd: Commit | undefined;
  function* former(): Generator<FormerCommit> {
    let sequence = 0;
    for (const commit of archivedCommits(sql, chain, archive)) {
      sequence += 1;
      scratch.add(sequence, commit);
      if (!people.isAuthored(commit)) odd ??= commit;
      yield { sequence, commit };
    }
  }
  const notAgain = await firstNotIssuedAgain(former(), issuedAfterFirst(sql, chain), { ids, signed }, () =>
    yieldToEventLoop(),
  );
  const name = ({ number, chain: of }: Commit) => `Commit ${number} of its former chain ${of}`;
  const fault = notAgain
    ? `${name(notAgain)} was not issued again as it was.`
    : odd
      ? `${name(odd)} is not what its author had signed.`
      : null;
  return { fault, keys: people.keys() };
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

  /** Whether what a commit says of its author is so; of what nobody signed, or whose key is pending, it says nothing. */
  isAuthored(commit: Commit): boolean {
    this.#learn(commit);
    if ((commit.authorship ?? null) === null) return true;
    const authorship = readAuthorship(commit.authorship);
    const proof = authorship ? proofOfAuthorship(commit, authorship) : 'broken';
    if (!authorship || proof === 'broken') return false;
    if (proof === 'pending') return true;
    if (proof === 'moved' && !isMovedAlike(commit, authorship)) return false;
    const { user_id: id, key } = authorship.session;
    const user = this.#users.get(`user:${id}`);
    return Boolean(user?.keys.has(key) && user.logins.has(foldLogin(commit.user)));
  }

  /** Each key with the logins of whose it was. */
  keys(): Record<string, string[]> {
    const all = [...this.#users.values()].flatMap(({ logins, keys }) =>
      [...keys].map(key => [key, [...logins]]),
    );
    return Object.fromEntries(all);
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
