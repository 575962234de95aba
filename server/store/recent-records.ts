import type { StoredRecord } from '../../shared/contract/present.ts';

/** Records kept: those of some pages, about 2 MB. So many more are remembered as seen once. */
const LIMIT = 1_024;

/** What tells one state of a record from all others: the number of the change that wrote it, and its checksum. */
interface State {
  sequence: number;
  seal: number;
}

/**
 * The records that lists and pages have shown lately, so that one that is asked for again is not parsed again: a third of what
 * it costs. The row is read all the same and says which state it holds, so that nothing here can be out of date. What
 * is returned is shared by all who ask, and read only. Each state has one place, which the next one with that place takes:
 * keeping an order of use would cost a read of a record that is not asked for again more than this saves.
 */
export class RecentRecords {
  readonly #records: ((State & { record: StoredRecord }) | undefined)[] = Array.from({ length: LIMIT });
  /** By place, the change that was asked for there last and once. */
  readonly #seen = new Float64Array(LIMIT);

  of({ sequence, seal }: State, parse: () => StoredRecord): StoredRecord {
    const place = sequence % LIMIT;
    const known = this.#records[place];
    if (known?.sequence === sequence && known.seal === seal) return known.record;
    const record = parse();
    if (this.#seen[place] === sequence) this.#records[place] = { sequence, seal, record };
    else this.#seen[place] = sequence;
    return record;
  }
}
