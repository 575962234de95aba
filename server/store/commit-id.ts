import { hash as digest, randomUUID } from 'node:crypto';
import { ID_LIMIT } from '../../shared/contract/limits.ts';

/**
 * A name for a commit that nobody has used: UUID version 7 (RFC 9562, 5.7), the time before the random part. Names made
 * one after the other stand beside each other in an index, so that a transaction of many commits writes few of its
 * pages. Nothing but that follows from the time in it.
 */
export function newCommitId(): string {
  const time = Math.max(0, Date.now()).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/**
 * The name under which a commit is issued again, with other ids of records or items: the same wherever that is done. Two
 * machines that do it, because one disk was both of theirs, issue one commit.
 */
export function reissuedId(id: string): string {
  const known = reissued.get(id);
  if (known !== undefined) return known;
  const made = nameAgain(id);
  if (reissued.size >= MOST_KNOWN) reissued.clear();
  reissued.set(id, made);
  return made;
}

/**
 * The id that a record or an item gets where central issues the commit that created it again: the same each time, so that what was made
 * over it is of the same record should central lose that too. Above all ids that are given in blocks for as long as there are 2^23 of these.
 * @param name the name that the commit is issued again under
 * @param counter as `Ids.next`
 * @param attempt the first is 0; others where an id is taken
 */
export function reissuedRecordId(name: string, counter: string, from: number, attempt: number): number {
  const hex = digest('sha256', `${name} ${counter} ${from} ${attempt}`);
  return ID_LIMIT / 2 + (Number.parseInt(hex.slice(0, 13), 16) % (ID_LIMIT / 2));
}

/** Whether it is that name, or one under which that is issued again. */
export function isNameAgain(id: string, former: string): boolean {
  let name = former;
  for (let again = 0; again < MOST_AGAIN && name !== id && isReissuedId(id); again += 1)
    name = reissuedId(name);
  return name === id;
}

/** How often one commit may be issued again: each time takes a collision of ids. */
export const MOST_AGAIN = 20;

/** Each commit of a push is asked for before it is judged, and as it is. */
const reissued = new Map<string, string>();
const MOST_KNOWN = 2_000;

function nameAgain(id: string): string {
  const hex = digest('sha256', `again ${id}`);
  const time = TIME.exec(id)?.[0] ?? `${hex.slice(32, 40)}-${hex.slice(40, 44)}`;
  return `${time}-8${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}

const TIME = /^[0-9a-f]{8}-[0-9a-f]{4}(?=-[0-9a-f]{4}-)/;

/** Whether a commit's name can be one by `reissuedId`. */
export function isReissuedId(id: string): boolean {
  return REISSUED.test(id);
}

const REISSUED = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;
