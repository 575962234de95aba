/** So long after a request others may follow it. In milliseconds. */
const LATELY_MS = 250;

/** Whether anybody asks here: long work that nobody waits for at once leaves them the room. */
export class Traffic {
  #last = Number.NEGATIVE_INFINITY;

  /** A request has come. */
  note(): void {
    this.#last = performance.now();
  }

  get isBusy(): boolean {
    return performance.now() - this.#last < LATELY_MS;
  }
}
