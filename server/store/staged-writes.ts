import type { StoredRecord } from '../../shared/contract/present.ts';
import { comparedValue } from './family-index.ts';

/** Records of one family by the value of a field. */
interface Index {
  family: string;
  field: string;
  keys: Map<unknown, Set<string>>;
}

/**
 * What a commit is about to write, by the key of the record, in the order in which it was put. A receipt of a thousand lines asks for
 * each of them which lots are new of its number: that is looked up, once it was asked for.
 */
export class StagedWrites<Write extends { after: StoredRecord }> {
  readonly #writes = new Map<string, Write>();
  readonly #indexes = new Map<string, Index>();

  get(key: string): Write | undefined {
    return this.#writes.get(key);
  }

  has(key: string): boolean {
    return this.#writes.has(key);
  }

  values(): IterableIterator<Write> {
    return this.#writes.values();
  }

  set(key: string, write: Write): void {
    this.#unlist(key);
    this.#writes.set(key, write);
    for (const index of this.#indexes.values()) list(index, write.after);
  }

  delete(key: string): void {
    this.#unlist(key);
    this.#writes.delete(key);
  }

  /** Records as they are to stand whose field has this value, as `Records.findBy` compares it. */
  findBy(family: string, field: string, value: string | number): StoredRecord[] {
    if (this.#writes.size === 0) return [];
    const keys = this.#indexOf(family, field).keys.get(comparedValue(family, field, value)) ?? [];
    return [...keys].flatMap(key => this.#writes.get(key)?.after ?? []);
  }

  #indexOf(family: string, field: string): Index {
    const name = `${family} ${field}`;
    const known = this.#indexes.get(name);
    if (known) return known;
    const index: Index = { family, field, keys: new Map() };
    for (const { after } of this.#writes.values()) list(index, after);
    this.#indexes.set(name, index);
    return index;
  }

  #unlist(key: string): void {
    const after = this.#writes.get(key)?.after;
    if (!after) return;
    for (const { family, field, keys } of this.#indexes.values())
      if (after.family === family) keys.get(comparedValue(family, field, after.fields[field]))?.delete(key);
  }
}

function list({ family, field, keys }: Index, { family: its, key, fields }: StoredRecord): void {
  if (its !== family) return;
  const value = comparedValue(family, field, fields[field]);
  const listed = keys.get(value);
  if (listed) listed.add(key);
  else keys.set(value, new Set([key]));
}
