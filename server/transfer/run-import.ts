import { join } from 'node:path';
import { AppError, errorStatus } from '../../shared/contract/errors.ts';
import type { WriteGate } from '../store/commit.ts';
import { ImportKeys } from '../store/import-keys.ts';
import type { Store } from '../store/store.ts';
import type { Actor, UnitOfWork } from '../store/unit-of-work.ts';
import { type Applied, type ApplyContext, applyDeferred, applyRow } from './apply-rows.ts';
import type { BadRow } from './fault.ts';
import type { ImportFile } from './file-text.ts';
import type { ImportRow, RowReference } from './import-row.ts';
import { rowFaults } from './map-row.ts';
import type { Mapping } from './mapping.ts';
import { planImport, type StepPlan } from './plan.ts';
import { type Reader, startReader } from './reader.ts';
import type { ReaderMessage } from './reader-messages.ts';
import { NameIndex } from './references.ts';

export const FAULT_LIMIT = 1_000;

export interface ImportTask {
  mapping: Mapping;
  files: ImportFile[];
  /** Where to put things aside. */
  folder: string;
  /** The site's time zone, for moments that are given for days. */
  siteZone: string;
  /** For history. */
  actor: Actor;
  skipBad: boolean;
  isDry: boolean;
  signal: AbortSignal;
  progress: ImportProgress;
}

/** What is known of an import while it runs, and what is left of it afterwards. */
export interface ImportProgress {
  message: string;
  rows_read: number;
  rows_total: number | null;
  created: number;
  updated: number;
  unchanged: number;
  bad: number;
  bad_rows: BadRow[];
  unmapped_columns: Record<string, string[]>;
}

type Commit = Parameters<Parameters<WriteGate['together']>[0]>[0];
type Batch = Extract<ReaderMessage, { kind: 'batch' }>;

/** Undoes the transaction of an import that must not leave anything; the progress says why. */
class Undone extends Error {}

/**
 * Runs an import: a thread reads and checks every row, then the rows pass the write gate in batches. All of them or
 * none in one transaction, while other writes wait; with `skipBad` batch by batch, without the rows that cannot be
 * taken. True when everything was taken that was to be. @throws the signal's reason when cancelled
 */
export async function runImport(store: Store, task: ImportTask): Promise<boolean> {
  const reader = startReader({
    mapping: task.mapping,
    files: task.files,
    spoolFile: join(task.folder, 'spool.db'),
    siteZone: task.siteZone,
    faultLimit: FAULT_LIMIT,
  });
  const stop = () => void reader.close();
  task.signal.addEventListener('abort', stop);
  try {
    return await new ImportRun(store, task, reader).run();
  } catch (error) {
    // The end of the thread is then what the cancelling brought about.
    task.signal.throwIfAborted();
    throw error;
  } finally {
    task.signal.removeEventListener('abort', stop);
    await reader.close();
  }
}

class ImportRun {
  readonly #store: Store;
  readonly #task: ImportTask;
  readonly #reader: Reader;
  readonly #plans: StepPlan[];
  readonly #context: ApplyContext;
  readonly #names: NameIndex;
  #deferred: { id: number; reference: RowReference; row: ImportRow }[] = [];
  #step = -1;

  constructor(store: Store, task: ImportTask, reader: Reader) {
    this.#store = store;
    this.#task = task;
    this.#reader = reader;
    this.#plans = planImport(task.mapping);
    this.#names = new NameIndex(store.pending);
    this.#context = { keys: new ImportKeys(store.database), names: this.#names, station: store.station };
  }

  async run(): Promise<boolean> {
    const { progress, skipBad, isDry } = this.#task;
    progress.message = 'The rows are being checked.';
    if (!(await this.#check())) return false;
    if (progress.bad > 0 && !skipBad) return false;
    progress.message = isDry
      ? 'The rows are being tried. Nothing is written.'
      : 'The rows are being written.';
    progress.rows_read = 0;
    this.#reader.tell('go');
    if (skipBad && !isDry) {
      for await (const batch of this.#batches())
        await this.#store.gate.together(commit => this.#write(commit, batch));
    } else {
      await this.#writeTogether();
    }
    progress.rows_read = progress.rows_total ?? 0;
    return progress.bad === 0 || skipBad;
  }

  async #writeTogether(): Promise<void> {
    const { progress, skipBad, isDry } = this.#task;
    try {
      await this.#store.gate.together(async commit => {
        for await (const batch of this.#batches()) await this.#write(commit, batch);
        if (isDry || (progress.bad > 0 && !skipBad)) throw new Undone();
      });
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
    }
  }

  /** False when a file as a whole cannot be read. */
  async #check(): Promise<boolean> {
    const { progress } = this.#task;
    for (;;) {
      const message = await this.#reader.next();
      this.#task.signal.throwIfAborted();
      switch (message.kind) {
        case 'progress':
          progress.rows_read = message.rows;
          progress.bad += message.badRows;
          progress.bad_rows.push(...message.faults);
          break;
        case 'checked':
          progress.rows_total = message.rows;
          progress.unmapped_columns = message.unmapped;
          return true;
        case 'broken':
          progress.bad += 1;
          progress.bad_rows.push(message.fault);
          return false;
        default:
          throw new Error(`The reading thread said ${message.kind} out of turn.`);
      }
    }
  }

