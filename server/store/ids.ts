import type { Database } from './sqlite/database.ts';

/** Ids of one block: `block * 2^20 + n`, with n from 1 (interface decisions, 4). */
export const BLOCK_SIZE = 2 ** 20;

/**
 * Hands out ids from this installation's own blocks, one counter for each family and each kind of item. A counter moves
 * in the transaction of the record that takes the id, so an id that was answered is never given again.
 */
export class Ids {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    const hasBlock = database.get('SELECT block FROM block LIMIT 1') !== undefined;
    if (!hasBlock) database.run('INSERT INTO block (block) VALUES (0)');
  }

  /** The station's code in the numbers that the server gives, unique over all stations: its first block. */
  get stationCode(): string {
    return String(this.blocks()[0] ?? 0);
  }

  blocks(): number[] {
    return this.#database
      .all<{ block: number }>('SELECT block FROM block ORDER BY block')
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

  /** Never gives this id, or one before it in its block: an import has put back a record or item that has it. */
  reserve(counter: string, id: number): void {
    const block = Math.floor(id / BLOCK_SIZE);
    this.#database.run(
      `INSERT INTO allocation (counter, block, next) VALUES (?, ?, ?)
       ON CONFLICT (counter, block) DO UPDATE SET next = max(next, excluded.next)`,
      counter,
      block,
      (id % BLOCK_SIZE) + 1,
    );
  }

  #take(counter: string): number {
    const blocks = this.blocks();
    for (const block of blocks) {
      const n = this.#advance(counter, block);
      if (n < BLOCK_SIZE) return block * BLOCK_SIZE + n;
    }
    // A stand-alone or central installation takes the next block when its last is used up.
    const block = (blocks.at(-1) ?? -1) + 1;
    this.#database.run('INSERT INTO block (block) VALUES (?)', block);
    return block * BLOCK_SIZE + this.#advance(counter, block);
  }

  /** The n of the id that is taken; `BLOCK_SIZE` when the block has no more. */
  #advance(counter: string, block: number): number {
    const row = this.#database.get<{ next: number }>(
      `INSERT INTO allocation (counter, block, next) VALUES (?, ?, 2)
       ON CONFLICT (counter, block) DO UPDATE SET next = min(next + 1, ${BLOCK_SIZE + 1}) RETURNING next`,
      counter,
      block,
    );
    return (row?.next ?? 2) - 1;
  }
}
