import type { StoredRecord } from '../../../shared/contract/present.ts';
import { searchText } from '../keyword-search.ts';
import { columnNames } from '../sqlite/catalog.ts';
import { searchable } from '../sqlite/search.ts';
import { remedies } from './findings.ts';
import { subjectOf, type VerifyContext } from './verify-context.ts';

/** The index knows runs of three characters. */
const RUN = 3;
/** Sums of row numbers are kept modulo this: a prime, so that a row number in which a bit has flipped changes its sum. */
const PRIME = 1_000_003;

/** What the index must hold of one run of characters, over all records. */
interface Expected {
  count: number;
  /** Of the rows that hold it, modulo `PRIME` each. */
  rows: number;
  /** Of its places in their texts. */
  places: number;
}

/**
 * Search finds every record by its text and nothing else: each run of three characters stands in the index as often, in
 * the same rows and at the same places as in the texts. `record` for every record, then `finish`.
 *
 * A text that waits for the index must be the record's own, and the index knows nothing of its row.
 *
 * Rows and places are compared as sums, so that memory grows with the different runs and not with the records.
 */
export function searchVerifier(context: VerifyContext): {
  record: (record: StoredRecord) => void;
  finish: () => void;
} {
  const expected = new Map<string, Expected>();
  const waiting = waitingIn(context);
  return {
    record(record) {
      const plain = searchText(record);
      const subject = subjectOf(context, record.key) ?? 0;
      const text = waiting.get(subject);
      if (text !== undefined && text === searchable(plain)) {
        waiting.delete(subject);
        return;
      }
      if (plain === '') return;
      const row = subject % PRIME;
      const characters = [...searchable(plain)];
      for (let place = 0; place + RUN <= characters.length; place += 1) {
        const run = characters.slice(place, place + RUN).join('');
        const sum = expected.get(run);
        if (sum) {
          sum.count += 1;
          sum.rows += row;
          sum.places += place;
        } else {
          expected.set(run, { count: 1, rows: row, places: place });
        }
      }
    },
    finish() {
      compare(context, expected);
      for (const row of waiting.keys()) {
        const what = 'Search does not find what is there, or finds what is not.';
        context.findings.add(what, `search_waiting, row ${row}`, remedies.rebuild);
      }
    },
  };
}

/** The texts that wait, by row: some hundred. A file of an earlier version has none. */
function waitingIn({ sql }: VerifyContext): Map<number, string> {
  if (columnNames(sql, 'search_waiting').length === 0) return new Map();
  const rows = sql.all<{ row: number; text: string }>('SELECT row, text FROM main.search_waiting');
  return new Map(rows.map(({ row, text }) => [row, text]));
}

function compare({ sql, findings }: VerifyContext, expected: Map<string, Expected>): void {
  sql.exec(`CREATE VIRTUAL TABLE temp.search_run USING fts5vocab('main', 'search_index', 'instance')`);
  const wrong = (run: string) =>
    findings.add(
      'Search does not find what is there, or finds what is not.',
      `search_index, the characters ${JSON.stringify(run)}`,
      remedies.rebuild,
    );
  const rows = sql.iterate<{ term: string } & Expected>(
    `SELECT term, count(*) AS count, sum(doc % ${PRIME}) AS rows, sum("offset") AS places
     FROM temp.search_run GROUP BY term`,
  );
  for (const { term, count, rows: sumOfRows, places } of rows) {
    const sum = expected.get(term);
    expected.delete(term);
    if (sum?.count !== count || sum.rows !== sumOfRows || sum.places !== places) wrong(term);
  }
  for (const run of expected.keys()) wrong(run);
}
