import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AppError } from '../../../shared/contract/errors.ts';
import { AfterCommit } from './after-commit.ts';
import { Connection, OverConnection, type SqlReader } from './connection.ts';
import type { DatabaseOptions } from './database-options.ts';
import { createPrivateFile, FolderLock } from './lock.ts';
import { Reserve } from './reserve.ts';
import { checkpoint, configureReader, configureWriter, requireFeatures } from './settings.ts';
import { Snapshot } from './snapshot.ts';
import { isDamage, isSqliteError, isStatementFault, primaryCode, resultCode } from './sqlite-error.ts';
import { cannotOpen, damaged, databaseClosed, diskFull, StoreFailedError } from './store-errors.ts';
import { WriteBack } from './write-back.ts';

/** How long a statement waits for a lock that a foreign tool (the sqlite3 shell, a backup) holds on the file. */
const busyTimeoutMs = 5_000;

/**
 * The one SQLite file of a data folder: a connection that writes, and one that reads what is committed.
 *
 * Fail stop: after an error of the file or disk nobody knows what a connection still believes, so every later call
 * throws `StoreFailedError`. A full disk is the exception (rolled back, `storage_full`), and so is an error of the
 * program, a broken constraint included: the transaction is rolled back, the error is thrown on, the store lives.
 */
export class Database extends OverConnection {
  readonly folder: string;
  readonly file: string;
  /** Reads on the second connection: committed state only, even while a transaction is open. */
  readonly reader: SqlReader;
  protected readonly connection: Connection;
  readonly #snapshot: Snapshot;
  readonly #reader: Connection;
  readonly #lock: FolderLock;
  readonly #onFail: DatabaseOptions['onFail'];
  readonly #onDamage: DatabaseOptions['onDamage'];
  readonly #reserve: Reserve | undefined;
  readonly #writeBack: WriteBack;
  readonly #afterCommit = new AfterCommit();
  /** What is written once for all writes of the open transaction, by name. */
  readonly #atEnd = new Map<string, () => void>();
  readonly #savepoints: symbol[] = [];
  #isOpen = true;
  #damage: AppError | undefined;
  #inTransaction = false;
  #transactions = 0;
  #failure: StoreFailedError | undefined;
  /** Why the open transaction can only be rolled back. */
  #doom: unknown;

