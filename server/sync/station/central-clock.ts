import { z } from 'zod';
import { CLOCK_OFFSET_LIMIT } from '../../../shared/contract/limits.ts';
import { isMisdated } from '../../../shared/contract/moment-of.ts';
import type { Store } from '../../store/store.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';

/** In `local`: the last comparison with central's clock. */
const NAME = 'central_clock';
/** A comparison is kept again when the clocks differ by so much more or less, or so much later. In milliseconds. */
const NOTED_CHANGE = 60_000;
const NOTED_FOR = 3_600_000;
/** So much may two comparisons contradict each other. In milliseconds. */
const TOLERANCE = 120_000;

const comparedSchema = z.object({
  /** Central's time then, in milliseconds since 1970. */
  central: z.number(),
  /** This machine's clock minus central's, in milliseconds. */
  offset: z.number(),
});
type Compared = z.infer<typeof comparedSchema>;

/**
 * By how much this machine's clock is wrong, for what is written before central is reached again: a clock that was wrong by
 * years is so after a restart. Of its having been set right meanwhile and not, what needs less time since the last
 * comparison is believed; a clock that stands before that is wrong by that at least. Null: not known to be wrong.
 */
export function estimateOffset({ central, offset }: Compared, now: number): number | null {
  const passed = [0, offset]
    .map(each => ({ each, since: now - each - central }))
    .filter(({ since }) => since > -TOLERANCE)
    .sort((one, other) => one.since - other.since);
  const estimate = passed[0]?.each ?? Math.max(now - central, -CLOCK_OFFSET_LIMIT);
  return isMisdated({ clock_offset: estimate }) ? estimate : null;
}

/** What a station knows of central's clock. */
export class CentralClock {
  readonly #store: Store;
  #kept: Compared | undefined;

  constructor(store: Store, clock: () => Date) {
    this.#store = store;
    const text = readLocal(store.database.reader, NAME);
    this.#kept = text === undefined ? undefined : comparedSchema.parse(JSON.parse(text));
    if (this.#kept) store.gate.clockOffset ??= estimateOffset(this.#kept, clock().getTime());
  }

  /** Notes what central's clock showed when this machine's showed `here`; both in milliseconds since 1970. */
  async compare(here: number, central: number): Promise<void> {
    const { gate, database, clockWatch } = this.#store;
    // What is said to be off by more is refused for its form.
    const offset = Math.max(-CLOCK_OFFSET_LIMIT, Math.min(Math.round(here - central), CLOCK_OFFSET_LIMIT));
    gate.clockOffset = offset;
    if (!isMisdated({ clock_offset: offset })) clockWatch.agreesWithCentral();
    const kept = this.#kept;
    const isNews =
      !kept || Math.abs(offset - kept.offset) > NOTED_CHANGE || Math.abs(central - kept.central) > NOTED_FOR;
    if (!isNews) return;
    this.#kept = { central, offset };
    await gate.applyRemote(() => {
      writeLocal(database, NAME, JSON.stringify(this.#kept));
      return { result: undefined };
    });
  }
}
