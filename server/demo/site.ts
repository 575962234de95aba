import type { FamilyName } from '../../shared/families/registry.ts';
import type { Client } from '../../shared/operations/client.ts';
import type { Written } from '../../shared/operations/operation-types.ts';
import type { Calendar } from './calendar.ts';

/** One thing that happens at the company: the day it happens, and the calls that record it. */
export interface Step {
  day: number;
  title: string;
  run(site: Site): Promise<void>;
}

/** Writes fields of the record that is remembered under `key`. */
export function updateStep(day: number, title: string, family: FamilyName, key: string, body: Written): Step {
  return {
    day,
    title,
    run: async site => void (await site.client.update(family, site.idOf(key), body)),
  };
}

/** A lot as the story speaks of it. */
export interface KnownLot {
  id: number;
  number: string;
  part: string;
}

/** The installation that the story is written into, and what the story remembers of its own records. */
export interface Site {
  client: Client;
  calendar: Calendar;
  /** Before numbers that must be unique (of lots, reports, complaints), so that a second sample company can stand beside the first. */
  series: string;
  /** Records created so far, by family. */
  counts: Partial<Record<FamilyName, number>>;
  /** Creates a record, remembers its id under `key`, and answers it. */
  create(family: FamilyName, body: Written, key?: string): Promise<number>;
  /** The id that was remembered under `key`. */
  idOf(key: string): number;
  remember(key: string, id: number): void;
  count(family: FamilyName): void;
  /** A lot by the receipt that brought it and its part: `karsholt#4/PK-3020`. */
  lot(key: string): KnownLot;
  rememberLot(key: string, lot: KnownLot): void;
}

export function createSite(client: Client, calendar: Calendar, series: string): Site {
  const ids = new Map<string, number>();
  const lots = new Map<string, KnownLot>();
  const counts: Site['counts'] = {};
  const known = <Value>(map: ReadonlyMap<string, Value>, key: string): Value => {
    const value = map.get(key);
    if (value === undefined) throw new Error(`The sample company's plan speaks of ${key} before it exists.`);
    return value;
  };
  const site: Site = {
    client,
    calendar,
    series,
    counts,
    async create(family, body, key) {
      const { data } = await client.create(family, body);
      // Inspections answer their ids as text.
      const id = Number((data as { id: number | string | null }).id);
      site.count(family);
      if (key !== undefined) site.remember(key, id);
      return id;
    },
    count: family => {
      counts[family] = (counts[family] ?? 0) + 1;
    },
    idOf: key => known(ids, key),
    remember: (key, id) => void ids.set(key, id),
    lot: key => known(lots, key),
    rememberLot: (key, lot) => void lots.set(key, lot),
  };
  return site;
}
