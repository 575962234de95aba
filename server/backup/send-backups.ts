import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../shared/contract/errors.ts';
import {
  type BackupPart,
  type BackupReceived,
  PART_LIMIT,
} from '../../shared/operations/station-backup-operations.ts';
import { readBackupName } from '../store/restore/backup-names.ts';
import { CentralFailure } from '../sync/client/central-failure.ts';
import { backoffMs } from '../sync/station/backoff.ts';
import { readBackupNotes, writeBackupNotes } from './backup-notes.ts';
import type { Backups } from './backups.ts';
import { digestOf } from './file-stream.ts';

export interface BackupSenderOptions {
  /** The data folder. */
  data: string;
  clock: () => Date;
  backups: Pick<Backups, 'newestEncrypted' | 'stage'>;
  /** By the machine's policy or its setting. */
  isWanted: () => boolean;
  isByPolicy: boolean;
  /** Whether there is a central to send to, over a line. */
  isExchanging: () => boolean;
  /** Whether the exchange has something to say or to read: that comes first. */
  isBusy: () => boolean;
  /** Says a part to central. @throws CallError, CentralFailure */
  send: (part: BackupPart, signal: AbortSignal) => Promise<BackupReceived>;
  onFault: (error: unknown) => void;
}

/** How sending stands. */
export interface SendingState {
  is_by_policy: boolean;
  kept: { file: string; at: string; bytes: number } | null;
  sending: { file: string; bytes: number; sent: number } | null;
  says: string | null;
}

export type BackupSender = ReturnType<typeof sendBackups>;

/** A backup waits here until central has it: where backups stand, it may be removed meanwhile, or the disk be taken away. */
export const SENDING = 'sending';
const LOOK_MS = 600_000;
/** After a refusal, which a person puts right. */
const REFUSED_MS = 3_600_000;
/** Parts take at most a quarter of the line: after each it is left alone three times as long. */
const REST = 3;
const LEAST_REST_MS = 50;
/** So long the exchange may come first; a station that always has something to say gets its backup away all the same. */
const GIVE_WAY_MS = 30_000;
const GIVE_WAY_STEP_MS = 250;
const FIRST_PART = 16 * 1024;

/**
 * Sends the newest encrypted backup to central, part by part, and goes on where it stopped: after a cut, an end of the process,
 * a restart of central. One that is on its way is finished before a newer one, so that a slow line brings some.
 */
