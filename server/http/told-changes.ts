import type { StoredRecord } from '../../shared/contract/present.ts';
import { type FamilyName, familyOf } from '../../shared/families/registry.ts';
import { type ShownElsewhere, shownElsewhere } from '../rules/shown-elsewhere.ts';
import type { FeedPlace, FeedStep } from '../store/change-feed.ts';
import type { Commit, Entry } from '../store/changes.ts';
import { stationOf } from '../store/history.ts';
import type { Records } from '../store/records.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import { isRecord } from '../store/subjects.ts';

/**
 * What happened to a record: it was made, it has other values, it is here no more (its id went to another one), or its
 * answer shows otherwise because another record has changed.
 */
export type ChangeKind = 'created' | 'changed' | 'removed' | 'answer';

/** One change as who follows is told of it. */
export interface ToldChange {
  family: FamilyName;
  /** Null for all records of the family that belong to `of`. */
  id: number | null;
  kind: ChangeKind;
  /** The version that stands now; null for what is not there. */
  version: number | null;
  /** The record itself as it stands now. */
  record: StoredRecord | undefined;
  /** The commit; null where sync changed the record without one. */
  commit: Pick<Commit, 'commit_id' | 'chain' | 'at' | 'user' | 'reason'> | null;
  at: string | null;
  user: string | null;
  /** The record whose change it is, where it is another one. */
  of: { family: FamilyName; id: number } | null;
  /** Of this record, by the commit. */
  changes: Entry['changes'];
}

export interface TellingReads {
  records: Records;
  sql: SqlReader;
  /** As `shownElsewhere` has it. */
  named?: number;
}

/** What is told of one entry, and the place after it. */
export interface Told {
  changes: ToldChange[];
  place: FeedPlace;
}

/** What a step tells, from an entry of its commit on; lots whose answers follow stand before what they follow from. */
export function* tellStep(reads: TellingReads, step: FeedStep, place: FeedPlace): Generator<Told> {
  if (!step.commit) {
    const key = reads.records.keyOfSubject(step.subject);
    const changes = key === undefined ? [] : tellUnlogged(reads, key);
    yield { changes, place: { ...place, number: step.number } };
    return;
  }
  const { commit, sequence } = step;
  const own = new Set(commit.entries.map(({ subject }) => subject));
  const told = new Set<string>();
  for (let at = place.entry; at < commit.entries.length; at += 1) {
    const entry = commit.entries[at];
    const isLast = at === commit.entries.length - 1;
    const after = isLast ? { ...place, sequence, entry: 0 } : { ...place, entry: at + 1 };
    const changes = entry && isRecord(entry.subject) ? tellEntry(reads, commit, entry, own, told) : [];
    yield { changes, place: after };
  }
  if (commit.entries.length <= place.entry) yield { changes: [], place: { ...place, sequence, entry: 0 } };
}

function tellEntry(
  reads: TellingReads,
  commit: Commit,
  { subject, changes }: Entry,
  own: ReadonlySet<string>,
  told: Set<string>,
): ToldChange[] {
  const named = nameOf(subject);
  if (!named) return [];
  const record = reads.records.getShared(named.family, named.id);
  const kind = kindOf(record, commit);
  const elsewhere = shownElsewhere(reads, subject, record, changes, kind === 'created');
  const base = { commit, at: commit.at, user: commit.user, changes: [] };
  const others = tellElsewhere(reads, elsewhere, named, key => !own.has(key) && isFresh(told, key));
  const itself = { ...named, kind, version: record?.version ?? null, record, of: null };
  return [...others.map(other => ({ ...base, ...other })), { ...base, ...itself, changes }];
}

function tellUnlogged(reads: TellingReads, key: string): ToldChange[] {
  const named = nameOf(key);
  if (!named) return [];
  const record = reads.records.getByKey(key);
  const kind = record ? 'changed' : 'removed';
  const { updated_at: at = null, user = null } = record ?? {};
  return [
    {
      ...named,
      kind,
      version: record?.version ?? null,
      record,
      commit: null,
      at,
      user,
      of: null,
      changes: [],
    },
  ];
}

type Elsewhere = Pick<ToldChange, 'family' | 'id' | 'kind' | 'version' | 'record' | 'of'>;

/** What is told of the records whose answers show otherwise. */
export function tellElsewhere(
  { records }: Pick<TellingReads, 'records'>,
  { keys, families }: ShownElsewhere,
  of: { family: FamilyName; id: number },
  isWanted: (key: string) => boolean = () => true,
): Elsewhere[] {
  const single = keys.filter(isWanted).flatMap((key): Elsewhere[] => {
    const named = nameOf(key);
    const record = records.getByKey(key);
    return named && record ? [{ ...named, kind: 'answer', version: record.version, record, of }] : [];
  });
  const whole = families.map(
    (family): Elsewhere => ({ family, id: null, kind: 'answer', version: null, record: undefined, of }),
  );
  return [...single, ...whole];
}

function kindOf(record: StoredRecord | undefined, { commit_id: id }: Pick<Commit, 'commit_id'>): ChangeKind {
  if (!record) return 'removed';
  return record.creator === id ? 'created' : 'changed';
}

function isFresh(told: Set<string>, key: string): boolean {
  return told.size !== told.add(key).size;
}

/** Family and id; undefined of a family that this version does not know. */
function nameOf(key: string): { family: FamilyName; id: number } | undefined {
  const colon = key.lastIndexOf(':');
  const family = familyOf(key.slice(0, colon));
  return family && { family: family.name as FamilyName, id: Number(key.slice(colon + 1)) };
}

/** The station that wrote it; null where no commit says so. */
export function stationOfChange({ commit }: Pick<ToldChange, 'commit'>): string | null {
  return commit && stationOf(commit.chain);
}
