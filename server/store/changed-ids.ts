import type { Database } from './sqlite/database.ts';

/** Changes of one family that are remembered at least; who has to know of more goes through all of it again. */
const REMEMBERED = 20_000;

interface Log {
  /** In order: the positions of changes … */
  at: number[];
  /** … and the records that they changed. */
  ids: number[];
  /** What lies up to this position is forgotten. */
  forgotten: number;
}

/**
 * Which records have changed since a position, for what is kept in memory of many of them: as soon as a commit can be read, and not
 * before. Some may be named that are as they were: what a transaction has undone.
 */
export class ChangedIds {
  readonly #database: Database;
  readonly #logs = new Map<number, Log>();
  #position = 0;
  #forgotten = 0;
  /** Of the open transaction: a family's number and an id by turns. */
  #open: number[] = [];
  #isAllOpen = false;
  #transaction = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Of what can be read now. */
  get position(): number {
    return this.#position;
  }

  /** In the open transaction: a record of a family, by its number, is made, changed or taken away. */
  note(family: number, id: number): void {
    this.#begin();
    if (!this.#isAllOpen) this.#open.push(family, id);
  }

  /** In the open transaction: every record may be another one. */
  noteAll(): void {
    this.#begin();
    this.#isAllOpen = true;
  }

  /** The records of a family that have changed since, each once; undefined where that is not known any more. */
  since(family: number, position: number): number[] | undefined {
    const log = this.#logs.get(family);
    if (position < Math.max(this.#forgotten, log?.forgotten ?? 0)) return undefined;
    const changed = new Set<number>();
    if (log === undefined) return [];
    for (let place = log.ids.length - 1; place >= 0 && (log.at[place] ?? 0) > position; place -= 1)
      changed.add(log.ids[place] ?? 0);
    return [...changed];
  }

  #begin(): void {
    const { transactionNumber } = this.#database;
    if (transactionNumber === this.#transaction) return;
    this.#transaction = transactionNumber;
    this.#open = [];
    this.#isAllOpen = false;
    // What a savepoint undoes does not undo this.
    this.#database.atEnd('The changed records', this.#take);
  }

  readonly #take = (): void => {
    if (this.#isAllOpen) {
      this.#position += 1;
      this.#forgotten = this.#position;
      this.#logs.clear();
    } else {
      for (let place = 0; place < this.#open.length; place += 2)
        this.#keep(this.#open[place] ?? 0, this.#open[place + 1] ?? 0);
    }
    this.#open = [];
  };

  #keep(family: number, id: number): void {
    this.#position += 1;
    const log = this.#logs.get(family) ?? { at: [], ids: [], forgotten: 0 };
    this.#logs.set(family, log);
    log.at.push(this.#position);
    log.ids.push(id);
    if (log.ids.length < 2 * REMEMBERED) return;
    log.forgotten = log.at[REMEMBERED - 1] ?? this.#position;
    log.at = log.at.slice(REMEMBERED);
    log.ids = log.ids.slice(REMEMBERED);
  }
}
