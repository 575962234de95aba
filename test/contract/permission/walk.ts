/** What was attempted and what became of it, by whatever door. */
import { locksOf } from '../../../server/rules/lot-state.ts';
import type { Store } from '../../../server/store/store.ts';
import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { Outcome, Who } from './oracle.ts';
import { type Scene, valueAt } from './scenes.ts';

export interface Attempt {
  door: string;
  row: string;
  who: Who;
  hasReason: boolean;
  expected: Outcome;
  /** What was found in the store, whatever the answer said. */
  got: Outcome | string;
}

/** Which of the attempts at one door are made; all of them unless said. */
export type Choice = (possible: readonly Possible[]) => readonly Possible[];
export type Possible = Omit<Attempt, 'got'>;

/** Those that did not end as the documents say, in words. */
export function wrong(attempts: readonly Attempt[]): string[] {
  return attempts.flatMap(({ door, row, who, hasReason, expected, got }) =>
    got === expected
      ? []
      : [`${door}: ${row} by ${who}${hasReason ? ' with a reason' : ''}: ${got}, not ${expected}`],
  );
}

/** What an answer's status claims: refused, or taken and to be looked at. */
export interface Answered {
  status: number;
  /** The message, and the fields at fault. */
  said: string;
}

/**
 * What became of an attempt, as the store has it: a refusal leaves the record and its corrections as they were, and names
 * the role or the reason; what is taken stands, with its correction and the lock of its lot.
 */
export function outcomeOf(store: Store, scene: Scene, { status, said }: Answered): Outcome | string {
  const now = store.records.getByKey(scene.key);
  const isSame = now?.version === scene.before.version && now.state === scene.before.state;
  const corrections = store.records.findBy('correction', 'subject', scene.key);
  if (status >= 400) {
    if (!isSame || corrections.length > 0) return `${status}, and written all the same`;
    if (status === 403) return /\brole|\bscope/.test(said) ? 403 : `403 without a role: ${said}`;
    if (status === 422) return /\breason\b/.test(said) ? 422 : `422: ${said}`;
    return `${status}: ${said}`;
  }
  if (isSame && corrections.length === 0) return 'read past';
  if (!sameJson(valueAt(now?.fields, scene.path), scene.stands)) return 'another value';
  const found = corrections.filter(({ fields }) => fields.path === scene.path);
  const isAwaiting = found.some(({ fields }) => fields.status === 'awaiting');
  const isLocked = scene.lot !== undefined && isLockedByCorrection(store, scene.lot);
  if (isAwaiting) return isLocked ? 'awaiting' : 'awaiting, and its lot is free';
  if (isLocked) return 'no correction waits, and its lot is locked';
  return found.length > 0 ? 'recorded' : 'taken';
}

function isLockedByCorrection(store: Store, id: number): boolean {
  const lot = store.records.get('inventory', id);
  if (!lot) return false;
  const reads = { records: store.records, sql: store.database.reader };
  return locksOf(reads, lot).some(({ lock }) => lock === 'correction');
}
