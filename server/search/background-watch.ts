/** Keys of records of which something is so. */
export interface WatchOptions {
  /** Every record that it can be so of; gone through once, some at a time. */
  candidates: () => Iterable<string>;
  isSo: (key: string) => boolean;
  onFault: (error: unknown) => void;
}

/** At a time, in milliseconds: what a request may have to wait for. */
const STRETCH_MS = 5;

/**
 * Knows which records something is so of that takes too long to ask of all of them at once. Goes through them between
 * requests, from the first time that it is asked, and then looks again at those that change.
 */
export class BackgroundWatch {
  readonly #options: WatchOptions;
  readonly #found = new Set<string>();
  readonly #changed = new Set<string>();
  #candidates: Iterator<string> | undefined;
  #hasStarted = false;
  #isClosed = false;
  #timer: NodeJS.Immediate | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** What is known by now; not complete while there is more to go through. */
  read(): { keys: string[]; isComplete: boolean } {
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      this.#candidates = this.#options.candidates()[Symbol.iterator]();
    }
    this.#stretch();
    return { keys: [...this.#found], isComplete: !this.#hasMore };
  }

  /** Whether somebody has asked; before that there is nothing to look at again. */
  get isStarted(): boolean {
    return this.#hasStarted;
  }

  /** Of which it was so when they were looked at last. */
  found(): readonly string[] {
    return [...this.#found];
  }

  has(key: string): boolean {
    return this.#found.has(key);
  }

  /** These may have changed. */
  lookAgain(keys: Iterable<string>): void {
    if (this.#hasStarted) for (const key of keys) this.#changed.add(key);
  }

  close(): void {
    this.#isClosed = true;
    clearImmediate(this.#timer);
  }

  get #hasMore(): boolean {
    return this.#candidates !== undefined || this.#changed.size > 0;
  }

  #stretch(): void {
    const end = performance.now() + STRETCH_MS;
    while (this.#hasMore && performance.now() < end) this.#next();
    if (!this.#hasMore || this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setImmediate(() => {
      this.#timer = undefined;
      try {
        this.#stretch();
      } catch (error) {
        this.#options.onFault(error);
      }
    });
  }

  #next(): void {
    const [changed] = this.#changed;
    if (changed !== undefined) {
      this.#changed.delete(changed);
      this.#look(changed);
      return;
    }
    const next = this.#candidates?.next();
    if (!next || next.done) this.#candidates = undefined;
    else this.#look(next.value);
  }

  #look(key: string): void {
    if (this.#options.isSo(key)) this.#found.add(key);
    else this.#found.delete(key);
  }
}