  async *#batches(): AsyncGenerator<Batch> {
    for (;;) {
      const message = await this.#reader.next();
      this.#task.signal.throwIfAborted();
      if (message.kind === 'end') return;
      if (message.kind !== 'batch') throw new Error(`The reading thread said ${message.kind} out of turn.`);
      this.#reader.tell('next');
      yield message;
      // Requests that read are answered between two batches.
      await new Promise(resolve => setImmediate(resolve));
    }
  }

  async #write(commit: Commit, { step, rows, isLastOfStep }: Batch): Promise<void> {
    const plan = this.#plans[step];
    if (!plan) throw new Error(`There is no step ${step}.`);
    if (step !== this.#step) await this.#names.prepare(plan);
    this.#step = step;
    const size = looksUpStock(plan) ? 1 : rows.length;
    for (let from = 0; from < rows.length; from += size) {
      await this.#writeRows(commit, plan, rows.slice(from, from + size));
    }
    if (!isLastOfStep || this.#deferred.length === 0) return;
    await this.#names.prepare(plan);
    const deferred = this.#deferred.splice(0);
    for (const { id, reference, row } of deferred) {
      const work = (work: UnitOfWork) => applyDeferred(this.#context, work, plan.family, id, reference);
      await this.#attempt(plan, row, () => this.#commit(commit, plan, work));
    }
  }

  /** One commit for all; where one row cannot be taken, one for each, so that it takes no other along. */
  async #writeRows(commit: Commit, plan: StepPlan, rows: readonly ImportRow[]): Promise<void> {
    const apply = (work: UnitOfWork, row: ImportRow) => applyRow(this.#context, work, plan, row);
    if (rows.length > 1) {
      const applied = await this.#attempt(plan, null, () =>
        this.#commit(commit, plan, work => rows.map(row => apply(work, row))),
      );
      if (applied) {
        for (const [index, row] of rows.entries()) this.#tally(plan, row, applied[index]);
        return;
      }
    }
    for (const row of rows) {
      const applied = await this.#attempt(plan, row, () =>
        this.#commit(commit, plan, work => apply(work, row)),
      );
      this.#tally(plan, row, applied);
    }
  }

  #commit<Result>(commit: Commit, plan: StepPlan, work: (work: UnitOfWork) => Result): Promise<Result> {
    const { actor } = this.#task;
    return commit({ actor, reason: `import of ${plan.file}`, work, answer: result => result });
  }

  /** Undefined when the row, or one of several (`null`), cannot be taken; the fault of a single row is noted. */
  async #attempt<Result>(
    plan: StepPlan,
    row: ImportRow | null,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError) || errorStatus[error.code] >= 500) throw error;
      if (row) this.#note(plan, row, error);
      return undefined;
    }
  }

  #note(plan: StepPlan, row: ImportRow, error: AppError): void {
    const { progress } = this.#task;
    const place = row.places[''];
    const own: BadRow = {
      file: plan.file,
      line: place?.line ?? 1,
      column: null,
      value: null,
      message: error.message,
    };
    const faults = Object.entries(error.errors ?? {}).flatMap(([path, messages]) =>
      plan.form === 'mapped'
        ? rowFaults(plan, row.places, { [path]: messages })
        : [{ ...own, column: path, message: messages.join(' ') }],
    );
    progress.bad += 1;
    progress.bad_rows.push(
      ...(faults.length > 0 ? faults : [own]).slice(0, FAULT_LIMIT - progress.bad_rows.length),
    );
  }

  #tally(plan: StepPlan, row: ImportRow, applied: Applied | undefined): void {
    const { progress } = this.#task;
    const ofOtherFiles = Object.values(row.places).filter(place => place.file !== plan.file);
    progress.rows_read += 1 + ofOtherFiles.length;
    if (!applied) return;
    progress[applied.outcome] += 1;
    for (const reference of applied.deferred) this.#deferred.push({ id: applied.id, reference, row });
  }
}

/** Their rules look stock up by SQL, which does not see what is only staged: each record is a commit of its own. */
function looksUpStock({ family }: StepPlan): boolean {
  return ['inventory', 'receiving-inspection', 'inspection', 'shipment', 'adjustment', 'move'].includes(
    family.name,
  );
}
