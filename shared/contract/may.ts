import type { Role } from './role.ts';

/**
 * Who may write a family's records: read by the forms (what to offer), by the write gate (what to refuse) and by central
 * (what to hold). It holds by every door: documented operations, items in records, bulk, import, decisions of conflicts,
 * what stations send.
 */
export interface May {
  /** The lowest role that may create a record; null: nobody, the server makes them. */
  create: Role | null;
  /** The lowest role that may put back what an export holds, where only the server makes new ones. */
  restore?: Role;
  /** The lowest role that may change a field, or add an item, that no rule below names. */
  change: Role | null;
  /** An integration that may write at all may create and change records too, except where a rule asks for a role. */
  isOpenToIntegrations?: true;
  /** What needs more, by path: `is_quarantined`, `items.*.quantity_accepted`. Every rule that is met applies. */
  rules?: Readonly<Record<string, readonly FieldRule[]>>;
}

/** What a change of a field in one direction needs. */
export interface FieldRule {
  when: Direction;
  /** The lowest role that may make the change, in the place of the family's. */
  role?: Role;
  /** A person gives a reason; without one the change is refused. What an integration changes without one is flagged. */
  needsReason?: true;
  /** Goods may become usable by it: what is flagged frees none until quality accepts it. */
  isFreeing?: true;
  /** The role whose word makes it count: anybody else's change is taken, and frees no goods until that role accepts it. */
  acceptedBy?: Role;
  /** Another person than those who measured. */
  needsAnother?: true;
}

/**
 * How a value changes, from what was saved before: what is given for the first time is `first`, and none of the others
 * but `to …` and `any`.
 */
export const DIRECTIONS = {
  any: { words: 'each change', isMet: () => true },
  first: { words: 'the first value', isMet: old => old === null },
  correction: { words: 'a saved value is replaced or cleared', isMet: old => old !== null },
  more: { words: 'it rises', isMet: (old, now) => old !== null && Number(now) > Number(old) },
  less: { words: 'it falls', isMet: (old, now) => old !== null && Number(now ?? 0) < Number(old) },
  later: { words: 'to a later day, or to none', isMet: (old, now) => old !== null && isLater(old, now) },
  earlier: { words: 'to an earlier day', isMet: (old, now) => old !== null && !isLater(old, now) },
  toTrue: { words: 'to yes', isMet: (old, now) => old !== true && now === true },
  toFalse: { words: 'to no', isMet: (old, now) => old !== false && now === false },
  fromTrue: { words: 'from yes', isMet: old => old === true },
  fromFalse: { words: 'from no', isMet: old => old === false },
  leavesFailed: { words: 'from failed to anything else', isMet: old => old === false },
  leavesOpen: { words: 'to anything but open', isMet: (_, now) => now !== null && now !== 'open' },
  becomesClosed: { words: 'to closed', isMet: (old, now) => old !== 'closed' && now === 'closed' },
  given: { words: 'it is given', isMet: (_, now) => now !== null },
  cleared: { words: 'it is cleared', isMet: (old, now) => old !== null && now === null },
  leavesClosed: { words: 'from closed', isMet: old => old === 'closed' },
} as const satisfies Record<string, { words: string; isMet: (old: unknown, now: unknown) => boolean }>;

export type Direction = keyof typeof DIRECTIONS;

/** What was saved is a fact: it is replaced with a reason only. */
export const corrected: FieldRule = { when: 'correction', needsReason: true };

/** The same of what goods may become usable by: what a program replaces without a reason frees none. */
export const freeing: FieldRule = { ...corrected, isFreeing: true };

/** The same where even the reason of a person is not enough: quality accepts it. */
export const acceptedByQuality: FieldRule = { ...freeing, acceptedBy: 'quality' };

function isLater(old: unknown, now: unknown): boolean {
  return now === null || String(now) > String(old);
}
