import { sameJson } from '../../shared/contract/canonical-json.ts';
import type { PathWriters, StoredRecord } from '../../shared/contract/present.ts';
import type { Change } from './changes.ts';

/**
 * The commits that wrote the value of a path as it is shown: what a change of it is made `over`.
 *
 * Everything that no later commit wrote was written by the one that created the record; the longest listed beginning of
 * a path is its writer.
 */
export function writersOf(
  { creator, writers }: Pick<StoredRecord, 'creator' | 'writers'>,
  path: string,
): string[] {
  for (let prefix = path; prefix !== ''; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf('.')))) {
    const written = writers[prefix];
    if (typeof written === 'string') return [written];
    if (written !== undefined) {
      const shown = written.filter(({ value }) => sameJson(value, written[0]?.value));
      return shown.map(({ commit }) => commit);
    }
  }
  return [creator];
}

/** The writers of a record after a commit's changes: what its author had not seen stays beside what he wrote. */
export function writersAfter(
  before: Pick<StoredRecord, 'writers'> | undefined,
  changes: readonly Change[],
  commit: string,
): PathWriters {
  if (!before) return {};
  const after = { ...before.writers };
  for (const { path, new: value, over } of changes) {
    const written = after[path];
    const unseen = Array.isArray(written) ? written.filter(one => !over.includes(one.commit)) : [];
    after[path] = unseen.length === 0 ? commit : [{ commit, value }, ...unseen];
  }
  return after;
}
