import { rmSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import { type BackupDone, type CheckedCopy, listBackups } from '../store/restore/backup.ts';
import { backupName, PART } from '../store/restore/backup-names.ts';
import { keyNameOf } from './backup-key.ts';
import { readBackupNotes, writeBackupNotes } from './backup-notes.ts';
import type { BackupBy, BackupState, BackupsOptions, Practised } from './backup-options.ts';
import { type BackupFacts, backupFaults, backupHints, backupWarnings } from './backup-words.ts';
import type { Jobs } from './backup-work.ts';
import { createFolderLooks } from './folder-looks.ts';
import { RESTORING } from './opened-backup.ts';
import { createPractices } from './practices.ts';
import { SilentWork, startWork, type Work } from './work.ts';

export interface Backups {
  /**
   * Makes one now; calls at the same time share it.
   * @throws AppError `validation_failed` for a folder that is not absolute; `storage_full`; `conflict`, which says where
   * the backup stands where the second folder did not take it
   */
  run(folder?: string, by?: BackupBy): Promise<BackupDone>;
  /** As `run`, and content with the data folder. */
  runAnywhere(): Promise<BackupDone>;
  /** Restores the newest one into a scratch folder. `key`: as somebody typed it. @throws AppError */
  practise(key: string | undefined, by?: BackupBy): Promise<Practised>;
  /** Looks into the second folder first, as long as a person waits. */
  state(): Promise<BackupState>;
  /** By what was seen there last; null: nobody has looked there yet. */
  glance(): BackupState | null;
  /** By the same, in short. */
  standing(): BackupStanding | null;
  /** Makes one each day from now on, and one now when the last is older than a day. */
  start(): void;
  /** Whether a thread of this process waits for a folder that hangs: only in the desktop app. */
  isHeldUp(): boolean;
  /** The newest encrypted backup, by what was seen last; null: all are plain; undefined: there is none, or nobody has looked. */
  newestEncrypted(): string | null | undefined;
  /** Puts a backup beside the database too. @throws AppError */
  stage(file: string, to: string): Promise<void>;
  /** Puts a small file into a folder that may hang. @throws AppError, also while something waits for the folder */
  write(folder: string, name: string, text: string): Promise<void>;
  /** Stops the daily ones; one that runs is cut off, and leaves nothing under a backup's name. A folder that hangs is left. */
  close(): Promise<void>;
}

export interface BackupStanding extends Pick<BackupState, 'last_at' | 'practised'> {
  /** What is meant works. */
  is_well: boolean;
}

interface Made {
  done: BackupDone;
  /** Why it stands in the data folder; undefined: it stands where it should. */
  failure?: unknown;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** A machine that slept through the hour is looked after soon when it wakes. */
const LOOK_MS = 600_000;
/** A disk that takes nothing for so long hangs. */
const PATIENCE_MS = 60_000;
/** A disk that slept is awake within that, and names its files. */
const LOOK_PATIENCE_MS = 20_000;
/** Of what is made in a folder itself, with no sign of life until it is done. */
const DIRECT_MS = 1_800_000;
/** A folder that answers can be asked so often by pages that look at each other. */
const FRESH_MS = 60_000;
const END_MS = 3_000;

/** Backups of a data folder, made beside the process that answers requests. */
export function createBackups(options: BackupsOptions): Backups {
  const { data, clock, settings, patienceMs = PATIENCE_MS, key = () => null } = options;
  const ownFolder = join(data, 'backups');
  const looks = createFolderLooks(clock, Math.min(patienceMs, LOOK_PATIENCE_MS));
  const works = new Set<Work<unknown>>();
  let running: { folder: string; made: Promise<Made> } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failure: string | null = null;
  let triedAt = 0;
  let isClosed = false;
  const practices = createPractices({ ...options, start: inFolder });

  function placeOf({ backup_folder: folder } = settings()): string {
    return folder === null || folder === '' ? ownFolder : folder;
  }

  /** A backup that is known to have been there; null: none was. */
  function knownIn(folder: string): string | null {
    const { delivered } = readBackupNotes(data);
    return delivered?.folder === folder ? delivered.file : null;
  }

  function started<Kind extends keyof Jobs>(
    kind: Kind,
    asked: Jobs[Kind]['asked'],
    patience = patienceMs,
  ): Work<Jobs[Kind]['found']> {
    if (isClosed) throw new AppError('unavailable', 'The server is ending.');
    const work = startWork(kind, asked, patience);
    works.add(work);
    void work.gone.then(() => works.delete(work));
    return work;
  }

  /** @throws AppError `conflict` where the folder gives no sign of life */
  async function inFolder<Kind extends keyof Jobs>(
    kind: Kind,
    folder: string,
    asked: Jobs[Kind]['asked'],
    patience = patienceMs,
  ): Promise<Jobs[Kind]['found']> {
    looks.refuseHanging(folder);
    const work = started(kind, asked, patience);
    try {
      return await work.found;
    } catch (error) {
      throw error instanceof SilentWork ? looks.hangs(folder, work) : error;
    }
  }

  async function make(wanted: string | undefined): Promise<Made> {
    const begun = performance.now();
    const at = clock().toISOString();
    const folder = wanted ?? placeOf();
    const { backup_keep: keep } = settings();
    const recipient = key()?.recipient ?? null;
    if (wanted !== undefined) looks.refuseHanging(folder);
    const part = join(ownFolder, `${backupName(at)}${PART}`);
    const known = wanted === undefined ? knownIn(folder) : null;
    try {
      let copy: CheckedCopy;
      try {
        copy = await started('copy', { data, part }).found;
      } catch (error) {
        const isFull = error instanceof AppError && error.code === 'storage_full';
        if (!isFull || folder === ownFolder || recipient !== null) throw error;
        const done = await inFolder('direct', folder, { data, folder, keep, at, known }, DIRECT_MS);
        return { done };
      }
      const { station, ...counts } = copy;
      // Whether it answers shows sooner than by writing.
      if (folder !== ownFolder) await looks.look(folder, known);
      const into = async (target: string): Promise<BackupDone> => {
        const of = { from: part, folder: target, at, station, recipient, keep };
        const delivered = await inFolder('deliver', target, {
          ...of,
          known: target === folder ? known : null,
        });
        return { ...delivered, ...counts, verified: true, seconds: (performance.now() - begun) / 1_000 };
      };
      try {
        return { done: await into(folder) };
      } catch (error) {
        if (isClosed || wanted !== undefined || folder === ownFolder) throw error;
        return { done: await into(ownFolder), failure: error };
      }
    } finally {
      rmSync(part, { force: true });
    }
  }

  async function begin(wanted: string | undefined, by: BackupBy | undefined): Promise<Made> {
    if (wanted !== undefined && !isAbsolute(wanted)) {
      throw invalid({ folder: ['Give the whole path of the folder, from the root.'] });
    }
    const folder = wanted ?? placeOf();
    if (running) {
      if (running.folder === folder) return running.made;
      throw new AppError('conflict', 'A backup to another folder is running. Try again when it is done.');
    }
    triedAt = clock().getTime();
    const made = make(wanted).finally(() => {
      running = undefined;
    });
    running = { folder, made };
    const { done, failure: why } = await made;
    if (wanted === undefined) failure = why === undefined ? null : failureSays(why);
    if (wanted === undefined && why === undefined && folder !== ownFolder)
      writeBackupNotes(data, { ...readBackupNotes(data), delivered: { folder, file: done.file } });
    if (folder !== ownFolder && why === undefined) await looks.look(folder, knownIn(folder));
    options.onDone(done, by);
    return { done, failure: why };
  }

  async function run(wanted?: string, by?: BackupBy): Promise<BackupDone> {
    const { done, failure: why } = await begin(wanted, by);
    if (why === undefined) return done;
    const message = `${wordsOf(why)} The backup stands in the data folder instead: ${done.file}`;
    throw new AppError(why instanceof AppError ? why.code : 'conflict', message, { cause: why });
  }

  /** What is known of them; null: nobody has looked into the second folder yet. */
  function known(): { facts: BackupFacts; backups: BackupState['backups']; last_at: string | null } | null {
    const { backup_folder: second, is_backup_plain: isPlainMeant = false } = settings();
    const folder = placeOf();
    const seen = looks.last(folder);
    if (second && !seen) return null;
    const now = clock();
    const backups = [...(seen?.look?.backups ?? []), ...listBackups(ownFolder)].map(
      ({ station: _, ...backup }) => backup,
    );
    const age = Math.min(...backups.map(({ at }) => Math.abs(now.getTime() - Date.parse(at))));
    const last = backups.find(({ at }) => Math.abs(now.getTime() - Date.parse(at)) === age);
    const present = key();
    const practiceDue = practices.dueAt();
    const facts: BackupFacts = {
      data,
      folder,
      seen,
      newest: last?.bytes,
      failure,
      practised: readBackupNotes(data).practised,
      recipient: present?.recipient ?? null,
      isKeyKnown: present === null || (options.isKeyKnown?.(present) ?? true),
      isPlainMeant,
      sendingFault: options.sendingFault?.() ?? null,
      practiceDue,
      now,
    };
    return { facts, backups, last_at: last?.at ?? null };
  }

  function glance(): BackupState | null {
    const seen = known();
    if (!seen) return null;
    const { facts, backups, last_at } = seen;
    const { folder, practised, practiceDue, now } = facts;
    const present = key();
    const warnings = backupWarnings(facts);
    return {
      folder,
      keep: settings().backup_keep,
      warning: warnings.length > 0 ? warnings.join(' ') : null,
      warnings,
      hints: backupHints(facts),
      last_at,
      age_seconds:
        last_at === null ? null : Math.round(Math.abs(now.getTime() - Date.parse(last_at)) / 1_000),
      key: present && { ...present, name: keyNameOf(present.recipient) },
      practised: practised ?? null,
      practice_due_at: practiceDue?.toISOString() ?? null,
      backups,
    };
  }

  function standing(): BackupStanding | null {
    const seen = known();
    if (!seen) return null;
    const { facts, last_at } = seen;
    return { last_at, practised: facts.practised ?? null, is_well: backupFaults(facts).length === 0 };
  }

  /** As long as a page looks, the second folder is looked at again. */
  function lookAgain(): void {
    const folder = placeOf();
    const seen = looks.last(folder);
    const isOld = !seen || Math.abs(clock().getTime() - seen.at) > FRESH_MS;
    if (folder !== ownFolder && isOld && !isClosed) void looks.look(folder, knownIn(folder)).catch(tell);
  }

  async function state(): Promise<BackupState> {
    const folder = placeOf();
    if (folder !== ownFolder) await looks.look(folder, knownIn(folder));
    const present = glance();
    if (present) return present;
    throw new AppError('unavailable', 'The folder of the backups was changed meanwhile. Try again.');
  }

  /** Either side of now: a clock that was set back must not stop backups for years. */
  function isDue(): boolean {
    const now = clock().getTime();
    // The second folder may be back.
    if (failure !== null && placeOf() !== ownFolder && Math.abs(now - triedAt) >= HOUR_MS) return true;
    const age = glance()?.age_seconds ?? null;
    if (age !== null) return age * 1_000 >= DAY_MS;
    const since = options.since();
    return since !== null && Math.abs(now - Date.parse(since)) >= DAY_MS;
  }

  function lookAfter(): void {
    if (options.isHere?.() === false) return;
    const folder = placeOf();
    if (folder === ownFolder) daily();
    else void looks.look(folder, knownIn(folder)).then(daily, tell);
  }

  function daily(): void {
    if (isClosed || running) return;
    if (!isDue()) {
      practices.lookAfter(() => glance()?.backups ?? []);
      return;
    }
    begin(undefined, undefined).then(({ failure: why }) => why !== undefined && tell(why), tell);
  }

  function tell(error: unknown): void {
    if (isClosed) return;
    failure = failureSays(error);
    options.onWarning(failure);
    options.onFailure?.(failure);
  }

  return {
    run,
    runAnywhere: async () => (await begin(undefined, undefined)).done,
    practise: async (typed, by) => practices.run((await state()).backups, typed, by),
    state,
    glance() {
      lookAgain();
      return glance();
    },
    standing() {
      lookAgain();
      return standing();
    },
    start() {
      removeCopies(data);
      for (const warning of glance()?.warnings ?? []) options.onWarning(warning);
      timer = setInterval(lookAfter, LOOK_MS).unref();
      lookAfter();
    },
    newestEncrypted() {
      const backups = glance()?.backups;
      if (backups === undefined || backups.length === 0) return undefined;
      const encrypted = backups.filter(one => one.key !== null);
      return encrypted.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0]?.file ?? null;
    },
    async stage(file, to) {
      await inFolder('stage', dirname(file), { folder: dirname(file), file, to });
    },
    async write(folder, name, text) {
      await inFolder('write', folder, { folder, name, text });
    },
    isHeldUp: () => process.versions.electron !== undefined && works.size > 0,
    async close() {
      isClosed = true;
      clearInterval(timer);
      looks.close();
      for (const work of works) work.end();
      const late = new AbortController();
      const patience = sleep(END_MS, undefined, { signal: late.signal }).catch(() => undefined);
      const ends = [...works].map(({ gone }) => gone);
      await Promise.race([patience, Promise.allSettled([...ends, running?.made, practices.running()])]);
      late.abort();
    },
  };
}

function failureSays(error: unknown): string {
  return `The last backup failed: ${wordsOf(error)}`;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Decrypted and unfinished copies that commands and servers which were cut off have left; nobody else uses the folder now. */
function removeCopies(data: string): void {
  for (const name of [RESTORING, 'practice']) rmSync(join(data, name), { recursive: true, force: true });
}
