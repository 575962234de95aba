const NO_SECOND_SOURCE = 'nothing else in the file says what stood there';
const SEARCH = 'lengths, averages and links between segments, which change no hit';
const BOOKKEEPING = 'bookkeeping of RxDB, which no answer is read from';

/** What `verify` is known not to see, by table or by one column of it, and why. */
const GAPS: Record<string, string> = {
  sqlite_stat1: 'hints for the planner of queries, which change no result',
  sqlite_sequence: NO_SECOND_SOURCE,
  sqlite_schema: 'the definitions are not compared; some of these stop the start',
  search_index_config: SEARCH,
  search_index_data: SEARCH,
  search_index_docsize: SEARCH,
  search_index_idx: SEARCH,
  search_waiting: SEARCH,
  collection_sequence: BOOKKEEPING,
  holdpoint___005frxdb_005finternal__0: `${BOOKKEEPING}; some of these stop the start`,
  'holdpoint__records__0.sequence': BOOKKEEPING,
  token: NO_SECOND_SOURCE,
  local: NO_SECOND_SOURCE,
  time_mark: NO_SECOND_SOURCE,
  block: NO_SECOND_SOURCE,
  allocation: 'a counter that leaps ahead leaves ids out',
  remembered_answer: NO_SECOND_SOURCE,
  token_use: 'it says when a token was used, and nothing follows from it',
  family_number: 'a family without records is numbered anew',
};

/** Why verify overlooks a change there; undefined where it must not. */
export function overlooked(table: string | null, column: string | null): string | undefined {
  return GAPS[`${table}`] ?? GAPS[`${table}.${column}`];
}
