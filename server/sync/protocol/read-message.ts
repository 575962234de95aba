import { memberCount } from '../../../shared/contract/member-count.ts';
import type { Commit } from '../../store/changes.ts';
import { type Answer, PAGE_LIMIT, type Request } from './wire.ts';

/**
 * Messages are read by their schemas, which name what is wrong and copy what is right, member by member. Almost all of a
 * large message is commits of exactly the members that this version knows: those that keep every rule of the schema are
 * taken as they are, and the schema reads the rest. A single one that does not leaves the whole message to the schema.
 */

/** A station's message, by `parse`: the schema of requests. */
export function readRequest(input: unknown, parse: (input: unknown) => Request): Request {
  const commits = isObject(input) && input.kind === 'push' ? input.commits : undefined;
  if (!isListOf(commits, isCommit)) return parse(input);
  const request = parse({ ...Object(input), commits: [] });
  return request.kind === 'push' ? { ...request, commits } : request;
}

/** Central's answer, by `parse`: the schema of answers. */
export function readAnswer(input: unknown, parse: (input: unknown) => Answer): Answer {
  const packed = isObject(input) && input.kind === 'page' ? input.packed : undefined;
  if (!isListOf(packed, isPlainPackedEntry)) return parse(input);
  const answer = parse({ ...Object(input), packed: [] });
  return answer.kind === 'page' ? { ...answer, packed } : answer;
}

type PlainPackedEntry = NonNullable<Extract<Answer, { kind: 'page' }>['packed']>[number];

/** Without decisions: those are for the schema. */
function isPlainPackedEntry(value: unknown): value is PlainPackedEntry {
  if (!isObject(value) || memberCount(value) !== 2 || !isText(value.countersignature, 0)) return false;
  const { known, commit } = value;
  if (known === undefined) return isObject(commit) && isUnhashedCommit(commit);
  return isObject(known) && memberCount(known) === 2 && isText(known.chain, 1) && isNumber(known.number);
}

function isUnhashedCommit(commit: Members): boolean {
  const isFirst = 'previous_hash' in commit;
  const isKnown = memberCount(commit) === (isFirst ? 9 : 8) + keptFurther(commit);
  return isKnown && hasContent(commit) && (!isFirst || isText(commit.previous_hash, 0));
}

function isCommit(value: unknown): value is Commit {
  return (
    isObject(value) &&
    memberCount(value) === 10 + keptFurther(value) &&
    hasContent(value) &&
    isText(value.previous_hash, 0) &&
    isText(value.hash, 1)
  );
}

/** How many of the members it has that the schema takes as they are, as any that it does not know: other rules judge them. */
function keptFurther(commit: Members): number {
  return Number('authorship' in commit) + Number('clock_at_least' in commit);
}

/** The eight members that a commit has in any message. */
function hasContent(commit: Members): boolean {
  const { clock_offset, reason, entries } = commit;
  return (
    isText(commit.chain, 1) &&
    isNumber(commit.number) &&
    isText(commit.commit_id, 1) &&
    isText(commit.at, 0) &&
    (clock_offset === null || (typeof clock_offset === 'number' && Number.isFinite(clock_offset))) &&
    isText(commit.user, 0) &&
    (reason === null || typeof reason === 'string') &&
    Array.isArray(entries) &&
    entries.every(isEntry) &&
    (entries.length < 2 || new Set(entries.map(({ subject }) => subject)).size === entries.length)
  );
}

function isEntry(value: unknown): boolean {
  return (
    isObject(value) &&
    memberCount(value) === 2 &&
    isText(value.subject, 1) &&
    Array.isArray(value.changes) &&
    value.changes.every(isChange)
  );
}

function isChange(value: unknown): boolean {
  return (
    isObject(value) &&
    memberCount(value) === 4 &&
    isText(value.path, 1, 500) &&
    'old' in value &&
    'new' in value &&
    Array.isArray(value.over) &&
    value.over.every(isId)
  );
}

type Members = Record<string, unknown>;

/** A list passes too: it has none of the members that are looked for. */
function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function isListOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.length > 0 && value.length <= PAGE_LIMIT && value.every(isItem);
}

function isText(value: unknown, least: number, most = 200): boolean {
  return typeof value === 'string' && value.length >= least && value.length <= most;
}

function isId(value: unknown): boolean {
  return isText(value, 1);
}

function isNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
