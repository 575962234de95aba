import { AppError } from '../../../shared/contract/errors.ts';

/** The store stopped itself after a write that SQLite could not finish; only a restart of the process helps. */
export class StoreFailedError extends AppError {
  constructor(cause: unknown) {
    super('unavailable', 'The store stopped after a failed write; Holdpoint has to be restarted.', { cause });
    this.name = 'StoreFailedError';
  }
}

export function diskFull(folder: string, cause: unknown): AppError {
  const message = `The disk that holds ${folder} is full. Free some space and try again.`;
  return new AppError('storage_full', message, { cause });
}

export function folderInUse(folder: string, cause: unknown): AppError {
  return new AppError(
    'unavailable',
    `The data folder ${folder} is in use by another Holdpoint process. ` +
      'Stop that process, or set HOLDPOINT_DATA to another folder.',
    { cause },
  );
}

export function cannotOpen(file: string, cause: Error): AppError {
  return new AppError(
    'unavailable',
    `The database ${file} cannot be opened: ${cause.message}. ` +
      'Check the folder and the disk; if the file is damaged, restore a backup with "holdpoint restore".',
    { cause },
  );
}

/** What every write is answered while the database can be read only. */
export function damaged(folder: string, what: string, cause?: unknown): AppError {
  const message =
    `The database in ${folder} is damaged and can be read only. ${what} ` +
    'Stop Holdpoint; "holdpoint verify" names what is wrong, "holdpoint restore FILE" brings a backup back.';
  return new AppError('unavailable', message, { cause });
}

/** A row that was worked out from the records is not what was written; the records stand. */
export function derivedDamaged(what: string): AppError {
  const message = `${what} is damaged. "holdpoint rebuild" works it out anew from the records.`;
  return new AppError('unavailable', message);
}

/** What was under way when the database was closed is undone. */
export function databaseClosed(file: string): AppError {
  const message = `The database ${file} is closed: nothing of this was written. Try again once Holdpoint runs.`;
  return new AppError('unavailable', message);
}

export function databaseGone(file: string): AppError {
  const message =
    `The database ${file} is gone, although this folder had one. Put it back, or restore a backup with ` +
    '"holdpoint restore FILE".';
  return new AppError('unavailable', message);
}

/** What a file is answered that a later version has written; `writer` as the file says, where it can be read. */
export function newerFile(about: {
  file: string;
  version: number;
  known: number;
  program: string;
  writer: string | undefined;
}): AppError {
  const { file, version, known, program, writer } = about;
  const message =
    `${file} is of file version ${version}${writer === undefined ? '' : `, last used by Holdpoint ${writer}`}; ` +
    `this is Holdpoint ${program}, which knows file versions up to ${known}. ` +
    `Install ${writer === undefined ? 'the version of Holdpoint that wrote it' : `Holdpoint ${writer}`} or a later one. ` +
    'The file is unchanged.';
  return new AppError('unavailable', message);
}
