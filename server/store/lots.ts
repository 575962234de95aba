import { AppError } from '../../shared/contract/errors.ts';
import { foldNumber } from '../../shared/contract/typed-number.ts';
import type { LotLock } from '../../shared/families/lot-locks.ts';
import type { Micro } from '../../shared/quantities/quantity.ts';
import { checksumOf } from './sqlite/checksum.ts';
import type { SqlReader, SqlValue } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import { derivedDamaged } from './sqlite/store-errors.ts';
import { STOCK_SEAL } from './tables.ts';

/**
 * What one line of one record says of a lot: a quantity that it adds or takes away, a reason to lock it, or both.
 * Stock is the sum of these facts and nothing else, so the order in which they arrive does not matter.
 */
export interface LotFact {
  /** The item of the record, 0 for the record itself. */
  line: number;
  /** Null for a fact about every lot of a batch number (a lab result without a lot). */
  lot: number | null;
  /** The number in the form that it is compared in (`foldNumber`). */
  batch: string | null;
  /** 0: no place named. */
  location: number;
  /** In the unit of the lot. */
  quantity: Micro;
  lock: LotLock | null;
}

export interface Balance {
  /** 0: no place named. */
  location: number;
  quantity: Micro;
}

/** Replaces what a record said of lots by what it says now, and notes by how much that moves the stock. */
export function replaceFacts(
  database: Database,
  source: string,
  before: readonly LotFact[],
  after: readonly LotFact[],
  moves: StockMoves,
): void {
  if (before.length > 0) {
    database.run('DELETE FROM lot_fact WHERE source = ?', source);
    moves.add(before, -1n);
  }
  for (const [ordinal, fact] of after.entries()) {
    database.run(
      `INSERT INTO lot_fact (source, line, ordinal, lot, batch, location, quantity, lock, seal)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      source,
      fact.line,
      ordinal,
      fact.lot,
      fact.batch,
      fact.location,
      fact.quantity,
      fact.lock,
      checksumOfFact(source, ordinal, fact),
    );
  }
  moves.add(after, 1n);
}

/**
 * What one place of a lot holds at most, above nothing and below, in millionths: far above any stock. SQLite's integers
 * hold nine times as much, which leaves room for what a station shows of its own beside what others took to the limit.
 */
const LARGEST_STOCK = 10n ** 18n;

/** By how much writes move stock, by lot and place: what cancels out within them is no move. */
export class StockMoves {
  readonly #lots = new Map<number, Map<number, Micro>>();

  add(facts: readonly Pick<LotFact, 'lot' | 'location' | 'quantity'>[], sign: 1n | -1n): void {
    for (const { lot, location, quantity } of facts) {
      if (lot === null || quantity === 0n) continue;
      const places = this.#lots.get(lot) ?? new Map<number, Micro>();
      this.#lots.set(lot, places.set(location, (places.get(location) ?? 0n) + sign * quantity));
    }
  }

  *[Symbol.iterator](): Generator<{ lot: number; location: number; quantity: Micro }> {
    for (const [lot, places] of this.#lots) {
      for (const [location, quantity] of places) if (quantity !== 0n) yield { lot, location, quantity };
    }
  }

  /** In words, for a place of a lot where `before` and the moves go beyond what it holds, further than they were. */
  fault(before: (lot: number, location: number) => Micro): string | undefined {
    for (const { lot, location, quantity } of this) {
      const fault = faultOf(lot, before(lot, location), quantity);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  /**
   * Adds them to the stock, in the open transaction.
   * @param isLimited whether somebody writes them here: what arrives was judged by central, and is added whatever stands here
   * @throws AppError `conflict` where they are limited and go beyond
   */
  write(database: Database, isLimited: boolean): void {
    for (const { lot, location, quantity } of this) {
      const now = addStock(database, lot, location, quantity);
      const fault = isLimited ? faultOf(lot, BigInt.asIntN(64, now - quantity), quantity) : undefined;
      if (fault !== undefined) throw new AppError('conflict', fault);
      if (now === 0n) database.run('DELETE FROM stock WHERE lot = ? AND location = ?', lot, location);
    }
  }
}

function faultOf(lot: number, before: Micro, move: Micro): string | undefined {
  const now = before + move;
  const isBeyond = move > 0n ? now > LARGEST_STOCK : now < -LARGEST_STOCK;
  if (!isBeyond) return undefined;
  return `The lot ${lot} cannot hold more than ${LARGEST_STOCK / 1_000_000n} in one place.`;
}

function addStock(database: Database, lot: number, location: number, quantity: Micro): Micro {
  // Where the sum is no integer of SQLite any more it would become an inexact number.
  const row = database.getBig<{ quantity: bigint }>(
    `INSERT INTO stock (lot, location, quantity) VALUES (?, ?, ?)
     ON CONFLICT (lot, location) DO UPDATE SET quantity = quantity + excluded.quantity
     WHERE seal = ${STOCK_SEAL} AND typeof(quantity + excluded.quantity) = 'integer'
     RETURNING quantity`,
    lot,
    location,
    BigInt.asIntN(64, quantity),
  );
  return row?.quantity ?? addBeyondIntegers(database, lot, location, quantity);
}

/** On the way through records in any order: what follows leads back, and the sum is exact again. */
function addBeyondIntegers(database: Database, lot: number, location: number, quantity: Micro): Micro {
  const sum = BigInt.asIntN(64, balanceAt(database, lot, location) + quantity);
  database.run('UPDATE stock SET quantity = ? WHERE lot = ? AND location = ?', sum, lot, location);
  return sum;
}

/** What stands where of a lot, in its own unit, by location. */
export function balancesOf(reader: SqlReader, lot: number): Balance[] {
  const sql = `SELECT location, quantity, seal = ${STOCK_SEAL} AS sound FROM stock WHERE lot = ? ORDER BY location`;
  const rows = reader.allBig<{ location: bigint; quantity: bigint; sound: bigint }>(sql, lot);
  if (rows.some(({ sound }) => sound !== 1n)) throw derivedDamaged(`Stock of the lot ${lot}`);
  return rows.map(row => ({ location: Number(row.location), quantity: row.quantity }));
}

/** What stands in one place of a lot, in its own unit. */
export function balanceAt(reader: SqlReader, lot: number, location: number): Micro {
  const sql = `SELECT quantity, seal = ${STOCK_SEAL} AS sound FROM stock WHERE lot = ? AND location = ?`;
  const row = reader.getBig<{ quantity: bigint; sound: bigint }>(sql, lot, location);
  if (row && row.sound !== 1n) throw derivedDamaged(`Stock of the lot ${lot}`);
  return row?.quantity ?? 0n;
}

/** What stands in a place, each lot in its own unit, by lot. @param location 0: what no place was named of */
export function standingAt(reader: SqlReader, location: number): { lot: number; quantity: Micro }[] {
  return standsAt(reader, location, 'quantity <> 0', Number.MAX_SAFE_INTEGER);
}

/** The first lots of which more than nothing stands in a place. @param location 0: what no place was named of */
export function waitingAt(
  reader: SqlReader,
  location: number,
  limit: number,
): { lot: number; quantity: Micro }[] {
  return standsAt(reader, location, 'quantity > 0', limit);
}

function standsAt(
  reader: SqlReader,
  location: number,
  which: string,
  limit: number,
): { lot: number; quantity: Micro }[] {
  const sql = `SELECT lot, quantity, seal = ${STOCK_SEAL} AS sound FROM stock
    WHERE location = ? AND ${which} ORDER BY lot LIMIT ?`;
  return reader.allBig<{ lot: bigint; quantity: bigint; sound: bigint }>(sql, location, limit).map(row => {
    if (row.sound !== 1n) throw derivedDamaged(`Stock in the location ${location}`);
    return { lot: Number(row.lot), quantity: row.quantity };
  });
}

/** Whether anything stands in a place. */
export function isEmptyPlace(reader: SqlReader, location: number): boolean {
  return standsAt(reader, location, 'quantity <> 0', 1).length === 0;
}

/** What stands where of the lots after a place of the table, by lot and location. */
export function balancesAfter(
  reader: SqlReader,
  { lot, location }: { lot: number; location: number },
  limit: number,
): (Balance & { lot: number })[] {
  const sql = `SELECT lot, location, quantity, seal = ${STOCK_SEAL} AS sound FROM stock
    WHERE (lot, location) > (?, ?) ORDER BY lot, location LIMIT ?`;
  return reader
    .allBig<{ lot: bigint; location: bigint; quantity: bigint; sound: bigint }>(sql, lot, location, limit)
    .map(row => {
      if (row.sound !== 1n) throw derivedDamaged(`Stock of the lot ${row.lot}`);
      return { lot: Number(row.lot), location: Number(row.location), quantity: row.quantity };
    });
}

/**
 * Why the lot is locked by facts about itself, each with the record that says so.
 * @throws AppError `unavailable` where one of two indexes knows of other locks: the lot could pass for free
 */
export function locksOfLot(reader: SqlReader, lot: number): { lock: LotLock; source: string }[] {
  const locks = locksWhere(reader, 'lot = ?', lot);
  const sql =
    'SELECT count(*) AS n FROM lot_fact INDEXED BY lot_fact_lock WHERE lot = ? AND lock IS NOT NULL';
  if (reader.get<{ n: number }>(sql, lot)?.n !== locks.length) {
    throw derivedDamaged(`What locks the lot ${lot}`);
  }
  return locks;
}

/** Why every lot of a batch number is locked, however the number is written. */
export function locksOfBatch(reader: SqlReader, batch: string): { lock: LotLock; source: string }[] {
  return locksWhere(reader, 'batch = ?', foldNumber(batch));
}

function locksWhere(
  reader: SqlReader,
  condition: string,
  value: SqlValue,
): { lock: LotLock; source: string }[] {
  // The plus keeps the index of the condition, and the one of locks for the count beside it.
  const facts = factsWhere(reader, `${condition} AND +lock IS NOT NULL`, value);
  return facts.flatMap(({ lock, source }) => (lock === null ? [] : [{ lock, source }]));
}

export interface LotSource {
  /** The record: `shipment:12`. */
  source: string;
  line: number;
  location: number;
  quantity: Micro;
}

/**
 * The records that say something of the lot, with their lines, places and quantities.
 * @throws AppError `unavailable` where they do not add up to its stock: one of them is not found
 */
export function sourcesOf(reader: SqlReader, lot: number): LotSource[] {
  const facts = factsWhere(reader, 'lot = ?', lot);
  const open = new Map(balancesOf(reader, lot).map(({ location, quantity }) => [location, quantity]));
  for (const { location, quantity } of facts) open.set(location, (open.get(location) ?? 0n) - quantity);
  if (open.values().some(quantity => quantity !== 0n)) {
    throw derivedDamaged(`What the records say of the lot ${lot}`);
  }
  return facts;
}

/** The receipts that say something of the lot: `receiving-inspection:12`. */
export function receiptsOf(reader: SqlReader, lot: number): string[] {
  const facts = factsWhere(reader, "lot = ? AND source LIKE 'receiving-inspection:%'", lot);
  return [...new Set(facts.map(({ source }) => source))];
}

/** The lots that a record says something of. */
export function lotsOf(reader: SqlReader, source: string): number[] {
  const lots = factsWhere(reader, 'source = ?', source).flatMap(({ lot }) => lot ?? []);
  return [...new Set(lots)].sort((a, b) => a - b);
}

/** @throws AppError `unavailable` where a fact is not what was written */
function factsWhere(reader: SqlReader, condition: string, value: SqlValue): (LotFact & LotSource)[] {
  const sql = `SELECT * FROM lot_fact WHERE ${condition} ORDER BY source, line, ordinal`;
  return reader.allBig<FactRow>(sql, value).map(row => {
    const fact = {
      source: row.source,
      line: Number(row.line),
      lot: row.lot === null ? null : Number(row.lot),
      batch: row.batch,
      location: Number(row.location),
      quantity: row.quantity,
      lock: row.lock,
    };
    if (checksumOfFact(row.source, Number(row.ordinal), fact) !== Number(row.seal)) {
      throw derivedDamaged(`What ${row.source} says of a lot`);
    }
    return fact;
  });
}

/** The checksum of a row of `lot_fact`. */
export function checksumOfFact(source: string, ordinal: number, fact: LotFact): number {
  const { line, lot, batch, location, quantity, lock } = fact;
  return checksumOf(JSON.stringify([source, line, ordinal, lot, batch, location, String(quantity), lock]));
}

/** A row of `lot_fact` as SQLite reads it. */
export interface FactRow {
  source: string;
  line: bigint;
  ordinal: bigint;
  lot: bigint | null;
  batch: string | null;
  location: bigint;
  quantity: bigint;
  lock: LotLock | null;
  seal: bigint;
}
