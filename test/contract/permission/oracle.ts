/**
 * Who may change what, as the documents say it (interface decisions, 5.1 to 5.13): written
 * by hand and never worked out from the families' `may`, so that the walk can find that those, or a door, are wrong.
 */
import type { Direction } from '../../../shared/contract/may.ts';
import type { FamilyName } from '../../../shared/families/registry.ts';
import { goods } from './oracle-goods.ts';
import { facts, papers } from './oracle-papers.ts';

export const PEOPLE = ['viewer', 'operator', 'inspector', 'quality', 'administrator'] as const;
export type Person = (typeof PEOPLE)[number];

/** Programs, by the highest scope of their token: what each counts as. */
export const PROGRAMS = { read: 'viewer', write: 'inspector', admin: 'administrator' } as const;
export type Program = keyof typeof PROGRAMS;

export type Who = Person | Program;
export const EVERYBODY: readonly Who[] = [...PEOPLE, 'read', 'write', 'admin'];

export const isProgram = (who: Who): who is Program => who in PROGRAMS;

/** Records that a change is tried on, and that it may name. */
export interface Shared {
  part: number;
  otherPart: number;
  partType: number;
  supplier: number;
  /** A height of 10 ± 1. */
  template: number;
  otherTemplate: number;
  /** Judged by hand. */
  handTemplate: number;
  spareLot: number;
  location: number;
  /** Nothing is ever put there. */
  shelf: number;
  /** Of the part, of no lot. */
  looseInspection: number;
  /** A lot number that no other row gives: those of locked lots are given to none. */
  freshNumber: () => string;
}

type Given =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | Readonly<Record<string, string | number | readonly string[]>>
  | ((shared: Shared) => unknown);

/** One change of one value in one direction. */
export interface Row {
  of: FamilyName;
  /** `items.*.expiry_date` */
  path: string;
  /** What stands before; left out: what the record of the walk has. */
  from?: Given;
  to: Given;
  /** Further values of the record. */
  on?: Given;
  /** The rules of the contract that the change is about; none: nothing is due but the role. */
  is?: readonly Direction[];
  /** The lowest role. */
  may: Person;
  /** Whoever may write at all as a program may do this. */
  isOpen?: true;
  /** Who says why: people, or programs as well. */
  why?: 'person' | 'everybody';
  /** What it takes that the goods that it could free are free at once; else they wait for quality. */
  frees?: 'a reason' | 'a reason of quality' | 'a person of quality' | 'another person';
  /** It has a history of its own beside corrections, and makes none. */
  isNoCorrection?: true;
  /** No document of the interface writes it: what a request says of it is read past. */
  isSetByServer?: true | undefined;
  /** The lowest role with which a new record begins with the value, where it is not that of any new record. */
  first?: Person | { may: Person; why: 'everybody' };
  /** What stands before was filled in by the server: nobody gave it, so that the change is no correction. */
  isFilledIn?: true;
  /** Why a new record does not begin with the value. */
  isNeverFirst?: string;
}

export const rows: readonly Row[] = [...goods, ...papers];

/** How records begin that are never changed. */
export { facts };