  /** @throws AppError `unavailable` when another process uses the folder or the file cannot be opened. */
  static open(options: DatabaseOptions): Database {
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    const lock = new FolderLock(options.folder, options.lockWaitMs ?? 3_000);
    try {
      return new Database(options, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  private constructor(options: DatabaseOptions, lock: FolderLock) {
    super();
    this.folder = options.folder;
    this.file = join(options.folder, 'holdpoint.db');
    this.#onFail = options.onFail;
    this.#onDamage = options.onDamage;
    this.#lock = lock;
    this.#damage = options.inspect?.(this.file);
    createPrivateFile(this.file);
    this.#writeBack = new WriteBack(this.file, options.startingThread);
    this.connection = new Connection(this.file, {
      readOnly: this.#damage !== undefined,
      busyTimeoutMs,
      guard: statement => this.#guardWriter(statement),
      onDamage: what => this.damaged(what),
    });
    try {
      configureWriter(this.connection);
      requireFeatures(this.connection);
      this.#reader = new Connection(this.file, {
        readOnly: true,
        busyTimeoutMs,
        guard: statement => this.#guardReader(statement),
        onDamage: what => this.damaged(what),
      });
      configureReader(this.#reader);
      this.#snapshot = new Snapshot(this.#reader);
    } catch (error) {
      this.connection.close();
      throw isSqliteError(error) ? cannotOpen(this.file, error) : error;
    }
    this.reader = this.#reader;
    this.#reserve = this.#damage === undefined ? new Reserve(options.folder) : undefined;
  }

  /** Whether a transaction is open on the writer. */
  get inTransaction(): boolean {
    return this.#inTransaction;
  }

  /** A number of the open transaction, or of the last one: another for each. */
  get transactionNumber(): number {
    return this.#transactions;
  }

  /** A number of the state that `reader` sees now: what it has read stays so while the number is the same. */
  get stateNumber(): number {
    return this.#guardReader(() => this.#snapshot.number);
  }

  /** The error that stopped the store, if one did. */
  get failure(): StoreFailedError | undefined {
    return this.#failure;
  }

  /** Why nothing is written any more, while reading goes on. */
  get damage(): AppError | undefined {
    return this.#damage;
  }

  /** Damage ends writing: nobody knows what would be written over. Returns what to throw. */
  damaged(what: string, cause?: unknown): AppError {
    const damage = damaged(this.folder, what, cause);
    if (this.#damage !== undefined) return damage;
    this.#damage = damage;
    this.connection.control('PRAGMA query_only = 1');
    this.#onDamage?.(damage);
    return damage;
  }

  override exec(sql: string): void {
    super.exec(sql);
    this.afterCommit(() => this.#reader.forgetStatements());
  }

  /** Runs `work` in a transaction, or in a savepoint of the one that is open; whatever it throws undoes it. */
  transaction<T>(work: () => T): T {
    if (this.#inTransaction) return this.#nested(work);
    this.#begin();
    let result: T;
    try {
      result = synchronous(work());
    } catch (error) {
      this.rollback();
      throw error;
    }
    this.commit();
    return result;
  }

  /**
   * Opens a transaction that may span `await`s; everything written meanwhile belongs to it.
   * @throws AppError `unavailable` when the database is damaged
   */
  begin(): void {
    if (this.#damage !== undefined) throw this.#damage;
    if (this.#reserve?.isReady() === false) throw diskFull(this.folder, undefined);
    this.#begin();
  }

  #begin(): void {
    if (this.#inTransaction) throw new Error('A transaction is already open.');
    const begin = this.#damage === undefined ? 'BEGIN IMMEDIATE' : 'BEGIN';
    this.#guardWriter(() => this.connection.control(begin));
    this.#inTransaction = true;
    this.#transactions += 1;
    this.#doom = undefined;
  }

  /**
   * @throws AppError `storage_full`, StoreFailedError, or the error that doomed the transaction; it is undone then
   */
  commit(): void {
    this.#ensureUsable();
    if (!this.#inTransaction) throw new Error('No transaction is open.');
    if (this.#savepoints.length > 0) this.#doom ??= new Error('A savepoint is still open.');
    if (this.#doom !== undefined) {
      const doom = this.#doom;
      this.rollback();
      throw doom;
    }
    this.writeAtEnd();
    try {
      this.#snapshot.end();
      this.connection.control('COMMIT');
    } catch (error) {
      if (primaryCode(error) !== resultCode.full) throw this.#fail(error);
      this.rollback();
      throw this.#full(error);
    }
    this.#inTransaction = false;
    this.#afterCommit.deliver();
    this.#considerWriteBack();
  }

  /** What is committed stays so, whatever asking comes to: it is asked again after the next commit. */
  #considerWriteBack(): void {
    if (this.#damage !== undefined) return;
    try {
      this.#writeBack.consider(this.connection);
    } catch (error) {
      if (!isSqliteError(error)) throw error;
    }
  }

  /** Undoes the open transaction and forgets what was to follow its commit. */
  rollback(): void {
    if (!this.#inTransaction) throw new Error('No transaction is open.');
    this.#inTransaction = false;
    this.#savepoints.length = 0;
    this.#atEnd.clear();
    this.#afterCommit.forget(0);
    this.#doom = undefined;
    // SQLite has already rolled back by itself after some errors.
    if (this.#failure !== undefined || !this.connection.isTransaction) return;
    try {
      this.connection.control('ROLLBACK');
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** A part of the open transaction that is undone alone when `work` rejects. Parts nest; they must not overlap. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const end = this.#beginSavepoint();
    try {
      const result = await work();
      end('release');
      return result;
    } catch (error) {
      end('undo');
      throw error;
    }
  }

  /** Runs `callback` once the outermost transaction is committed, never if that (or its savepoint) is undone. */
  afterCommit(callback: () => void): void {
    this.#afterCommit.add(callback);
    if (!this.#inTransaction) this.#afterCommit.deliver();
  }

  /**
   * Writes at the end of the open transaction what would otherwise be written with each of its writes. Of one name the
   * first stays, also where the savepoint in which it was given is undone.
   */
  atEnd(name: string, write: () => void): void {
    if (!this.#inTransaction) throw new Error(`${name} needs an open transaction.`);
    if (!this.#atEnd.has(name)) this.#atEnd.set(name, write);
  }

  /** Writes what `atEnd` was given, for one who reads all that the transaction has written; its commit does else. */
  writeAtEnd(): void {
    try {
      for (const write of this.#atEnd.values()) write();
    } catch (error) {
      this.rollback();
      throw error;
    }
    this.#atEnd.clear();
  }

  /** How many callbacks wait for the commit of the open transaction. */
  get waitingCallbacks(): number {
    return this.#afterCommit.size;
  }

  /** Writes the log back, closes both connections and releases the folder. An open transaction is undone. */
  close(): void {
    if (!this.#isOpen) return;
    try {
      if (this.#inTransaction) this.rollback();
      this.#afterCommit.finish();
      this.#snapshot.end();
      this.#writeBack.close();
      this.#reader.close();
      if (this.#failure === undefined && this.#damage === undefined) checkpoint(this.connection);
    } catch (error) {
      // On a full disk, say. What stays in the log is read from there when the file is opened again.
      if (!isSqliteError(error)) throw error;
    } finally {
      this.#isOpen = false;
      this.connection.close();
      this.#lock.release();
    }
  }

  #nested<T>(work: () => T): T {
    const end = this.#beginSavepoint();
    try {
      const result = synchronous(work());
      end('release');
      return result;
    } catch (error) {
      end('undo');
      throw error;
    }
  }

  /** Returns the function that ends the savepoint; it acts once. */
  #beginSavepoint(): (how: 'release' | 'undo') => void {
    if (!this.#inTransaction) throw new Error('A savepoint needs an open transaction.');
    const name = `level_${this.#savepoints.length}`;
    const mark = Symbol(name);
    const callbacks = this.#afterCommit.size;
    this.run(`SAVEPOINT ${name}`);
    this.#savepoints.push(mark);
    let isOver = false;
    return how => {
      if (isOver) return;
      isOver = true;
      if (!this.#savepoints.includes(mark)) {
        if (how === 'undo') return;
        throw this.#failure ?? new Error('The transaction of this savepoint has ended.');
      }
      if (this.#savepoints.at(-1) !== mark) this.#doom ??= new Error('Savepoints overlap.');
      this.#savepoints.splice(this.#savepoints.indexOf(mark));
      if (how === 'undo') this.#afterCommit.forget(callbacks);
      // What dooms the whole transaction ends it as a whole.
      if (this.#doom !== undefined && how === 'release') throw this.#doom;
      if (this.#doom !== undefined || this.#failure !== undefined) return;
      if (how === 'undo') this.run(`ROLLBACK TO ${name}`);
      this.run(`RELEASE ${name}`);
    };
  }

  #guardReader<T>(statement: () => T): T {
    this.#ensureUsable();
    try {
      this.#snapshot.begin();
      return statement();
    } catch (error) {
      throw this.#noticed(error);
    }
  }

  #guardWriter<T>(statement: () => T): T {
    this.#ensureUsable();
    if (this.#doom !== undefined) throw this.#doom;
    try {
      // Outside of a transaction each statement is one.
      if (!this.#inTransaction) this.#snapshot.end();
      return statement();
    } catch (error) {
      throw this.#classified(error);
    }
  }

  /** What to throw for an error of the writer, after taking note of what it means for the transaction. */
  #classified(error: unknown): unknown {
    if (primaryCode(error) === resultCode.full) {
      const full = this.#full(error);
      if (this.#inTransaction) this.#doom = full;
      return full;
    }
    if (this.#damage !== undefined && isSqliteError(error)) return this.#noticed(error);
    if (isSqliteError(error) && !isStatementFault(error)) return this.#fail(error);
    if (this.#inTransaction && !this.connection.isTransaction) this.#doom = error;
    return error;
  }

  #full(error: unknown): AppError {
    this.#reserve?.giveUp();
    return diskFull(this.folder, error);
  }

  /** A page that cannot be read is damage. */
  #noticed(error: unknown): unknown {
    if (this.#damage !== undefined && primaryCode(error) === resultCode.readOnly) return this.#damage;
    return isDamage(error) ? this.damaged(String(error), error) : error;
  }

  #fail(error: unknown): StoreFailedError {
    if (this.#failure !== undefined) return this.#failure;
    this.#failure = new StoreFailedError(error);
    this.#onFail?.(error);
    return this.#failure;
  }

  #ensureUsable(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#isOpen) throw databaseClosed(this.file);
  }
}

function synchronous<T>(result: T): T {
  if (result instanceof Promise) throw new TypeError('A transaction is synchronous; use begin and commit.');
  return result;
}
