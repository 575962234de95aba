import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { AppError } from '../../../shared/contract/errors.ts';

/** What can be bound to a `?`. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** A row as SQLite returns it, where the caller names no type of its own. */
export type SqlRow = Record<string, SqlValue>;

/** What a statement changed. */
export interface SqlChanges {
  changes: number | bigint;
  lastInsertRowid: number | bigint;
}

/** Reading SQL: every method takes the text and one value per `?`. */
export interface SqlReader {
  get<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Row | undefined;
  all<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Row[];
  /** Row by row; the statement belongs to the caller until the iteration ends. */
  iterate<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Iterable<Row>;
  /** Like `get` with every integer as a BigInt: `get` throws a RangeError above 2^53. */
  getBig<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Row | undefined;
  /** Like `all` with every integer as a BigInt. */
  allBig<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Row[];
  /** Tells the owner of the connection that a row is not what was written (a sentence); returns what to throw. */
  damaged(what: string): AppError;
}

/** Statements kept prepared per connection; beyond that the oldest is dropped, and prepared anew when it is needed. */
const statementLimit = 400;

export interface ConnectionOptions {
  readOnly: boolean;
  busyTimeoutMs: number;
  /** Runs every statement but those of `control`: where the owner refuses work and reads errors. */
  guard: <T>(statement: () => T) => T;
  /** Takes note of a row that is not what was written; returns what to throw. */
  onDamage: (what: string) => AppError;
}

/** One SQLite connection with its prepared statements. */
export class Connection implements SqlReader {
  readonly #database: DatabaseSync;
  readonly #guard: ConnectionOptions['guard'];
  readonly #onDamage: ConnectionOptions['onDamage'];
  readonly #statements = new Map<string, Prepared>();
  readonly #bigStatements = new Map<string, StatementSync>();

  constructor(file: string, options: ConnectionOptions) {
    this.#guard = options.guard;
    this.#onDamage = options.onDamage;
    this.#database = new DatabaseSync(file, {
      readOnly: options.readOnly,
      timeout: options.busyTimeoutMs,
      enableForeignKeyConstraints: false,
    });
  }

  /** What SQLite itself says; it ends a transaction on its own after some errors. */
  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Statements without values or result, past the guard: settings, and what begins and ends a transaction. */
  control(sql: string): void {
    this.#database.exec(sql);
  }

  /** The row of a setting, past the guard as well. */
  setting<Row>(sql: string): Row | undefined {
    return this.#prepared(sql).get<Row>();
  }

  /** For what changes the schema: of statements prepared before, the columns may have other names by now. */
  exec(sql: string): void {
    this.forgetStatements();
    this.#guard(() => this.#database.exec(sql));
  }

  /** Where another connection has changed the schema. */
  forgetStatements(): void {
    this.#statements.clear();
    this.#bigStatements.clear();
  }

  run(sql: string, ...parameters: readonly SqlValue[]): SqlChanges {
    return this.#guard(() => this.#prepared(sql).statement.run(...parameters));
  }

  get<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Row | undefined {
    return this.#guard(() => this.#prepared(sql).get<Row>(...parameters));
  }

  all<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Row[] {
    return this.#guard(() => this.#prepared(sql).all<Row>(...parameters));
  }

  iterate<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Iterable<Row> {
    // Not from the cache: running the same statement again in the loop would end the iteration.
    return this.#guard(() => this.#database.prepare(sql).iterate(...parameters) as Iterable<Row>);
  }

  getBig<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Row | undefined {
    return this.#guard(() => this.#preparedBig(sql).get(...parameters) as Row | undefined);
  }

  allBig<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Row[] {
    return this.#guard(() => this.#preparedBig(sql).all(...parameters) as Row[]);
  }

  damaged(what: string): AppError {
    return this.#onDamage(what);
  }

  close(): void {
    this.forgetStatements();
    this.#database.close();
  }

  #prepared(sql: string): Prepared {
    return cached(this.#statements, sql, () => new Prepared(this.#database.prepare(sql)));
  }

  #preparedBig(sql: string): StatementSync {
    return cached(this.#bigStatements, sql, () => {
      const statement = this.#database.prepare(sql);
      statement.setReadBigInts(true);
      return statement;
    });
  }
}

/** What runs its statements on a connection. */
export abstract class OverConnection implements SqlReader {
  protected abstract readonly connection: Connection;

  exec(sql: string): void {
    this.connection.exec(sql);
  }

  run(sql: string, ...parameters: readonly SqlValue[]): SqlChanges {
    return this.connection.run(sql, ...parameters);
  }

  get<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Row | undefined {
    return this.connection.get<Row>(sql, ...parameters);
  }

  all<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Row[] {
    return this.connection.all<Row>(sql, ...parameters);
  }

  iterate<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Iterable<Row> {
    return this.connection.iterate<Row>(sql, ...parameters);
  }

  getBig<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Row | undefined {
    return this.connection.getBig<Row>(sql, ...parameters);
  }

  allBig<Row = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Row[] {
    return this.connection.allBig<Row>(sql, ...parameters);
  }

  abstract damaged(what: string, cause?: unknown): AppError;
}

/**
 * A statement whose rows are made here of the values that it returns. Node makes them slow objects, and the name of every column
 * anew for each: more than half of what a small row costs.
 */
class Prepared {
  readonly statement: StatementSync;
  #names: readonly string[] = [];

  constructor(statement: StatementSync) {
    statement.setReturnArrays(true);
    this.statement = statement;
  }

  get<Row>(...parameters: readonly SqlValue[]): Row | undefined {
    const values = this.statement.get(...parameters) as readonly SqlValue[] | undefined;
    return values && this.#rowOf<Row>(values);
  }

  all<Row>(...parameters: readonly SqlValue[]): Row[] {
    const rows = this.statement.all(...parameters) as unknown as (readonly SqlValue[])[];
    return rows.map(values => this.#rowOf<Row>(values));
  }

  #rowOf<Row>(values: readonly SqlValue[]): Row {
    // Not before there is a row: only then SQLite has looked whether another connection changed the schema.
    if (values.length !== this.#names.length) this.#names = namesOf(this.statement);
    const names = this.#names;
    const row: Record<string, unknown> = {};
    for (let at = 0; at < names.length; at += 1) row[names[at] as string] = values[at];
    return row as Row;
  }
}

function namesOf(statement: StatementSync): string[] {
  return statement.columns().map(({ name }) => name);
}

function cached<Statement>(
  statements: Map<string, Statement>,
  sql: string,
  prepare: () => Statement,
): Statement {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const statement = prepare();
  statements.set(sql, statement);
  const [oldest] = statements.keys();
  if (statements.size > statementLimit && oldest !== undefined) statements.delete(oldest);
  return statement;
}
