import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../shared/contract/errors.ts';
import type { FamilyName } from '../../shared/families/registry.ts';
import { again } from '../journal/again.ts';
import { DatabaseError, JournalConnection } from '../journal/connection.ts';
import type { FeedPlace } from '../store/change-feed.ts';
import { reportDocument } from './report-document.ts';
import { type ReportedFamily, reportedFamilies } from './report-shape.ts';
import type { ReportedAnswer, ReportSource } from './report-source.ts';
import {
  HAS_ROLE,
  KEEP_ONLY,
  MADE_VIEWS,
  MOVE_PLACE,
  PUT_RECORDS,
  READ_PLACE,
  REMOVE_OTHERS,
  REMOVE_RECORDS,
  REPORT_TABLES,
  REPORTS_ROLE,
  reportViews,
  shapeOf,
  type View,
} from './report-tables.ts';

/** How often it is looked whether something has changed, and how long is waited after a fault. In milliseconds. */
const EVERY_MS = 500;
const AFTER_FAULT_MS = 5_000;
/** Records that are written in one transaction. */
const AT_ONCE = 200;

const INSUFFICIENT_PRIVILEGE = '42501';
const DEPENDENT_OBJECTS = '2BP01';

/** How far the reports are. */
interface Place {
  /** One more with each transaction. */
  revision: number;
  /** Of what changed here; '' before all was written once. */
  cursor: string;
  /** The journal's position up to which all is in the reports. */
  position: number;
  isComplete: boolean;
  shape: string;
}

type Statement = [sql: string, values: unknown[]];

export interface ReporterOptions {
  /** The journal's database. */
  url: string;
  source: ReportSource;
  /** How much of the journal is in what the source reads. */
  position: () => number;
  onFault: (error: unknown) => void;
}

