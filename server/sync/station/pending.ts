import type { Commit } from '../../store/changes.ts';
import { readNamed } from '../../store/history.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { recordsIn } from '../../store/subjects.ts';

/** Of the oldest the average size is taken, so that a look at many stays quick. */
const WEIGHED = 1_000;
/** Characters of JSON that a commit has beside its entries. */
const COMMIT_SIZE = 370;

interface Row {
  sequence: number;
  commit_id: string;
  chain: string;
  number: number;
}

/** A commit that is not settled: its place in the order of writing, and the records that it touches. */
export interface Open {
  sequence: number;
  subjects: string[];
}

/** A station's own commits that the received log does not settle: those it never heard of, and those that are held. */
export class PendingCommits {
  readonly #database: Database;
  readonly #sql: SqlReader;

  constructor(database: Database, sql: SqlReader) {
    this.#database = database;
    this.#sql = sql;
  }

  /** In the transaction of the commit. `sequence` is its place in the order of writing. */
  add({ commit_id, chain, number, entries }: Commit, sequence: number): void {
    this.#database.run(
      'INSERT INTO undecided (sequence, commit_id, chain, number) VALUES (?, ?, ?, ?)',
      sequence,
      commit_id,
      chain,
      number,
    );
    for (const subject of recordsIn(entries)) {
      this.#database.run(
        'INSERT INTO undecided_subject (subject, sequence) VALUES (?, ?)',
        subject,
        sequence,
      );
    }
  }

  /** Takes commits out. */
  settle(commits: readonly Open[]): void {
    const sequences = commits.map(({ sequence }) => sequence);
    const pairs = commits.flatMap(({ sequence, subjects }) => subjects.map(subject => [subject, sequence]));
    this.#database.run(
      'DELETE FROM undecided WHERE sequence IN (SELECT value FROM json_each(?))',
      JSON.stringify(sequences),
    );
    this.#database.run(
      `DELETE FROM undecided_subject
       WHERE (subject, sequence) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
      JSON.stringify(pairs),
    );
  }

  /** Of commits, those that are in, in the order given. `known` are commits by their ids that were read already. */
  openOf(commits: readonly string[], known: ReadonlyMap<string, Commit> = new Map()): Open[] {
    if (commits.length === 0) return [];
    const sql = 'SELECT * FROM undecided WHERE commit_id IN (SELECT value FROM json_each(?))';
    const rows = this.#sql.all<Row>(sql, JSON.stringify(commits));
    const byId = new Map(rows.map(row => [row.commit_id, row]));
    return commits.flatMap(id => {
      const row = byId.get(id);
      if (!row) return [];
      const read = known.get(id);
      // Another machine may have issued it again elsewhere, with other ids.
      const isSame = read?.chain === row.chain && read.number === row.number;
      const { entries } = read && isSame ? read : this.#commit(row);
      return [{ sequence: row.sequence, subjects: recordsIn(entries) }];
    });
  }

  includes(commit: string): boolean {
    return this.#sql.get('SELECT 1 FROM undecided WHERE commit_id = ?', commit) !== undefined;
  }

  /** The one of that id. */
  named(commit: string): Commit | undefined {
    const row = this.#sql.get<Row>('SELECT * FROM undecided WHERE commit_id = ?', commit);
    return row && this.#commit(row);
  }

  /** Whether any of them says something of a subject that is no record. */
  names(subject: string): boolean {
    const sql = `SELECT 1 FROM undecided AS u JOIN history AS h ON h.chain = u.chain AND h.number = u.number
      WHERE instr(h.entries, ?) > 0 LIMIT 1`;
    return this.#sql.get(sql, JSON.stringify(subject)) !== undefined;
  }

  /** Whether any of them touches the record. */
  has(subject: string): boolean {
    const sql = 'SELECT 1 FROM undecided_subject WHERE subject = ? LIMIT 1';
    return this.#sql.get(sql, subject) !== undefined;
  }

  /** Of these records, those that any of them touches. */
  coveredOf(subjects: readonly string[]): Set<string> {
    const sql = `SELECT value AS subject FROM json_each(?)
      WHERE EXISTS (SELECT 1 FROM undecided_subject WHERE subject = value)`;
    const rows = this.#sql.all<{ subject: string }>(sql, JSON.stringify(subjects));
    return new Set(rows.map(({ subject }) => subject));
  }

  /**
   * The commits that touch a record, with their places, in the order of writing. `read` keeps them by their places for who
   * asks of many records: one commit can be of thousands.
   */
  of(subject: string, read = new Map<number, Commit>()): { commit: Commit; sequence: number }[] {
    const sql = `SELECT u.* FROM undecided_subject AS s JOIN undecided AS u USING (sequence)
      WHERE s.subject = ? ORDER BY sequence`;
    const rows = this.#sql.all<Row>(sql, subject);
    return rows.map(row => {
      const commit = read.get(row.sequence) ?? this.#commit(row);
      read.set(row.sequence, commit);
      return { commit, sequence: row.sequence };
    });
  }

  /** Where they stand. */
  places(): Pick<Commit, 'commit_id' | 'chain' | 'number'>[] {
    return this.#sql.all('SELECT commit_id, chain, number FROM undecided ORDER BY sequence');
  }

  /** In the order of writing. */
  all(): Commit[] {
    const rows = this.#sql.all<Row>('SELECT * FROM undecided ORDER BY sequence');
    return rows.map(row => this.#commit(row));
  }

  count(): number {
    return this.#sql.get<{ n: number }>('SELECT count(*) AS n FROM undecided')?.n ?? 0;
  }

  /** How many of them central does not hold. */
  unheld(): number {
    // Few are held, and many may be undecided: this is asked for each message.
    const sql = `SELECT (SELECT count(*) FROM undecided) - (SELECT count(*) FROM held
      JOIN undecided ON undecided.commit_id = held.commit_id WHERE is_withdrawn = 0) AS n`;
    return this.#sql.get<{ n: number }>(sql)?.n ?? 0;
  }

  /** About how many characters of JSON those have that central does not hold. */
  unheldSize(): number {
    const sql = `SELECT avg(octet_length(h.entries)) AS size
      FROM (SELECT chain, number FROM undecided ORDER BY sequence LIMIT ?) AS u
      JOIN history AS h ON h.chain = u.chain AND h.number = u.number`;
    const { size } = this.#sql.get<{ size: number | null }>(sql, WEIGHED) ?? { size: null };
    return this.unheld() * ((size ?? 0) + COMMIT_SIZE);
  }

  /** Also where its place is another commit's, or nobody's: a held one can stand elsewhere in the log. */
  #commit({ chain, number, commit_id: id }: Row): Commit {
    const commit = readNamed(this.#sql, chain, number, id);
    if (!commit) throw this.#sql.damaged(`Commit ${number} of chain ${chain} is not there.`);
    return commit;
  }
}
