import type { LotPlaces, PlaceProposal } from '../../../shared/operations/place-operations.ts';
import type { Outcome } from '../../ui/scan/signal.ts';
import type { Read } from './read-goods.ts';

/** A quantity of a lot on its way from one place to another. */
export interface LotInHand {
  kind: 'lot';
  lot: LotPlaces;
  /** Null: it is to be said from which of several places. */
  from: LotPlaces['stands'][number] | null;
  /** Null: all that stands there. */
  quantity: number | null;
}

/** A handling unit on its way; without an id it is new here. */
export interface UnitInHand {
  kind: 'unit';
  id: number | null;
  sscc: string;
  /** What is known of it, once it is known here. */
  known: KnownUnit | null;
}

/** A handling unit that stands somewhere. */
export interface KnownUnit {
  /** Where it stands; null: in no place that was named. */
  within: string | null;
  /** What is on it, as people call it. */
  goods: readonly string[];
  /** Where all of it could go, the best first. */
  proposals: readonly PlaceProposal[];
}

export type Hand = LotInHand | UnitInHand | null;

/** A place as the screen knows it. */
export interface Place {
  id: number;
  name: string;
  /** Of a handling unit that may be taken into the hand; undefined: it is a place where goods are kept. */
  unit?: KnownUnit | undefined;
}

/** What a scan is answered by: words of `texts.ts`, and what is to be done. */
export interface Step {
  outcome: Outcome;
  why: string;
  hand: Hand;
  act?:
    | { kind: 'move'; lot: number; from: number | null; to: number; quantity: number | null }
    | { kind: 'carry'; unit: number; to: number }
    | { kind: 'begin'; sscc: string; to: number };
}

/**
 * A lot comes into the hand; where it is on the pallet that is in the hand already, that one stays there: its label has
 * several codes. @param docks ids of places in which goods wait: they are meant before others
 */
export function takeLot(
  before: Hand,
  lot: LotPlaces,
  quantity: number | null,
  docks: ReadonlySet<number | null>,
): Step {
  const stands = lot.stands.filter(each => each.quantity > 0);
  if (before?.kind === 'unit' && before.id !== null && stands.some(each => each.location_id === before.id))
    return { outcome: 'taken', why: 'on-unit', hand: before };
  const [only] = stands;
  if (!only) return { outcome: 'refused', why: 'empty-lot', hand: null };
  const waiting = stands.filter(each => docks.has(each.location_id));
  const [dock] = waiting;
  const from = stands.length === 1 ? only : waiting.length === 1 && dock ? dock : null;
  const hand: Hand = { kind: 'lot', lot, from, quantity: from ? least(quantity, from.quantity) : quantity };
  if (!from) return { outcome: 'question', why: 'from-where', hand };
  return { outcome: 'taken', why: lot.proposals.length > 0 ? 'put-to' : 'put-anywhere', hand };
}

/** A place is scanned: what is in the hand goes there; first of all it says where it comes from. */
export function takePlace(hand: Hand, place: Place): Step {
  if (hand === null) {
    const { id, name: sscc, unit: known } = place;
    if (!known) return { outcome: 'refused', why: 'lot-first', hand };
    return { outcome: 'taken', why: 'unit-to', hand: { kind: 'unit', id, sscc, known } };
  }
  if (hand.kind === 'unit') {
    if (place.id === hand.id) return { outcome: 'taken', why: 'unit-to', hand };
    if (place.unit) return { outcome: 'refused', why: 'unit-on-unit', hand };
    const act =
      hand.id === null
        ? ({ kind: 'begin', sscc: hand.sscc, to: place.id } as const)
        : ({ kind: 'carry', unit: hand.id, to: place.id } as const);
    return { outcome: 'taken', why: hand.id === null ? 'unit-begun' : 'put', hand: null, act };
  }
  const { lot, from, quantity } = hand;
  if (from === null) {
    const stand = lot.stands.find(each => each.location_id === place.id && each.quantity > 0);
    if (!stand) return { outcome: 'refused', why: 'not-from-there', hand };
    return {
      outcome: 'taken',
      why: lot.proposals.length > 0 ? 'put-to' : 'put-anywhere',
      hand: { ...hand, from: stand, quantity: least(quantity, stand.quantity) },
    };
  }
  if (from.location_id === place.id) return { outcome: 'refused', why: 'there-already', hand };
  return {
    outcome: 'taken',
    why: 'put',
    hand: null,
    act: { kind: 'move', lot: lot.inventory_id, from: from.location_id, to: place.id, quantity },
  };
}

/** Where what is in the hand could go: not where it is taken from. */
export function proposalsFor(hand: Hand): readonly PlaceProposal[] {
  if (hand === null) return [];
  if (hand.kind === 'unit') return hand.known?.proposals ?? [];
  return hand.lot.proposals.filter(({ location_id: id }) => id !== hand.from?.location_id);
}

/** What is neither goods nor a place. */
export function refusalOf(read: Read): string {
  if (read.kind === 'part') return 'part-only';
  if (read.kind === 'several-places') return 'several-places';
  return read.kind === 'unreadable' ? 'unreadable' : 'unknown';
}

function least(quantity: number | null, there: number): number | null {
  return quantity !== null && quantity < there && quantity > 0 ? quantity : null;
}
