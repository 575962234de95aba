import { columnNames } from './catalog.ts';
import type { SqlValue } from './connection.ts';
import type { Database } from './database.ts';

/** A condition for a query `FROM search_index`; its `rowid` is what was given to `index`. */
export interface SearchCondition {
  sql: string;
  parameters: readonly SqlValue[];
  /** False where it finds rows with the beginning of a long keyword: the caller looks whether they have all of it. */
  isWhole: boolean;
}

/**
 * Full-text search over every record, in one FTS5 table that keeps no text of its own (`search_index`).
 *
 * A keyword is a literal part of the text, whatever its case; one of one or two characters is the beginning of a word.
 * The index knows runs of three characters only. For short keywords the beginnings of words are therefore appended to
 * the text behind two markers, which no text contains: `<m><m>bo` for "bolt" finds "b" as `<m><m>b` and "bo" as `<m>bo`.
 */
export class SearchIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    database.transaction(() => {
      if (columnNames(database, 'search_index').length > 0) return;
      // Case is folded before the text gets here, by the rules of JavaScript's newer Unicode.
      database.exec(`
        CREATE VIRTUAL TABLE search_index
          USING fts5(text, content='', contentless_delete=1, tokenize='trigram case_sensitive 1')
      `);
      // Merging inside of commits makes some of them slow; `merge` does it between them.
      database.run(`INSERT INTO search_index (search_index, rank) VALUES ('automerge', 0)`);
    });
  }

  /** Sets the text by which a row is found; it replaces an earlier one. */
  index(rowid: number, text: string): void {
    this.#database.run(
      'INSERT OR REPLACE INTO search_index (rowid, text) VALUES (?, ?)',
      rowid,
      searchable(text),
    );
  }

  /** As `index`, for a row that has none yet, which is not looked for. */
  add(rowid: number, text: string): void {
    this.#database.run('INSERT INTO search_index (rowid, text) VALUES (?, ?)', rowid, searchable(text));
  }

  remove(rowid: number): void {
    this.#database.run('DELETE FROM search_index WHERE rowid = ?', rowid);
  }

  /** Empties the index. */
  clear(): void {
    this.#database.run(`INSERT INTO search_index (search_index) VALUES ('delete-all')`);
  }

  /** Merges some of the index's segments, a few milliseconds of work; returns whether there may be more to do. */
  merge(): boolean {
    const changes = () => this.#database.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0;
    const before = changes();
    this.#database.run(`INSERT INTO search_index (search_index, rank) VALUES ('merge', 200)`);
    // One change is the statement's own: https://www.sqlite.org/fts5.html#the_merge_command
    return changes() - before >= 2;
  }

  /** Which rows from `low` to `high`, both included, contain the keyword; undefined for an empty one: all of them. */
  condition(keyword: string, low: number, high: number): SearchCondition | undefined {
    const characters = [...fold(keyword)];
    if (characters.length === 0) return undefined;
    const isWhole = characters.length <= LONGEST_PHRASE;
    const looked = characters.slice(0, LONGEST_PHRASE);
    if (!this.#isPossible(looked, low, high)) return { sql: 'FALSE', parameters: [], isWhole: true };
    return { ...matching(runOf(looked), low, high), isWhole };
  }

  /**
   * Whether growing beginnings of a long keyword are found in what is committed. FTS5 follows every three characters of a phrase at once:
   * thousands of zeros would be compared, one by one, with every record that has three in its number.
   */
  #isPossible(characters: readonly string[], low: number, high: number): boolean {
    for (let length = 8; length < characters.length; length *= 2) {
      const { sql, parameters } = matching(characters.slice(0, length).join(''), low, high);
      const found = this.#database.reader.get(
        `SELECT 1 FROM search_index WHERE ${sql} LIMIT 1`,
        ...parameters,
      );
      if (found === undefined) return false;
    }
    return true;
  }
}

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

function matching(run: string, low: number, high: number): Omit<SearchCondition, 'isWhole'> {
  return {
    sql: 'search_index MATCH ? AND search_index.rowid BETWEEN ? AND ?',
    // Numbers are bound as floating point, which FTS5 takes for no bounds: it would look through every family.
    parameters: [`"${run.replaceAll('"', '""')}"`, BigInt(low), BigInt(high)],
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
