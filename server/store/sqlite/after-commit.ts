/** Callbacks that wait for the commit of the transaction in which they were queued. */
export class AfterCommit {
  readonly #waiting: (() => void)[] = [];
  readonly #due: (() => void)[] = [];
  #isDelivering = false;

  /** How many wait, for `forget`. */
  get size(): number {
    return this.#waiting.length;
  }

  add(callback: () => void): void {
    this.#waiting.push(callback);
  }

  /** Forgets those queued since there were `size` of them: what they were to follow is undone. */
  forget(size: number): void {
    this.#waiting.length = size;
  }

  /** Runs those that wait, in the order of queueing, also when one of them commits something itself. */
  deliver(): void {
    this.#due.push(...this.#waiting.splice(0));
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    for (let next = this.#due.shift(); next !== undefined; next = this.#due.shift()) {
      try {
        next();
      } catch (error) {
        // What is committed stays committed, so the committer must not see this error as its own.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    this.#isDelivering = false;
  }
}
