/** What comes at one moment is told once. In milliseconds. */
const GATHER_MS = 10;
/** So many stations are told at a time, and the next ones so much later: what they ask then is answered meanwhile. */
const AT_A_TIME = 10;
const NEXT_MS = 20;
/** A station hears again after so many milliseconds for each that listens, and after a second where they are many. */
const SHARE_MS = 5;
const MOST_MS = 1_000;

interface Listening {
  pokes: Set<() => void>;
  /** The last sequence that the station was told of: by a poke, or by an answer. */
  told: number;
  /** When, in the milliseconds of `performance.now()`. */
  heardAt: number;
}

/**
 * Tells stations that the log has grown: those that do not know it yet, by turns, so that a large fleet does not ask all at
 * once. A handful hears at once; of many each hears about once a second, of all that came meanwhile, and later still when so
 * many listen, or central is so busy, that a round takes longer. A station needs no poke: it asks by itself every 30 seconds.
 */
export class Pokes {
  /** The last sequence of the log. */
  readonly #last: () => number;
  readonly #onFault: (error: unknown) => void;
  /** By their ids, who heard longest ago first. */
  readonly #stations = new Map<number, Listening>();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  /** Until then those that were told ask. */
  #restsUntil = 0;

  constructor(last: () => number, onFault: (error: unknown) => void) {
    this.#last = last;
    this.#onFault = onFault;
  }

  /** Calls `poke` soon after there are news for a station, which asks for those before by itself. Answers how to stop that. */
  follow(station: number, poke: () => void): () => void {
    const listening = this.#stations.get(station) ?? { pokes: new Set(), told: 0, heardAt: 0 };
    listening.pokes.add(poke);
    this.#heard(station, listening, 0);
    return () => {
      if (listening.pokes.delete(poke) && listening.pokes.size === 0) this.#stations.delete(station);
    };
  }

  /** How many stations hear. */
  get listening(): number {
    return this.#stations.size;
  }

  /** The log may have grown. */
  news(): void {
    if (this.#stations.size > 0) this.#tellIn(GATHER_MS);
  }

  /** Something beside the log concerns every station. */
  newsForAll(): void {
    for (const listening of this.#stations.values()) listening.told = -1;
    this.news();
  }

  /** An answer told a station how far the log goes: up to there it asks on by itself. */
  told(station: number, last: number): void {
    const listening = this.#stations.get(station);
    if (listening) this.#heard(station, listening, last);
  }

  /** Something beside the log concerns a station: it is told at once. */
  poke(station: number): void {
    for (const poke of this.#stations.get(station)?.pokes ?? []) poke();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stations.clear();
  }

  #tell(): void {
    const [last, now] = [this.#last(), performance.now()];
    const pause = Math.min(this.#stations.size * SHARE_MS, MOST_MS);
    let left = AT_A_TIME;
    for (const [station, listening] of this.#stations) {
      if (listening.told >= last) continue;
      if (left === 0) this.#restsUntil = now + NEXT_MS;
      const wait = left === 0 ? NEXT_MS : listening.heardAt + pause - now;
      if (wait > 0) {
        this.#tellIn(wait);
        return;
      }
      left -= 1;
      this.poke(station);
      this.#heard(station, listening, last);
    }
  }

  #heard(station: number, listening: Listening, last: number): void {
    listening.told = Math.max(listening.told, last);
    listening.heardAt = performance.now();
    this.#stations.delete(station);
    this.#stations.set(station, listening);
  }

  /** Or sooner, where that was said. */
  #tellIn(milliseconds: number): void {
    const now = performance.now();
    const dueAt = Math.max(now + milliseconds, this.#restsUntil);
    if (dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      try {
        this.#tell();
      } catch (error) {
        this.#onFault(error);
      }
    }, dueAt - now);
  }
}
