import type { StoredRecord } from '../../shared/contract/present.ts';
import { isSameNumber } from '../../shared/contract/typed-number.ts';
import type { LotLock } from '../../shared/families/lot-locks.ts';
import type { Micro } from '../../shared/quantities/quantity.ts';
import { convert, type Density } from '../../shared/quantities/units.ts';
import { type Balance, balancesOf, type LotFact, locksOfBatch, locksOfLot } from '../store/lots.ts';
import type { Records } from '../store/records.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import { lotFactsOf } from './lot-facts.ts';

/** Where rules and answers read from: the committed state, or the open transaction. */
export interface Reads {
  records: Pick<Records, 'get' | 'findBy'>;
  sql: SqlReader;
}

/** Reads of a write that is planned, or of what is committed as if one were. */
export type PlannedReads = Pick<UnitOfWork, 'get' | 'findBy' | 'records' | 'sql' | 'staged' | 'actor' | 'at'>;

/** Why a lot is locked, each with the record that says so; empty: it is not. */
export function locksOf(reads: Reads, lot: StoredRecord): { lock: LotLock; source: string }[] {
  return [...locksOfLot(reads.sql, lot.id), ...locksOfNumber(reads, lot)];
}

/** Those that speak of the lot by its number: under another one it would not have them. */
export function locksOfNumber(reads: Reads, lot: StoredRecord): { lock: LotLock; source: string }[] {
  const batch = lot.fields.batch_number;
  if (typeof batch !== 'string' || batch === '') return [];
  return locksOfBatch(reads.sql, batch).filter(({ source }) => speaksOf(reads, source, lot, batch));
}

/**
 * A lab result speaks of a lot by its number only when that number names the lots of one part (decisions, 5.3). Which
 * part that was is kept with the result: another part's lot of the same number, received later, must not free this one.
 */
export function speaksOf(reads: Reads, source: string, lot: StoredRecord, batch: string): boolean {
  const [family = '', id] = source.split(':');
  const result = reads.records.get(family, Number(id));
  const part = result?.fields.batch_part_id;
  if (typeof part === 'number') return part === lot.fields.part_id;
  return partNamedBy(reads, batch, result?.created_at ?? '') === lot.fields.part_id;
}

/**
 * The part whose lots a number named at that time, or of the first lot since where there was none yet; undefined where
 * it named several.
 */
function partNamedBy({ records }: Reads, batch: string, at: string): unknown {
  const lots = records
    .findBy('inventory', 'batch_number', batch)
    .sort((a, b) => a.created_at.localeCompare(b.created_at) || a.id - b.id);
  const earlier = lots.filter(lot => lot.created_at <= at);
  const named = earlier.length > 0 ? earlier : lots.slice(0, 1);
  const parts = new Set(named.map(({ fields }) => fields.part_id));
  return parts.size === 1 ? [...parts][0] : undefined;
}

/** The expiry day itself is the last usable day. */
export function isExpired(lot: StoredRecord, day: string): boolean {
  const expiry = lot.fields.expiry_date;
  return typeof expiry === 'string' && expiry < day;
}

/** First expired, first out: by expiry, lots without one last, then by id. */
export function byExpiry(a: StoredRecord, b: StoredRecord): number {
  const expiryOf = (lot: StoredRecord) => String(lot.fields.expiry_date ?? '9999-12-31');
  return expiryOf(a).localeCompare(expiryOf(b)) || a.id - b.id;
}

/** Lots of a part, or of one lot number of it, in which something stands, with what the unit of work is about to write. */
export function lotsInStock(work: PlannedReads, part: number, batch: string | null): StoredRecord[] {
  const lots = new Map(
    work.records.lotsInStock(part).map(lot => [lot.id, work.get('inventory', lot.id) ?? lot]),
  );
  for (const { after } of work.staged()) {
    for (const { lot } of lotFactsOf(after)) {
      const record = lot === null ? undefined : work.get('inventory', lot);
      if (record) lots.set(record.id, record);
    }
  }
  return [...lots.values()].filter(
    ({ fields }) => fields.part_id === part && (batch === null || isSameNumber(fields.batch_number, batch)),
  );
}

/** The balances of a lot with what the unit of work is about to write. */
export function plannedBalances(work: PlannedReads, lot: number): Balance[] {
  const sums = new Map(balancesOf(work.sql, lot).map(({ location, quantity }) => [location, quantity]));
  const add = (facts: readonly LotFact[], sign: bigint) => {
    for (const fact of facts) {
      if (fact.lot === lot) sums.set(fact.location, (sums.get(fact.location) ?? 0n) + sign * fact.quantity);
    }
  };
  for (const { before, after } of work.staged()) {
    if (before) add(lotFactsOf(before), -1n);
    add(lotFactsOf(after), 1n);
  }
  return [...sums]
    .map(([location, quantity]) => ({ location, quantity }))
    .filter(balance => balance.quantity !== 0n)
    .sort((a, b) => a.location - b.location);
}

export function total(balances: readonly Balance[]): Micro {
  return balances.reduce((sum, balance) => sum + balance.quantity, 0n);
}

/** The part's density as units need it; null where it is not said in full. */
export function densityOf(part: StoredRecord | undefined): Density | null {
  const { density, density_mass_unit: mass, density_volume_unit: volume } = part?.fields ?? {};
  if (typeof density !== 'number' || density <= 0 || !mass || !volume) return null;
  return { value: density, mass, volume } as Density;
}

/**
 * A quantity in another unit, exactly where the units allow; null where they do not compare. A lot or part without a
 * unit compares with another without one only.
 */
export function inUnit(
  quantity: Micro,
  from: unknown,
  to: unknown,
  part: StoredRecord | undefined,
): Micro | null {
  if ((from ?? null) === (to ?? null)) return quantity;
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  return convert(quantity, from, to, densityOf(part))?.quantity ?? null;
}
