import pino from 'pino';
import type { Config } from '../app/config.ts';
import { openSharedCentral } from '../app/shared-central.ts';
import { verifyDependencies } from '../backup/verify-dependencies.ts';
import { moveOut as endJournal } from '../journal/move-out.ts';
import { lotFactsOf } from '../rules/lot-facts.ts';
import { permitting } from '../rules/permitting.ts';
import { rules } from '../rules/registry.ts';
import { sealing } from '../rules/signing.ts';
import { openStore } from '../store/store.ts';

type JournalConfig = Config & { journal: string };

const clock = () => new Date();

/** A central's folder becomes the beginning of a journal. @throws AppError as `openSharedCentral` */
export async function moveIn(config: JournalConfig): Promise<void> {
  const log = pino({ level: 'silent' });
  const shared = await openSharedCentral({
    config,
    role: undefined,
    open: opening(config),
    clock,
    log,
    onFail,
  });
  await shared.close();
}

/** @throws AppError as `moveOut` of the journal */
export function moveOut(config: JournalConfig): Promise<void> {
  const nothing = () => {};
  const told = { onParted: nothing, onBehind: onFail, onFault: nothing };
  return endJournal({ url: config.journal, open: opening(config), clock, ...told });
}

function opening({ folder }: Config) {
  return () =>
    openStore({
      folder,
      rules,
      permit: permitting,
      seal: sealing,
      lotFactsOf,
      clock,
      onFail,
      proof: async () => verifyDependencies,
      isShared: true,
    });
}

function onFail(error: unknown): never {
  throw error;
}
