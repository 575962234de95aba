import type { Collection } from '../../shared/define-family.ts';
import type { AppError } from '../../shared/errors.ts';
import type { Database } from './sqlite/database.ts';
import { COUNTER_SEAL, readLocal } from './tables.ts';

/** Ids of one block: `block * 2^20 + n`, with n from 1 (interface decisions, 4). */
export const BLOCK_SIZE = 2 ** 20;

/** The first block of which ids are given: after a restore, those before it may have given ids that the backup lacks. */
export const FIRST_OPEN_BLOCK = 'first_open_block';

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
  readonly #onBlock: (block: number) => void;
  readonly #firstOpen: number;

  /** `onBlock` keeps the number of a block outside the database before one of its ids is given. */
  constructor(database: Database, onBlock: (block: number) => void) {
    this.#database = database;
    this.#onBlock = onBlock;
    this.#firstOpen = Number(readLocal(database, FIRST_OPEN_BLOCK) ?? 0);
    const last = database.get<{ block: number | null }>('SELECT max(block) AS block FROM block')?.block;
    if (typeof last === 'number') onBlock(last);
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
    const blocks = this.blocks();
    for (const block of blocks) {
      const n = this.#advance(counter, block);
      if (n < BLOCK_SIZE) return block * BLOCK_SIZE + n;
    }
    // A stand-alone or central installation takes the next block when its last is used up.
    const block = (blocks.at(-1) ?? -1) + 1;
    this.#begin(block);
    return block * BLOCK_SIZE + this.#advance(counter, block);
  }

  #begin(block: number): void {
    this.#onBlock(block);
    this.#database.run('INSERT INTO block (block) VALUES (?)', block);
  }

  /** The n of the id that is taken; `BLOCK_SIZE` when the block has no more. */
  #advance(counter: string, block: number): number {
    const row = this.#database.get<{ next: number }>(
      `INSERT INTO allocation (counter, block, next) VALUES (?, ?, 2)
       ON CONFLICT (counter, block) DO UPDATE SET next = min(next + 1, ${BLOCK_SIZE + 1}) WHERE seal = ${COUNTER_SEAL}
       RETURNING next`,
      counter,
      block,
    );
    if (row === undefined) throw this.#damaged(counter);
    return row.next - 1;
  }

  #damaged(counter: string): AppError {
    return this.#database.damaged(`The counter of ${counter} is not what was written.`);
  }
}
