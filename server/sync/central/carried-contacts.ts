import type { Store } from '../../store/store.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import type { PullRequest } from '../protocol/wire.ts';

/** With this before a station, what `local` keeps of it. */
const SAID = 'said:';

/** What a station said last that it has, by a file or over the line, when files went, and what is in the next one. */
export interface Said {
  has?: Pick<PullRequest, 'cursor' | 'packed'>;
  /** Whether it asks for records in place of the log. */
  takes_records?: boolean;
  out_at?: string;
  in_at?: string;
  /** The public key by which its files are signed. */
  key?: string;
  /** The block of ids that it was given last by a file, and the name of the file that asked for it. */
  block?: { for: string; block: number };
}

/** Kept durably, so that a file for a station begins where the station is. */
export class CarriedContacts {
  readonly #store: Store;
  /** What was said and is not kept yet. */
  readonly #new = new Map<string, Said>();

  constructor(store: Store) {
    this.#store = store;
  }

  of(station: string): Said {
    const kept: Said = JSON.parse(readLocal(this.#store.database.reader, `${SAID}${station}`) ?? '{}');
    return { ...kept, ...this.#new.get(station) };
  }

  /** Kept with the next `write`. */
  note(station: string, said: Said): void {
    this.#new.set(station, { ...this.#new.get(station), ...said });
  }

  /** In the open transaction, and with it. */
  keep(station: string, said: Said): void {
    writeLocal(this.#store.database, `${SAID}${station}`, JSON.stringify({ ...this.of(station), ...said }));
  }

  /** In the open transaction. */
  write(): void {
    for (const [station] of this.#new) {
      writeLocal(this.#store.database, `${SAID}${station}`, JSON.stringify(this.of(station)));
    }
    const written = new Map(this.#new);
    this.#store.database.afterCommit(() => {
      for (const [station, said] of written) if (this.#new.get(station) === said) this.#new.delete(station);
    });
  }
}
