import {
  type BulkWriteRow,
  categorizeBulkWriteRows,
  type EventBulk,
  type FilledMangoQuery,
  getPrimaryFieldOfPrimaryKey,
  getQueryMatcher,
  getSortComparator,
  now,
  type PreparedQuery,
  type RxDocumentData,
  type RxJsonSchema,
  type RxStorageBulkWriteResponse,
  type RxStorageChangeEvent,
  type RxStorageCountResult,
  type RxStorageInstance,
  type RxStorageInstanceCreationParams,
  type RxStorageQueryResult,
  type RxStorageWriteError,
  type StringKeys,
} from 'rxdb';
import { type Observable, Subject } from 'rxjs';
import { type ChecksummedDocument, checkedDocument } from './checksum.ts';
import {
  type CollectionIndex,
  CollectionTable,
  type ComputedColumns,
  tableNameOf,
} from './collection-table.ts';
import type { Database } from './database.ts';
import { readDocument } from './documents.ts';
import { type ColumnsByPath, toCondition, toOrder } from './mango.ts';
import { primaryCode, resultCode } from './sqlite-error.ts';

/** One document that a bulk write wrote, and what it replaced. */
export interface WrittenDocument<Document> {
  document: RxDocumentData<Document>;
  /** As it was stored, deleted or not; undefined for a new one. */
  previous: RxDocumentData<Document> | undefined;
}

/** `instanceCreationOptions` of a collection. Everything in it may change without a migration. */
export interface CollectionOptions<Document = unknown> {
  /** Top-level scalar properties that are kept as columns `f_<name>`, too. */
  columns?: readonly string[];
  computed?: ComputedColumns<Document>;
  indexes?: readonly CollectionIndex[];
  /** Runs in the transaction of a bulk write, after the rows are written; what it throws undoes them. */
  afterWrite?(writes: readonly WrittenDocument<Document>[], context: string): void;
}

export interface CollectionInternals {
  /** The collection's table. */
  table: string;
}

/** Where to go on reading changes: after this sequence number. */
export interface ChangeCheckpoint {
  sequence: number;
}

type ChangeBulk<RxDocType> = EventBulk<RxStorageChangeEvent<RxDocumentData<RxDocType>>, ChangeCheckpoint>;

/**
 * Callbacks that may wait in one transaction before further bulk writes leave their documents behind: the memory that an
 * import of any size takes is bounded, and what it wrote is told all the same.
 */
const waitingLimit = 100;

/**
 * A context that begins so is of a commit whose every `previous` was read in the open transaction, so that it is what is
 * stored and is not read again.
 */
export const AS_READ = 'commit:as-read:';

/** Deleted documents purged by one call of `cleanup`, which holds up everything else. */
const purgeLimit = 1_000;

/**
 * One collection in the database. Reads see what is committed, as the events of `changeStream` do;
 * writes see what the open transaction has written.
 */
