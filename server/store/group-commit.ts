import { AppError } from '../../shared/contract/errors.ts';
import type { Database } from './sqlite/database.ts';
import { yieldingToEventLoop } from './yield-to-event-loop.ts';

/** Writes that wait together share one durable transaction; each is answered only after it. */
const GROUP_LIMIT = 64;

/**
 * Orders the writes of several processes, each of which has a file of its own: what a group has written is kept outside before
 * the file has it.
 */
export interface SharedJournal {
  /** Before a group's transaction: all that others wrote is here, and until `leave` nobody else writes. Rejects: the group is refused. */
  enter(): Promise<void>;
  /** After the work of the group, in its transaction: it is durable outside. Rejects: the group is undone. */
  append(): Promise<void>;
  /** The group is over. */
  leave(): void;
  /** What was appended stands, and the file does not have it: the process must end, and takes it from outside at its next start. */
  onBehind(cause: unknown): void;
}

interface Waiting {
  isAlone: boolean;
  /** No group of writes: it has transactions of its own, one after the other. */
  isBetween: boolean;
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
  /** None for a file that is all there is. */
  journal: SharedJournal | undefined;
  readonly #parts: GroupCommitParts<State>;
  readonly #waiting: Waiting[] = [];
  #isDraining = false;

  constructor(parts: GroupCommitParts<State>) {
    this.#parts = parts;
  }

  /** `isAlone`: what may take long shares its transaction with nobody, so that no short write waits for its end. */
  add<Result>(run: () => Promise<Result>, isAlone: boolean, isBetween = false): Promise<Result> {
    return new Promise((resolve, reject) => {
      let answer: () => void = () => reject(new AppError('internal', 'The write did not run.'));
      this.#waiting.push({
        isAlone,
        isBetween,
        run: async () => {
          const result = await run();
          answer = () => resolve(result);
        },
        settle: failure => (failure === undefined ? answer() : reject(failure.cause)),
      });
      void this.#drain();
    });
  }

  /** Between two groups, where no transaction is open. */
  between<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.add(run, true, true);
  }

  /** A transaction of one who runs between two groups, past the journal: what is written stands there already. */
  async apart<Result>(run: () => Promise<Result>): Promise<Result> {
    const { database } = this.#parts;
    const state = this.#parts.state();
    try {
      database.begin();
      this.#parts.begun();
      const result = await run();
      database.commit();
      this.#parts.onDurable(state);
      return result;
    } catch (error) {
      this.#parts.restore(state);
      if (database.inTransaction) database.rollback();
      throw error;
    }
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
      const group = this.#nextGroup();
      if (group[0]?.isBetween) await runBetween(group[0]);
      else await this.#writeGroup(group);
    }
    this.#isDraining = false;
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    const { database, onDurable } = this.#parts;
    const { journal } = this;
    const [first] = group;
    const failures = new Map<Waiting, { cause: unknown }>();
    // What others wrote comes before what is taken note of here.
    let failure = journal && (await journal.enter().then(() => undefined, failedBy));
    const state = this.#parts.state();
    const goOn = yieldingToEventLoop();
    let isAppended = false;
    let behind: { cause: unknown } | undefined;
    try {
      if (failure) throw failure.cause;
      database.begin();
      this.#parts.begun();
      // What one of several throws undoes its own part; what a single one throws undoes the transaction.
      if (group.length === 1) await first?.run();
      else {
        for (const member of group) {
          await this.part(member.run).catch(cause => failures.set(member, { cause }));
        }
      }
      // Of much, what is left to write and making it durable are steps of their own, after whatever came last of the work.
      if (first?.isAlone) {
        await new Promise(setImmediate);
        database.writeAtEnd();
        await new Promise(setImmediate);
      } else await goOn();
      if (journal) {
        database.writeAtEnd();
        await journal.append();
        isAppended = true;
      }
      database.commit();
      onDurable(state);
    } catch (cause) {
      if (isAppended) behind = { cause };
      else failure = { cause };
      this.#parts.restore(state);
      if (database.inTransaction) database.rollback();
    }
    journal?.leave();
    for (const member of group) member.settle(failure ?? failures.get(member));
    if (behind) journal?.onBehind(behind.cause);
  }

  #nextGroup(): Waiting[] {
    const alone = this.#waiting.findIndex(({ isAlone }) => isAlone);
    const end = alone === 0 ? 1 : alone < 0 ? GROUP_LIMIT : Math.min(alone, GROUP_LIMIT);
    return this.#waiting.splice(0, end);
  }
}

function failedBy(cause: unknown): { cause: unknown } {
  return { cause };
}

async function runBetween(one: Waiting): Promise<void> {
  one.settle(await one.run().then(() => undefined, failedBy));
}
