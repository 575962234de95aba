import { abandonAt, readNamed } from '../../store/history.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { isInLog } from '../log/log.ts';
import type { LogEntry } from '../protocol/log.ts';
import type { CommitPlace, SignedEntry } from '../protocol/packed-entries.ts';
import type { RecoveryCommit } from '../protocol/protocol-state.ts';
import type { Offer } from '../protocol/wire.ts';

interface Row {
  place: number;
  chain: string;
  number: number;
  commit_id: string;
  countersignature: string;
  /** As JSON. */
  means: string | null;
}

/** In `is_refused`: neither open (0) nor refused (1). */
const KNOWN = 2;

/** What a restored central lacks and this station has: offered until central's log holds it. */
export class RecoveryCommits {
  readonly #database: Database;
  readonly #sql: SqlReader;

  constructor(database: Database, sql: SqlReader) {
    this.#database = database;
    this.#sql = sql;
  }

  /**
   * As `putFirst`, with what was known to stand in the part of the log that was taken as a snapshot: it stood between the
   * entries received before that and those received since.
   */
  putAll(entries: readonly (SignedEntry & Offer)[], start: number): void {
    const known = this.#where('is_refused = ?', KNOWN);
    this.#database.run('DELETE FROM offer WHERE is_refused = ?', KNOWN);
    const since = entries.findIndex(({ sequence }) => sequence > start);
    const end = since < 0 ? entries.length : since;
    this.putFirst([...entries.slice(0, end), ...known, ...entries.slice(end)]);
  }

  /** Before what is offered already: it stood earlier in the log. All get places that were never used. */
  putFirst(entries: readonly Offer[]): void {
    const later = this.after(0, Number.MAX_SAFE_INTEGER);
    this.#database.run('DELETE FROM offer WHERE is_refused = 0');
    for (const { commit, countersignature, means } of [...entries, ...later]) {
      this.#database.run(
        'INSERT INTO offer (chain, number, commit_id, countersignature, means) VALUES (?, ?, ?, ?, ?)',
        commit.chain,
        commit.number,
        commit.commit_id,
        countersignature,
        means ? JSON.stringify(means) : null,
      );
    }
  }

  /** Those after a place, without the refused ones. */
  after(place: number, limit: number): RecoveryCommit[] {
    return this.#where('place > ? AND is_refused = 0', place, limit);
  }

  #where(condition: string, value: number, limit = Number.MAX_SAFE_INTEGER): RecoveryCommit[] {
    const sql = `SELECT * FROM offer WHERE ${condition} ORDER BY place LIMIT ?`;
    return this.#sql.all<Row>(sql, value, limit).flatMap(row => {
      const commit = readNamed(this.#sql, row.chain, row.number, row.commit_id);
      const { place, countersignature, means } = row;
      return commit ? [{ place, commit, countersignature, ...(means && { means: JSON.parse(means) }) }] : [];
    });
  }

  /** Ids of the commits that central did not recognise. */
  refused(): string[] {
    const sql = 'SELECT commit_id FROM offer WHERE is_refused = 1 ORDER BY place';
    return this.#sql.all<{ commit_id: string }>(sql).map(row => row.commit_id);
  }

  /**
   * What these entries decide stands decided; mostly there is none of it to look for. What they have at another place than it
   * had in the log that central lost, its station having issued it again, stands there no more, unless the log has it there
   * as well: another machine with the same disk may have sent it so.
   */
  settle(entries: readonly LogEntry[]): void {
    if (this.#sql.get('SELECT 1 FROM offer LIMIT 1') === undefined) return;
    for (const { commit, decisions } of entries) {
      for (const { commit_id: id } of decisions) {
        // Of two places in the log that was lost there are two of it.
        const offered =
          id === commit.commit_id
            ? this.#sql.all<CommitPlace>('SELECT chain, number FROM offer WHERE commit_id = ?', id)
            : [];
        for (const place of offered) {
          const isElsewhere = place.chain !== commit.chain || place.number !== commit.number;
          if (isElsewhere && !isInLog(this.#sql, place)) abandonAt(this.#database, place, id);
        }
        this.#database.run('DELETE FROM offer WHERE commit_id = ?', id);
      }
    }
  }

  /** They stand in the part of the log that was taken as a snapshot: not sent again unless the log is cut. */
  setKnown(commits: readonly string[]): void {
    for (const commit of commits) {
      this.#database.run('UPDATE offer SET is_refused = ? WHERE commit_id = ?', KNOWN, commit);
    }
  }

  /** Central's countersignature on it is not central's: shown to a person and not sent again. */
  refuse(commits: readonly string[]): void {
    for (const commit of commits) {
      this.#database.run('UPDATE offer SET is_refused = 1 WHERE commit_id = ?', commit);
    }
  }
}
