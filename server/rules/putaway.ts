import type { StoredRecord } from '../../shared/contract/present.ts';
import {
  byWay,
  kindOf,
  type PlaceKind,
  PROPOSALS_LIMIT,
  type proposedFor,
  suitsPart,
  wayOf,
} from '../../shared/families/places.ts';
import { balancesOf, isEmptyPlace } from '../store/lots.ts';
import { emptyPlaces, newestLotsInStock } from '../store/places-by-way.ts';
import type { Records } from '../store/records.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import { yieldingToEventLoop } from '../store/yield-to-event-loop.ts';
import { placesApart, whyApart } from './kept-apart.ts';
import { placeOfUnit } from './placing.ts';

export interface PlaceReads {
  records: Pick<Records, 'get' | 'findBy' | 'table'>;
  sql: SqlReader;
}

export interface PlaceProposal {
  location_id: number;
  location: string;
  why: (typeof proposedFor)[number];
}

/** Lots of a part that are looked at for where it lies, the newest. */
const LOTS_LIMIT = 50;

/**
 * Where goods could be put away, the best first: where the same part lies, else its usual place, else an empty place of the
 * right kind. What was read of places and parts serves as many lots as are asked about.
 * @returns of lots that go to one place together, as those on a pallet do: places that suit all of them, no more than `limit`
 */
export function createPutaway({ records, sql }: PlaceReads) {
  const isKeeping = placesApart(records).length > 0;
  const empties = new Map<string, StoredRecord[]>();
  const ofParts = new Map<number, StoredRecord[]>();
  const others = yieldingToEventLoop();

  /** The first places of a kind and a class in which nothing stands, on no pallet either. */
  const firstEmpty = async (way: string): Promise<StoredRecord[]> => {
    const known = empties.get(way);
    if (known) return known;
    const found: StoredRecord[] = [];
    for (let after: string | null = way; after !== null && found.length < PROPOSALS_LIMIT; ) {
      const { places, end } = emptyPlaces(records, sql, way, after);
      for (const place of places) {
        if (found.length === PROPOSALS_LIMIT) break;
        const units = records.findBy('location', 'within_id', place.id);
        if (units.every(unit => isEmptyPlace(sql, unit.id))) found.push(place);
      }
      after = end;
      if (after !== null) await others();
    }
    empties.set(way, found);
    return found;
  };
  const placesOfPart = (part: number): StoredRecord[] => {
    const known = ofParts.get(part);
    if (known) return known;
    const found = newestLotsInStock(records, sql, part, LOTS_LIMIT).flatMap(standing);
    ofParts.set(part, found);
    return found;
  };

  const partOf = (lot: StoredRecord) => records.get('part', Number(lot.fields.part_id));
  const isKeptApart = (lot: StoredRecord) => isKeeping && whyApart({ records, sql }, lot) !== undefined;

  return async function proposalsFor(
    lots: readonly StoredRecord[],
    limit: number = PROPOSALS_LIMIT,
  ): Promise<PlaceProposal[]> {
    const parts = new Map(lots.map(lot => [Number(lot.fields.part_id), partOf(lot)]));
    // What is locked takes along what it lies with.
    const kind: PlaceKind = lots.some(isKeptApart) ? 'quarantine' : 'storage';
    const suits = ({ fields }: StoredRecord) =>
      fields.is_active !== false &&
      kindOf(fields) === kind &&
      [...parts.values()].every(part => suitsPart(fields, part?.fields));
    const found = new Map<number, PlaceProposal>();
    const propose = (places: readonly StoredRecord[], why: PlaceProposal['why']) => {
      for (const place of places) {
        if (found.size >= limit) return;
        if (found.has(place.id) || !suits(place)) continue;
        found.set(place.id, { location_id: place.id, location: String(place.fields.name ?? place.id), why });
      }
    };
    propose(lots.flatMap(standing), 'same_part');
    for (const part of parts.values()) if (part) propose(placesOfPart(part.id), 'same_part');
    for (const part of parts.values()) {
      const usual = records.get('location', Number(part?.fields.usual_location_id));
      propose(usual ? [usual] : [], 'usual');
    }
    const [first] = parts.values();
    if (found.size < limit) propose(await firstEmpty(wayOf(kind, first?.fields.storage_class)), 'empty');
    return [...found.values()];
  };

  /** Where a lot stands, in the order of the way; a handling unit as its place. */
  function standing(lot: StoredRecord): StoredRecord[] {
    return balancesOf(sql, lot.id)
      .flatMap(({ location, quantity }) => (quantity > 0n ? (records.get('location', location) ?? []) : []))
      .map(place => placeOfUnit(records, place))
      .sort((one, other) => byWay(one.fields, other.fields));
  }
}
