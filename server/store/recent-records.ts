import type { StoredRecord } from '../../shared/present.ts';

/** Records kept: those of some pages, about 2 MB. */
const LIMIT = 1_000;

/** What tells one state of a record from all others: the number of the change that wrote it, and its checksum. */
interface State {
  sequence: number;
  seal: number;
}

/**
 * The records that lists have shown lately, so that a list that is asked for again is not parsed again: a third of what
 * it costs. The row is read all the same and says which state it holds, so that nothing here can be out of date. What
 * is returned is shared by all who ask, and read only.
 */
export class RecentRecords {
  readonly #records = new Map<number, { seal: number; record: StoredRecord }>();

  of({ sequence, seal }: State, parse: () => StoredRecord): StoredRecord {
    const known = this.#records.get(sequence);
    if (known?.seal === seal) return known.record;
    const record = parse();
    this.#records.set(sequence, { seal, record });
    if (this.#records.size > LIMIT) {
      const [oldest] = this.#records.keys();
      if (oldest !== undefined) this.#records.delete(oldest);
    }
    return record;
  }
}
