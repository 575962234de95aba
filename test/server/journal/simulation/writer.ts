import { AppError } from '../../../../shared/contract/errors.ts';
import { Gone, type SimulatedCentral } from './simulated-central.ts';
import type { Actor, World } from './virtual-time.ts';

/** What all know that was answered, and what may be lost with the end of a journal. */
export class Answered {
  /** Names of what was created, by what was answered: the record's id. */
  readonly created = new Map<string, number>();
  /** What was answered and stood in an end that the journal has lost. */
  readonly lost = new Set<string>();
  /** What stood in such an end, whether it was answered or not: it may be written again, and given back. */
  readonly undone = new Set<string>();
  /** Whether a journal has lost what was answered. */
  hasLost = false;
  readonly faults: string[] = [];
}

/** A person at a browser: writes one thing after the other, each until it is answered, and reads. */
export class Writer {
  readonly #world: World;
  readonly #actor: Actor;
  readonly #name: string;
  readonly #centrals: readonly SimulatedCentral[];
  readonly #answered: Answered;
  /** What the fact of this one may say: what was answered last, and what was tried since. */
  #said: (string | undefined)[] = [undefined];
  isDone = false;
  refused = 0;

  constructor(world: World, name: string, centrals: readonly SimulatedCentral[], answered: Answered) {
    this.#world = world;
    this.#actor = world.actor(name);
    this.#name = name;
    this.#centrals = centrals;
    this.#answered = answered;
  }

  async work(steps: number): Promise<void> {
    const { random } = this.#world;
    for (let step = 0; step < steps; step += 1) {
      const [what, id] = [random.below(4), `${this.#name}.${step}`];
      if (what === 0) await this.#note(id);
      else if (what === 1) await this.read();
      else await this.create(id);
      if (random.below(3) > 0) await this.#world.sleep(random.below(300), this.#actor);
    }
    this.isDone = true;
  }

  /** @param at where it is asked for */
  async create(name: string, at = this.#centrals): Promise<void> {
    const id = await this.#until(central => central.create(`key ${name}`, name), at);
    for (const [other, given] of this.#answered.created) {
      if (given === id && !this.#answered.lost.has(other))
        this.#answered.faults.push(`${name} and ${other} have both the id ${id}.`);
    }
    this.#answered.created.set(name, id);
    this.#world.note(`${name} is created as ${id}`);
  }

  async #note(value: string): Promise<void> {
    this.#said.push(value);
    await this.#until(central => central.note(this.#name, value));
    this.#said = [value];
  }

  /** All that was answered before is there. */
  async read(): Promise<void> {
    const before = [...this.#answered.created.keys()];
    const said = [...this.#said];
    const { names, fact } = await this.#until(central => central.read(this.#name));
    const seen = new Set(names);
    const missing = before.filter(name => !seen.has(name) && !this.#answered.lost.has(name));
    if (missing.length > 0) this.#answered.faults.push(`A reader does not see ${missing}.`);
    if (!said.includes(fact) && !this.#answered.hasLost)
      this.#answered.faults.push(`${this.#name} reads ${fact}, and has said ${said}.`);
  }

  async #until<Result>(
    ask: (central: SimulatedCentral) => Promise<Result>,
    centrals = this.#centrals,
  ): Promise<Result> {
    for (;;) {
      try {
        return await ask(this.#world.random.pick(centrals));
      } catch (error) {
        const isToRepeat =
          error instanceof Gone || (error instanceof AppError && error.code === 'unavailable');
        if (!isToRepeat) throw error;
        this.refused += 1;
        await this.#world.sleep(30 + this.#world.random.below(400), this.#actor);
      }
    }
  }
}
