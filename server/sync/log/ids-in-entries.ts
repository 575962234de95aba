import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { Entry } from '../../store/changes.ts';
import { IdRemapping, NO_COMMIT } from '../../store/id-remapping.ts';
import { entriesOfRecords } from '../protocol/decide.ts';

/** An id where it stands: a record's or an item's by its counter, a commit's by `commit`. */
export interface Occurrence {
  counter: string;
  id: string;
}

export const COMMIT = 'commit';

/** Every id in the entries of records, in the order in which `IdRemapping` meets them. */
export function occurrences(entries: readonly Entry[]): Occurrence[] {
  const met = new Met();
  met.entries(entriesOfRecords({ entries: [...entries] }));
  return met.all;
}

/** The entries with other ids in the place of those that are named by counter and id: `part:17`, `commit:…`. */
export function withOthers(entries: readonly Entry[], others: ReadonlyMap<string, string>): Entry[] {
  return new Others(others).entries(entries);
}

/** Whether two ways to write one commit say the same of their records, one after the other, whatever ids those have. */
export function sameButForIds(one: readonly Entry[], other: readonly Entry[]): boolean {
  const [left, right] = [one, other].map(entries =>
    new Numbered().entries(entriesOfRecords({ entries: [...entries] })),
  );
  return sameJson(left, right);
}

/** Goes through all ids of entries. */
abstract class Walk extends IdRemapping {
  constructor() {
    super({ blocks: [], chain: '', isCompanyReplaced: false });
  }

  override isReplaced(): boolean {
    return false;
  }

  entries(entries: readonly Entry[]): Entry[] {
    return this.commit({ ...NO_COMMIT, entries: [...entries] }, (_, state) => state).entries;
  }
}

class Met extends Walk {
  readonly all: Occurrence[] = [];

  override id(id: number, counter = ''): number {
    this.all.push({ counter, id: String(id) });
    return id;
  }

  override commitId(id: string): string {
    this.all.push({ counter: COMMIT, id });
    return id;
  }
}

/** In the place of each id, the number of its occurrence. */
class Numbered extends Walk {
  #count = 0;

  override id(): number {
    this.#count += 1;
    return this.#count;
  }

  override commitId(): string {
    return String(this.id());
  }
}

class Others extends Walk {
  readonly #others: ReadonlyMap<string, string>;

  constructor(others: ReadonlyMap<string, string>) {
    super();
    this.#others = others;
  }

  override id(id: number, counter = ''): number {
    return Number(this.#others.get(`${counter}:${id}`) ?? id);
  }

  override commitId(id: string): string {
    return this.#others.get(`${COMMIT}:${id}`) ?? id;
  }
}
