import { changesBeginAnew } from '../../store/change-feed.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import { tableOf } from '../../store/sqlite/documents.ts';
import type { Store } from '../../store/store.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import type { LogPlace } from '../protocol/log.ts';
import { type Cursor, NEW_SNAPSHOT, type SignedHead, type SnapshotState } from '../protocol/wire.ts';

const STATE = 'snapshot';
const UNTIL = 'snapshot_until';
const HEADS = 'snapshot_heads';

/** How far a station is with a snapshot, and what the last one said of its own chains. Written in open transactions. */
export class Snapshots {
  readonly #store: Store;
  readonly #sql: SqlReader;

  constructor(store: Store, sql: SqlReader) {
    this.#store = store;
    this.#sql = sql;
  }

  /** Of the one that is being taken. */
  state(): SnapshotState | undefined {
    const text = readLocal(this.#sql, STATE);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Where the last records were read, while the received log has not come so far. */
  until(): LogPlace | undefined {
    const text = readLocal(this.#sql, UNTIL);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Per own chain the number up to which the snapshot holds it. */
  heads(): Record<string, number> {
    const text = readLocal(this.#sql, HEADS);
    return text === undefined ? {} : JSON.parse(text);
  }

  begin(): void {
    this.keep(NEW_SNAPSHOT);
    changesBeginAnew(this.#store.database);
    this.#forget(UNTIL);
  }

  keep(state: SnapshotState): void {
    writeLocal(this.#store.database, STATE, JSON.stringify(state));
  }

  keepHeads(heads: readonly SignedHead[]): void {
    const numbers = Object.fromEntries(heads.map(({ chain, number }) => [chain, number]));
    writeLocal(this.#store.database, HEADS, JSON.stringify(numbers));
  }

  end(until: LogPlace | undefined): void {
    this.#forget(STATE);
    changesBeginAnew(this.#store.database);
    if (until) writeLocal(this.#store.database, UNTIL, JSON.stringify(until));
  }

  /** The log was received up to the cursor, and had what the snapshot says of it. */
  prove(cursor: Cursor): void {
    const until = this.until();
    if (until && cursor.sequence >= until.sequence) this.#forget(UNTIL);
  }

  /** The keys of the records after one key up to another, which null leaves open. */
  keysBetween(after: string | null, end: string | null): string[] {
    const table = tableOf(this.#store.collection);
    const within = `key > ? ${end === null ? '' : 'AND key <= ?'}`;
    const range = end === null ? [after ?? ''] : [after ?? '', end];
    const sql = `SELECT key FROM "${table}" WHERE ${within} UNION SELECT key FROM decided_record WHERE ${within}`;
    return this.#sql.all<{ key: string }>(sql, ...range, ...range).map(({ key }) => key);
  }

  #forget(name: string): void {
    this.#store.database.run('DELETE FROM local WHERE name = ?', name);
  }
}