/**
 * Keeps the schema `reports` beside the journal: a row for each record, as the interface answers it, and a view for each family. One
 * process does it. Whatever ends it, and wherever, the next one goes on from the place that stands there.
 */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #connection: JournalConnection;
  readonly #families = new Map<string, ReportedFamily>(reportedFamilies().map(each => [each.family, each]));
  readonly #views = reportViews();
  readonly #shape = shapeOf(this.#views);
  #stopping: AbortController | undefined;
  #work: Promise<void> = Promise.resolve();
  #place: Place = { revision: 0, cursor: '', position: 0, isComplete: false, shape: '' };

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#connection = new JournalConnection(options.url);
  }

  start(): void {
    if (this.#stopping) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    this.#work = this.#work.then(() => this.#run(stopping.signal));
  }

  /** Resolves when it writes nothing any more. */
  async stop(): Promise<void> {
    this.#stopping?.abort();
    this.#stopping = undefined;
    await this.#work;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#prepare();
        await this.#follow(signal);
      } catch (error) {
        if (!signal.aborted) this.#options.onFault(error);
        await pause(AFTER_FAULT_MS, signal);
      }
    }
    this.#connection.drop();
  }

  /** Tables, views and rights, where they are not there or not as they are now. */
  async #prepare(): Promise<void> {
    await again(async () => {
      for (const statement of REPORT_TABLES) await this.#connection.query(statement);
    });
    await this.#readPlace();
    if (this.#place.shape !== this.#shape) {
      const { rows } = await this.#connection.query<{ name: string }>(MADE_VIEWS);
      await this.#write({ cursor: '', isComplete: false, shape: this.#shape }, [
        ...rows.map(({ name }): Statement => [`DROP VIEW IF EXISTS reports."${name}"`, []]),
        ...this.#views.map(({ create }): Statement => [create, []]),
      ]).catch(error => {
        throw isNeeded(error) ? stillNeeded(error) : error;
      });
      for (const view of this.#views) await this.#describe(view);
    }
    await this.#permit();
  }

  /** For who looks at the views; nothing where the server has no comments. */
  async #describe({ comments }: View): Promise<void> {
    try {
      for (const comment of comments) await this.#connection.query(comment);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
    }
  }

  async #permit(): Promise<void> {
    const { rowCount } = await this.#connection.query(HAS_ROLE, [REPORTS_ROLE]);
    if (rowCount === 0) {
      try {
        await again(() => this.#connection.query(`CREATE ROLE ${REPORTS_ROLE} NOLOGIN`));
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
        this.#options.onFault(new AppError('forbidden', NO_ROLE));
        return;
      }
    }
    await this.#connection.query(`GRANT USAGE ON SCHEMA reports TO ${REPORTS_ROLE}`);
    for (const { name } of this.#views)
      await this.#connection.query(`GRANT SELECT ON reports."${name}" TO ${REPORTS_ROLE}`);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { source, position } = this.#options;
    const known = this.#place.isComplete ? source.placeOf(this.#place.cursor) : undefined;
    let from = typeof known === 'object' ? known : await this.#writeAll(signal);
    while (!signal.aborted) {
      // Before it is asked: what comes meanwhile is not counted.
      const here = position();
      const changes = await source.after(from, AT_ONCE);
      if (changes) {
        for (const family of changes.families) await this.#writeFamily(family, signal);
        if (signal.aborted) return;
        await this.#writeKeys(changes.keys, changes.place);
        from = changes.place;
      } else {
        if (here !== this.#place.position) await this.#write({ position: here });
        await pause(EVERY_MS, signal);
      }
    }
  }

  /** Every record anew. Answers the place from which changes are to be followed. */
  async #writeAll(signal: AbortSignal): Promise<FeedPlace> {
    const { source } = this.#options;
    const place = source.end();
    const cursor = source.cursorOf(place);
    if (this.#place.isComplete) await this.#write({ isComplete: false, cursor: '' });
    for (const family of this.#families.keys()) await this.#writeFamily(family as FamilyName, signal);
    if (!signal.aborted)
      await this.#write({ isComplete: true, cursor }, [[REMOVE_OTHERS, [[...this.#families.keys()]]]]);
    return place;
  }

  /** All records of a family, in stretches of ids; what the reports have besides goes. */
  async #writeFamily(name: FamilyName, signal: AbortSignal): Promise<void> {
    const family = this.#families.get(name);
    if (!family) return;
    for (let next = 0; !signal.aborted; ) {
      const answers = await this.#options.source.from(name, next, AT_ONCE);
      const last = answers.at(-1)?.id ?? null;
      const ids = answers.map(({ id }) => id);
      await this.#write({}, [[KEEP_ONLY, [name, next, last, ids]], ...this.#putting(family, answers)]);
      if (last === null) return;
      next = last + 1;
    }
  }

  async #writeKeys(keys: readonly string[], place: FeedPlace): Promise<void> {
    const { source } = this.#options;
    const wanted = [...new Set(keys)].filter(key => this.#families.has(nameIn(key)));
    const found = await source.answers(wanted);
    const gone = wanted.filter(key => !found.has(key));
    const byFamily = Map.groupBy(found, ([key]) => nameIn(key));
    const puts = [...byFamily].flatMap(([name, entries]) => {
      const family = this.#families.get(name);
      return family
        ? this.#putting(
            family,
            entries.map(([, answer]) => answer),
          )
        : [];
    });
    const removing: Statement[] =
      gone.length > 0 ? [[REMOVE_RECORDS, [gone.map(nameIn), gone.map(idIn)]]] : [];
    await this.#write({ cursor: source.cursorOf(place) }, [...puts, ...removing]);
  }

  #putting(family: ReportedFamily, answers: readonly ReportedAnswer[]): Statement[] {
    if (answers.length === 0) return [];
    const documents = answers.map(({ answer }) => JSON.stringify(reportDocument(family, answer)));
    return [[PUT_RECORDS, [answers.map(() => family.family), answers.map(({ id }) => id), documents]]];
  }

  /**
   * Statements and the new place in one transaction.
   * @throws Error where another process has written since the place was read
   */
  async #write(
    change: Partial<Omit<Place, 'revision'>>,
    statements: readonly Statement[] = [],
  ): Promise<void> {
    const next = { ...this.#place, ...change };
    const session = await this.#connection.connect();
    const ask = (sql: string, values?: readonly unknown[]) => this.#connection.query(sql, values, session);
    await again(async () => {
      try {
        await ask('BEGIN');
        const { revision, cursor, position, isComplete, shape } = next;
        const { rowCount } = await ask(MOVE_PLACE, [revision, cursor, position, isComplete, shape]);
        if (rowCount !== 1) throw new Error('Another process has written the reports.');
        for (const [sql, values] of statements) await ask(sql, values);
        const { command } = await ask('COMMIT');
        if (command !== 'COMMIT') throw new Error('The database has undone what was written of the reports.');
      } catch (error) {
        await ask('ROLLBACK').catch(() => this.#connection.drop(session));
        throw error;
      }
    });
    this.#place = { ...next, revision: next.revision + 1 };
  }

  async #readPlace(): Promise<void> {
    const { rows } = await this.#connection.query<PlaceRow>(READ_PLACE);
    const [row] = rows;
    if (!row) throw new Error('The reports have no place.');
    const { cursor, shape, is_complete: isComplete } = row;
    this.#place = {
      cursor,
      shape,
      isComplete,
      revision: Number(row.revision),
      position: Number(row.position),
    };
  }
}

interface PlaceRow {
  revision: string;
  cursor: string;
  position: string;
  is_complete: boolean;
  shape: string;
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
}

function nameIn(key: string): string {
  return key.slice(0, key.lastIndexOf(':'));
}

function idIn(key: string): number {
  return Number(key.slice(key.lastIndexOf(':') + 1));
}

function isNeeded(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.code === DEPENDENT_OBJECTS;
}

function stillNeeded({ message, detail }: DatabaseError): AppError {
  const says = `The reports stand still: this version has other views, and the database refuses to replace them: ${message}. ${detail ?? ''} Drop what depends on the views of the schema reports, and make it again afterwards.`;
  return new AppError('conflict', says);
}

const NO_ROLE = `The reports are written, and nobody may read them yet: the user of HOLDPOINT_JOURNAL may make no roles. Let an administrator of the database run CREATE ROLE ${REPORTS_ROLE} NOLOGIN, and start this process again.`;
