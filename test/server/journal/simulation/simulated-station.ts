import type { Store } from '../../../../server/store/store.ts';
import { createSyncTables } from '../../../../server/sync/log/tables.ts';
import type { Request } from '../../../../server/sync/protocol/wire.ts';
import { joinCentral } from '../../../../server/sync/station/join.ts';
import { PushPullLoop } from '../../../../server/sync/station/push-pull-loop.ts';
import type { Answered } from '../../../../server/sync/station/transport.ts';
import { create } from '../../store/temporary-store.ts';
import { namesIn } from './simulated-central.ts';
import { openSimulated } from './simulated-store.ts';
import type { Actor, World } from './virtual-time.ts';

/** A station with the product's engine, stepped by the world; each question goes to whatever process the way leads to. */
export class SimulatedStation {
  readonly actor: Actor;
  readonly #world: World;
  readonly #folder: string;
  readonly #carry: (request: Request) => Promise<Answered>;
  store!: Store;
  #engine!: PushPullLoop;
  /** What was written here. */
  readonly written: string[] = [];
  isDone = false;
  isResting = false;
  isStopping = false;
  /** That the last step found nothing to do. */
  isSettled = false;

  constructor(world: World, name: string, folder: string, carry: (request: Request) => Promise<Answered>) {
    this.#world = world;
    this.#folder = folder;
    this.#carry = carry;
    this.actor = world.actor(name);
  }

  async open(block: number): Promise<void> {
    this.store = await openSimulated(this.#world, this.#folder, false);
    createSyncTables(this.store.database);
    await joinCentral(this.store, block);
    this.#engine = new PushPullLoop({
      store: this.store,
      clock: this.#world.clock,
      transport: {
        exchange: (request, { onSent }) => {
          const answer = this.#carry(JSON.parse(JSON.stringify(request)));
          onSent?.();
          return answer;
        },
      },
      limit: 5,
    });
  }

  /** So many records, one now and then. */
  async write(count: number): Promise<void> {
    const { random } = this.#world;
    for (let n = 0; n < count; n += 1) {
      await this.#world.sleep(random.below(2_500), this.actor);
      const name = `${this.actor.name}.${n}`;
      await create(this.store, 'supplier', { name });
      this.written.push(name);
      this.isSettled = false;
    }
    this.isDone = true;
  }

  /** Asks and says what there is, until it is told to stop. */
  async exchange(): Promise<void> {
    while (!this.isStopping) {
      if (!this.isResting) await this.#step();
      // Who has nothing to say asks now and then.
      await this.#world.sleep(20 + this.#world.random.below(this.isSettled ? 1_200 : 400), this.actor);
    }
  }

  async #step(): Promise<void> {
    this.isSettled = false;
    this.#engine.notify();
    try {
      while (await this.#engine.step());
      this.isSettled = true;
    } catch (error) {
      const { message } = error as Error;
      this.#world.note(`${this.actor.name} was refused: ${message.slice(0, 80)}`);
    }
  }

  names(): string[] {
    return namesIn(this.store);
  }
}
