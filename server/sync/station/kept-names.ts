import { z } from 'zod';
import { type StationNames, stationNamesSchema } from '../../../shared/contract/station-names.ts';
import type { WriteGate } from '../../store/commit.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';

const LOCAL = 'station_names';

const kept = z.object({ stamp: z.string(), names: z.record(z.string(), z.string()) });

const NONE: z.infer<typeof kept> = { stamp: '', names: {} };

/** What central told of its stations' names, kept in this station's own tables: who wrote what is known offline too. */
export class KeptNames {
  readonly #store: { database: Database; gate: Pick<WriteGate, 'applyRemote'> };
  #read: { text: string | undefined; kept: z.infer<typeof kept> } = { text: undefined, kept: NONE };

  constructor(store: { database: Database; gate: Pick<WriteGate, 'applyRemote'> }) {
    this.#store = store;
  }

  /** Of the list that is kept; '' where there is none. */
  get stamp(): string {
    return this.#kept().stamp;
  }

  nameOf(station: string): string | null {
    const { names } = this.#kept();
    return Object.hasOwn(names, station) ? (names[station] ?? null) : null;
  }

  /** Keeps what central told beside an answer. What follows other names than are kept is asked for again. */
  async keep(told: StationNames | undefined): Promise<void> {
    if (!told || (told.after !== null && told.after !== this.stamp)) return;
    const { after, stamp, stations } = stationNamesSchema.parse(told);
    const added = Object.fromEntries(stations.map(({ station, name }) => [station, name]));
    const { database, gate } = this.#store;
    await gate.applyRemote(() => {
      const { names } = after === null ? NONE : this.#kept();
      writeLocal(database, LOCAL, JSON.stringify({ stamp, names: { ...names, ...added } }));
      return { result: undefined };
    });
  }

  #kept(): z.infer<typeof kept> {
    const text = readLocal(this.#store.database.reader, LOCAL);
    if (text !== this.#read.text) {
      this.#read = { text, kept: text === undefined ? NONE : kept.parse(JSON.parse(text)) };
    }
    return this.#read.kept;
  }
}
