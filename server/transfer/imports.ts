import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, errorStatus, invalid } from '../../shared/contract/errors.ts';
import type { Store } from '../store/store.ts';
import type { Actor } from '../store/unit-of-work.ts';
import { filesOf, type Mapping, readMapping } from './mapping.ts';
import { planImport } from './plan.ts';
import { type ImportProgress, runImport } from './run-import.ts';

/** An import as the interface answers it (`x.imports.read`). */
export interface ImportJob extends ImportProgress {
  id: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  missing_files: string[];
}

export interface NewImport {
  mapping: unknown;
  skipBad: boolean;
  isDry: boolean;
  /** The site's time zone, for moments that are given for days. */
  siteZone: string;
  /** Who imports, for history. */
  actor: Actor;
  /** Who and from where, for the system's own trail. */
  caller: object;
}

export interface ImportsOptions {
  store: Store;
  /** The data folder; the files of imports are in it until they end. */
  folder: string;
  /** Told before anything is written, and when it has ended with what came of it. */
  onRun: (import_: RunImport) => Promise<void>;
  /** For faults of the program. */
  onFault: (error: unknown) => void;
}

/** An import as the system's own trail has it. */
export interface RunImport {
  id: string;
  caller: object;
  isDry: boolean;
  /** By name: how large they are and their SHA-256. */
  files: Readonly<Record<string, FileFacts>>;
  /** Undefined: it begins. */
  end?: Pick<ImportJob, 'state' | 'rows_read' | 'created' | 'updated' | 'unchanged' | 'bad'>;
}

interface FileFacts {
  size: number;
  sha256: string;
}

export type Imports = Awaited<ReturnType<typeof openImports>>;

interface Entry {
  job: ImportJob;
  mapping: Mapping;
  files: string[];
  skipBad: boolean;
  isDry: boolean;
  siteZone: string;
  actor: Actor;
  caller: object;
  facts: Record<string, FileFacts>;
  folder: string;
  abort: AbortController;
  /** Uploads of its files that are under way. */
  uploads: Set<string>;
  ended: Promise<void>;
}

const WAITING_LIMIT = 10;
const KEPT_JOBS = 100;

