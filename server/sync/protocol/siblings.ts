import { canonicalJson, sameJson } from '../../../shared/contract/canonical-json.ts';

/** A write of one path that nobody has knowingly replaced. */
export interface Sibling {
  /** The commit that wrote it. */
  commit: string;
  value: unknown;
}

/** What is decided of the records: the fold of the log, or that with decisions on top. */
export interface RecordReader {
  /** The commit that created the record; undefined when there is no such record. */
  creator(subject: string): string | undefined;
  /**
   * The siblings that are listed for exactly this path, the standing one first; undefined when none are. A path that
   * only its record's creation or its item's adding wrote needs no list.
   */
  siblings(subject: string, path: string): readonly Sibling[] | undefined;
  /** The standing value of a path, an added item's as a whole object; undefined and null both mean that there is none. */
  value(subject: string, path: string): unknown;
  /** Whether a commit was held and then withdrawn: nothing that builds on it is applied unseen. */
  isWithdrawn(commit: string): boolean;
}

/**
 * The siblings of a path, the standing one first: those listed, else the one write of the longest listed beginning of
 * the path, else the record's creation. Empty when there is no such record.
 */
export function siblingsOf(read: RecordReader, subject: string, path: string): readonly Sibling[] {
  const listed = read.siblings(subject, path);
  if (listed) return listed;
  const creator = read.creator(subject);
  if (creator === undefined) return [];
  const value = read.value(subject, path) ?? null;
  for (let item = itemOf(path); item !== undefined; item = itemOf(item)) {
    const [adding] = read.siblings(subject, item) ?? [];
    if (adding) return [{ commit: adding.commit, value }];
  }
  return [{ commit: creator, value }];
}

/** What a change of the path is made `over`: the commits that wrote the value that is shown. */
export function writersShown(siblings: readonly Sibling[]): string[] {
  const [standing] = siblings;
  return siblings.filter(({ value }) => sameJson(value, standing?.value)).map(({ commit }) => commit);
}

/** What a resolution of the path is made `over`: the commits of every value that is in conflict. */
export function writersInConflict(siblings: readonly Sibling[]): string[] {
  return siblings.map(({ commit }) => commit);
}

/** Whether the path waits for a person: its siblings hold more than one value. */
export function isConflict(siblings: readonly Sibling[]): boolean {
  return new Set(siblings.map(({ value }) => canonicalJson(value))).size > 1;
}

/** Whether the path is a whole item: `items.1048601`, `items.1048601.results.7`. */
export function isItem(path: string): boolean {
  return path.includes('.') && path.split('.').length % 2 === 0;
}

/** The item that the path lies in: that of `items.7.quantity` is `items.7`; undefined outside of any. */
export function itemOf(path: string): string | undefined {
  if (!path.includes('.')) return undefined;
  const parts = path.split('.');
  const length = parts.length - (parts.length % 2 === 0 ? 2 : 1);
  return length > 0 ? parts.slice(0, length).join('.') : undefined;
}

/** What an item's value holds below it: `quantity` or `results.7.value`. */
export function valueWithin(item: unknown, path: string): unknown {
  if (!path.includes('.')) return memberOf(item, path);
  let value = item;
  for (const part of path.split('.')) value = memberOf(value, part);
  return value;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
