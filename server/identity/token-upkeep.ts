import type { Store } from '../store/store.ts';
import type { TokenTable } from '../store/token-table.ts';
import type { Tokens } from './tokens.ts';

const SWEEP_MS = 5_000;
const KEEP_MS = 60_000;

export interface TokenUpkeepOptions {
  tokens: Pick<Tokens, 'endOver' | 'takeUses'>;
  table: Pick<TokenTable, 'noteUses'>;
  store: Pick<Store, 'database' | 'gate'>;
  onFault: (error: unknown) => void;
}

/** Ends what tokens hold open whose end has come, and keeps when tokens were used: not with each use, which would be a write. */
export function startTokenUpkeep({ tokens, table, store, onFault }: TokenUpkeepOptions) {
  let keeping: Promise<void> = Promise.resolve();
  const keep = () => {
    if (store.database.damage || store.database.failure) return;
    const uses = tokens.takeUses();
    if (uses.length === 0) return;
    keeping = keeping.then(() => store.gate.together(async () => table.noteUses(uses))).catch(onFault);
  };
  const timers = [setInterval(tokens.endOver, SWEEP_MS), setInterval(keep, KEEP_MS)];
  for (const timer of timers) timer.unref();
  return {
    async close(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      keep();
      await keeping;
    },
  };
}
