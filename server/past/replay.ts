import type { Family } from '../../shared/contract/define-family.ts';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { openReadOnly } from '../store/open-read-only.ts';
import { keyOf } from '../store/records.ts';
import { indexNameOf } from '../store/sqlite/collection-table.ts';
import type { Connection } from '../store/sqlite/connection.ts';
import { tableOf } from '../store/sqlite/documents.ts';
import type { Store } from '../store/store.ts';
import { yieldingToEventLoop } from '../store/yield-to-event-loop.ts';
import { type Changed, changedSince } from './changed-since.ts';
import type { Cut } from './cut.ts';
import { Past, refuseTaking, refuseUnnoted } from './past.ts';

/** Who ask for what takes long wait for each other. */
const MOST_WAITING = 8;

/** Ids of a family that are read at once. */
const SLICE = 5_000;

/** The whole file as it is at one moment, whatever is written meanwhile, and what of it was otherwise then. */
export interface Replay {
  past: Past;
  sql: Connection;
  table: string;
  cut: Cut;
  changed: ReadonlyMap<string, Changed>;
  /** Awaited between two records: lets other work through, and ends it all when nobody waits for it any more. */
  step: () => Promise<void>;
}

/** Thrown into what is replayed when nobody waits for it any more. */
class Gone extends Error {}

/** Replays one after the other, each over a connection of its own. */
export class Replays {
  readonly #store: Pick<Store, 'database' | 'collection' | 'station'>;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(store: Pick<Store, 'database' | 'collection' | 'station'>) {
    this.#store = store;
  }

  /**
   * Undefined where nobody waits for it any more.
   * @throws AppError 422 on `as_of` for what this machine cannot know; `unavailable` while it takes records from central;
   *   `too_many_requests`
   */
  async run<Answer>(
    cut: Cut,
    isGone: () => boolean,
    work: (replay: Replay) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    if (this.#waiting >= MOST_WAITING) {
      const message = 'Too many look into the past at once. Ask again in a minute.';
      throw new AppError('too_many_requests', message, { headers: { 'Retry-After': '60' } });
    }
    this.#waiting += 1;
    const turn = this.#turn.then(() => (isGone() ? undefined : this.#replay(cut, isGone, work)));
    this.#turn = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #replay<Answer>(
    cut: Cut,
    isGone: () => boolean,
    work: (replay: Replay) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const { database, collection, station } = this.#store;
    const yieldToEventLoop = yieldingToEventLoop();
    const step = async () => {
      await yieldToEventLoop();
      if (isGone()) throw new Gone();
    };
    const table = tableOf(collection);
    const sql = openReadOnly(database.file);
    try {
      sql.control('BEGIN');
      const past = new Past({ sql, table, station });
      refuseUnknowable(sql, past, cut);
      const { records: changed, counted } = await changedSince(sql, past.steps, cut, step);
      if (counted === 0) throw beforeFirst(cut);
      return await work({ past, sql, table, cut, changed, step });
    } catch (error) {
      if (error instanceof Gone) return undefined;
      throw error;
    } finally {
      sql.close();
    }
  }
}

export function beforeFirst(cut: Cut): AppError {
  const given = cut.kind === 'place' ? cut.place : cut.at;
  return invalid({
    as_of: [`Nothing was recorded here by ${given}: that is before the first entry. Give a later one.`],
  });
}

/** A record as of then: worked out only where it was another. */
export function recordThen({ past, cut, changed }: Replay, key: string): StoredRecord | undefined {
  const change = changed.get(key);
  if (change === 'unborn') return undefined;
  return change === undefined ? past.now(key) : past.at(key, cut);
}

export interface PastPage {
  records: StoredRecord[];
  total: number;
}

/** One page of a family's records as of then, in order of id, with the true total. */
export async function pageThen(
  replay: Replay,
  family: Family,
  { page, perPage, isNewestFirst }: { page: number; perPage: number; isNewestFirst: boolean },
): Promise<PastPage> {
  const ids = await idsThen(replay, family);
  if (isNewestFirst) ids.reverse();
  const records: StoredRecord[] = [];
  for (const id of ids.slice((page - 1) * perPage, page * perPage)) {
    const record = recordThen(replay, keyOf(family.name, id));
    if (record) records.push(record);
    await replay.step();
  }
  return { records, total: ids.length };
}

/** In their order. */
async function idsThen(replay: Replay, { name }: Family): Promise<number[]> {
  const { sql, table, changed, step } = replay;
  const others = new Map<number, boolean>();
  for (const [key, change] of changed) {
    if (!key.startsWith(`${name}:`)) continue;
    if (change !== 'changed') others.set(idOf(key), recordThen(replay, key) !== undefined);
    await step();
  }
  const ids: number[] = [];
  const page = `SELECT f_id AS id FROM "${table}" INDEXED BY "${indexNameOf(table, 'page')}"
    WHERE f_family = ? AND f_id > ? ORDER BY f_id LIMIT ${SLICE}`;
  for (let last = 0; ; ) {
    const rows = sql.all<{ id: number }>(page, name, last);
    for (const { id } of rows) {
      if (others.get(id) !== false) ids.push(id);
      others.delete(id);
    }
    await step();
    last = rows.at(-1)?.id ?? last;
    if (rows.length < SLICE) break;
  }
  // What is no more: it was shown here, and central did not take it.
  const gone = [...others].flatMap(([id, wasThere]) => (wasThere ? id : []));
  return gone.length === 0 ? ids : [...ids, ...gone].sort((a, b) => a - b);
}

export function idOf(key: string): number {
  return Number(key.slice(key.lastIndexOf(':') + 1));
}

function refuseUnknowable(sql: Connection, { steps }: Past, cut: Cut): void {
  refuseTaking(sql);
  if (cut.kind === 'here') refuseUnnoted(steps, cut.at);
  if (steps.start.sequence === 0 || steps.isAfterTaken(cut)) return;
  const since = steps.takenAt() ?? `entry ${steps.start.sequence}`;
  throw invalid({
    as_of: [
      `This station took its records as they stood, and knows their history from ${since} on. Ask central, or give a later moment.`,
    ],
  });
}
