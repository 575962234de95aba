import type { Logger } from 'pino';
import type { AppError } from '../../shared/contract/errors.ts';
import { lotFactsOf } from '../rules/lot-facts.ts';
import { permitting } from '../rules/permitting.ts';
import { rules } from '../rules/registry.ts';
import { sealing } from '../rules/signing.ts';
import { openStore, type Store } from '../store/store.ts';
import type { Config } from './config.ts';

export interface OpenOptions {
  config: Pick<Config, 'folder' | 'journal'>;
  log: Pick<Logger, 'warn'>;
  clock: () => Date;
  /** As `ClockWatchOptions.steady` says. */
  steady?: (() => number) | undefined;
  onFail: (error: unknown) => void;
  onDamage?: (damage: AppError) => void;
  onPreparing?: (() => void) | undefined;
}

/** The store of an installation, with all that its records are judged by. @throws as `openStore` */
export function openOwnStore({ config, log, onPreparing, ...options }: OpenOptions): Promise<Store> {
  return openStore({
    ...options,
    folder: config.folder,
    // Whoever has the journal keeps the folder in step with it.
    isShared: config.journal !== undefined,
    rules,
    permit: permitting,
    seal: sealing,
    lotFactsOf,
    proof: async () => (await import('../backup/verify-dependencies.ts')).verifyDependencies,
    onPreparing(doing) {
      log.warn(doing);
      onPreparing?.();
    },
  });
}
