import type { AnswerContext } from '../rules/answers.ts';
import type { Store } from '../store/store.ts';

/** The moment is taken when an answer first asks for it: few do, and writing it as text is a good part of a short read. */
export class Reading implements AnswerContext {
  readonly records: AnswerContext['records'];
  readonly sql: AnswerContext['sql'];
  readonly #store: Store;
  readonly #clock: () => Date;
  #now: string | undefined;

  constructor(store: Store, clock: () => Date) {
    this.#store = store;
    this.records = store.records;
    this.sql = store.database.reader;
    this.#clock = clock;
  }

  get clockAtLeast(): string | undefined {
    return this.#store.clockWatch.standing()?.atLeast;
  }

  get now(): string {
    this.#now ??= this.#clock().toISOString();
    return this.#now;
  }
}
