import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { Commit } from '../../store/changes.ts';
import type { IdRemapping } from '../../store/id-remapping.ts';
import type { SignedStates } from '../../store/signed-states.ts';

/** A commit of a former chain, and its place in the order of arrival there. */
export interface FormerCommit {
  sequence: number;
  commit: Commit;
}

/**
 * Whether each commit that an installation had before it joined stands in the chain in which it was issued again, with its author, time
 * and reason, as `IdRemapping` maps it, one after the other.
 * @param issued that chain after its first commit, which says what moved
 * @param step called with how many were compared, before each commit of there
 * @returns the first that does not; undefined where all do
 */
export async function firstNotIssuedAgain(
  former: Iterable<FormerCommit>,
  issued: Iterator<Commit | undefined>,
  { ids, signed }: { ids: IdRemapping; signed: Pick<SignedStates, 'at'> },
  step: (count: number) => Promise<void> | undefined,
): Promise<Commit | undefined> {
  let count = 0;
  for (const { commit, sequence } of former) {
    await step(count);
    const expected = ids.commit(commit, signed.at(sequence));
    if (expected.entries.length === 0) continue;
    const { done, value } = issued.next();
    if (done || !value || !isSame(expected, value)) return commit;
    count += 1;
  }
  await step(count);
  return undefined;
}

function isSame(expected: ReturnType<IdRemapping['commit']>, issued: Commit): boolean {
  const { chain: _, number: __, previous_hash: ___, hash: ____, ...content } = issued;
  return sameJson(expected, content);
}
