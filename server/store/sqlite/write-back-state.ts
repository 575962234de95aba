/** What the thread that writes back is told and shares with the one that asks. */
export interface WriteBackTask {
  file: string;
  /** One word, by which both sides know how far it is. */
  state: Int32Array;
}

const [IDLE, ASKED, RUNNING] = [0, 1, 2];

/** A disk that has not taken a few megabytes by then takes nothing that is waited for. */
const LONGEST_MS = 10_000;

export function newState(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Whether it may be asked for: nothing is under way. */
export function isIdle(state: Int32Array): boolean {
  return Atomics.load(state, 0) === IDLE;
}

export function asks(state: Int32Array): void {
  Atomics.store(state, 0, ASKED);
}

/** In the thread. False where it was taken back meanwhile. */
export function begins(state: Int32Array): boolean {
  return Atomics.compareExchange(state, 0, ASKED, RUNNING) === ASKED;
}

/** In the thread, or of a thread that has ended. */
export function ends(state: Int32Array): void {
  Atomics.store(state, 0, IDLE);
  Atomics.notify(state, 0);
}

/** Takes back what has not begun, and waits for what has: the thread has no connection then. */
export function settles(state: Int32Array): void {
  Atomics.compareExchange(state, 0, ASKED, IDLE);
  Atomics.wait(state, 0, RUNNING, LONGEST_MS);
}
