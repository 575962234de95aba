import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { familyOf } from '../../shared/families/registry.ts';
import type { ConflictAnswer } from '../../shared/operations/exchange-operations.ts';
import type { Commit } from '../store/changes.ts';
import { stationOf } from '../store/history.ts';
import { type NameOf, recordOf } from './held-answer.ts';
import type { Conflict } from './log/conflicts.ts';
import { syncRules } from './log/rules.ts';
import { isConflict } from './protocol/siblings.ts';

export interface ConflictContext {
  /** The record as it is shown. */
  record: (key: string) => StoredRecord | undefined;
  commit: (id: string) => Commit | undefined;
  nameOf: NameOf;
}

/** A conflict with what a person needs to decide it. */
export function describeConflict(conflict: Conflict, context: ConflictContext): ConflictAnswer {
  const { id, subject, path, siblings, closed, closed_by: closedBy } = conflict;
  const [record = { family: subject, id: 0 }] = recordOf(subject);
  const writers = context.record(subject)?.writers[path];
  const isOpenHere = Array.isArray(writers) && isConflict(writers);
  const closing = closedBy === null ? undefined : context.commit(closedBy);
  return {
    id,
    family: record.family,
    record_id: record.id,
    path,
    label: labelOf(record.family, path),
    rule: syncRules.isVerdict(subject, path) ? 'first_verdict' : 'latest',
    state: closed !== null ? 'closed' : isOpenHere ? 'open' : 'resolved_here',
    values: siblings.map(({ commit: commitId, value }, index) => {
      const commit = context.commit(commitId);
      const station = commit ? stationOf(commit.chain) : null;
      return {
        value: value ?? null,
        before: beforeIn(commit, subject, path),
        is_standing: closed === null && index === 0,
        commit: commitId,
        station,
        station_name: station === null ? null : context.nameOf(station),
        user: commit?.user ?? null,
        at: commit?.at ?? null,
        clock_offset: commit?.clock_offset ?? null,
        clock_at_least: commit?.clock_at_least ?? null,
        reason: commit?.reason ?? null,
      };
    }),
    outcome:
      closed === null
        ? null
        : {
            value: conflict.outcome ?? null,
            commit: closedBy,
            user: closing?.user ?? null,
            at: closing?.at ?? null,
            reason: closing?.reason ?? null,
          },
  };
}

/** What a path held when a commit was made over it. */
function beforeIn(commit: Commit | undefined, subject: string, path: string): unknown {
  const entry = commit?.entries.find(each => each.subject === subject);
  return entry?.changes.find(change => change.path === path)?.old ?? null;
}

/** What people call the field of a path; of an item's with the item's kind before it. */
function labelOf(family: string, path: string): string {
  const parts = path.split('.');
  let described: Family | Collection | undefined = familyOf(family);
  const labels: string[] = [];
  for (let index = 0; described && index < parts.length - 1; index += 2) {
    described = described.collections[parts[index] ?? ''];
    if (described) labels.push(`${described.title} ${parts[index + 1]}`);
  }
  const name = parts.at(-1) ?? '';
  if (parts.length % 2 === 1) {
    labels.push(name === 'is_removed' ? 'Removed' : (described?.fields[name]?.label ?? name));
  }
  return labels.join(', ') || path;
}
