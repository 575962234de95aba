import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { RemotePart } from '../../store/commit.ts';
import { plain } from '../log/decided-store.ts';
import { isInPlace } from '../log/place-of-record.ts';
import { shownOf } from '../log/shown.ts';
import type { Rules } from '../protocol/decide.ts';
import type { connected } from '../protocol/overlay.ts';

export type Group = ReturnType<typeof connected>;

export interface RebaseStore {
  /** As the transaction has decided them. */
  decided: { get(key: string): StoredRecord | undefined };
  /** As they stand. */
  standing: (key: string) => StoredRecord | undefined;
  /** See `isInPlace`. */
  places: ReadonlyMap<string, number>;
  isWithdrawn: (commit: string) => boolean;
  rules: Rules;
}

/** What is to be written so that the records of a group are shown as they are decided, with what is undecided on top. */
export function rebasePending(group: Group, read: RebaseStore): Pick<RemotePart, 'puts' | 'removals'> {
  const { decided, standing, places, isWithdrawn, rules } = read;
  const puts: StoredRecord[] = [];
  const removals: string[] = [];
  for (const [key, record] of shownOf(group, one => decided.get(one), isWithdrawn, rules)) {
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
