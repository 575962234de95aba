import { AppError } from '../../../shared/contract/errors.ts';
import { readLoggedBefore } from '../../store/history.ts';
import type { Store } from '../../store/store.ts';
import { Log } from '../log/log.ts';
import type { EarlierAnswer, EarlierRequest } from '../protocol/earlier.ts';
import { PAGE_LIMIT } from '../protocol/wire.ts';

/** Characters of JSON in one answer, but for a commit that alone has more. */
const MOST = 4 * 1024 * 1024;

/** What a commit has beside its entries, in characters of JSON. */
const BESIDE = 500;

/**
 * The commits of records from before the place at which a station took records in place of the log, the newest first.
 * @throws AppError `conflict` where this log has no such place: the exchange finds out what that means
 */
export function earlierCommits(store: Store, { until, records, size }: EarlierRequest): EarlierAnswer {
  const { database, records: read } = store;
  const { reader } = database;
  if (new Log(database, reader).hashAt(until.sequence) !== until.hash) {
    throw new AppError('conflict', "Central's log has no such place. Exchange with it first.");
  }
  const commits = new Map<number, EarlierAnswer['commits'][number]>();
  const answered: EarlierAnswer['records'] = [];
  let left = Math.min(size, MOST);
  for (const { key, before } of records) {
    let from = Math.min(before, until.sequence + 1);
    let isWhole = true;
    // Of a family that this version does not know no list is kept.
    const [subject] = read.getByKey(key) ? read.subjectNumbersOf([key]) : [];
    const found = subject === undefined ? [] : readLoggedBefore(reader, subject, from);
    for (const { sequence, length, commit } of found) {
      if (!commits.has(sequence)) {
        left -= length + BESIDE;
        isWhole = commits.size === 0 || (left >= 0 && commits.size < PAGE_LIMIT);
        if (!isWhole) break;
        commits.set(sequence, { sequence, commit: commit() });
      }
      from = sequence;
    }
    if (isWhole || from < before) answered.push({ key, from: isWhole ? 0 : from });
    if (!isWhole) break;
  }
  return { records: answered, commits: [...commits.values()] };
}
