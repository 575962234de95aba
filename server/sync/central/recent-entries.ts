import type { SignedEntry } from '../protocol/packed-entries.ts';

/** Bounds of what is kept: entries, and changes of records in them, which are what makes an entry large. */
const MOST_ENTRIES = 5_000;
const MOST_CHANGES = 50_000;

/** The end of the log as it was written: what stations ask for soon is not read, parsed and hashed for each of them. */
export class RecentEntries {
  /** Without a gap. */
  #entries: SignedEntry[] = [];
  #changes = 0;

  /** Entries that are durable, in their order. */
  add(entries: readonly SignedEntry[]): void {
    for (const entry of entries) {
      const last = this.#entries.at(-1);
      if (last && last.sequence + 1 !== entry.sequence) this.#keep([]);
      this.#entries.push(entry);
      this.#changes += changesIn(entry);
    }
    // Half at once, so that not each entry moves all the others.
    while (this.#entries.length > MOST_ENTRIES || this.#changes > MOST_CHANGES) {
      this.#keep(this.#entries.slice(Math.ceil(this.#entries.length / 2)));
    }
  }

  /** Entries after a place, from the next one on; undefined where that is not here. */
  after(sequence: number, limit: number): SignedEntry[] | undefined {
    const start = sequence + 1 - (this.#entries[0]?.sequence ?? 0);
    return start < 0 || start >= this.#entries.length ? undefined : this.#entries.slice(start, start + limit);
  }

  #keep(entries: SignedEntry[]): void {
    this.#entries = entries;
    this.#changes = entries.reduce((sum, entry) => sum + changesIn(entry), 0);
  }
}

function changesIn({ commit }: SignedEntry): number {
  return commit.entries.reduce((sum, { changes }) => sum + changes.length, 0);
}
