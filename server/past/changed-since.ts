import { type Dated, momentOf } from '../../shared/contract/moment-of.ts';
import type { Commit, Entry } from '../store/changes.ts';
import { markSql, readCommitText } from '../store/commit-text.ts';
import { readCommit } from '../store/history.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import { recordsIn } from '../store/subjects.ts';
import { decisionsOf } from '../sync/log/log.ts';
import { isCreation } from '../sync/protocol/decide.ts';
import type { Cut } from './cut.ts';
import type { Steps } from './steps.ts';

/**
 * Of a record that something says something of which does not count: it was not there then (`unborn`), it was there and was
 * another (`changed`), or it has to be worked out (`unsure`).
 */
export type Changed = 'unborn' | 'changed' | 'unsure';

export interface Since {
  /** By key. What is not here was then as it stands now. */
  records: Map<string, Changed>;
  /** Commits that count. */
  counted: number;
}

interface Row extends Dated, Pick<Commit, 'chain' | 'number'> {
  /** In the log, or in history where there is none. */
  place: number;
  /** In history. */
  sequence: number;
  decisions: string;
}

/** Read at once, so that nothing else waits long. */
const SLICE = 500;

const IN_LOG = `SELECT log.sequence AS place, log.decisions, h.sequence, h.chain, h.number, h.at, h.clock_offset, ${markSql('h.entries')}
  FROM log JOIN history AS h ON h.chain = log.chain AND h.number = log.number AND h.commit_id = log.commit_id
  WHERE log.sequence > ? ORDER BY log.sequence LIMIT ${SLICE}`;
const IN_HISTORY = `SELECT sequence AS place, '' AS decisions, sequence, chain, number, at, clock_offset, ${markSql('entries')}
  FROM history WHERE sequence > ? ORDER BY sequence LIMIT ${SLICE}`;

/**
 * The records that were not then as they are now. Goes once through the log, which costs little for what counts; of what
 * does not, the entries are read.
 * @param step awaited between two slices
 */
export async function changedSince(
  sql: SqlReader,
  steps: Steps,
  cut: Cut,
  step: () => Promise<void>,
): Promise<Since> {
  // What was taken as records counts.
  const since: Since = { records: new Map(), counted: steps.start.sequence };
  const statement = steps.hasLog ? IN_LOG : IN_HISTORY;
  const from = cut.kind === 'place' ? Math.max(cut.place, steps.start.sequence) : steps.start.sequence;
  if (cut.kind === 'place') since.counted = cut.place;
  let isOrdered = true;
  for (let last = from; ; ) {
    const rows = sql.all<Row>(statement, last);
    for (const row of rows) {
      if (counts(row, steps, cut)) {
        since.counted += 1;
        isOrdered &&= since.records.size === 0;
      } else note(sql, row, steps, cut, since.records);
      await step();
    }
    last = rows.at(-1)?.place ?? last;
    if (rows.length < SLICE) break;
  }
  // What was known here is told by the order of arrival, and this machine's clock was set back.
  if (cut.kind === 'here' && !isOrdered)
    for (const key of since.records.keys()) since.records.set(key, 'unsure');
  if (steps.isStation) since.counted += noteUndecided(sql, cut, since.records);
  return since;
}

function counts(row: Row, steps: Steps, cut: Cut): boolean {
  if (cut.kind === 'place') return row.place <= cut.place;
  const { place } = row;
  const moment =
    cut.kind === 'moment' ? steps.momentAt(place, row) : (steps.knownAt({ place, by: row }) ?? '');
  return moment <= cut.at;
}

function note(sql: SqlReader, row: Row, steps: Steps, cut: Cut, records: Map<string, Changed>): void {
  const entries = entriesAt(sql, row.sequence);
  const isPlain = row.decisions === '';
  // What was written here was shown before the log said anything of it.
  const isSure = isPlain && !(cut.kind === 'here' && steps.isStation && steps.isOwn(row));
  for (const entry of entries) {
    const [key] = recordsIn([entry]);
    if (key === undefined) continue;
    add(records, key, isSure ? (isCreation(entry) ? 'unborn' : 'changed') : 'unsure');
  }
  if (isPlain) return;
  const commit = readCommit(sql, row.chain, row.number);
  const decided = commit ? decisionsOf(row, commit) : [];
  for (const { commit_id: id } of decided)
    for (const key of recordsIn(entriesOf(sql, id))) add(records, key, 'unsure');
}

/** What is written here and not in the log. Answers how many of it count. */
function noteUndecided(sql: SqlReader, cut: Cut, records: Map<string, Changed>): number {
  const rows =
    sql.all<Row>(`SELECT h.sequence, h.at, h.clock_offset, ${markSql('h.entries')} FROM undecided AS u
    JOIN history AS h USING (sequence)`);
  let counted = 0;
  for (const row of rows) {
    const moment = cut.kind === 'moment' ? momentOf(row) : row.at;
    if (cut.kind !== 'place' && moment <= cut.at) counted += 1;
    else for (const key of recordsIn(entriesAt(sql, row.sequence))) add(records, key, 'unsure');
  }
  return counted;
}

/** Once something has to be worked out, it has. */
function add(records: Map<string, Changed>, key: string, changed: Changed): void {
  const known = records.get(key);
  if (known === 'unsure' || (known === 'unborn' && changed === 'changed')) return;
  records.set(key, changed);
}

function entriesAt(sql: SqlReader, sequence: number): Entry[] {
  return entriesIn(sql.get<{ entries: string }>('SELECT entries FROM history WHERE sequence = ?', sequence));
}

/** Of a commit that an entry lets in, gives up, or decides with it. */
function entriesOf(sql: SqlReader, commit: string): Entry[] {
  const statement = `SELECT h.entries FROM log JOIN history AS h
    ON h.chain = log.chain AND h.number = log.number AND h.commit_id = log.commit_id WHERE log.commit_id = ?`;
  return sql.all<{ entries: string }>(statement, commit).flatMap(entriesIn);
}

function entriesIn(row: { entries: string } | undefined): Entry[] {
  return (row && readCommitText(row.entries)?.entries) ?? [];
}
