import type { Commit } from '../../store/changes.ts';
import { earlierSince, logStart } from '../../store/earlier-history.ts';
import { COMMIT_COLUMNS, columnsOf, readHistory } from '../../store/history.ts';
import type { Store } from '../../store/store.ts';
import { sha256 } from '../log/log.ts';
import type { EarlierAnswer, EarlierRequest } from '../protocol/earlier.ts';
import { commitHash } from '../protocol/log.ts';

/** What became of a record's part of an answer: its list is whole, goes on before that, or cannot be taken. */
export type Kept = 'whole' | 'more' | Error;

/**
 * Keeps what central answers of records' histories, each record in a transaction of its own. Nothing of a log is proved
 * but by all of it; so each commit is what its hash says, touches the record, stands where it was asked for and where this
 * station knows of no other, and a whole list has all that wrote what the record holds.
 */
export async function keepEarlier(
  store: Store,
  { until, records }: EarlierRequest,
  { records: answered, commits }: EarlierAnswer,
): Promise<Map<string, Kept>> {
  const kept = new Map<string, Kept>();
  const asked = new Map(records.map(({ key, before }) => [key, before]));
  if (answered.length === 0) throw new Error('Central answers nothing of what was asked.');
  const isWanted = (commit: Commit) => commit.entries.some(({ subject }) => asked.has(subject));
  if (!commits.every(({ commit }) => isWanted(commit))) {
    throw new Error('Central answers with commits of records that were not asked for.');
  }
  for (const { key, from } of answered) {
    const before = asked.get(key);
    const isAsked = before !== undefined && from < before && !kept.has(key);
    if (!isAsked) throw new Error(`Central answers what was not asked: ${key} from place ${from}.`);
    const list = commits.filter(
      ({ sequence, commit }) =>
        sequence >= from && sequence < before && commit.entries.some(({ subject }) => subject === key),
    );
    kept.set(key, await keepList(store, until, { key, from, before, list }).catch(asRefused));
  }
  return kept;
}

class Refused extends Error {}

function asRefused(error: unknown): Error {
  if (error instanceof Refused) return error;
  throw error;
}

interface List {
  key: string;
  from: number;
  before: number;
  list: EarlierAnswer['commits'];
}

function keepList(
  store: Store,
  until: EarlierRequest['until'],
  { key, from, before, list }: List,
): Promise<Kept> {
  const { database, gate } = store;
  return gate.applyRemote<Kept>(() => {
    const start = logStart(database);
    const isSame =
      start?.hash === until.hash && (earlierSince(database, key) ?? start.sequence + 1) === before;
    if (!isSame) throw new Refused("Central's log was another one meanwhile. Look again.");
    for (const { sequence, commit } of list) keepCommit(store, key, sequence, commit, start.sequence);
    database.run(
      `INSERT INTO earlier_record (subject, since) VALUES (?, ?)
       ON CONFLICT (subject) DO UPDATE SET since = excluded.since`,
      key,
      from,
    );
    if (from === 0) refuseGaps(store, key);
    return { result: from === 0 ? 'whole' : 'more' };
  });
}

function keepCommit(store: Store, key: string, sequence: number, commit: Commit, start: number): void {
  const { database } = store;
  const { chain, number, hash } = commit;
  const where = `commit ${number} of chain ${chain}`;
  if (commitHash(commit, sha256) !== hash) throw new Refused(`The ${where} is not what its hash says.`);
  const there = database.get<{ sequence: number; hash: string }>(
    'SELECT sequence, hash FROM earlier_commit WHERE sequence = ? OR (chain = ? AND number = ?)',
    sequence,
    chain,
    number,
  );
  if (there && (there.hash !== hash || there.sequence !== sequence))
    throw new Refused(`The ${where} came before as another one.`);
  const later = database.get(
    'SELECT 1 FROM log WHERE chain = ? AND number = ? AND sequence > ?',
    chain,
    number,
    start,
  );
  if (later) throw new Refused(`The ${where} stands at another place of the log.`);
  if (!there) {
    database.run(
      `INSERT INTO earlier_commit (sequence, ${COMMIT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      sequence,
      ...columnsOf(commit),
    );
  }
  database.run('INSERT INTO earlier_subject (subject, sequence) VALUES (?, ?)', key, sequence);
}

/** Who created the record and who wrote the values that it holds stands in its history. */
function refuseGaps({ database, pending }: Store, key: string): void {
  const record = pending.getByKey(key);
  if (!record) return;
  const { commits } = readHistory(database, pending.subjectNumberOf(key), 0, Number.MAX_SAFE_INTEGER, key);
  const known = new Set(commits.map(({ commit_id: id }) => id));
  const writers = Object.values(record.writers).flatMap(writer =>
    typeof writer === 'string' ? writer : writer.map(({ commit }) => commit),
  );
  const gap = [record.creator, ...writers].find(id => !known.has(id));
  if (gap !== undefined) throw new Refused(`The commit ${gap}, which wrote what stands, is not among them.`);
}
