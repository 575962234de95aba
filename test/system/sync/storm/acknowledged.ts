import type { Member } from '../kit/process-fleet.ts';

/**
 * What one machine has on its disk, from one moment on. Another life begins where an earlier copy of the disk is put back,
 * and where a copy of it gets a machine of its own.
 */
export interface Life {
  /** The station, or central, that the disk was made for. */
  root: string;
  /** Markers of the writes that it began with. */
  inherited: ReadonlySet<string>;
}

export type Kind =
  | 'part'
  | 'supplier'
  | 'order'
  | 'order item'
  | 'receipt'
  | 'shipment'
  | 'ncr'
  | 'change'
  | 'decision';

/** One write that an author wants, once, however often it is sent. */
export interface Write {
  /** Stands in one value that it writes and nowhere else, so that it can be found in history. */
  marker: string;
  kind: Kind;
  /** As history names him. */
  author: string;
  /** Of the machine at which it was written. */
  life: Life;
  /** The marker of the write that created the record; its own for a creation. */
  record: string;
  /** The field, of a change or a decision. */
  path: string | null;
  /** Markers that its author had seen in the field; none where it was empty. */
  seen: readonly string[];
  /** What it adds to the stock, in millionths. */
  stock: bigint;
  /** Open: nothing tells whether it was written. */
  outcome: 'open' | 'acknowledged' | 'refused';
  /** When and how it was refused, to look into. */
  refusal?: string;
  /** Of a creation, what its author was told that the record is called. */
  told: { id: number; number: string | null } | undefined;
  /** It was on a disk that was lost, and on no other machine at that time. */
  isLost: boolean;
}

/** A machine that authors write at. */
export interface Machine {
  name: string;
  member: Pick<Member, 'station'>;
  life: Life;
}

/** All writes of a storm, by whoever and wherever, with what is known of them. */
export class Acknowledged {
  /** All markers begin with it, and nothing else does. */
  readonly prefix: string;
  readonly #writes = new Map<string, Write>();

  constructor(seed: number) {
    this.prefix = `S${seed}.`;
  }

  get all(): Write[] {
    return [...this.#writes.values()];
  }

  of(marker: string): Write | undefined {
    return this.#writes.get(marker);
  }

  /** Notes a write before it is sent. */
  begin(wanted: Pick<Write, 'kind' | 'author' | 'life'> & Partial<Write>): Write {
    const marker = `${this.prefix}${this.#writes.size + 1}.`;
    const write: Write = {
      record: marker,
      path: null,
      seen: [],
      stock: 0n,
      told: undefined,
      ...wanted,
      marker,
      outcome: 'open',
      isLost: false,
    };
    this.#writes.set(marker, write);
    return write;
  }

  /**
   * A disk was lost. Of what was acknowledged, that which no machine has any more is gone with it; of what it gave no answer
   * for likewise, since nobody sends that again.
   * @param disk markers on the lost disk
   * @param others markers on any disk that is left
   * @returns acknowledged writes that are on no disk, the lost one included
   */
  lose(life: Life, disk: ReadonlySet<string>, others: ReadonlySet<string>): Write[] {
    const nowhere: Write[] = [];
    for (const write of this.#writes.values()) {
      if (write.isLost || write.outcome === 'refused' || others.has(write.marker)) continue;
      if (disk.has(write.marker) || (write.outcome === 'open' && write.life === life)) write.isLost = true;
      else if (write.outcome === 'acknowledged') nowhere.push(write);
    }
    return nowhere;
  }
}