/** The imports since the server started, of which one runs at a time. What an earlier server left behind is removed. */
export async function openImports({ store, folder, onRun, onFault }: ImportsOptions) {
  const root = join(folder, 'imports');
  await rm(root, { recursive: true, force: true });
  const entries = new Map<string, Entry>();

  function entryOf(id: string): Entry {
    const entry = entries.get(id);
    if (entry) return entry;
    throw new AppError(
      'not_found',
      'There is no import with this id. Imports are forgotten when the server restarts.',
    );
  }

  function waitingEntry(id: string): Entry {
    const entry = entryOf(id);
    if (entry.job.state === 'waiting') return entry;
    throw new AppError('conflict', `The import is ${entry.job.state}. Make another one.`);
  }

  function create({ mapping: given, skipBad, isDry, siteZone, actor, caller }: NewImport): ImportJob {
    const mapping = readMapping(given);
    planImport(mapping);
    const waiting = [...entries.values()].filter(({ job }) => job.state === 'waiting');
    if (waiting.length >= WAITING_LIMIT) {
      throw new AppError(
        'conflict',
        `${WAITING_LIMIT} imports are waiting for files or for their run. Run or cancel one of them.`,
      );
    }
    const id = randomUUID();
    const files = filesOf(mapping);
    const job: ImportJob = {
      id,
      state: 'waiting',
      message: '',
      missing_files: files,
      rows_read: 0,
      rows_total: null,
      created: 0,
      updated: 0,
      unchanged: 0,
      bad: 0,
      bad_rows: [],
      unmapped_columns: {},
    };
    job.message = waitingFor(job);
    entries.set(id, {
      job,
      mapping,
      files,
      skipBad,
      isDry,
      siteZone,
      actor,
      caller,
      facts: {},
      folder: join(root, id),
      abort: new AbortController(),
      uploads: new Set(),
      ended: Promise.resolve(),
    });
    forgetOldest();
    return job;
  }

  /** Takes a file from a stream; one of the same name takes the place of an earlier one. `limit` in bytes. */
  async function putFile(id: string, name: string, content: Readable, limit: number): Promise<ImportJob> {
    const entry = waitingEntry(id);
    const index = entry.files.indexOf(name);
    if (index < 0) {
      throw invalid({
        name: [`The mapping names no file ${JSON.stringify(name)}. It names: ${entry.files.join(', ')}.`],
      });
    }
    if (entry.uploads.has(name)) throw new AppError('conflict', 'This file is being uploaded already.');
    entry.uploads.add(name);
    try {
      await mkdir(entry.folder, { recursive: true, mode: 0o700 });
      const path = pathOf(entry, index);
      const part = `${path}.part`;
      try {
        const digest = createHash('sha256');
        let size = 0;
        const counted = async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            digest.update(chunk);
            size += chunk.length;
            yield chunk;
          }
        };
        await pipeline(content, limited(limit), counted, createWriteStream(part, { mode: 0o600 }), {
          signal: entry.abort.signal,
        });
        await rename(part, path);
        entry.facts[name] = { size, sha256: digest.digest('hex') };
      } catch (error) {
        await rm(part, { force: true });
        throw uploadError(error, entry);
      }
      entry.job.missing_files = entry.job.missing_files.filter(missing => missing !== name);
      entry.job.message = waitingFor(entry.job);
      return entry.job;
    } finally {
      entry.uploads.delete(name);
    }
  }

  function run(id: string): ImportJob {
    const entry = waitingEntry(id);
    const { job } = entry;
    if (job.missing_files.length > 0) throw invalid({ files: [job.message] });
    if (entry.uploads.size > 0)
      throw new AppError('conflict', 'A file is still being uploaded. Run the import afterwards.');
    const running = [...entries.values()].find(each => each.job.state === 'running');
    if (running)
      throw new AppError(
        'conflict',
        `The import ${running.job.id} is running. Wait for its end, or cancel it.`,
      );
    job.state = 'running';
    entry.ended = runToEnd(entry);
    return job;
  }

  /** The import counts as ended when its files are gone. */
  async function runToEnd(entry: Entry): Promise<void> {
    const { job, caller, isDry, facts: files } = entry;
    const about = { id: job.id, caller, isDry, files };
    await onRun(about);
    const end = await endOf(entry);
    await rm(entry.folder, { recursive: true, force: true });
    await onRun({ ...about, end: { ...job, state: end.state } });
    Object.assign(job, end);
  }

  async function endOf(entry: Entry): Promise<Pick<ImportJob, 'state' | 'message'>> {
    const { job, mapping, skipBad, isDry, siteZone, actor, folder: ownFolder, abort } = entry;
    const files = entry.files.map((name, index) => ({ name, path: pathOf(entry, index) }));
    const isAllOrNone = isDry || !skipBad;
    try {
      const isTaken = await runImport(store, {
        mapping,
        files,
        folder: ownFolder,
        siteZone,
        actor,
        skipBad,
        isDry,
        signal: abort.signal,
        progress: job,
      });
      if (!isTaken && !isDry) forgetCounts(job);
      return { state: isTaken ? 'done' : 'failed', message: summary(job, isTaken, isDry) };
    } catch (error) {
      if (isAllOrNone) forgetCounts(job);
      const left = isAllOrNone ? 'Nothing was written.' : 'What was written before stays.';
      if (abort.signal.aborted) return { state: 'cancelled', message: `The import was cancelled. ${left}` };
      onFault(error);
      return { state: 'failed', message: `The import could not go on: ${reasonOf(error)} ${left}` };
    }
  }

  async function cancel(id: string): Promise<ImportJob> {
    const entry = entryOf(id);
    const { job } = entry;
    if (job.state !== 'waiting' && job.state !== 'running') {
      throw new AppError('conflict', `The import is ${job.state}; there is nothing to cancel.`);
    }
    entry.abort.abort(new AppError('conflict', 'The import was cancelled.'));
    if (job.state === 'waiting') {
      job.state = 'cancelled';
      job.message = 'The import was cancelled. Nothing was written.';
      await rm(entry.folder, { recursive: true, force: true });
    }
    await entry.ended;
    return job;
  }

  function forgetOldest(): void {
    for (const [id, { job }] of entries) {
      if (entries.size <= KEPT_JOBS) return;
      if (job.state !== 'waiting' && job.state !== 'running') entries.delete(id);
    }
  }

  return {
    create,
    putFile,
    run,
    cancel,
    read: (id: string): ImportJob => entryOf(id).job,
    list: (): ImportJob[] => [...entries.values()].map(({ job }) => job),
    /** Ends what runs; what was to be all or nothing leaves nothing. */
    async close(): Promise<void> {
      for (const { job, abort } of entries.values()) if (job.state === 'running') abort.abort();
      await Promise.all([...entries.values()].map(({ ended }) => ended));
      await rm(root, { recursive: true, force: true });
    },
  };
}

function pathOf(entry: Pick<Entry, 'folder'>, index: number): string {
  return join(entry.folder, `file-${index}`);
}

function waitingFor({ missing_files: missing }: ImportJob): string {
  return missing.length > 0
    ? `Give the files ${missing.join(', ')}, then run the import.`
    : 'All files are here. Run the import.';
}

function summary(job: ImportJob, isTaken: boolean, isDry: boolean): string {
  const { created, updated, unchanged, bad } = job;
  const rows = bad === 1 ? '1 row' : `${bad} rows`;
  const taken = `${created} created, ${updated} updated, ${unchanged} unchanged`;
  if (!isTaken) return `${rows} cannot be taken, so nothing was written.`;
  const left = bad > 0 ? ` ${rows} cannot be taken and ${bad === 1 ? 'is' : 'are'} left out.` : '';
  return isDry ? `A trial, nothing was written: ${taken}.${left}` : `Done: ${taken}.${left}`;
}

function forgetCounts(job: ImportJob): void {
  Object.assign(job, { created: 0, updated: 0, unchanged: 0 });
}

function limited(limit: number) {
  return async function* (content: AsyncIterable<Buffer>) {
    let size = 0;
    for await (const chunk of content) {
      size += chunk.length;
      if (size > limit) throw new AppError('too_large', `The file is larger than ${limit} bytes. Split it.`);
      yield chunk;
    }
  };
}

function uploadError(error: unknown, { abort }: Entry): unknown {
  if (abort.signal.aborted) return abort.signal.reason;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC')
    return new AppError('storage_full', 'The disk is full. Free some space, then upload the file again.');
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET') {
    return new AppError('malformed', 'The connection ended before the file was complete. Upload it again.');
  }
  return error;
}

/** A fault of the program says no more than that; the log has it. */
function reasonOf(error: unknown): string {
  const isTold =
    error instanceof AppError && (errorStatus[error.code] < 500 || error.code === 'storage_full');
  return isTold ? error.message : 'the server has a fault. Its log names the cause.';
}
