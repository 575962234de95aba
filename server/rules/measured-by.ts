import { AppError } from '../../shared/contract/errors.ts';
import { judge } from '../../shared/contract/permission.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { measuredPaths } from '../../shared/families/inspection.ts';
import { familyOfKey } from '../../shared/families/registry.ts';
import type { Commit } from '../store/changes.ts';
import { readHistory } from '../store/history.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import { writersOf } from '../store/writers.ts';
import { ownLogins } from './own-logins.ts';

/**
 * Who measured what stands, or said that it failed, does not take that back: neither by the verdict nor by accepting what a
 * program made of it (interface decisions, 5.7).
 * @throws AppError `forbidden`
 */
export function refuseMeasurer(work: UnitOfWork, record: StoredRecord): void {
  const own = ownLogins(work);
  const { commits } = readHistory(
    work.sql,
    work.records.subjectNumberOf(record.key),
    0,
    Number.MAX_SAFE_INTEGER,
    record.key,
  );
  const measuring = new Set(
    ['passed', ...measuredPaths(record.fields.samples)].flatMap(path => writersOf(record, path)),
  );
  const failed = commits.findLast(commit => saysFailed(commit, record.key));
  const isOwn = commits.some(
    commit => own.has(commit.user) && (measuring.has(commit.commit_id) || commit === failed),
  );
  if (!isOwn) return;
  const message =
    'What failed is taken back by another person than the one who measured. Ask somebody else with the role quality.';
  throw new AppError('forbidden', message);
}

function saysFailed({ entries }: Commit, key: string): boolean {
  return entries.some(
    ({ subject, changes }) =>
      subject === key && changes.some(({ path, new: value }) => path === 'passed' && value === false),
  );
}

/** What needed another person than those who measured is accepted by another person as well. */
export const accepting: Rule = (work, { before, fields }) => {
  if (before?.fields.status !== 'awaiting' || fields.status !== 'accepted') return;
  const { subject, path, old_value: old = null, new_value: now = null } = before.fields;
  const family = familyOfKey(String(subject));
  if (!family) return;
  const { met } = judge(family, [{ path: String(path), old, new: now }], false, work.actor.rights);
  const record = work.records.getByKey(String(subject));
  if (record && met.some(({ rule }) => rule.needsAnother)) refuseMeasurer(work, record);
};
