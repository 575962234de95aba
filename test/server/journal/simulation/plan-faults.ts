import type { PostgresModel } from './postgres-model.ts';
import type { SimulatedCentral } from './simulated-central.ts';
import type { World } from './virtual-time.ts';

/** In milliseconds: before what the last fault of a whole storm begins, how long one lasts, and by when all are over after the last. */
const LAST_MS = 9_000;
const LONGEST_MS = 3_000;
const OVER_MS = 7_000;

/** What a storm does: one of these at a time, of its own or over the last one. */
type Fault = () => void;

export interface StormParts {
  world: World;
  postgres: PostgresModel;
  centrals: readonly SimulatedCentral[];
  /** How much of a whole storm it is. */
  share: number;
  /** Told what a journal has lost by a failover. */
  onLost: (log: ReturnType<PostgresModel['failOver']>) => void;
}

/** Draws from the seed what fails, and when; it ends by itself. @returns by when */
export function planFaults({ world, postgres, centrals, share, onLost }: StormParts): number {
  const lastMs = LAST_MS * share;
  const endMs = lastMs + OVER_MS;
  const { random } = world;
  const some = (ms: number) => random.below(ms);
  const one = () => random.pick(centrals);
  const mayFailOver = () => postgres.standby && postgres.primary.isUp;
  const faults: Fault[] = [
    () => {
      const central = one();
      if (central.actor.isDead) return;
      central.kill();
      world.after(some(LONGEST_MS), '', () => central.start());
    },
    () => {
      const { actor } = one();
      world.note(`${actor.name} stands still`);
      // Now and then longer than the server bears with.
      actor.frozenUntil = world.now + some(world.oneIn(3) ? 9_000 : 1_000);
    },
    () => {
      const { actor } = one();
      const isSilent = world.oneIn(3);
      world.note(`${actor.name} is cut from the journal${isSilent ? ' and hears nothing' : ''}`);
      postgres.cut(actor, isSilent);
    },
    () => {
      if (!postgres.primary.isUp) return;
      world.note('PostgreSQL stops');
      postgres.restart(100 + some(LONGEST_MS));
    },
    () => {
      if (!mayFailOver()) return;
      world.note('the primary is gone');
      onLost(postgres.failOver(100 + some(2_000), 500 + some(2_000)));
    },
    () => {
      world.note('the standby is cut off');
      postgres.standbyCutUntil = world.now + some(LONGEST_MS);
    },
    () => {
      // What one server has, and shows after its restart, the other one never gets.
      if (!mayFailOver()) return;
      world.note('the standby is cut off for good');
      postgres.standbyCutUntil = world.now + 2 * LONGEST_MS;
      world.after(some(300), 'PostgreSQL stops', () => postgres.restart(100 + some(300)));
      world.after(800 + some(1_500), 'the primary is gone', () => {
        if (mayFailOver()) onLost(postgres.failOver(100 + some(500), 500 + some(2_000)));
        postgres.standbyCutUntil = 0;
      });
    },
    () => {
      // One that sleeps through it has a row that is no more, at a place that has another's turn when it wakes.
      if (postgres.isSynchronous) return;
      const [sleeper, other] = [one(), one()];
      const { actor } = sleeper;
      const fallAsleep = () => {
        if (!mayFailOver()) return;
        world.note(`${actor.name} stands still, and the primary is gone`);
        actor.frozenUntil = world.now + 1_500 + some(2_500);
        onLost(postgres.failOver(100, 500 + some(2_000)));
        world.after(150 + some(600), '', () => void other.note('awake', `${world.now}`).catch(() => {}));
      };
      sleeper.note('asleep', `${world.now}`).then(fallAsleep, () => {});
    },
    () => {
      world.note('others are in the way');
      postgres.refusesOneIn = 3 + some(10);
      world.after(some(LONGEST_MS), 'nobody is in the way', () => {
        postgres.refusesOneIn = 0;
      });
    },
  ];
  postgres.isSilent = world.oneIn(4);
  for (const central of centrals) {
    central.isLosing = () => world.now < endMs && world.oneIn(12);
    central.isHasty = () => world.now < endMs && world.oneIn(6);
  }
  for (let at = some(800); at < lastMs; at += 50 + some(2_500)) {
    const fault = random.pick(faults);
    world.after(at, '', fault);
    // What fails while the other is being mended.
    if (world.oneIn(3)) world.after(at + some(120), '', random.pick(faults));
  }
  return endMs;
}
