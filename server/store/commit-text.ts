import { memberCount } from '../../shared/contract/member-count.ts';
import { readJson } from '../../shared/contract/read-json.ts';
import { inParts } from './canonical-commit.ts';
import type { Commit, Entry } from './changes.ts';
import type { Steps } from './yield-to-event-loop.ts';

/** A commit beside what history keeps of it in columns. */
export interface CommitContent {
  entries: Entry[];
  /** Members of a commit that this version does not know: nothing reads them, and the hash covers them. */
  further: Record<string, unknown>;
}

/**
 * A member that this version knows and keeps among those that it does not, so that the table stays as earlier versions defined
 * it.
 */
export const CLOCK_MARK = 'clock_at_least' satisfies keyof Commit;
const AUTHORSHIP = 'authorship' satisfies keyof Commit;
/** All of them. */
export const KEPT_FURTHER: ReadonlySet<string> = new Set([CLOCK_MARK, AUTHORSHIP]);

/** What the clock should at least have said, of a text by `textOfCommit`; undefined where it was believed. */
export function markIn(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  const mark = readCommitText(text)?.further[CLOCK_MARK];
  return typeof mark === 'string' ? mark : undefined;
}

/** The same in SQL, as a column; null where it was believed. */
export function markSql(entries: string): string {
  return `CASE WHEN substr(${entries}, 1, 1) = '{' THEN ${entries} ->> '$.further.${CLOCK_MARK}' END AS ${CLOCK_MARK}`;
}

const MEMBERS: ReadonlySet<string> = new Set<keyof Commit>([
  'chain',
  'number',
  'commit_id',
  'at',
  'clock_offset',
  'user',
  'reason',
  'entries',
  'previous_hash',
  'hash',
]);

/**
 * What history keeps as `entries`: their JSON; of a commit with members that this version does not know, that of an
 * object with both, so that all of it is kept as it came.
 */
export function textOfCommit(commit: Commit): string {
  const { entries } = commit;
  const further = furtherOf(commit);
  return JSON.stringify(memberCount(further) === 0 ? entries : { entries, further });
}

/** `textOfCommit` in steps: a commit may have thousands of records. */
export function* writingCommitText(commit: Commit): Steps<string> {
  const parts = inParts(commit.entries);
  if (parts.length < 2) return textOfCommit(commit);
  const texts: string[] = [];
  for (const part of parts) {
    texts.push(JSON.stringify(part).slice(1, -1));
    yield;
  }
  const entries = `[${texts.join()}]`;
  const further = furtherOf(commit);
  return memberCount(further) === 0 ? entries : `{"entries":${entries},"further":${JSON.stringify(further)}}`;
}

/** Members of a commit that this version does not know. */
export function furtherOf(commit: Commit): Record<string, unknown> {
  if (memberCount(commit) === MEMBERS.size) return {};
  return Object.fromEntries(Object.entries(commit).filter(([name]) => !MEMBERS.has(name)));
}

/** Undefined where the text is none of a commit. */
export function readCommitText(text: string): CommitContent | undefined {
  const parsed = readJson(text);
  if (isEntries(parsed)) return { entries: parsed, further: {} };
  const { entries, further } = isMap(parsed) ? parsed : {};
  return isEntries(entries) && isMap(further) ? { entries, further } : undefined;
}

/** The hash does not tell the names of members that are null. */
function isEntries(parsed: unknown): parsed is Entry[] {
  const isChange = (change: unknown) =>
    isMap(change) &&
    typeof change.path === 'string' &&
    'old' in change &&
    'new' in change &&
    Array.isArray(change.over);
  return (
    Array.isArray(parsed) &&
    parsed.every(
      entry =>
        isMap(entry) &&
        typeof entry.subject === 'string' &&
        Array.isArray(entry.changes) &&
        entry.changes.every(isChange),
    )
  );
}

function isMap(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}