/** Who may begin a record: the lowest role, or nobody where the server makes it; and whether any program that writes. */
export const creating: Record<FamilyName, { may: Person | 'nobody'; isOpen?: true }> = {
  supplier: { may: 'operator' },
  inventory: { may: 'quality' },
  ncr: { may: 'operator', isOpen: true },
  order: { may: 'operator' },
  part: { may: 'operator' },
  inspection: { may: 'inspector' },
  car: { may: 'quality', isOpen: true },
  shipment: { may: 'operator' },
  specification: { may: 'quality' },
  'lab-result': { may: 'inspector' },
  complaint: { may: 'quality', isOpen: true },
  'receiving-inspection': { may: 'operator' },
  'part-type': { may: 'quality' },
  company: { may: 'quality' },
  customer: { may: 'operator' },
  location: { may: 'operator' },
  'error-code': { may: 'quality' },
  equipment: { may: 'inspector' },
  adjustment: { may: 'quality' },
  move: { may: 'operator' },
  'inspection-plan': { may: 'quality' },
  'purchase-order': { may: 'operator' },
  'stock-count': { may: 'operator' },
  'sampling-ruling': { may: 'quality' },
  'shared-view': { may: 'operator' },
  setting: { may: 'administrator' },
  user: { may: 'administrator' },
  signature: { may: 'nobody' },
  correction: { may: 'nobody' },
  certificate: { may: 'quality' },
  'certificate-withdrawal': { may: 'quality' },
  'audit-event': { may: 'nobody' },
  'audit-review': { may: 'quality' },
};

/** Families whose records nobody changes: to undo one, another is made. */
export const unchanging: readonly FamilyName[] = [
  'adjustment',
  'move',
  'sampling-ruling',
  'signature',
  'certificate',
  'certificate-withdrawal',
  'audit-event',
  'audit-review',
];

/**
 * What becomes of an attempt: refused for a role or a reason; taken; taken and kept as a correction; taken and locked until
 * quality accepts it; read past, so that nothing changes.
 */
export type Outcome = 403 | 422 | 'taken' | 'recorded' | 'awaiting' | 'read past';

/** Somebody with a role, a program, or an import that an administrator runs, whose reason is nobody's word. */
export interface Author {
  role: Person;
  kind: 'person' | 'program' | 'import';
  hasReason: boolean;
}

export function authorOf(who: Who, hasReason: boolean): Author {
  return isProgram(who)
    ? { role: PROGRAMS[who], kind: 'program', hasReason }
    : { role: who, kind: 'person', hasReason };
}

export function expectedOf(row: Row, { role, kind, hasReason }: Author): Outcome {
  const isTaken = (kind === 'program' && row.isOpen && role !== 'viewer') || isAtLeast(role, row.may);
  if (!isTaken) return 403;
  if (row.isSetByServer) return 'read past';
  if (!hasReason && (row.why === 'everybody' || (row.why === 'person' && kind === 'person'))) return 422;
  if (row.frees && !isFree(row.frees, { role, kind, hasReason })) return 'awaiting';
  return row.is?.length && row.why !== undefined && !row.isNoCorrection ? 'recorded' : 'taken';
}

function isFree(frees: NonNullable<Row['frees']>, { role, kind, hasReason }: Author): boolean {
  if (!hasReason || kind === 'import') return false;
  switch (frees) {
    case 'a reason':
      return true;
    case 'a reason of quality':
      return isAtLeast(role, 'quality');
    case 'a person of quality':
    case 'another person':
      return kind === 'person' && isAtLeast(role, 'quality');
  }
}

/** What becomes of a new record that begins with the row's value. */
export function expectedAtCreation(row: Row, { role, kind, hasReason }: Author): Outcome {
  const family = creating[row.of];
  const isOpen = kind === 'program' && family.isOpen && role !== 'viewer';
  const first = typeof row.first === 'object' ? row.first.may : row.first;
  if (family.may === 'nobody') return 403;
  if (!isOpen && !isAtLeast(role, family.may)) return 403;
  if (first !== undefined && !isAtLeast(role, first)) return 403;
  return typeof row.first === 'object' && !hasReason ? 422 : 'taken';
}

export function isAtLeast(role: Person, least: Person): boolean {
  return PEOPLE.indexOf(role) >= PEOPLE.indexOf(least);
}

/** What a person or a family reads for in a list of attempts. */
export function nameOf({ of, path, from, to }: Row): string {
  const shown = (value: Given | undefined) =>
    typeof value === 'function' ? 'another' : JSON.stringify(value);
  return `${of} ${path} ${from === undefined ? '' : `${shown(from)} `}→ ${shown(to)}`;
}
