import { copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { verifyDependencies } from '../../../../server/backup/verify-dependencies.ts';
import { lotFactsOf } from '../../../../server/rules/lot-facts.ts';
import { permitting } from '../../../../server/rules/permitting.ts';
import { rules } from '../../../../server/rules/registry.ts';
import { sealing } from '../../../../server/rules/signing.ts';
import { openStore, type Store } from '../../../../server/store/store.ts';
import type { World } from './virtual-time.ts';

/** A store as the product opens it, by the world's clock. */
export function openSimulated(world: World, folder: string, isShared: boolean): Promise<Store> {
  return openStore({
    folder,
    rules,
    permit: permitting,
    seal: sealing,
    lotFactsOf,
    clock: world.clock,
    steady: () => world.now,
    onFail: error => world.note(`A store has failed: ${error}`),
    proof: async () => verifyDependencies,
    isShared,
  });
}

/** A folder that no process uses, once more. What is kept for a full disk is most of it and is never written: both have the same file. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const put = name === 'reserve' ? linkSync : copyFileSync;
    put(join(from, name), join(to, name));
  }
}
