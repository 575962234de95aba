import { checksumOf } from './sqlite/checksum.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';

/** The first answer to a write with an `Idempotency-Key`, replayed when the same request comes again. */
export interface RememberedAnswer {
  /** Hash of method, path and body. */
  request_hash: string;
  status: number;
  headers: Record<string, string>;
  /** Empty: it was given, and its text made room for others. */
  body: string;
}

const KEPT_DAYS = 30;
/** Kept whatever the clock says: one that leaps a year on must not make a repeated write a second one. */
const KEPT_NEWEST = 2_000;
/** Requests that are remembered whatever their age; the oldest beyond make room. */
const KEPT_MOST = 500_000;
/** Bytes of answers that are kept; of the oldest beyond it is known only that they were given. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** Answers that give way together. */
const PART = 20;
/** How often requests are counted. */
const COUNT_EVERY = 1_000;

export interface Bounds {
  bytes: number;
  requests: number;
}

/**
 * Answers are kept per token for 30 days at least, written in the transaction of the write that they answer. A write that
 * changes nothing leaves no history, so that what is kept of it is bounded: past 64 MiB the oldest answers go and their
 * requests stay, which are refused when they come again and never done twice.
 */
export class RememberedAnswers {
  readonly #database: Database;
  readonly #clock: () => Date;
  readonly #bounds: Bounds;
  /** Bytes of all answers, or more: what was rolled back counts until the next count. Undefined: not counted yet. */
  #bytes: number | undefined;
  /** Before it no answer has its text any more. */
  #shortened = '';
  #kept = 0;
  #isRecounted = false;

  constructor(
    database: Database,
    clock: () => Date,
    bounds: Bounds = { bytes: KEPT_BYTES, requests: KEPT_MOST },
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#bounds = bounds;
  }

  /** Another process has kept some: they are counted again, not with each write. */
  reread(): void {
    this.#isRecounted = true;
  }

  /** @param sql what to look in: as the open transaction has it, or unless it is given, of what is committed */
  find(
    token: number,
    key: string,
    sql: Pick<SqlReader, 'get'> = this.#database.reader,
  ): RememberedAnswer | undefined {
    const row = sql.get<Omit<RememberedAnswer, 'headers'> & { headers: string; at: string; seal: number }>(
      'SELECT * FROM remembered_answer WHERE token = ? AND key = ?',
      token,
      key,
    );
    if (row === undefined) return undefined;
    if (checksumOfAnswer(row) !== row.seal) {
      throw this.#database.damaged(`The remembered answer to the key ${key} is not what was written.`);
    }
    return { ...row, headers: JSON.parse(row.headers) };
  }

  keep(token: number, key: string, answer: RememberedAnswer): void {
    // The plus keeps the index for the first condition, so that the newest are counted only when something is old.
    this.#database.run(
      `DELETE FROM remembered_answer WHERE at <= ?
         AND +at < (SELECT at FROM remembered_answer ORDER BY at DESC LIMIT 1 OFFSET ${KEPT_NEWEST})`,
      this.#since(),
    );
    const headers = JSON.stringify(answer.headers);
    this.#database.run(
      `INSERT OR REPLACE INTO remembered_answer (token, key, request_hash, status, headers, body, seal, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      token,
      key,
      answer.request_hash,
      answer.status,
      headers,
      answer.body,
      checksumOfAnswer({ ...answer, headers }),
      this.#clock().toISOString(),
    );
    this.#makeRoom(Buffer.byteLength(answer.body));
  }

  #makeRoom(added: number): void {
    this.#bytes = this.#bytes === undefined ? this.#countBytes() : this.#bytes + added;
    while (this.#bytes > this.#bounds.bytes) {
      const freed = this.#shortenOldest();
      this.#bytes = freed === 0 ? this.#countBytes() : this.#bytes - freed;
      if (freed === 0) break;
    }
    this.#kept += 1;
    if (this.#kept % COUNT_EVERY !== 0) return;
    if (this.#isRecounted) this.#bytes = undefined;
    this.#isRecounted = false;
    this.#database.run(
      `DELETE FROM remembered_answer WHERE at < (SELECT at FROM remembered_answer ORDER BY at DESC LIMIT 1 OFFSET ?)`,
      this.#bounds.requests,
    );
  }

  /** Answers how many bytes are free. The newest stay, however large they are. */
  #shortenOldest(): number {
    const rows = this.#oldest();
    // A clock that was set back writes before what was shortened already.
    if (rows.length === 0 && this.#shortened !== '') {
      this.#shortened = '';
      return this.#shortenOldest();
    }
    let freed = 0;
    for (const row of rows) {
      this.#database.run(
        `UPDATE remembered_answer SET body = '', seal = ? WHERE token = ? AND key = ?`,
        checksumOfAnswer({ ...row, body: '' }),
        row.token,
        row.key,
      );
      freed += Buffer.byteLength(row.body);
    }
    this.#shortened = rows.at(-1)?.at ?? this.#shortened;
    return freed;
  }

  #oldest(): Stored[] {
    const sql = `SELECT * FROM remembered_answer WHERE at >= ? AND body <> ''
      AND at < (SELECT max(at) FROM remembered_answer) ORDER BY at LIMIT ${PART}`;
    return this.#database.all<Stored>(sql, this.#shortened);
  }

  #countBytes(): number {
    const sql = 'SELECT coalesce(sum(octet_length(body)), 0) AS bytes FROM remembered_answer';
    return this.#database.get<{ bytes: number }>(sql)?.bytes ?? 0;
  }

  #since(): string {
    return new Date(this.#clock().getTime() - KEPT_DAYS * 86_400_000).toISOString();
  }
}

interface Stored extends Omit<RememberedAnswer, 'headers'> {
  token: number;
  key: string;
  headers: string;
  at: string;
}

/** The checksum of a kept answer, of its columns as they are stored. */
export function checksumOfAnswer(row: Omit<RememberedAnswer, 'headers'> & { headers: string }): number {
  return checksumOf(JSON.stringify([row.request_hash, row.status, row.headers, row.body]));
}
