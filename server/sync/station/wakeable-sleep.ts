import { setTimeout as sleep } from 'node:timers/promises';

/** A pause that ends early when there is something to do, also when that came before it began. */
export class WakeableSleep {
  /** Something happened that the next pause must not sleep through. */
  #isWoken = false;
  #end: () => void = () => {};

  wake(): void {
    this.#isWoken = true;
    this.#end();
  }

  /** True when the time is over, false when something woke it. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#isWoken && !signal.aborted) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, milliseconds);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const isOver = !this.#isWoken;
    this.#isWoken = false;
    return isOver;
  }

  /** Whatever happens meanwhile waits, but for the signal. */
  async rest(milliseconds: number, signal: AbortSignal): Promise<void> {
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
