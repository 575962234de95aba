import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { type Commit, type Entry, mapOf } from '../../store/changes.ts';
import { isCreation } from '../protocol/decide.ts';
import type { RecordReader } from '../protocol/siblings.ts';
import { entriesOf, newIn } from './pushed.ts';

/**
 * Whether a record's change is one that the write gate adds to what somebody asked for: a receipt makes its lots and
 * opens inspections, an inspection of rework frees what its report had locked, a correction and a signature stand beside
 * what they are about. Only in the same commit, and only in the form in which the rules write it: an altered station could
 * call anything a consequence.
 */
export function followsByRule(entry: Entry, commit: Commit, read: RecordReader): boolean {
  const family = entry.subject.slice(0, entry.subject.lastIndexOf(':'));
  return byRule[family]?.(entry, commit, read) ?? false;
}

type Check = (entry: Entry, commit: Commit, read: RecordReader) => boolean;

const byRule: Record<string, Check> = {
  inventory: (entry, commit, read) => {
    const lot = idOf(entry.subject);
    const receipts = entriesOf(commit, 'receiving-inspection');
    if (isCreation(entry)) {
      const isPlain = !says(entry, 'opening_quantity') && !says(entry, 'is_locked_by_person');
      return isPlain && receipts.some(receipt => namesLot(receipt, lot));
    }
    const paths = entry.changes.map(({ path }) => path);
    if (paths.every(path => path === 'cost' || path === 'cost_unit')) return receipts.length > 0;
    // What is issued again under another id takes the lots of its receipts along.
    const part = newIn(entry, 'part_id');
    if (paths.every(path => path === 'part_id'))
      return receipts.some(
        receipt =>
          feeds(receipt, lot, read) &&
          receipt.changes.some(({ path, new: now }) => /^items\.\d+\.part_id$/.test(path) && now === part),
      );
    // The report that locked the lot says which inspection of the rework frees it, once that has passed.
    return (
      paths.every(path => path === 'is_locked_by_person' || path === 'lock_reason') &&
      entriesOf(commit, 'ncr').some(
        report =>
          read.value(report.subject, 'inventory_id') === lot &&
          read.value(report.subject, 'disposition') === 'rework' &&
          entriesOf(commit, 'inspection').some(
            inspection =>
              idOf(inspection.subject) === read.value(report.subject, 'rework_inspection_id') &&
              newIn(inspection, 'passed') === true,
          ),
      )
    );
  },

  inspection: (entry, commit, read) => {
    const lot = newIn(entry, 'inventory_id') ?? read.value(entry.subject, 'inventory_id');
    if (!entriesOf(commit, 'receiving-inspection').some(receipt => feeds(receipt, lot, read))) return false;
    if (isCreation(entry))
      return isUnmeasured(entry, read) && !says(entry, 'passed') && !says(entry, 'is_settled');
    const isOpen = (read.value(entry.subject, 'passed') ?? null) === null;
    return (
      isOpen &&
      (isUnmeasured(entry, read) || isMoreOfPlan(entry)) &&
      entry.changes.every(({ path }) => /^(drawing_id|template|sampling|sample_size|samples\b.*)$/.test(path))
    );
  },

  ncr: (entry, commit) =>
    entriesOf(commit, 'inspection').length > 0 &&
    entry.changes.every(({ path }) => path === 'is_lock_lifted'),

  correction: (entry, commit, read) => {
    if (isCreation(entry)) {
      const subject = newIn(entry, 'subject');
      const isUndecided = ['recorded', 'awaiting'].includes(String(newIn(entry, 'status')));
      const isAbout = commit.entries.some(other => other !== entry && other.subject === subject);
      return isAbout && isUndecided && newIn(entry, 'author') === commit.user;
    }
    return isTakenBack(entry, commit, read) || locksFurther(entry, commit, read);
  },

  // What a machine says of itself; which one, its chain says. It stands as it was said.
  'audit-event': isCreation,

  signature: (entry, commit) => {
    const subject = newIn(entry, 'subject');
    return isCreation(entry) && commit.entries.some(other => other !== entry && other.subject === subject);
  },
};

/** More goods of a lot are more to inspect: samples are added, and none that is there is touched. */
function isMoreOfPlan({ changes }: Entry): boolean {
  return changes.every(
    ({ path, new: now }) =>
      path === 'sampling' ||
      path === 'sample_size' ||
      (/^samples\.\d+$/.test(path) && !/"(value|passed)":/.test(JSON.stringify(now ?? null))),
  );
}

/** Whether nothing was measured of an inspection, nor is by the change. */
export function isUnmeasured({ subject, changes }: Entry, read: RecordReader): boolean {
  const measures = (value: unknown) => /"(value|passed)":/.test(JSON.stringify(value ?? null));
  const isMeasured = changes.some(({ path, new: now }) => /\.(value|passed)$/.test(path) || measures(now));
  return !isMeasured && !measures(read.value(subject, 'samples'));
}

/** The value stands again as it did before the correction. */
function isTakenBack(entry: Entry, commit: Commit, read: RecordReader): boolean {
  if (
    !sameJson(
      entry.changes.map(({ path, new: now }) => [path, now]),
      [['status', 'recorded']],
    )
  )
    return false;
  const about = commit.entries.find(({ subject }) => subject === read.value(entry.subject, 'subject'));
  const path = read.value(entry.subject, 'path');
  const change = about?.changes.find(one => one.path === path);
  return change !== undefined && sameJson(change.new ?? null, read.value(entry.subject, 'old_value') ?? null);
}

/** What waits locks the lots that its record comes to speak of as well, and none less. */
function locksFurther({ subject, changes }: Entry, commit: Commit, read: RecordReader): boolean {
  const about = read.value(subject, 'subject');
  if (!changes.every(({ path }) => path === 'lots') || !commit.entries.some(one => one.subject === about))
    return false;
  const [known, lots] = [read.value(subject, 'lots'), changes[0]?.new];
  return Array.isArray(known) && Array.isArray(lots) && known.every(lot => lots.includes(lot));
}

function idOf(subject: string): number {
  return Number(subject.slice(subject.lastIndexOf(':') + 1));
}

function says(entry: Entry, path: string): boolean {
  return (newIn(entry, path) ?? null) !== null;
}

/** Whether a line of the receipt puts goods into the lot, or has done so. */
function feeds(receipt: Entry, lot: unknown, read: RecordReader): boolean {
  if (typeof lot !== 'number') return false;
  const lines = Object.values(mapOf(read.value(receipt.subject, 'items')));
  return namesLot(receipt, lot) || lines.some(line => mapOf(line).inventory_id === lot);
}

/** Whether a receipt's change puts goods into the lot: by a line that is added, or by one that names it from now on. */
function namesLot({ changes }: Entry, lot: number): boolean {
  return changes.some(({ path, new: now }) =>
    path.endsWith('.inventory_id') ? now === lot : mapOf(now).inventory_id === lot,
  );
}
