import { AppError } from '../../shared/contract/errors.ts';
import type { Database } from './sqlite/database.ts';
import { yieldingToEventLoop } from './yield-to-event-loop.ts';

/** Writes that wait together share one durable transaction; each is answered only after it. */
const GROUP_LIMIT = 64;

interface Waiting {
  isAlone: boolean;
  /** Runs in the open transaction and keeps the result; rejects with what undoes it. */
  run: () => Promise<void>;
  /** Answers the one who waits: with the failure, or with the result. */
  settle: (failure: { cause: unknown } | undefined) => void;
}

export interface GroupCommitParts<State> {
  database: Database;
  /** What the writes keep in memory beside the database: taken before them, and put back when they are undone. */
  state: () => State;
  restore: (state: State) => void;
  /** In a transaction that has just begun. */
  begun: () => void;
  /** Told the state before a transaction that is durable, and before its writes are answered. */
  onDurable: (before: State) => void;
}

/** Runs writes one after the other in transactions that those share which wait at the same time. */
export class GroupCommit<State> {
  readonly #parts: GroupCommitParts<State>;
  readonly #waiting: Waiting[] = [];
  #isDraining = false;

  constructor(parts: GroupCommitParts<State>) {
    this.#parts = parts;
  }

  /** `isAlone`: what may take long shares its transaction with nobody, so that no short write waits for its end. */
  add<Result>(run: () => Promise<Result>, isAlone: boolean): Promise<Result> {
    return new Promise((resolve, reject) => {
      let answer: () => void = () => reject(new AppError('internal', 'The write did not run.'));
      this.#waiting.push({
        isAlone,
        run: async () => {
          const result = await run();
          answer = () => resolve(result);
        },
        settle: failure => (failure === undefined ? answer() : reject(failure.cause)),
      });
      void this.#drain();
    });
  }

  /** A part of the open transaction that is undone alone when it rejects. */
  async part<Result>(run: () => Promise<Result>): Promise<Result> {
    const state = this.#parts.state();
    try {
      return await this.#parts.database.savepoint(run);
    } catch (error) {
      this.#parts.restore(state);
      throw error;
    }
  }

  /** Group by group; a group's members are answered after its transaction is durable, or learn why it is not. */
  async #drain(): Promise<void> {
    if (this.#isDraining) return;
    this.#isDraining = true;
    while (this.#waiting.length > 0) {
      // Requests that have arrived meanwhile are read first, so that they share the transaction.
      await new Promise(setImmediate);
      await this.#writeGroup(this.#nextGroup());
    }
    this.#isDraining = false;
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    const { database, onDurable } = this.#parts;
    const [first] = group;
    const failures = new Map<Waiting, { cause: unknown }>();
    const state = this.#parts.state();
    let failure: { cause: unknown } | undefined;
    const goOn = yieldingToEventLoop();
    try {
      database.begin();
      this.#parts.begun();
      // What one of several throws undoes its own part; what a single one throws undoes the transaction.
      if (group.length === 1) await first?.run();
      else {
        for (const member of group) {
          await this.part(member.run).catch(cause => failures.set(member, { cause }));
        }
      }
      // Making much durable is a step of its own, after whatever came last of the work.
      if (first?.isAlone) await new Promise(setImmediate);
      else await goOn();
      database.commit(!first?.isAlone);
      onDurable(state);
    } catch (cause) {
      failure = { cause };
      this.#parts.restore(state);
      if (database.inTransaction) database.rollback();
    }
    for (const member of group) member.settle(failure ?? failures.get(member));
    if (!first?.isAlone || failure) return;
    await new Promise(setImmediate);
    database.writeBack();
  }

  #nextGroup(): Waiting[] {
    const alone = this.#waiting.findIndex(({ isAlone }) => isAlone);
    const end = alone === 0 ? 1 : alone < 0 ? GROUP_LIMIT : Math.min(alone, GROUP_LIMIT);
    return this.#waiting.splice(0, end);
  }
}
