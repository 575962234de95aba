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
type Said = { says: 'right'; key: UserKey } | { says: 'wrong' | 'keyless' | 'away' };

export const WRONG = 'The login or the password is wrong. Try again.';
const WRONG_OR_FIRST =
  'The login or the password is wrong, or you have never signed in at this station: the first time needs central, which is not in reach now. Try again once the exchange works. An administrator of central can assign you to this station before.';
const AWAY =
  'You have never given your password at this station: the first time needs central, which is not in reach now. Try again once the exchange works.';
const KEYLESS =
  'Sign in at central first, and choose another password there: others may know this one, and it is not given to another station.';
const NOT_HEARD = 'This station has not heard of you from central yet. Try again in a minute.';

/**
 * At a station: whose password is not here is asked of central, which gives it to the station then. Nothing of a person who never signed in
 * here lies here, so that its disk tells nothing of theirs.
 */
export function createFirstHere({ central }: { central: AskCentral }) {
  const turns = createTurns();
  let failedAt = Number.NEGATIVE_INFINITY;
  let typicalMs = 0;

  /**
   * The key of who has this login and password by central's word, with which the password, stretched, has come here; undefined where they are
   * wrong, and where central is away at signing in.
   * @param who the id that the login has here, where it has one
   * @throws AppError 429 as central says; 503 with words where it cannot be told, or too many wait
   */
  async function keyOf(
    who: { login: string; userId: number | undefined },
    password: string,
    { isSignIn, turn, address }: { isSignIn: boolean; turn: Turn; address: string },
  ): Promise<UserKey | undefined> {
    const said = await ask(who.login, password, turn, address);
    if (said.says === 'keyless') throw new AppError('unavailable', KEYLESS);
    if (said.says === 'away' && !isSignIn) throw new AppError('unavailable', AWAY);
    if (said.says !== 'right') return undefined;
    if (said.key.user_id !== who.userId) throw new AppError('unavailable', NOT_HEARD);
    await central.takeSecrets();
    return said.key;
  }

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

  const isAway = () => central.isAway() || performance.now() - failedAt < AWAY_MS;
  return {
    keyOf,
    /** What everybody is told who is refused at signing in: it says nothing of who is known here. */
    refusal: () => (isAway() ? WRONG_OR_FIRST : WRONG),
    /** How long it took of late, in milliseconds: who is refused waits as long, whoever it is. */
    typical: () => typicalMs,
  };
}

function placeOf(address: string): number {
  return (hash('sha256', networkOf(address), 'buffer')[0] ?? 0) % PLACES;
}
