import type { Connection } from './connection.ts';

/**
 * The reading connection's view of what is committed, kept from one commit to the next: statements in one transaction
 * take no lock each, which is a third of a short one. Ended before every commit, so that nothing committed goes unseen and
 * SQLite can write its log back.
 */
export class Snapshot {
  readonly #connection: Connection;
  #isOpen = false;
  #number = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Of the state that is seen, or was last: another one for each. */
  get number(): number {
    return this.#number;
  }

  begin(): void {
    if (this.#isOpen) return;
    this.#connection.control('BEGIN');
    this.#isOpen = true;
    this.#number += 1;
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // SQLite ends it by itself after some errors.
    if (this.#connection.isTransaction) this.#connection.control('COMMIT');
  }
}
