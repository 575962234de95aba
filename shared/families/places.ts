import { hasCheckDigit } from '../gs1/check-digit.ts';

/** What places are for. Goods wait for their place where they are received, and to go where they are shipped. */
export const placeKinds = ['storage', 'receiving', 'shipping', 'quarantine', 'unit'] as const;
export type PlaceKind = (typeof placeKinds)[number];

/** What goods need of the place that they are kept in. */
export const storageClasses = ['ambient', 'cool', 'frozen', 'flammable', 'hazardous', 'secure'] as const;

/** Places that are proposed for a lot. */
export const PROPOSALS_LIMIT = 5;

/** Why a place is proposed: the same part lies there, it is the part's usual place, or it is empty. */
export const proposedFor = ['same_part', 'usual', 'empty'] as const;

type Fields = Readonly<Record<string, unknown>>;

/** Whether a text is the number of a handling unit: 18 digits, the last one their check digit. */
export function isSscc(text: unknown): text is string {
  return typeof text === 'string' && /^\d{18}$/.test(text) && hasCheckDigit(text);
}

/** A place that nobody said a kind of is for storage. */
export function kindOf({ kind }: Fields): PlaceKind {
  return placeKinds.find(one => one === kind) ?? 'storage';
}

/**
 * Whether goods of the part may be kept in the place: what needs a class goes where that class is; what needs none, where
 * none is said.
 */
export function suitsPart(place: Fields, part: Fields | undefined): boolean {
  return (place.storage_class ?? null) === (part?.storage_class ?? null);
}

/** Whether goods of the part come to harm there: it needs another class than the place has. Only where goods are kept. */
export function harmsPart(place: Fields, part: Fields | undefined): boolean {
  const needed = part?.storage_class ?? null;
  const isKept = kindOf(place) === 'storage' || kindOf(place) === 'quarantine';
  return isKept && needed !== null && (place.storage_class ?? null) !== needed;
}

/** What stands before the key of every place of a kind that keeps goods of a class. */
export function wayOf(kind: PlaceKind, storageClass: unknown): string {
  return `${kind} ${storageClass ?? '-'} `;
}

/**
 * The key that places are read in the order of the way by: those of a kind and a class lie beside each other. Null of what
 * is no place to go to: a handling unit, or one that is not used any more.
 */
export function wayKey(id: number, fields: Fields): string | null {
  const kind = kindOf(fields);
  if (kind === 'unit' || fields.is_active === false) return null;
  const padded = (digits: string) => digits.padStart(WAY_DIGITS, '0');
  const name = String(fields.name ?? '')
    .slice(0, WAY_NAME)
    .toLowerCase()
    .replaceAll(/\d+/g, padded);
  const walk = padded(String(Math.min(walkOf(fields), WAY_LAST)));
  return `${wayOf(kind, fields.storage_class)}${walk} ${name} ${padded(String(id))}`;
}

const WAY_DIGITS = 16;
const WAY_LAST = 10 ** WAY_DIGITS - 1;
const WAY_NAME = 80;

/** The order in which people walk: by the place's number, then by its name as people count. */
export function byWay(one: Fields, other: Fields): number {
  return (
    walkOf(one) - walkOf(other) ||
    String(one.name ?? '').localeCompare(String(other.name ?? ''), 'en', { numeric: true })
  );
}

function walkOf({ walking_order: walk }: Fields): number {
  return typeof walk === 'number' ? walk : Number.MAX_SAFE_INTEGER;
}
