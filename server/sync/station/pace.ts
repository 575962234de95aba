/** How long a message is to take on the line: short enough to lose little when it is cut, long enough to be worth asking. */
const AIM_SECONDS = 3;

/** Less than a clock tells apart. */
const SHORTEST_SECONDS = 0.001;

/** In characters of JSON. */
export interface PaceBounds {
  /** Of the first message, when nothing is known of the line. */
  first: number;
  least: number;
  most: number;
}

/**
 * How large the messages of one direction may be, by what got through: as much as takes some three seconds, at most twice
 * what the last one had; half of what did not arrive. In characters of JSON: how well they pack shows in the seconds.
 */
export class Pace {
  readonly #bounds: PaceBounds;
  #size: number;

  constructor(bounds: PaceBounds) {
    this.#bounds = bounds;
    this.#size = bounds.first;
  }

  /** Characters that the next message may have; a single commit or record may have more. */
  get size(): number {
    return this.#size;
  }

  /** A message arrived whole. `seconds` from its first byte to its last. */
  passed(characters: number, seconds: number): void {
    // What is small says nothing of what a large one would take.
    if (characters < this.#size / 2) return;
    const fitting = (characters * AIM_SECONDS) / Math.max(seconds, SHORTEST_SECONDS);
    this.#keep(Math.min(fitting, 2 * this.#size));
  }

  /** A message did not arrive, in time or whole. */
  failed(characters: number): void {
    this.#keep(Math.min(characters, this.#size) / 2);
  }

  #keep(size: number): void {
    const { least, most } = this.#bounds;
    this.#size = Math.round(Math.min(most, Math.max(least, size)));
  }
}
