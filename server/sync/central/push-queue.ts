import { AppError } from '../../../shared/contract/errors.ts';

/** From one station: one that is taken, and one that waits for it. */
export const PUSHES = 2;

/** Takes the pushes of each station one after the other, as they come. */
export class PushQueue {
  readonly #waiting = new Map<number, Promise<unknown>[]>();

  /** @throws AppError `conflict` while as many of the station as may wait are not done; what `take` throws */
  async inTurn<Result>(station: number, take: () => Promise<Result>): Promise<Result> {
    const before = this.#waiting.get(station) ?? [];
    if (before.length >= PUSHES) {
      const message = 'Earlier pushes of this station are still being taken. Try again soon.';
      throw new AppError('conflict', message, { headers: { 'Retry-After': '1' } });
    }
    const taking = Promise.allSettled(before).then(take);
    this.#waiting.set(station, [...before, taking]);
    try {
      return await taking;
    } finally {
      const left = (this.#waiting.get(station) ?? []).filter(one => one !== taking);
      if (left.length > 0) this.#waiting.set(station, left);
      else this.#waiting.delete(station);
    }
  }
}
