/**
 * Callbacks run at once after a commit: more than a group of ordinary commits has. The many of an import go in portions,
 * so that requests are answered in between and what they tell is taken in before the next.
 */
const portion = 200;

/** Callbacks that wait for the commit of the transaction in which they were queued. */
export class AfterCommit {
  readonly #waiting: (() => void)[] = [];
  #due: ((() => void) | undefined)[] = [];
  #next = 0;
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
    for (const callback of this.#waiting) this.#due.push(callback);
    this.#waiting.length = 0;
    if (!this.#isDelivering) this.#deliverPortion(portion);
  }

  /** Runs what an earlier delivery has left for later. */
  finish(): void {
    this.#deliverPortion(Number.POSITIVE_INFINITY);
  }

  #deliverPortion(limit: number): void {
    this.#isDelivering = true;
    for (let count = 0; this.#next < this.#due.length; count++) {
      if (count === limit) {
        setImmediate(() => this.#deliverPortion(limit));
        return;
      }
      const callback = this.#due[this.#next];
      this.#due[this.#next++] = undefined;
      try {
        callback?.();
      } catch (error) {
        // What is committed stays committed, so the committer must not see this error as its own.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    this.#due = [];
    this.#next = 0;
    this.#isDelivering = false;
  }
}