export function sendBackups(options: BackupSenderOptions) {
  const { data, clock, backups, isWanted, isByPolicy, isExchanging, isBusy, send, onFault } = options;
  const folder = join(data, SENDING);
  const ending = new AbortController();
  const { signal } = ending;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isAgain = false;
  let says: string | null = null;
  let sending: SendingState['sending'] = null;

  /** What is on its way, or what comes next; undefined: central has the newest. */
  async function next(): Promise<string | undefined> {
    const newest = backups.newestEncrypted();
    const staged = waiting();
    if (staged !== undefined) return join(folder, staged);
    if (newest === null) {
      says = NOT_ENCRYPTED;
      return undefined;
    }
    if (newest === undefined || basename(newest) === readBackupNotes(data).sent?.file) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, basename(newest));
    await backups.stage(newest, file);
    return file;
  }

  function waiting(): string | undefined {
    try {
      return readdirSync(folder).find(name => readBackupName(name)?.key != null);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async function sendOne(path: string): Promise<void> {
    const file = basename(path);
    const { size: bytes } = statSync(path);
    const digest = await digestOf(path, () => signal.throwIfAborted());
    const about = { file, bytes, digest };
    let part = FIRST_PART;
    const source = await open(path, 'r');
    try {
      let {
        received,
        is_kept: isKept,
        pause_ms: pause,
      } = await send({ ...about, from: 0, data: '' }, signal);
      while (!isKept) {
        sending = { file, bytes, sent: received };
        await rest(pause);
        const { buffer, bytesRead } = await source.read(Buffer.alloc(part), 0, part, received);
        const chunk = buffer.toString('base64', 0, bytesRead);
        const begun = performance.now();
        const answer = await send({ ...about, from: received, data: chunk }, signal);
        const took = performance.now() - begun;
        // A second's worth of the line, as it was just now.
        part = Math.round(
          Math.min(PART_LIMIT, Math.max(FIRST_PART, (bytesRead * 1_000) / Math.max(took, 1))),
        );
        ({ received, is_kept: isKept } = answer);
        pause = Math.max(answer.pause_ms, REST * took, LEAST_REST_MS);
      }
    } finally {
      await source.close();
    }
    const notes = readBackupNotes(data);
    writeBackupNotes(data, { ...notes, sent: { file, at: clock().toISOString(), bytes } });
    rmSync(path, { force: true });
  }

  /** Until the pause is over and the exchange has nothing to do. */
  async function rest(pause: number): Promise<void> {
    await sleep(pause, undefined, { signal, ref: false });
    const until = performance.now() + GIVE_WAY_MS;
    while (isBusy() && performance.now() < until)
      await sleep(GIVE_WAY_STEP_MS, undefined, { signal, ref: false });
  }

  async function attempt(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      sending = null;
      if (!isWanted() || !isExchanging()) {
        says = null;
        return;
      }
      let path: string | undefined;
      try {
        says = null;
        path = await next();
        if (path === undefined) return;
        await sendOne(path);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        const wait = waitAfter(error, failures);
        if (!(error instanceof CentralFailure)) says = saysOf(error);
        if (!(error instanceof AppError)) onFault(error);
        // Central will never take it: the next one may be smaller, or be of another key.
        const isVoid = error instanceof AppError && ['too_large', 'validation_failed'].includes(error.code);
        if (isVoid && path !== undefined) {
          rmSync(path, { force: true });
          return;
        }
        await sleep(wait, undefined, { signal, ref: false });
      }
    }
  }

  function look(): void {
    if (signal.aborted) return;
    if (running) {
      isAgain = true;
      return;
    }
    running = attempt()
      .catch((error: unknown) => {
        if (!signal.aborted) onFault(error);
      })
      .finally(() => {
        running = undefined;
        sending = null;
        if (!isAgain) return;
        isAgain = false;
        look();
      });
  }

  return {
    isWanted,
    isByPolicy,
    /** Null: nothing is sent. */
    state(): SendingState | null {
      if (!isWanted()) return null;
      const { sent } = readBackupNotes(data);
      return { is_by_policy: isByPolicy, kept: sent ?? null, sending, says };
    },
    /** What a person should put right; null: nothing. */
    fault: () => (isWanted() ? says : null),
    /** There is a backup, or another setting. */
    look,
    start() {
      timer = setInterval(look, LOOK_MS).unref();
      look();
    },
    async close(): Promise<void> {
      ending.abort();
      clearInterval(timer);
      await running;
    },
  };
}

function waitAfter(error: unknown, failures: number): number {
  if (error instanceof CentralFailure) return backoffMs(failures);
  if (error instanceof AppError && error.code === 'too_many_requests') {
    const said = Number(error.headers['Retry-After']);
    return (said > 0 ? Math.min(said, 3_600) : 60) * 1_000;
  }
  // What arrived was another file than what was sent: once more, but not for ever at once.
  if (error instanceof AppError && error.code === 'conflict' && failures === 1) return backoffMs(1);
  return REFUSED_MS;
}

function saysOf(error: unknown): string | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === 'too_many_requests') return null;
  // A central of before knows no such operation.
  if (error.code === 'not_found') return FORMER_CENTRAL;
  return `Central takes no backup of this station: ${error.message}`;
}

export const NOT_ENCRYPTED =
  'Backups are to be sent to central, which takes encrypted ones only, and those of this station are plain. Make a recovery key in Setup, Backup.';
export const FORMER_CENTRAL =
  'Central takes no backups of stations: it is of an earlier version. Update it; they are sent then.';
