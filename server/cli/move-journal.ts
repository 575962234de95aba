import pino from 'pino';
import type { Config } from '../app/config.ts';
import { openOwnStore } from '../app/open-store.ts';
import { openSharedCentral } from '../app/shared-central.ts';
import { moveOut as endJournal } from '../journal/move-out.ts';
import { type PartReport, part as partFolder } from '../journal/part.ts';

type JournalConfig = Config & { journal: string };

const clock = () => new Date();
const log = pino({ level: 'silent' });

/** A central's folder becomes the beginning of a journal. @throws AppError as `openSharedCentral` */
export async function moveIn(config: JournalConfig): Promise<void> {
  const options = { config, clock, log, onFail };
  const open = () => openOwnStore(options);
  const shared = await openSharedCentral({ ...options, role: undefined, open });
  await shared.close();
}

/** @throws AppError as `moveOut` of the journal */
export function moveOut(config: JournalConfig): Promise<void> {
  const nothing = () => {};
  const told = { onParted: nothing, onBehind: onFail, onFault: nothing };
  const open = () => openOwnStore({ config, clock, log, onFail });
  return endJournal({ url: config.journal, open, clock, ...told });
}

/** @throws AppError as `part` of the journal */
export function part(config: JournalConfig, givesUp: boolean): Promise<PartReport> {
  const nothing = () => {};
  return partFolder({
    url: config.journal,
    folder: config.folder,
    open: folder => openOwnStore({ config: { ...config, folder }, clock, log, onFail }),
    givesUp,
    clock,
    onParted: nothing,
    onBehind: onFail,
    onFault: nothing,
  });
}

function onFail(error: unknown): never {
  throw error;
}
