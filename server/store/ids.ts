import { randomInt } from 'node:crypto';
import type { Collection } from '../../shared/contract/define-family.ts';
import { AppError } from '../../shared/contract/errors.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import { COUNTER_SEAL, readLocal, writeLocal } from './tables.ts';

/** Ids of one block: `block * 2^20 + n`, with n from 1 (interface decisions, 4). */
export const BLOCK_SIZE = 2 ** 20;

/** The first block of which ids are given: after a restore, those before it may have given ids that the backup lacks. */
export const FIRST_OPEN_BLOCK = 'first_open_block';

/** Set once a station has joined a central. */
export const BLOCKS_FROM_CENTRAL = 'blocks_from_central';

/** The marks of a data folder outside its database: a block is marked before one of its ids is given. */
export interface BlockMarks {
  /** -1 where none is known. */
  highest(): number;
  mark(block: number): void;
}

/** The highest block that a database knows, its own or one that it gave to a station; -1 where there is none. */
export function highestBlockIn(sql: Pick<SqlReader, 'get'>): number {
  return (
    sql.get<{ block: number }>(
      `SELECT max(coalesce((SELECT max(block) FROM block), -1), coalesce((SELECT max(block) FROM block_given), -1)) AS block`,
    )?.block ?? -1
  );
}

/**
 * More blocks than a fleet is given between an image of central and its being put back; there are 2^24. At random above
 * the least: an image from before an earlier leap must not come down in the block of that one.
 */
const LEAP = { least: 256, below: 65_536 };

const ADVANCE = `INSERT INTO allocation (counter, block, next) VALUES (?, ?, 2)
  ON CONFLICT (counter, block) DO UPDATE SET next = min(next + 1, ${BLOCK_SIZE + 1}) WHERE seal = ${COUNTER_SEAL}
  RETURNING next`;

/** The usual case in one statement: the first block has room, and its counter is sound. */
const TAKE = `UPDATE allocation SET next = next + 1
  WHERE counter = ? AND block = (SELECT min(block) FROM block WHERE block >= ?)
    AND next < ${BLOCK_SIZE} AND seal = ${COUNTER_SEAL} RETURNING block, next`;

/** A counter moves to where it was brought in memory. */
const MOVE = `UPDATE allocation SET next = ?
  WHERE counter = ? AND block = ? AND next = ? AND seal = ${COUNTER_SEAL}`;

interface MovedCounter {
  readonly block: number;
  readonly next: number;
  /** What the table says. */
  readonly written: number;
}

/** Where the counters stand that a transaction has moved in memory; undefined where each id is written at once. */
export type HeldCounters = ReadonlyMap<string, MovedCounter> | undefined;

/** The counter that gives ids to a collection's items. */
export function itemCounter({ name }: Pick<Collection, 'name'>): string {
  return `item:${name}`;
}

/**
 * Hands out ids from this installation's own blocks, one counter for each family and each kind of item. A counter moves
 * in the transaction of the record that takes the id, so an id that was answered is never given again.
 */
export class Ids {
  readonly #database: Database;
  readonly #marks: BlockMarks;
  #firstOpen: number;
  #moved: Map<string, MovedCounter> | undefined;

  constructor(database: Database, marks: BlockMarks) {
    this.#database = database;
    this.#marks = marks;
    this.#firstOpen = Number(readLocal(database, FIRST_OPEN_BLOCK) ?? 0);
    const last = database.get<{ block: number | null }>('SELECT max(block) AS block FROM block')?.block;
    if (typeof last === 'number') marks.mark(last);
    else this.#begin(0);
  }

  /**
   * The station's code in the numbers that the server gives, unique over all stations: the first block that it gives
   * ids of. A restore begins another one, and with it other numbers.
   */
  get stationCode(): string {
    return String(this.blocks()[0] ?? 0);
  }

