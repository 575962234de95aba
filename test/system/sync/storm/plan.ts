import { type SeededRandom, seededRandom } from '../../faults/seeded-random.ts';
import type { JournalDeed } from './journal/plan.ts';

/** What befalls a machine, or its line to central, or what people do; `JournalDeed` in a storm over a journal. */
export type Deed =
  | JournalDeed
  | 'disturb'
  | 'cut'
  | 'black hole'
  | 'throttle'
  | 'kill'
  | 'stop'
  | 'clock'
  | 'copy'
  | 'put back'
  | 'clone'
  | 'attend';

export interface Move {
  /** Milliseconds after the beginning. */
  at: number;
  deed: Deed;
  /** The machine, or the station whose line it is; people attend to all of them. */
  who: string;
  /**
   * Of a line how many milliseconds it lasts, of a kill or a stop how long the machine is away; of `disturb` how many of a
   * hundred requests meet a fault.
   */
  measure: number;
  /** Of `clock` what it is off by, of `clone` the name of the new machine, of `throttle` bytes a second, of `die` where, of `database stop` how. */
  detail?: string;
}

export const CENTRAL = 'Central';
export const STATIONS = ['Station 1', 'Station 2', 'Station 3'];
const CLOCKS = ['+0', '-2h', '+3h', '+1y', '-10y'];
/** Beside what each storm has. */
const USUAL: readonly Deed[] = [
  ...Array<Deed>(5).fill('disturb'),
  ...Array<Deed>(5).fill('cut'),
  ...Array<Deed>(3).fill('black hole'),
  ...Array<Deed>(3).fill('throttle'),
  ...Array<Deed>(9).fill('kill'),
  ...Array<Deed>(3).fill('stop'),
  ...Array<Deed>(3).fill('clock'),
  ...Array<Deed>(3).fill('copy'),
  'clone',
  ...Array<Deed>(4).fill('attend'),
];
/** No storm is without them. */
const ALWAYS: readonly { deed: Deed; of: readonly string[] }[] = [
  { deed: 'copy', of: [CENTRAL] },
  { deed: 'copy', of: STATIONS },
  { deed: 'clone', of: STATIONS },
  { deed: 'kill', of: [CENTRAL] },
  { deed: 'kill', of: STATIONS },
  { deed: 'stop', of: [CENTRAL, ...STATIONS] },
  { deed: 'clock', of: [CENTRAL, ...STATIONS] },
  { deed: 'disturb', of: STATIONS },
  { deed: 'cut', of: STATIONS },
  { deed: 'black hole', of: STATIONS },
  { deed: 'throttle', of: STATIONS },
];
/** One usual deed in so many milliseconds. */
const PACE_MS = 2_000;
/** More machines would have more to do with their own starts than with the storm. */
export const MOST_CLONES = 2;

/** The moves of a storm of so many milliseconds, in their order: the same for the same seed. */
export function drawPlan(seed: number, durationMs: number): Move[] {
  const random = seededRandom(seed);
  const drawn = [
    ...ALWAYS.map(({ deed, of }) => ({ deed, of, at: random.below(durationMs * 0.6) })),
    ...Array.from({ length: Math.floor(durationMs / PACE_MS) }, () => ({
      deed: random.pick(USUAL),
      of: undefined,
      at: random.below(durationMs),
    })),
  ].sort((one, other) => one.at - other.at);
  const machines = [CENTRAL, ...STATIONS];
  const putBack = new Map<string, number>();
  const moves: Move[] = [];
  for (const { deed, of, at } of drawn) {
    const isLine = deed === 'cut' || deed === 'black hole' || deed === 'throttle' || deed === 'disturb';
    const who = random.pick(of ?? (isLine || deed === 'clone' ? machines.slice(1) : machines));
    const measure = measureOf(deed, random.below);
    if (deed === 'clone') {
      const name = `Clone ${machines.length - STATIONS.length}`;
      if (machines.length - 1 >= STATIONS.length + MOST_CLONES) continue;
      machines.push(name);
      moves.push({ at, deed, who, measure, detail: name });
    } else if (deed === 'copy') {
      // One copy of a machine at a time, and each is put back.
      if (at < (putBack.get(who) ?? 0)) continue;
      const later = at + 1_000 + random.below(durationMs / 4);
      putBack.set(who, later);
      moves.push({ at, deed, who, measure }, { at: later, deed: 'put back', who, measure: 0 });
    } else moves.push(plainMove({ at, deed, who, measure }, random));
  }
  return moves.sort((one, other) => one.at - other.at);
}

/** One that nothing else follows, with what is drawn beside its measure. */
export function plainMove(move: Move, random: SeededRandom): Move {
  if (move.deed === 'clock') return { ...move, detail: random.pick(CLOCKS) };
  if (move.deed === 'throttle') return { ...move, detail: String(2_000 * 2 ** random.below(5)) };
  return move;
}

export function measureOf(deed: Deed, below: (limit: number) => number): number {
  if (deed === 'disturb') return below(50);
  if (deed === 'kill' || deed === 'stop') return below(3) === 0 ? below(4_000) : 0;
  return 500 + below(deed === 'cut' ? 4_000 : 6_000);
}
