import { seededRandom } from '../../../faults/seeded-random.ts';
import { type Deed, type Move, measureOf, plainMove } from '../plan.ts';
import { POINTS } from './die-at.ts';

/**
 * What befalls a process of a central on a journal, or the journal.
 * - `die`: the process ends at a named point, or its file takes nothing there
 * - `freeze`: it stands still
 * - `begin anew`: its data folder is gone, but for the keys
 * - `lose commit`: the answer to its next COMMIT does not arrive
 * - `cut off`: its connections to the database end, `hang`: they say nothing
 * - `database stop`: fast or immediate; `standby stop`; `database full`: each turn is refused
 * - `failover`: to the standby that is waited for; `lossy failover`: to one that is not, and has not got the end
 */
export type JournalDeed =
  | 'die'
  | 'freeze'
  | 'begin anew'
  | 'lose commit'
  | 'cut off'
  | 'hang'
  | 'database stop'
  | 'standby stop'
  | 'database full'
  | 'failover'
  | 'lossy failover';

export const PROCESSES = ['Process 1', 'Process 2', 'Process 3'];
export const JOURNAL_STATIONS = ['Station 1', 'Station 2', 'Station 3', 'Station 4'];
export const DATABASE = 'Database';

const ON_PROCESSES: readonly Deed[] = [
  ...Array<Deed>(POINTS.length).fill('die'),
  ...Array<Deed>(3).fill('freeze'),
  ...Array<Deed>(3).fill('lose commit'),
  ...Array<Deed>(2).fill('cut off'),
  ...Array<Deed>(2).fill('hang'),
  ...Array<Deed>(2).fill('kill'),
  'stop',
  'clock',
  'begin anew',
];
const ON_DATABASE: readonly Deed[] = [
  ...Array<Deed>(3).fill('database stop'),
  'standby stop',
  'database full',
  'failover',
];
const ON_STATIONS: readonly Deed[] = ['kill', 'stop', 'clock', 'disturb', 'cut', 'black hole', 'throttle'];
const GROUPS = [
  { deeds: ON_PROCESSES, who: PROCESSES, paceMs: 2_000 },
  { deeds: ON_DATABASE, who: [DATABASE], paceMs: 6_000 },
  { deeds: ON_STATIONS, who: JOURNAL_STATIONS, paceMs: 3_000 },
];
/** How long each of two failovers without the end may take with all that people do then. */
const LOSSY_MS = 40_000;

/**
 * The moves of a storm over a journal: the same for the same seed. Each process ends at each point in turn, and the database loses its end at least
 * once, in the middle.
 */
export function drawJournalPlan(seed: number, durationMs: number): Move[] {
  const random = seededRandom(seed);
  let point = random.below(POINTS.length);
  const moves = GROUPS.flatMap(({ deeds, who, paceMs }) =>
    Array.from({ length: Math.ceil(durationMs / paceMs) }, (): Move => {
      const deed = random.pick(deeds);
      const move = {
        at: random.below(durationMs),
        deed,
        who: random.pick(who),
        measure: measureOf(deed, random.below),
      };
      if (deed === 'die') {
        point += 1;
        return { ...move, detail: POINTS[point % POINTS.length] ?? '' };
      }
      if (deed === 'database stop') return { ...move, detail: random.pick(['SIGINT', 'SIGQUIT']) };
      return plainMove(move, random);
    }),
  );
  const losses = Math.max(1, Math.floor(durationMs / LOSSY_MS));
  const lossy = Array.from({ length: losses }, (_, loss): Move => {
    const at = ((loss + 0.5) * durationMs) / losses;
    return { at, deed: 'lossy failover', who: DATABASE, measure: 500 + random.below(2_500) };
  });
  return [...moves, ...lossy].sort((one, other) => one.at - other.at);
}
