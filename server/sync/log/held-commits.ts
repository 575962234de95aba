import type { Commit } from '../../store/changes.ts';
import { stationOf } from '../../store/history.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';
import type { Steps } from '../../store/yield-to-event-loop.ts';
import type { HoldReason } from '../protocol/decide.ts';
import type { HeldCommit } from '../protocol/held-line.ts';
import type { LogChanges } from '../protocol/received-log.ts';
import type { Log } from './log.ts';

/** Commits that wait for a person, as the log says. */
export class HeldCommits {
  readonly #database: Database;
  readonly #sql: SqlReader;
  readonly #log: Log;

  constructor(database: Database, sql: SqlReader, log: Log) {
    this.#database = database;
    this.#sql = sql;
    this.#log = log;
  }

  isWithdrawn(commit: string): boolean {
    const sql = 'SELECT 1 FROM held WHERE commit_id = ? AND is_withdrawn = 1';
    return this.#sql.get(sql, commit) !== undefined;
  }

  isHeld(commit: string): boolean {
    const sql = 'SELECT 1 FROM held WHERE commit_id = ? AND is_withdrawn = 0';
    return this.#sql.get(sql, commit) !== undefined;
  }

  held(commit: string): HeldCommit | undefined {
    const sql = 'SELECT commit_id, reason FROM held WHERE commit_id = ? AND is_withdrawn = 0';
    return this.#with(this.#sql.all(sql, commit))[0];
  }

  /** In the order in which they arrived. */
  heldOf(station: string): HeldCommit[] {
    return this.#with(this.#rowsOf(station));
  }

  /** `heldOf` in steps: there may be thousands, and each may have thousands of records. */
  *readingOf(station: string): Steps<HeldCommit[]> {
    const held: HeldCommit[] = [];
    for (const { commit_id, reason } of this.#rowsOf(station)) {
      yield;
      const commit = yield* this.#log.readingCommit(commit_id);
      if (commit) held.push({ commit, reason });
    }
    return held;
  }

  /** How many. */
  countOf(station: string): number {
    const sql = 'SELECT count(*) AS n FROM held WHERE station = ? AND is_withdrawn = 0';
    return this.#sql.get<{ n: number }>(sql, station)?.n ?? 0;
  }

  /** How many bytes of JSON they have. */
  sizeOf(station: string): number {
    const sql = `SELECT coalesce(sum(octet_length(h.entries)), 0) AS size
      FROM held JOIN log USING (commit_id) JOIN history AS h ON h.chain = log.chain AND h.number = log.number
      WHERE held.station = ? AND is_withdrawn = 0`;
    return this.#sql.get<{ size: number }>(sql, station)?.size ?? 0;
  }

  /** Whether any of a station's is held because its new record or item has an id that another has. */
  hasTaken(station: string): boolean {
    const sql = 'SELECT 1 FROM held WHERE station = ? AND reason = ? AND is_withdrawn = 0 LIMIT 1';
    return this.#sql.get(sql, station, 'id_taken' satisfies HoldReason) !== undefined;
  }

  /** The same, or because of what it was made over. */
  hasToReissue(station: string): boolean {
    const sql =
      'SELECT 1 FROM held WHERE station = ? AND reason IN (?, ?, ?, ?) AND is_withdrawn = 0 LIMIT 1';
    const reasons = ['id_taken', 'over_withdrawn', 'follows', 'unknown_target'] satisfies HoldReason[];
    return this.#sql.get(sql, station, ...reasons) !== undefined;
  }

  all(): HeldCommit[] {
    const sql = 'SELECT commit_id, reason FROM held WHERE is_withdrawn = 0 ORDER BY sequence';
    return this.#with(this.#sql.all(sql));
  }

  /** Their names and stations alone, in the order in which they arrived. */
  names(): { commit_id: string; station: string }[] {
    return this.#sql.all('SELECT commit_id, station FROM held WHERE is_withdrawn = 0 ORDER BY sequence');
  }

  /** Writes what entries of the log say; their commits are in the log already. */
  follow({ held, settled, withdrawn }: LogChanges, last: number): void {
    for (const { commit_id, reason } of held) {
      const chain = this.#log.chainOf(commit_id);
      if (chain === undefined) continue;
      this.#database.run(
        `INSERT INTO held (commit_id, station, sequence, reason) VALUES (?, ?, ?, ?)
         ON CONFLICT (commit_id) DO UPDATE SET reason = excluded.reason, is_withdrawn = 0`,
        commit_id,
        stationOf(chain),
        this.#log.sequenceOf(commit_id) ?? last,
        reason,
      );
    }
    const isAnyHeld = settled.length > 0 && this.#isAnyHeld();
    for (const commit of isAnyHeld ? settled : []) {
      this.#database.run('DELETE FROM held WHERE commit_id = ? AND is_withdrawn = 0', commit);
    }
    for (const commit of withdrawn) {
      this.#database.run(
        `INSERT INTO held (commit_id, station, sequence, reason, is_withdrawn) VALUES (?, '', 0, '', 1)
         ON CONFLICT (commit_id) DO UPDATE SET is_withdrawn = 1`,
        commit,
      );
    }
  }

  #isAnyHeld(): boolean {
    return this.#sql.get('SELECT 1 FROM held WHERE is_withdrawn = 0 LIMIT 1') !== undefined;
  }

  /** Ids of the commits that were withdrawn. */
  withdrawn(): string[] {
    const sql = 'SELECT commit_id FROM held WHERE is_withdrawn = 1 ORDER BY commit_id';
    return this.#sql.all<{ commit_id: string }>(sql).map(row => row.commit_id);
  }

  /** What a snapshot says in the place of what was known; it arrived before everything that the log says later. */
  replace(held: readonly HeldCommit[], withdrawn: readonly string[]): void {
    this.clear();
    for (const [index, { commit, reason }] of held.entries()) {
      this.#database.run(
        'INSERT INTO held (commit_id, station, sequence, reason) VALUES (?, ?, ?, ?)',
        commit.commit_id,
        stationOf(commit.chain),
        index - held.length,
        reason,
      );
    }
    this.follow({ effects: [], subjects: new Set(), settled: [], held: [], withdrawn: [...withdrawn] }, 0);
  }

  /** Forgets all of them, to be worked out again from the log. */
  clear(): void {
    this.#database.exec('DELETE FROM held');
  }

  #rowsOf(station: string): { commit_id: string; reason: string }[] {
    const sql = 'SELECT commit_id, reason FROM held WHERE station = ? AND is_withdrawn = 0 ORDER BY sequence';
    return this.#sql.all(sql, station);
  }

  #with(rows: readonly { commit_id: string; reason: string }[]): HeldCommit[] {
    return rows.flatMap(({ commit_id, reason }) => {
      const commit: Commit | undefined = this.#log.commit(commit_id);
      return commit ? [{ commit, reason }] : [];
    });
  }
}

/** How many commits wait for a person. */
export function countHeld(sql: Pick<SqlReader, 'get'>): number {
  return sql.get<{ n: number }>('SELECT count(*) AS n FROM held WHERE is_withdrawn = 0')?.n ?? 0;
}
