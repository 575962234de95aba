import { AppError, invalid } from '../../../shared/contract/errors.ts';
import { memberCount } from '../../../shared/contract/member-count.ts';
import type { Steps } from '../../store/yield-to-event-loop.ts';
import { type Answer, PAGE_LIMIT, type Request } from './wire.ts';

/**
 * Messages are read by their schemas, which name what is wrong and copy what is right, member by member. Almost all of a
 * large message is commits of exactly the members that this version knows: those that keep every rule of the schema are
 * taken as they are, and the schema reads the rest. Of long lists it reads one item at a time.
 */

/** A station's message, by `parse`: the schema of requests. */
export function* readRequest(input: unknown, parse: (input: unknown) => Request): Steps<Request> {
  if (!isObject(input) || input.kind !== 'push') return parse(input);
  return yield* readLists(input, { offers: undefined, commits: isCommit }, parse);
}

/** Central's answer, by `parse`: the schema of answers. */
export function* readAnswer(input: unknown, parse: (input: unknown) => Answer): Steps<Answer> {
  if (!isObject(input)) return parse(input);
  if (input.kind === 'page')
    return yield* readLists(input, { entries: undefined, packed: isPlainPackedEntry }, parse);
  // The store reads its records.
  if (input.kind === 'snapshot') return yield* readLists(input, { records: true }, parse);
  return parse(input);
}

/** Whether an item keeps every rule of the schema: true where there is none; undefined where that is not looked at. */
type IsPlain = ((item: unknown) => Steps<boolean>) | true | undefined;

function* readLists<Message extends object>(
  input: Members,
  lists: Readonly<Record<string, IsPlain>>,
  parse: (input: unknown) => Message,
): Steps<Message> {
  const long = Object.entries(lists).flatMap(([name, isPlain]) => {
    const items: unknown = input[name];
    return Array.isArray(items) && items.length <= PAGE_LIMIT ? [{ name, isPlain, items }] : [];
  });
  const rest = { ...input, ...Object.fromEntries(long.map(({ name }) => [name, []])) };
  const message = parse(rest);
  for (const { name, isPlain, items } of long) {
    const read: unknown[] = [];
    for (const [place, item] of items.entries()) {
      yield;
      if (isPlain === true || (isPlain && (yield* isPlain(item)))) read.push(item);
      else read.push(...listIn(parseAt(place, { ...rest, [name]: [item] }, name, parse), name));
    }
    Object.assign(message, { [name]: read });
  }
  return message;
}

/** @throws what `parse` throws, with the item's own place in it */
function parseAt<Message>(
  place: number,
  input: Members,
  name: string,
  parse: (input: unknown) => Message,
): Message {
  try {
    return parse(input);
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error;
    const here = `${name}.0`;
    const errors = Object.entries(error.errors).map(([path, faults]) =>
      path === here || path.startsWith(`${here}.`)
        ? [`${name}.${place}${path.slice(here.length)}`, faults]
        : [path, faults],
    );
    throw invalid(Object.fromEntries(errors));
  }
}

function listIn(message: object, name: string): unknown[] {
  const items: unknown = Reflect.get(message, name);
  return Array.isArray(items) ? items : [];
}

/** Without decisions: those are for the schema. */
function* isPlainPackedEntry(value: unknown): Steps<boolean> {
  if (!isObject(value) || memberCount(value) !== 2 || !isText(value.countersignature, 0)) return false;
  const { known, commit } = value;
  if (known === undefined) return isObject(commit) && (yield* isUnhashedCommit(commit));
  return isObject(known) && memberCount(known) === 2 && isText(known.chain, 1) && isNumber(known.number);
}

function* isUnhashedCommit(commit: Members): Steps<boolean> {
  const isFirst = 'previous_hash' in commit;
  const isKnown = memberCount(commit) === (isFirst ? 9 : 8) + keptFurther(commit);
  return isKnown && (!isFirst || isText(commit.previous_hash, 0)) && (yield* hasContent(commit));
}

function* isCommit(value: unknown): Steps<boolean> {
  return (
    isObject(value) &&
    memberCount(value) === 10 + keptFurther(value) &&
    isText(value.previous_hash, 0) &&
    isText(value.hash, 1) &&
    (yield* hasContent(value))
  );
}

/** How many of the members it has that the schema takes as they are, as any that it does not know: other rules judge them. */
function keptFurther(commit: Members): number {
  return Number('authorship' in commit) + Number('clock_at_least' in commit);
}

/** The eight members that a commit has in any message. */
function* hasContent(commit: Members): Steps<boolean> {
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
    (yield* areEntries(entries))
  );
}

function* areEntries(entries: readonly unknown[]): Steps<boolean> {
  if (entries.length === 1) return isEntry(entries[0]);
  const subjects = new Set<unknown>();
  for (const [place, entry] of entries.entries()) {
    if (place % SOME === SOME - 1) yield;
    if (!isEntry(entry)) return false;
    subjects.add(Reflect.get(Object(entry), 'subject'));
  }
  return subjects.size === entries.length;
}

/** Entries that are looked at in one step. */
const SOME = 500;

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

function isText(value: unknown, least: number, most = 200): boolean {
  return typeof value === 'string' && value.length >= least && value.length <= most;
}

function isId(value: unknown): boolean {
  return isText(value, 1);
}

function isNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
