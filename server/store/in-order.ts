/** Runs what belongs to one key one after the other, in the order in which it was asked for. */
export class InOrder<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  /** Begins at once where nothing of the key is under way. */
  run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key);
    const running = before ? before.then(work, work) : work();
    this.#last.set(key, running);
    const forget = () => {
      if (this.#last.get(key) === running) this.#last.delete(key);
    };
    running.then(forget, forget);
    return running;
  }
}
