import type { Entry } from '../../../../server/store/changes.ts';
import type { SeededRandom } from '../../faults/seeded-random.ts';
import type { LightStation } from './light-station.ts';

/** A record that a station may change, with the commits that wrote its paths last, as far as it saw. */
interface KnownRecord {
  subject: string;
  creator: string;
  writers: Map<string, string>;
}

const BLOCK = 2 ** 20;
const FIELDS = ['primary_name', 'primary_phone', 'secondary_name', 'city', 'address'];
const KEPT = 200;

/**
 * What people at one station write: of a hundred edits 40 create a supplier, 55 change one to three fields of an own
 * one, and 5 change one of another station.
 */
export class Edits {
  readonly #station: LightStation;
  readonly #random: SeededRandom;
  readonly #own: KnownRecord[] = [];
  readonly #others: KnownRecord[] = [];
  #created = 0;

  constructor(station: LightStation, random: SeededRandom) {
    this.#station = station;
    this.#random = random;
  }

  /** Answers the id of the commit. */
  write(): string {
    const draw = this.#random.below(100);
    const known =
      draw < 40 ? undefined : this.#some(draw < 95 || this.#others.length === 0 ? this.#own : this.#others);
    return known ? this.#change(known) : this.#create();
  }

  /** A record that another station created. */
  sees(subject: string, creator: string): void {
    keep(this.#others, { subject, creator, writers: new Map() }, this.#random);
  }

  #some(records: readonly KnownRecord[]): KnownRecord | undefined {
    return records[this.#random.below(Math.max(1, records.length))];
  }

  #create(): string {
    this.#created += 1;
    const subject = `supplier:${this.#station.block * BLOCK + this.#created}`;
    const values = {
      name: `Supplier ${this.#created} of ${this.#station.block}`,
      primary_name: this.#word(),
      primary_phone: `+1 555 ${1_000 + this.#random.below(9_000)}`,
      city: this.#word(),
      notes: `${this.#word()} ${this.#word()} ${this.#word()} ${this.#word()}`,
    };
    const changes = Object.entries(values).map(([path, value]) => ({
      path,
      old: null,
      new: value,
      over: [],
    }));
    const creator = this.#station.write([{ subject, changes }]);
    keep(this.#own, { subject, creator, writers: new Map() }, this.#random);
    return creator;
  }

  #change({ subject, creator, writers }: KnownRecord): string {
    const first = this.#random.below(FIELDS.length);
    const paths = FIELDS.slice(first, first + 1 + this.#random.below(3));
    const changes: Entry['changes'] = paths.map(path => ({
      path,
      old: null,
      new: this.#word(),
      over: [writers.get(path) ?? creator],
    }));
    const id = this.#station.write([{ subject, changes }]);
    for (const path of paths) writers.set(path, id);
    return id;
  }

  #word(): string {
    return Array.from({ length: 8 }, () => String.fromCharCode(97 + this.#random.below(26))).join('');
  }
}

/** The last ones, in place of any. */
function keep(records: KnownRecord[], record: KnownRecord, random: SeededRandom): void {
  if (records.length < KEPT) records.push(record);
  else records[random.below(KEPT)] = record;
}
