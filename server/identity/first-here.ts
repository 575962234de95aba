import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../shared/contract/errors.ts';
import type { UserKey } from '../store/identity-tables.ts';
import { networkOf } from './failure-limit.ts';
import { createTurns, type Turn } from './turns.ts';

/** For how long somebody who signs in waits for central. */
const PATIENCE_MS = 10_000;
/** For how long central counts as away after it did not answer, whatever the exchange says meanwhile. */
const AWAY_MS = 30_000;
/** Parts of the networks that people call from: a stranger in one closes no door to the others. */
const PLACES = 8;

/** How a station asks its central. */
export interface AskCentral {
  /**
   * The key of who has this login and password, sealed by it; undefined where central gives none. @param place one of eight parts of the
   * networks that people call from. @throws AppError as central refuses it, `unavailable` while it cannot be asked
   */
  key(login: string, password: string, place?: number): Promise<UserKey | undefined>;
  /** Takes the hashes of passwords that central gives this station. @throws AppError while it cannot be asked */
  takeSecrets(): Promise<void>;
  /** Whether the exchange has not reached central of late. */
  isAway(): boolean;
}

/** What central says of somebody who never signed in here. `away`: nothing; `keyless`: the password may be known to others. */
export type Said = { says: 'right'; key: UserKey } | { says: 'wrong' | 'keyless' | 'away' };

/**
 * At a station: whose password is not here is asked of central, which gives it to the station then. Nothing of a person who never signed in
 * here lies here, so that its disk tells nothing of theirs.
 */
export function createFirstHere({ central }: { central: AskCentral }) {
  const turns = createTurns();
  let failedAt = Number.NEGATIVE_INFINITY;
  let typicalMs = 0;

  /** @param from the address that the person calls from. @throws AppError 429 as central says, 503 when too many wait */
  async function ask(login: string, password: string, turn: Turn, from: string): Promise<Said> {
    return turns(turn, async () => {
      const begun = performance.now();
      try {
        const asking = central.key(login, password, placeOf(from));
        const late = sleep(PATIENCE_MS, 'late' as const, { ref: false });
        // Nobody waits for what comes after that.
        asking.catch(() => undefined);
        const key = await Promise.race([asking, late]);
        if (key === 'late') return away();
        failedAt = Number.NEGATIVE_INFINITY;
        return key ? { says: 'right', key } : { says: 'keyless' };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'forbidden') return { says: 'wrong' };
        if (error.code === 'too_many_requests') {
          throw new AppError(
            'too_many_requests',
            error.message,
            error.headers ? { headers: error.headers } : {},
          );
        }
        return away();
      } finally {
        typicalMs = typicalMs * 0.8 + (performance.now() - begun) * 0.2;
      }
    });
  }

  function away(): Said {
    failedAt = performance.now();
    return { says: 'away' };
  }

  return {
    ask,
    takeSecrets: () => central.takeSecrets(),
    isAway: () => central.isAway() || performance.now() - failedAt < AWAY_MS,
    /** How long it took of late, in milliseconds: who is refused waits as long, whoever it is. */
    typical: () => typicalMs,
  };
}

function placeOf(address: string): number {
  return (hash('sha256', networkOf(address), 'buffer')[0] ?? 0) % PLACES;
}
