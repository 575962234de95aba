import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { Commit } from '../../store/changes.ts';
import type { RecordReader } from '../protocol/siblings.ts';

/** Whether the commit itself says that the change waits for quality, and locks the lots that it could free. */
export function isAwaiting(
  { entries }: Pick<Commit, 'entries'>,
  subject: string,
  path: string,
  read: RecordReader,
): boolean {
  return entries.some(entry => {
    if (!entry.subject.startsWith('correction:')) return false;
    const said = (name: string) => entry.changes.find(change => change.path === name)?.new ?? null;
    if (said('subject') !== subject || said('path') !== path || said('status') !== 'awaiting') return false;
    const locked = said('lots');
    const lot = lotOf(subject, path, read);
    if (typeof lot === 'number') return Array.isArray(locked) && locked.includes(lot);
    const batch = read.value(subject, 'batch_number') ?? null;
    return (
      !subject.startsWith('lab-result:') || sameJson(batch, said('batch_number')) || Array.isArray(locked)
    );
  });
}

/** The lot that a value has a say in, as it stands; undefined for none. */
function lotOf(subject: string, path: string, read: RecordReader): unknown {
  if (subject.startsWith('inventory:')) return Number(subject.slice('inventory:'.length));
  const [item] = /^items\.\d+/.exec(path) ?? [];
  return read.value(subject, item === undefined ? 'inventory_id' : `${item}.inventory_id`) ?? undefined;
}
