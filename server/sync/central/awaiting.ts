import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { isSaid } from '../../../shared/contract/permission.ts';
import { hasRole } from '../../../shared/contract/role.ts';
import type { Commit, Entry } from '../../store/changes.ts';
import type { RecordReader } from '../protocol/siblings.ts';
import { newIn, type Pushed } from './pushed.ts';

/** Whether the commit itself says that the change waits for quality, and locks the lots that it could free. */
export function isAwaiting(
  { entries }: Pick<Commit, 'entries'>,
  subject: string,
  path: string,
  read: RecordReader,
): boolean {
  return entries.some(entry => {
    if (!entry.subject.startsWith('correction:')) return false;
    const said = (name: string) => newIn(entry, name) ?? null;
    if (said('subject') !== subject || said('path') !== path || said('status') !== 'awaiting') return false;
    const locked = said('lots');
    const isLocked = (lot: unknown) => Array.isArray(locked) && locked.includes(lot);
    const lots = lotsOf(entries, subject, path, read);
    if (lots.length > 0) return lots.every(isLocked);
    const batch = valueIn(entries, subject, 'batch_number', read);
    return (
      !subject.startsWith('lab-result:') ||
      sameJson(batch, said('batch_number')) ||
      (Array.isArray(locked) && locked.length > 0)
    );
  });
}

/** Whether quality says it with a reason, or the commit says that it waits for quality. */
export function isSomebodysWord({ rights, commit, entry, read }: Pushed, path: string): boolean {
  const isOfQuality = rights.kind === 'person' && hasRole(rights.roles, 'quality');
  return (isOfQuality && isSaid(commit.reason)) || isAwaiting(commit, entry.subject, path, read);
}

/** The lots that a value has a say in, as it stands and as the commit leaves it. */
function lotsOf(entries: readonly Entry[], subject: string, path: string, read: RecordReader): number[] {
  if (subject.startsWith('inventory:')) return [Number(subject.slice('inventory:'.length))];
  const [item] = /^items\.\d+/.exec(path) ?? [];
  const name = item === undefined ? 'inventory_id' : `${item}.inventory_id`;
  const named = [read.value(subject, name), valueIn(entries, subject, name, read)];
  return named.filter(lot => typeof lot === 'number');
}

/** A value of the record as the commit leaves it. */
function valueIn(entries: readonly Entry[], subject: string, path: string, read: RecordReader): unknown {
  const about = entries.find(entry => entry.subject === subject);
  const change = about?.changes.find(one => one.path === path);
  return (change ? change.new : read.value(subject, path)) ?? null;
}
