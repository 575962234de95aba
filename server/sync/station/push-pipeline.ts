/** After one that came to nothing: the way may let one through at a time, or central may be slow. */
const ALONE = 10;

/** Whether another push may be sent before the last one is answered. */
export class PushPipeline {
  #isTaken = false;
  /** Pushes to come of which each waits for its answer. */
  #alone = 0;

  get isAllowed(): boolean {
    return this.#isTaken && this.#alone === 0;
  }

  /** How many pushes central takes at once, as every answer says. */
  told(pushes = 1): void {
    this.#isTaken = pushes > 1;
  }

  /** Central answered a push. */
  answered(): void {
    this.#alone = Math.max(0, this.#alone - 1);
  }

  /** A push failed, or came before the one that it follows. */
  failed(): void {
    this.#alone = ALONE;
  }
}