  /** Own blocks of which ids are given, in their order. */
  blocks(): number[] {
    return this.#database
      .all<{ block: number }>('SELECT block FROM block WHERE block >= ? ORDER BY block', this.#firstOpen)
      .map(row => row.block);
  }

  owns(id: number): boolean {
    const block = Math.floor(id / BLOCK_SIZE);
    return (
      id % BLOCK_SIZE !== 0 &&
      this.#database.get('SELECT block FROM block WHERE block = ?', block) !== undefined
    );
  }

  /** For the rest of the open transaction counters move in memory: one write a counter at its end, and not one an id. */
  hold(): void {
    this.#moved = new Map();
    this.#database.atEnd('The counters of ids', () => {
      this.#writeAll();
      this.#moved = undefined;
    });
  }

  /** What is held, for `restore` when a part of the transaction, or all of it, is undone. */
  get held(): HeldCounters {
    return this.#moved && new Map(this.#moved);
  }

  restore(held: HeldCounters): void {
    this.#moved = held && new Map(held);
  }

  /** The next id of the counter that `isTaken` does not know: a client may have chosen it (decisions, 3). */
  next(counter: string, isTaken: (id: number) => boolean): number {
    for (;;) {
      const id = this.#take(counter);
      if (!isTaken(id)) return id;
    }
  }

  /** The next n of a number with the station's code in it. Numbers go on over the blocks, from the code's own. */
  nextNumber(family: string, isTaken: (n: number) => boolean): number {
    const base = Number(this.stationCode) * BLOCK_SIZE;
    return this.next(`number:${family}`, id => isTaken(id - base)) - base;
  }

  /** Never gives this number, which an import has put back, or one before it. */
  reserveNumber(family: string, n: number): void {
    this.reserve(`number:${family}`, Number(this.stationCode) * BLOCK_SIZE + n);
  }

  /** Never gives this id, or one before it in its block: an import has put back a record or item that has it. */
  reserve(counter: string, id: number): void {
    this.#write(counter);
    const block = Math.floor(id / BLOCK_SIZE);
    const { changes } = this.#database.run(
      `INSERT INTO allocation (counter, block, next) VALUES (?, ?, ?)
       ON CONFLICT (counter, block) DO UPDATE SET next = max(next, excluded.next) WHERE seal = ${COUNTER_SEAL}`,
      counter,
      block,
      (id % BLOCK_SIZE) + 1,
    );
    if (changes === 0) throw this.#damaged(counter);
  }

  #take(counter: string): number {
    const moved = this.#moved?.get(counter);
    if (moved && moved.next < BLOCK_SIZE) {
      this.#moved?.set(counter, { ...moved, next: moved.next + 1 });
      return moved.block * BLOCK_SIZE + moved.next;
    }
    this.#write(counter);
    const taken = this.#database.get<{ block: number; next: number }>(TAKE, counter, this.#firstOpen);
    if (!taken) return this.#takeFromAny(counter);
    this.#moved?.set(counter, { ...taken, written: taken.next });
    return taken.block * BLOCK_SIZE + taken.next - 1;
  }

  /** Writes where a counter stands that was moved in memory, and forgets it there. */
  #write(counter: string): void {
    const moved = this.#moved?.get(counter);
    if (!moved) return;
    this.#moved?.delete(counter);
    if (moved.next === moved.written) return;
    const { changes } = this.#database.run(MOVE, moved.next, counter, moved.block, moved.written);
    if (changes === 0) throw this.#damaged(counter);
  }

  #writeAll(): void {
    for (const counter of [...(this.#moved?.keys() ?? [])]) this.#write(counter);
  }

  #takeFromAny(counter: string): number {
    const blocks = this.blocks();
    for (const block of blocks) {
      const n = this.#advance(counter, block);
      if (n < BLOCK_SIZE) return block * BLOCK_SIZE + n;
    }
    if (readLocal(this.#database, BLOCKS_FROM_CENTRAL) !== undefined) {
      const message =
        'The ids that central gave are used up. Connect this station to central, which gives more.';
      throw new AppError('unavailable', message);
    }
    // A stand-alone or central installation takes the next block when its last is used up.
    const block = this.#nextUnused();
    this.#begin(block);
    return block * BLOCK_SIZE + this.#advance(counter, block);
  }

  /** The next block that nobody has is a station's from now on. In the transaction that answers with it. */
  give(station: number): number {
    const block = this.#nextUnused();
    this.#marks.mark(block);
    this.#database.run('INSERT INTO block_given (block, station) VALUES (?, ?)', block, station);
    return block;
  }

  /**
   * In the open transaction: ids are given of blocks that central gave and of no other ones from now on.
   * @param isFirst the station joins, and leaves the blocks that it had
   */
  adopt(block: number, isFirst: boolean): void {
    // Its former blocks are those of other machines now.
    if (isFirst) this.#database.run('DELETE FROM block');
    this.#begin(block);
    if (!isFirst) return;
    this.#openFrom(block);
    writeLocal(this.#database, BLOCKS_FROM_CENTRAL, 'true');
  }

  /**
   * In the open transaction, when this installation learns that it was put back to an earlier state: ids are given of a
   * block from now on that it cannot have given or used in what it lost.
   */
  leap(): void {
    const block = this.#nextUnused() + randomInt(LEAP.least, LEAP.below);
    this.#begin(block);
    this.#openFrom(block);
  }

  /** The blocks of a station, in their order. */
  givenTo(station: number, sql: SqlReader = this.#database): number[] {
    return sql
      .all<{ block: number }>('SELECT block FROM block_given WHERE station = ? ORDER BY block', station)
      .map(row => row.block);
  }

  /** The share of the last open block's ids that no counter has given, 0 to 1, as of what is committed. */
  leftOfLastBlock(): number {
    const { reader } = this.#database;
    const last = reader.get<{ block: number | null }>('SELECT max(block) AS block FROM block')?.block ?? -1;
    if (last < this.#firstOpen) return 0;
    const sql = 'SELECT max(next) AS next FROM allocation WHERE block = ?';
    const next = reader.get<{ next: number | null }>(sql, last)?.next ?? 1;
    return 1 - (next - 1) / BLOCK_SIZE;
  }

  /** The one source of blocks, for own ids and for stations. */
  #nextUnused(): number {
    return Math.max(highestBlockIn(this.#database), this.#marks.highest()) + 1;
  }

  #begin(block: number): void {
    this.#writeAll();
    this.#marks.mark(block);
    this.#database.run('INSERT INTO block (block) VALUES (?)', block);
  }

  /** Ids are given of this block and later ones only. What is undone must leave it as it was. */
  #openFrom(block: number): void {
    writeLocal(this.#database, FIRST_OPEN_BLOCK, String(block));
    this.#database.afterCommit(() => {
      this.#firstOpen = block;
    });
  }

  /** The n of the id that is taken; `BLOCK_SIZE` when the block has no more. */
  #advance(counter: string, block: number): number {
    const row = this.#database.get<{ next: number }>(ADVANCE, counter, block);
    if (row === undefined) throw this.#damaged(counter);
    return row.next - 1;
  }

  #damaged(counter: string): AppError {
    return this.#database.damaged(`The counter of ${counter} is not what was written.`);
  }
}
