import type { Logger } from 'pino';
import { AppError } from '../../shared/contract/errors.ts';
import { PROGRAM_VERSION } from '../store/program-version.ts';
import type { Store } from '../store/store.ts';

/** What the store found out about itself before it opened. */
export function tellSelfCheck({ selfCheck, database, usedBy }: Store, log: Logger): void {
  if (usedBy !== undefined && usedBy !== PROGRAM_VERSION)
    log.info(`The data folder was last used by Holdpoint ${usedBy}; this is ${PROGRAM_VERSION}.`);
  const { isUnclean, findings, lost, looked, milliseconds } = selfCheck;
  for (const finding of findings) log.error(finding, 'The database is damaged.');
  if (lost.length > 0 && !database.damage) {
    log.warn(
      { tables: lost },
      'Tables that are worked out from the records were gone, and are worked out anew.',
    );
  }
  if (database.damage) log.error(database.damage.message);
  else if (isUnclean) {
    log.info(
      { looked, milliseconds },
      'The last process did not end in order; nothing is wrong with the store.',
    );
  }
}

/** A network that is away is tried again and again: the log has each reason once, until another one comes. */
export function tellFaultOnce(log: Logger, of = 'The exchange with central'): (error: unknown) => void {
  let told = '';
  return error => {
    const message = error instanceof Error ? error.message : String(error);
    if (message === told) return;
    told = message;
    const details = error instanceof AppError ? {} : { err: error };
    log.warn(details, `${of}: ${message}`);
  };
}

/** Whoever relies on the folder must hear that it gets nothing. */
export function tellFolder(log: Logger, folder: string | undefined): (error: unknown) => void {
  return error =>
    log.error({ err: error }, `No checkpoint could be written to HOLDPOINT_CHECKPOINTS=${folder}.`);
}
