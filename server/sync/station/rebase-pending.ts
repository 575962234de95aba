import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { RemotePart } from '../../store/commit.ts';
import { plain } from '../log/decided-store.ts';
import { isInPlace } from '../log/place-of-record.ts';
import { type Showing, shownOf } from '../log/shown.ts';
import type { connected } from '../protocol/overlay.ts';

export type Group = ReturnType<typeof connected>;

export interface RebaseStore extends Showing {
  /** As the transaction has decided them. */
  decided: { get(key: string): StoredRecord | undefined };
  /** As they stand. */
  standing: (key: string) => StoredRecord | undefined;
  /** See `isInPlace`. */
  places: ReadonlyMap<string, number>;
}

/** What is to be written so that the records of a group are shown as they are decided, with what is undecided on top. */
export function rebasePending(group: Group, read: RebaseStore): Pick<RemotePart, 'puts' | 'removals'> {
  const { decided, standing, places } = read;
  const puts: StoredRecord[] = [];
  const removals: string[] = [];
  for (const [key, record] of shownOf(group, one => decided.get(one), read)) {
    const now = standing(key);
    if (record === undefined) {
      if (now) removals.push(key);
    } else if (!now) puts.push(record);
    else if (!isInPlace(now, record, places) && !isSame(now, record)) puts.push(record);
  }
  return { puts, removals };
}

function isSame(now: StoredRecord, record: StoredRecord): boolean {
  return now.folded === record.folded && sameJson(plain(now), plain(record));
}
