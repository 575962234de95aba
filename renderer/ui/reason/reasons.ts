import { z } from 'zod';

/**
 * What people say most often of a kind of value, in the order of their keys: the frequent ones have the same key
 * everywhere. Their words are `reason:given.<name>`.
 */
const given = {
  measured: ['mistyped', 'misread', 'measured-again', 'wrong-sample', 'gauge'],
  quantity: ['mistyped', 'misread', 'counted-again', 'supplier', 'wrong-lot'],
  label: ['mistyped', 'misread', 'label', 'supplier', 'wrong-lot'],
  verdict: ['mistyped', 'misread', 'measured-again', 'limits'],
  release: ['mistyped', 'checked', 'certificate', 'measured-again', 'supplier'],
  shipment: ['mistyped', 'not-collected', 'wrong-lot', 'counted-again'],
  acceptance: ['checked', 'certificate', 'measured-again', 'supplier'],
  /** Of a first verdict and a first release, which correct nothing. */
  finalising: ['measurements'],
  shipping: ['ordered', 'picked'],
  /** Of a first verdict that the measurements do not carry. */
  judging: [],
  general: ['mistyped', 'misread', 'label', 'counted-again', 'supplier', 'wrong-lot'],
  /** Something that only a person's own words can say. */
  own: [],
} as const satisfies Record<string, readonly string[]>;

export type ReasonKind = keyof typeof given;

/** Of one's own: with what is given they have one key each. */
const MOST_OWN = 3;

/** The names of what is offered first for a kind. */
export function givenReasons(kind: ReasonKind): readonly string[] {
  return given[kind];
}

/** By what is changed: one kind where all values are of it. */
export function reasonKindOf(paths: readonly string[]): ReasonKind {
  const kinds = new Set(paths.map(kindOf));
  const [kind] = kinds;
  return kinds.size === 1 && kind ? kind : 'general';
}

function kindOf(path: string): ReasonKind {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (path.startsWith('samples.') || name === 'lab_data') return 'measured';
  if (name.includes('quantity')) return 'quantity';
  if (name === 'passed') return 'verdict';
  if (name === 'actual_ship_date') return 'shipment';
  if (['is_quarantined', 'is_active_batch', 'is_locked_by_person'].includes(name)) return 'release';
  if (/expiry|serial|batch|lot_number|date|part_id|unit/.test(name)) return 'label';
  return 'general';
}

const schema = z.array(z.string()).catch([]);

/** What this person has typed of the kind at this machine, newest first: why something is corrected says nothing of a first verdict. */
export function ownReasons(user: number, kind: ReasonKind): string[] {
  const stored = localStorage.getItem(keyOf(user, kind));
  if (stored === null) return [];
  try {
    return schema.parse(JSON.parse(stored)).slice(0, MOST_OWN);
  } catch {
    // Not ours, or cut off: the list is a convenience.
    return [];
  }
}

export function rememberReason(user: number, kind: ReasonKind, reason: string): void {
  const others = ownReasons(user, kind).filter(each => each !== reason);
  try {
    localStorage.setItem(keyOf(user, kind), JSON.stringify([reason, ...others].slice(0, MOST_OWN)));
  } catch {
    // It is full, or switched off: the list is a convenience.
  }
}

function keyOf(user: number, kind: ReasonKind): string {
  return `holdpoint.reasons.${user}.${kind}`;
}
