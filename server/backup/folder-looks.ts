import { AppError } from '../../shared/contract/errors.ts';
import type { Look } from './backup-work.ts';
import { SilentWork, startWork, type Work } from './work.ts';

export interface Seen {
  at: number;
  look?: Look;
  /** Why nothing could be seen there. */
  fault?: string;
}

export interface FolderLooks {
  /** What was seen there last; undefined: nobody has looked. */
  last(folder: string): Seen | undefined;
  /** Looks now, unless somebody is looking; after the patience, in milliseconds, it does not answer. */
  look(folder: string, known: string | null): Promise<Seen>;
  /** @throws AppError `conflict` while something waits for the folder, so that nothing more does */
  refuseHanging(folder: string): void;
  /** What works in the folder has given no sign of life: nothing else is tried there before it is gone. */
  hangs(folder: string, work: Pick<Work<unknown>, 'gone'>): AppError;
  close(): void;
}

/** What is in folders that may be on other disks and machines, as a process of its own sees them. */
export function createFolderLooks(clock: () => Date, patienceMs: number): FolderLooks {
  const seen = new Map<string, Seen>();
  const looking = new Map<string, { work: Work<Look>; ends: Promise<Seen> }>();
  const hanging = new Set<string>();
  /** Until somebody sees the folder again. */
  const silentSince = new Map<string, Date>();

  function hangsSays(folder: string): string {
    const since = silentSince.get(folder) ?? clock();
    silentSince.set(folder, since);
    return `The folder ${folder} does not answer since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC: the disk or the share hangs. Connect it again, or name another folder in Setup, Backup.`;
  }

  function hangs(folder: string, { gone }: Pick<Work<unknown>, 'gone'>): AppError {
    hanging.add(folder);
    void gone.then(() => hanging.delete(folder));
    const fault = hangsSays(folder);
    seen.set(folder, { at: clock().getTime(), fault });
    return new AppError('conflict', fault);
  }

  function refuseHanging(folder: string): void {
    if (hanging.has(folder)) throw new AppError('conflict', hangsSays(folder));
  }

  async function lookNow(folder: string, work: Work<Look>): Promise<Seen> {
    try {
      const look = await work.found;
      silentSince.delete(folder);
      return { at: clock().getTime(), look };
    } catch (error) {
      const said = error instanceof SilentWork ? hangs(folder, work) : error;
      if (!(said instanceof Error)) throw said;
      return { at: clock().getTime(), fault: said.message };
    }
  }

  return {
    last: folder => seen.get(folder),
    look(folder, known) {
      if (hanging.has(folder)) return Promise.resolve({ at: clock().getTime(), fault: hangsSays(folder) });
      const running = looking.get(folder);
      if (running) return running.ends;
      const work = startWork('look', { folder, known }, patienceMs);
      const ends = lookNow(folder, work)
        .then(result => {
          seen.set(folder, result);
          return result;
        })
        .finally(() => looking.delete(folder));
      looking.set(folder, { work, ends });
      return ends;
    },
    refuseHanging,
    hangs,
    close() {
      for (const { work } of looking.values()) work.end();
    },
  };
}
