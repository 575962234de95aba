import { AppError } from '../../../shared/contract/errors.ts';

/** That central takes nothing of this station for a while, and why. */
export interface Slowed {
  /** ISO 8601, for people. */
  until: string;
  says: string;
}

/** In seconds: where central says nothing, and as long as this station waits at most before it asks again. */
const PATIENCE = { unsaid: 60, most: 3_600 };

/** The wait that central has asked for. It is counted by what only goes forward: clocks are set. */
export class Wait {
  readonly #clock: () => Date;
  readonly #now: () => number;
  #end = Number.NEGATIVE_INFINITY;
  #state: Slowed | null = null;

  constructor(clock: () => Date, now: () => number) {
    this.#clock = clock;
    this.#now = now;
  }

  /** Milliseconds that are left; 0 for none. */
  get left(): number {
    return Math.max(0, this.#end - this.#now());
  }

  get state(): Slowed | null {
    return this.left === 0 ? null : this.#state;
  }

  /** A message failed. */
  failed(cause: unknown): void {
    if (!(cause instanceof AppError) || cause.code !== 'too_many_requests') return;
    const said = Number(cause.headers['Retry-After']);
    const seconds = said > 0 ? Math.min(said, PATIENCE.most) : PATIENCE.unsaid;
    this.#end = this.#now() + seconds * 1_000;
    const until = new Date(this.#clock().getTime() + seconds * 1_000).toISOString();
    this.#state = { until, says: cause.message };
  }
}
