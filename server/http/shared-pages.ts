import type { Store } from '../store/store.ts';

/** Characters kept at most, of all pages together. */
const MOST = 4 * 1024 * 1024;

/** Rows of an answer as JSON, and whatever else the answer says. */
export interface TextPage {
  rows: readonly string[];
}

interface Kept<Page> {
  page: Promise<Page>;
  /** Characters; 0 while it is being made. */
  size: number;
}

/**
 * Pages that many ask for at the same state of the store, as those who follow changes do: each is made once, and shared by all
 * who ask while nothing is written. What a page depends on beside the store stands in its name.
 */
export class SharedPages<Page extends TextPage> {
  readonly #pages = new Map<string, Kept<Page>>();
  #state = 0;
  #size = 0;

  of({ database }: Pick<Store, 'database'>, name: string, make: () => Promise<Page>): Promise<Page> {
    const state = database.stateNumber;
    if (state !== this.#state) this.#begin(state);
    const known = this.#pages.get(name);
    if (known) return known.page;
    const kept: Kept<Page> = { page: make(), size: 0 };
    this.#pages.set(name, kept);
    kept.page.then(
      page => this.#measure(name, kept, page),
      () => this.#forget(name, kept),
    );
    return kept.page;
  }

  #begin(state: number): void {
    this.#pages.clear();
    this.#size = 0;
    this.#state = state;
  }

  #measure(name: string, kept: Kept<Page>, { rows }: Page): void {
    if (this.#pages.get(name) !== kept) return;
    kept.size = name.length + rows.reduce((sum, row) => sum + row.length, 0);
    this.#size += kept.size;
    for (const [oldest, each] of this.#pages) {
      if (this.#size <= MOST) return;
      this.#forget(oldest, each);
    }
  }

  #forget(name: string, kept: Kept<Page>): void {
    if (this.#pages.get(name) !== kept) return;
    this.#pages.delete(name);
    this.#size -= kept.size;
  }
}