export class SqliteStorageInstance<RxDocType>
  implements RxStorageInstance<RxDocType, CollectionInternals, CollectionOptions, ChangeCheckpoint>
{
  readonly databaseName: string;
  readonly collectionName: string;
  readonly schema: Readonly<RxJsonSchema<RxDocumentData<RxDocType>>>;
  readonly internals: CollectionInternals;
  readonly options: Readonly<CollectionOptions>;
  readonly #database: Database;
  readonly #table: CollectionTable<RxDocType>;
  readonly #columns: ColumnsByPath;
  readonly #primaryPath: StringKeys<RxDocType>;
  readonly #changes = new Subject<ChangeBulk<RxDocType>>();
  #isClosed = false;

  constructor(database: Database, params: RxStorageInstanceCreationParams<RxDocType, CollectionOptions>) {
    this.databaseName = params.databaseName;
    this.collectionName = params.collectionName;
    this.schema = params.schema;
    this.options = params.options ?? {};
    this.#database = database;
    this.#table = new CollectionTable<RxDocType>(database, {
      name: tableNameOf(params.databaseName, params.collectionName, params.schema.version),
      schema: params.schema,
      columns: this.options.columns ?? [],
      computed: this.options.computed,
      indexes: this.options.indexes ?? [],
    });
    this.#columns = new Map(this.#table.columns.map(column => [column.path, column]));
    this.#primaryPath = getPrimaryFieldOfPrimaryKey(params.schema.primaryKey) as StringKeys<RxDocType>;
    this.internals = { table: this.#table.name };
  }

  /**
   * One transaction, or a savepoint of the open one. A row whose `previous` is not the stored revision is not written
   * and returned as a 409; in a context that starts with `commit` then nothing is written.
   */
  async bulkWrite(
    rows: BulkWriteRow<RxDocType>[],
    context: string,
  ): Promise<RxStorageBulkWriteResponse<RxDocType>> {
    this.#ensureOpen();
    try {
      return { error: this.#tryWrite(rows, context) };
    } catch (error) {
      if (error instanceof CommitRefused) return { error: error.errors };
      throw error;
    }
  }

  /** In the order of `ids`; what is not found is left out. */
  async findDocumentsById(ids: string[], withDeleted: boolean): Promise<RxDocumentData<RxDocType>[]> {
    this.#ensureOpen();
    const found: RxDocumentData<RxDocType>[] = [];
    for (const id of ids) {
      const document = readDocument<RxDocType>(this.#database.reader, this.#table.name, id);
      if (document !== undefined && (withDeleted || !document._deleted)) found.push(document);
    }
    return found;
  }

  async query(preparedQuery: PreparedQuery<RxDocType>): Promise<RxStorageQueryResult<RxDocType>> {
    this.#ensureOpen();
    return { documents: this.#find(preparedQuery.query) };
  }

  /** `slow` where documents have to be read to count them: RxDB then refuses, unless the query allows it. */
  async count(preparedQuery: PreparedQuery<RxDocType>): Promise<RxStorageCountResult> {
    this.#ensureOpen();
    const { query } = preparedQuery;
    const condition = toCondition(query.selector, this.#columns);
    if (!condition.isExact) return { count: this.#find(query).length, mode: 'slow' };
    const row = this.#database.reader.get<{ n: number }>(
      `SELECT count(*) AS n FROM "${this.#table.name}" WHERE ${condition.sql}`,
      ...condition.parameters,
    );
    const afterSkip = Math.max(0, (row?.n ?? 0) - query.skip);
    return { count: Math.min(afterSkip, query.limit ?? afterSkip), mode: 'fast' };
  }

  /** Every document once, as it is now, deleted ones included, in the order of their last change. */
  async getChangedDocumentsSince(
    limit: number,
    checkpoint?: ChangeCheckpoint,
  ): Promise<{ documents: RxDocumentData<RxDocType>[]; checkpoint: ChangeCheckpoint }> {
    this.#ensureOpen();
    const since = checkpoint?.sequence ?? 0;
    const { reader } = this.#database;
    const rows = reader.all<ChecksummedDocument & { sequence: number }>(
      `SELECT document, seal, sequence FROM "${this.#table.name}" WHERE sequence > ? ORDER BY sequence LIMIT ?`,
      since,
      limit,
    );
    return {
      documents: rows.map(row => checkedDocument(reader, row, () => `record of change ${row.sequence}`)),
      checkpoint: { sequence: rows.at(-1)?.sequence ?? since },
    };
  }

  /** Emits what was written once it is committed, in the order of writing. */
  changeStream(): Observable<ChangeBulk<RxDocType>> {
    return this.#changes.asObservable();
  }

  async cleanup(minimumDeletedTime: number): Promise<boolean> {
    this.#ensureOpen();
    return this.#table.purge(now() - minimumDeletedTime, purgeLimit) < purgeLimit;
  }

  async getAttachmentData(): Promise<never> {
    throw new Error('This storage keeps no attachments.');
  }

  async remove(): Promise<void> {
    this.#ensureOpen();
    this.#table.drop();
    await this.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#changes.complete();
  }

  /**
   * What a commit says is new is not looked for: the primary key tells when it is not, and then every row is looked at.
   */
  #tryWrite(rows: BulkWriteRow<RxDocType>[], context: string): RxStorageWriteError<RxDocType>[] {
    // The gate undoes all of it itself. With a savepoint more SQLite copies every page that is changed for the first time
    // since, and the search index writes down what it has gathered.
    if (context.startsWith(AS_READ) && this.#database.inTransaction) return this.#write(rows, context, false);
    const write = (looksForNew: boolean) =>
      this.#database.transaction(() => this.#write(rows, context, looksForNew));
    if (!context.startsWith('commit')) return write(true);
    try {
      return write(false);
    } catch (error) {
      if (primaryCode(error) !== resultCode.constraint) throw error;
      return write(true);
    }
  }

  /** In the open transaction; returns the rows that were refused. */
  #write(
    rows: BulkWriteRow<RxDocType>[],
    context: string,
    looksForNew: boolean,
  ): RxStorageWriteError<RxDocType>[] {
    const stored = this.#readStored(rows, looksForNew, context.startsWith(AS_READ));
    const writes: WrittenDocument<RxDocType>[] = [];
    const accept = (document: RxDocumentData<RxDocType>) =>
      writes.push({ document, previous: stored.get(this.#table.keyOf(document)) });
    const { errors, eventBulk } = categorizeBulkWriteRows(
      this,
      this.#primaryPath,
      stored,
      rows,
      context,
      accept,
      accept,
    );
    if (errors.length > 0 && context.startsWith('commit')) throw refused(errors);
    if (writes.length === 0) return errors;
    const first = this.#table.takeSequence(writes.length);
    for (const [index, { document, previous }] of writes.entries()) {
      if (previous === undefined) this.#table.insert(document, first + index);
      else this.#table.update(document, first + index, previous);
    }
    this.options.afterWrite?.(writes, context);
    if (eventBulk.events.length > 0) {
      eventBulk.checkpoint = { sequence: first + writes.length - 1 };
      this.#tellAfterCommit(eventBulk);
    }
    return errors;
  }

  /** Apart from `#write`, so that what waits for the commit holds nothing else of it. */
  #tellAfterCommit(bulk: ChangeBulk<RxDocType>): void {
    const tell = this.#database.waitingCallbacks < waitingLimit ? asItIs(bulk) : this.#readAnew(bulk);
    this.#database.afterCommit(() => this.#changes.next(tell()));
  }

  /** The events without their documents, which are read where somebody looks at them: as they are then. */
  #readAnew({ events, ...bulk }: ChangeBulk<RxDocType>): () => ChangeBulk<RxDocType> {
    const told = events.map(({ operation, documentId }) => ({ operation, documentId }));
    return () => ({
      ...bulk,
      events: told.map(({ operation, documentId }) => {
        const read = () => readDocument<RxDocType>(this.#database.reader, this.#table.name, documentId);
        const event = {
          operation,
          documentId,
          get documentData() {
            return read();
          },
          get previousDocumentData() {
            return read();
          },
        };
        return event as RxStorageChangeEvent<RxDocumentData<RxDocType>>;
      }),
    });
  }

  #readStored(rows: readonly BulkWriteRow<RxDocType>[], looksForNew: boolean, isAsRead: boolean) {
    const stored = new Map<
      RxDocumentData<RxDocType>[StringKeys<RxDocType>] | string,
      RxDocumentData<RxDocType>
    >();
    const keys = new Set<string>();
    for (const { document, previous } of rows) {
      const key = this.#table.keyOf(document);
      if (keys.has(key)) throw new Error(`The key "${key}" is written twice in one bulk write.`);
      keys.add(key);
      if (previous === undefined && !looksForNew) continue;
      const isKnown = isAsRead && previous !== undefined;
      const known = isKnown ? previous : readDocument<RxDocType>(this.#database, this.#table.name, key);
      if (known !== undefined) stored.set(key, known);
    }
    return stored;
  }

  #find(query: FilledMangoQuery<RxDocType>): RxDocumentData<RxDocType>[] {
    const condition = toCondition(query.selector, this.#columns);
    const order = this.#table.isOrderedByKey ? toOrder(query.sort, this.#columns) : undefined;
    const select = `SELECT key, document, seal FROM "${this.#table.name}" WHERE ${condition.sql}`;
    const end = query.skip + (query.limit ?? Number.POSITIVE_INFINITY);
    const matches = condition.isExact ? () => true : getQueryMatcher(this.schema, query);
    const { reader } = this.#database;
    const rows = reader.iterate<ChecksummedDocument & { key: string }>(
      order === undefined ? select : `${select} ORDER BY ${order}`,
      ...condition.parameters,
    );
    const found: RxDocumentData<RxDocType>[] = [];
    for (const row of rows) {
      if (order !== undefined && found.length >= end) break;
      const document = checkedDocument<RxDocumentData<RxDocType>>(reader, row, () => `record ${row.key}`);
      if (matches(document)) found.push(document);
    }
    if (order === undefined) found.sort(getSortComparator(this.schema, query));
    return found.slice(query.skip, end);
  }

  #ensureOpen(): void {
    if (this.#isClosed) throw new Error(`The collection ${this.collectionName} is closed.`);
  }
}

function asItIs<Value>(value: Value): () => Value {
  return () => value;
}

/**
 * RxDB answers a 409 for a deleted document by inserting that row once more, alone: the commit would be torn apart.
 * Therefore this case is an error and not a 409.
 */
function refused<RxDocType>(errors: RxStorageWriteError<RxDocType>[]): Error {
  const torn = errors.find(
    error => error.status === 409 && !error.writeRow.previous && error.documentInDb._deleted,
  );
  if (torn === undefined) return new CommitRefused(errors);
  return new Error(`"${torn.documentId}" exists as deleted; a commit must pass that state as previous.`);
}

/** Undoes the transaction of a commit in which a row was refused. */
class CommitRefused<RxDocType> extends Error {
  readonly errors: RxStorageWriteError<RxDocType>[];

  constructor(errors: RxStorageWriteError<RxDocType>[]) {
    super('A row of a commit was refused.');
    this.errors = errors;
  }
}
