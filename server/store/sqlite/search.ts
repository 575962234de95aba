import { columnNames } from './catalog.ts';
import type { SqlValue } from './connection.ts';
import type { Database } from './database.ts';

/** A query of rows by their number, `row`: what was given to `index`. */
export interface SearchQuery {
  sql: string;
  parameters: readonly SqlValue[];
  /** False where it finds rows with the beginning of a long keyword: the caller looks whether they have all of it. */
  isWhole: boolean;
}

/** Rows of one transaction that wait; those beyond belong to a bulk, for which the index itself is the cheaper place. */
const WAITING_OF_TRANSACTION = 64;

/** From so many on, waiting rows are moved also while others write. */
const MANY_WAITING = 256;

/** Where moving does not get on, further rows go to the index at once: a search reads the text of each that waits. */
const MOST_WAITING = 512;

/** As many segments of one level more, and FTS5 would merge all of them at once, inside of a commit: from twice as many on. */
const MANY_SEGMENTS = 8;

/** Moved in one step: some milliseconds. */
const MOVED_AT_ONCE = 128;

/**
 * Full-text search over every record, in one FTS5 table that keeps no text of its own (`search_index`). A single row
 * costs that table some seven pages, many at once hardly one each; so rows wait with their text in a plain one
 * (`search_waiting`), which every search reads, too. `merge` moves them; no row stands in both.
 *
 * A keyword is a literal part of the text, whatever its case; one of one or two characters is the beginning of a word.
 * The index knows runs of three characters only. For short keywords the beginnings of words are therefore appended to
 * the text behind two markers, which no text contains: `<m><m>bo` for "bolt" finds "b" as `<m><m>b` and "bo" as `<m>bo`.
 */
export class SearchIndex {
  readonly #database: Database;
  /** Not less than there are: what is undone stays counted until the next step. */
  #waiting: number;
  /** Transactions that wrote to the index since there was nothing to merge: each leaves it a segment. */
  #segments = 0;
  #transaction = 0;
  #ofTransaction = 0;

  constructor(database: Database) {
    this.#database = database;
    database.transaction(() => {
      database.exec(WAITING_TABLE);
      if (columnNames(database, 'search_index').length > 0) return;
      // Case is folded before the text gets here, by the rules of JavaScript's newer Unicode.
      database.exec(`
        CREATE VIRTUAL TABLE search_index
          USING fts5(text, content='', contentless_delete=1, tokenize='trigram case_sensitive 1')
      `);
      // Merging inside of commits makes some of them slow; `merge` does it between them.
      database.run(`INSERT INTO search_index (search_index, rank) VALUES ('automerge', 0)`);
    });
    this.#waiting = this.#countWaiting();
  }

  /** Sets the text by which a row is found; it replaces an earlier one. */
  index(row: number, text: string): void {
    const found = searchable(text);
    const { changes } = this.#database.run('UPDATE search_waiting SET text = ? WHERE row = ?', found, row);
    if (changes > 0) return;
    this.#database.run('DELETE FROM search_index WHERE rowid = ?', row);
    this.#write(row, found);
  }

  /** As `index`, for a row that has none yet, which is not looked for. */
  add(row: number, text: string): void {
    this.#write(row, searchable(text));
  }

  remove(row: number): void {
    const { changes } = this.#database.run('DELETE FROM search_waiting WHERE row = ?', row);
    if (changes === 0) this.#database.run('DELETE FROM search_index WHERE rowid = ?', row);
  }

  /** Empties the index. */
  clear(): void {
    this.#database.run('DELETE FROM search_waiting');
    this.#database.run(`INSERT INTO search_index (search_index) VALUES ('delete-all')`);
    this.#waiting = 0;
  }

  /** Whether so many rows wait, or the index has so many new segments, that there should be no waiting for quiet. */
  get isMergeDue(): boolean {
    return this.#waiting >= MANY_WAITING || this.#segments >= MANY_SEGMENTS;
  }

  /**
   * Moves some of the rows that wait, or merges some of the index's segments, a few milliseconds of work; returns whether
   * there may be more to do.
   */
  merge(): boolean {
    // Before what others add meanwhile is moved, which could go on for ever.
    if (this.#segments >= MANY_SEGMENTS) return this.#mergeSegments() || this.#waiting > 0;
    return this.#move() || this.#mergeSegments();
  }

  /** Of rows that come next in the open transaction: of a bulk none waits, since each would be written twice. */
  expect(rows: number): void {
    if (rows > WAITING_OF_TRANSACTION) this.#countInTransaction(rows);
  }

  #countInTransaction(rows: number): void {
    const transaction = this.#database.transactionNumber;
    if (transaction !== this.#transaction) this.#ofTransaction = 0;
    this.#transaction = transaction;
    this.#ofTransaction += rows;
  }

  #write(row: number, text: string): void {
    this.#countInTransaction(1);
    const waits = this.#ofTransaction <= WAITING_OF_TRANSACTION && this.#waiting < MOST_WAITING;
    if (waits) this.#waiting += 1;
    else this.#database.atEnd('The search index', this.#flush);
    this.#database.run(waits ? ADD_WAITING : ADD_INDEXED, row, text);
  }

