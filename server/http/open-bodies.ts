import { AppError } from '../../shared/contract/errors.ts';
import { InOrder } from '../store/in-order.ts';

/** Two that a station sends and two that it has given up, which are noticed later, and as many to spare. */
const MOST = 8;

/**
 * Bodies of stations that are being read. They may take long and be large, so that one station, or whoever has its key,
 * must not fill the memory with them.
 */
export class OpenBodies {
  readonly #counts = new Map<number, number>();
  readonly #order = new InOrder<number>();

  /** @throws AppError `too_many_requests` while as many of the station are read as may be; what `read` throws */
  async within<Body>(station: number, read: () => Promise<Body>): Promise<Body> {
    const count = this.#counts.get(station) ?? 0;
    if (count >= MOST) {
      const message = `${MOST} messages of this station are being received. Let one of them end first.`;
      throw new AppError('too_many_requests', message, { headers: { 'Retry-After': '30' } });
    }
    this.#counts.set(station, count + 1);
    try {
      return await read();
    } finally {
      const left = (this.#counts.get(station) ?? 1) - 1;
      if (left > 0) this.#counts.set(station, left);
      else this.#counts.delete(station);
    }
  }

  /** Reads what has come of a station: a small message does not overtake a large one that came before it. */
  inOrder<Body>(station: number, read: () => Promise<Body>): Promise<Body> {
    return this.#order.run(station, read);
  }
}
