/** A broken promise, by its letter: D durable, X once, A agree, S sequence, C converge, K kept, N no ghosts, U unique. */
export class Violation extends Error {}