  /** What FTS5 keeps in memory until the commit: of much it is most of what the commit takes, and may be a step of its own. */
  readonly #flush = () => {
    this.#segments += 1;
    this.#database.run(`INSERT INTO search_index (search_index) VALUES ('flush')`);
  };

  #move(): boolean {
    const rows = this.#database.all<{ row: number; text: string }>(
      'SELECT row, text FROM search_waiting ORDER BY row LIMIT ?',
      MOVED_AT_ONCE,
    );
    for (const { row, text } of rows) {
      this.#database.run(ADD_INDEXED, row, text);
      this.#database.run('DELETE FROM search_waiting WHERE row = ?', row);
    }
    this.#waiting = this.#countWaiting();
    if (rows.length > 0) this.#segments += 1;
    return rows.length > 0;
  }

  #countWaiting(): number {
    return this.#database.get<{ n: number }>('SELECT count(*) AS n FROM search_waiting')?.n ?? 0;
  }

  #mergeSegments(): boolean {
    const changes = () => this.#database.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0;
    const before = changes();
    this.#database.run(`INSERT INTO search_index (search_index, rank) VALUES ('merge', 200)`);
    // One change is the statement's own: https://www.sqlite.org/fts5.html#the_merge_command
    const isMore = changes() - before >= 2;
    if (!isMore) this.#segments = 0;
    return isMore;
  }

  /** Which rows from `low` to `high`, both included, contain the keyword; undefined for an empty one: all of them. */
  query(keyword: string, low: number, high: number): SearchQuery | undefined {
    const characters = [...fold(keyword)];
    if (characters.length === 0) return undefined;
    const isWhole = characters.length <= LONGEST_PHRASE;
    const looked = characters.slice(0, LONGEST_PHRASE);
    if (!this.#isPossible(looked, low, high)) return NOTHING;
    return { ...matching(runOf(looked), low, high), isWhole };
  }

  /**
   * Whether growing beginnings of a long keyword are found in what is committed. FTS5 follows every three characters of a phrase at once:
   * thousands of zeros would be compared, one by one, with every record that has three in its number.
   */
  #isPossible(characters: readonly string[], low: number, high: number): boolean {
    for (let length = 8; length < characters.length; length *= 2) {
      const { sql, parameters } = matching(characters.slice(0, length).join(''), low, high);
      const found = this.#database.reader.get(`${sql} LIMIT 1`, ...parameters);
      if (found === undefined) return false;
    }
    return true;
  }
}

/** Texts as they are indexed, by the number of their row. */
export const WAITING_TABLE =
  'CREATE TABLE IF NOT EXISTS search_waiting (row INTEGER PRIMARY KEY, text TEXT NOT NULL)';

const ADD_WAITING = 'INSERT INTO search_waiting (row, text) VALUES (?, ?)';
const ADD_INDEXED = 'INSERT INTO search_index (rowid, text) VALUES (?, ?)';

const NOTHING: SearchQuery = { sql: 'SELECT 0 AS row WHERE FALSE', parameters: [], isWhole: true };

/**
 * Characters. FTS5 compares every three of a phrase with each of their places in a row: ten thousand times one letter,
 * in a row and in a keyword, took seconds.
 */
const LONGEST_PHRASE = 32;

/** In the private-use area, so that nothing is lost by keeping it out of texts. */
const marker = '\ue000';

/** What has no place in an indexed text: the marker, and NUL, which ends a text for SQLite's tokenizer. */
const excluded = /[\0\ue000]/g;

/** The empty places in a text after each of which a word begins, with one or two characters of it. */
const wordBeginning = /(?:(?<!\S)(?=\S)|(?<![\p{L}\p{N}\p{M}])(?=[\p{L}\p{N}\p{M}]))(?=(..?))/gsu;

function matching(run: string, low: number, high: number): Omit<SearchQuery, 'isWhole'> {
  // Numbers are bound as floating point, which FTS5 takes for no bounds: it would look through every family.
  const bounds = [BigInt(low), BigInt(high)];
  return {
    sql: `SELECT rowid AS row FROM search_index WHERE search_index MATCH ? AND rowid BETWEEN ? AND ?
      UNION ALL SELECT row FROM search_waiting WHERE row BETWEEN ? AND ? AND instr(text, ?) > 0`,
    parameters: [`"${run.replaceAll('"', '""')}"`, ...bounds, ...bounds, run],
  };
}

/** Whether the index, if it is sound, finds a row of a text by the keyword. */
export function finderOf(keyword: string): (text: string) => boolean {
  const characters = [...fold(keyword)];
  const run = runOf(characters);
  return text => (characters.length < 3 ? searchable(text) : fold(text)).includes(run);
}

/** What to look for: short keywords are the beginnings of words, behind markers. */
function runOf(characters: readonly string[]): string {
  return marker.repeat(Math.max(0, 3 - characters.length)) + characters.join('');
}

/** The text as it is indexed: folded, with the beginnings of its words behind markers. */
export function searchable(text: string): string {
  const folded = fold(text);
  const beginnings = new Set<string>();
  for (const match of folded.matchAll(wordBeginning)) beginnings.add(marker + marker + match[1]);
  return folded + [...beginnings].join('');
}

/** One form for what differs in case or composition only; both sigmas are one letter, because case hides which it is. */
function fold(text: string): string {
  return text.toWellFormed().replace(excluded, '\ufffd').normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}
