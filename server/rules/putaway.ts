import type { StoredRecord } from '../../shared/contract/present.ts';
import type { LotLock } from '../../shared/families/lot-locks.ts';
import {
  byWay,
  kindOf,
  type PlaceKind,
  PROPOSALS_LIMIT,
  type proposedFor,
  suitsPart,
} from '../../shared/families/places.ts';
import { balancesOf, isEmptyPlace } from '../store/lots.ts';
import type { Records } from '../store/records.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import { locksOf } from './lot-state.ts';
import { placeOfUnit } from './placing.ts';

export interface PlaceReads {
  records: Pick<Records, 'get' | 'findBy' | 'lotsInStock' | 'all'>;
  sql: SqlReader;
}

export interface PlaceProposal {
  location_id: number;
  location: string;
  why: (typeof proposedFor)[number];
}

/** Goods that are locked for these reasons are kept apart, where there is a place for that. */
const KEPT_APART: ReadonlySet<LotLock> = new Set([
  'quarantine',
  'inactive',
  'inspection_failed',
  'lab_failed',
  'person',
]);

/**
 * Where lots could be put away, the best first: where the same part lies, else its usual place, else an empty place of the
 * right kind. All places are read once, for as many lots as are asked about.
 */
export function createPutaway({ records, sql }: PlaceReads) {
  const places = [...records.all('location')]
    .filter(({ fields }) => fields.is_active !== false)
    .sort((one, other) => byWay(one.fields, other.fields) || one.id - other.id);
  const isKeeping = places.some(({ fields }) => kindOf(fields) === 'quarantine');
  const emptiness = new Map<number, boolean>();
  const isEmpty = (place: StoredRecord) => {
    const known = emptiness.get(place.id);
    if (known !== undefined) return known;
    const units = records.findBy('location', 'within_id', place.id);
    const now = isEmptyPlace(sql, place.id) && units.every(unit => isEmptyPlace(sql, unit.id));
    emptiness.set(place.id, now);
    return now;
  };

  return function proposalsFor(lot: StoredRecord): PlaceProposal[] {
    const part = records.get('part', Number(lot.fields.part_id));
    const isApart = isKeeping && locksOf({ records, sql }, lot).some(({ lock }) => KEPT_APART.has(lock));
    const kind: PlaceKind = isApart ? 'quarantine' : 'storage';
    const suits = ({ fields }: StoredRecord) =>
      fields.is_active !== false && kindOf(fields) === kind && suitsPart(fields, part?.fields);
    const found = new Map<number, PlaceProposal>();
    const propose = (place: StoredRecord, why: PlaceProposal['why']) => {
      if (found.size >= PROPOSALS_LIMIT || found.has(place.id) || !suits(place)) return;
      found.set(place.id, { location_id: place.id, location: String(place.fields.name ?? place.id), why });
    };
    const lies = standing(lot).concat(
      records
        .lotsInStock(Number(lot.fields.part_id))
        .flatMap(other => (other.id === lot.id ? [] : standing(other))),
    );
    for (const place of lies) propose(place, 'same_part');
    const usual = records.get('location', Number(part?.fields.usual_location_id));
    if (usual) propose(usual, 'usual');
    for (const place of places) {
      if (found.size >= PROPOSALS_LIMIT) break;
      if (suits(place) && isEmpty(place)) propose(place, 'empty');
    }
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
