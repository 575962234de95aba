import { checksumOf } from './sqlite/checksum.ts';
import type { Database } from './sqlite/database.ts';

/** The first answer to a write with an `Idempotency-Key`, replayed when the same request comes again. */
export interface RememberedAnswer {
  /** Hash of method, path and body. */
  request_hash: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

const KEPT_DAYS = 30;
/** Kept whatever the clock says: one that leaps a year on must not make a repeated write a second one. */
const KEPT_NEWEST = 2_000;

/** Answers are kept per token for 30 days at least, written in the transaction of the write that they answer. */
export class RememberedAnswers {
  readonly #database: Database;
  readonly #clock: () => Date;

  constructor(database: Database, clock: () => Date) {
    this.#database = database;
    this.#clock = clock;
  }

  find(token: number, key: string): RememberedAnswer | undefined {
    const row = this.#database.reader.get<
      Omit<RememberedAnswer, 'headers'> & { headers: string; at: string; seal: number }
    >('SELECT * FROM remembered_answer WHERE token = ? AND key = ?', token, key);
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
      this.#oldest(),
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
  }

  #oldest(): string {
    return new Date(this.#clock().getTime() - KEPT_DAYS * 86_400_000).toISOString();
  }
}

/** The checksum of a kept answer, of its columns as they are stored. */
export function checksumOfAnswer(row: Omit<RememberedAnswer, 'headers'> & { headers: string }): number {
  return checksumOf(JSON.stringify([row.request_hash, row.status, row.headers, row.body]));
}
