import type { StoredRecord } from '../../shared/contract/present.ts';

/** Records kept: those of some pages, about 2 MB. So many more are remembered as seen once. */
const LIMIT = 1_000;

/** What tells one state of a record from all others: the number of the change that wrote it, and its checksum. */
interface State {
  sequence: number;
  seal: number;
}

/**
 * The records that lists and pages have shown lately, so that one that is asked for again is not parsed again: a third of what
 * it costs. The row is read all the same and says which state it holds, so that nothing here can be out of date. What
 * is returned is shared by all who ask, and read only.
 */
export class RecentRecords {
  readonly #records = new Map<number, { seal: number; record: StoredRecord }>();
  /** The numbers of changes that were asked for once. */
  readonly #seen = new Set<number>();

  of({ sequence, seal }: State, parse: () => StoredRecord): StoredRecord {
    const known = this.#records.get(sequence);
    if (known?.seal === seal) return known.record;
    const record = parse();
    if (this.#seen.delete(sequence)) {
      this.#records.set(sequence, { seal, record });
      forgetOldest(this.#records);
    } else {
      this.#seen.add(sequence);
      forgetOldest(this.#seen);
    }
    return record;
  }
}

/** Maps and sets are in the order of their filling. */
function forgetOldest(kept: Map<number, unknown> | Set<number>): void {
  if (kept.size <= LIMIT) return;
  for (const oldest of kept.keys()) {
    kept.delete(oldest);
    return;
  }
}
