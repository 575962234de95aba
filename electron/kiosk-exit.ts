import { scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { KioskAnswer } from '../shared/contract/desktop-bridge.ts';
import { readPinHash } from '../shared/contract/machine-policy.ts';
import type { JsonFile } from './json-file.ts';

/** So many wrong PINs in a row, then none is taken for as long. */
const MOST_TRIES = 5;
const REST_MS = 15 * 60_000;

/** How often in a row, and when last, somebody typed a wrong one: `at` in milliseconds since 1970. */
export const triesSchema = z.object({ wrong: z.int().min(0), at: z.number() });
export const NO_TRIES = { wrong: 0, at: 0 };

export interface KioskExitOptions {
  /** The PIN that the policy sets, as `holdpoint policy pin` wrote it; undefined: none, and nobody leaves. */
  stored: () => string | undefined;
  /** Keeps count over the ends of the app. */
  tries: JsonFile<z.infer<typeof triesSchema>>;
  /** Opens the app as it is where there is no kiosk. */
  leave: () => void;
  log: (text: string) => void;
  now?: () => number;
}

/** The one way out of a kiosk: a PIN that the machine's administrators have set, tried a few times, each told in the log. */
export function createKioskExit({ stored, tries, leave, log, now = Date.now }: KioskExitOptions) {
  let turn: Promise<unknown> = Promise.resolve();

  async function attempt(pin: string): Promise<KioskAnswer> {
    const pinOfPolicy = stored();
    if (pinOfPolicy === undefined) return 'no_pin';
    const { wrong, at } = tries.read();
    // A clock that was set back lets nobody in earlier.
    const isResting = wrong >= MOST_TRIES && Math.abs(now() - at) < REST_MS;
    if (isResting) {
      log('A PIN to leave the kiosk was not tried: too many were wrong.\n');
      return 'resting';
    }
    // It counts before it is tried: an end of the app takes none back.
    const count = (wrong >= MOST_TRIES ? 0 : wrong) + 1;
    tries.write({ wrong: count, at: now() });
    if (!(await isPin(pin, pinOfPolicy))) {
      log(`A wrong PIN to leave the kiosk, ${count} of ${MOST_TRIES}.\n`);
      return count >= MOST_TRIES ? 'resting' : 'wrong';
    }
    tries.write(NO_TRIES);
    log('The kiosk was left by its PIN.\n');
    leave();
    return 'left';
  }

  /** One after the other: what is tried at once counts as often. */
  return (pin: string): Promise<KioskAnswer> => {
    const own = turn.then(() => attempt(pin));
    turn = own.catch(() => undefined);
    return own;
  };
}

/** Whether a PIN is the one of a hash that `holdpoint policy pin` has written (RFC 7914). */
function isPin(pin: string, stored: string): Promise<boolean> {
  const { log2N, r, p, salt, key } = readPinHash(stored);
  const N = 2 ** log2N;
  const wanted = Buffer.from(key, 'base64url');
  return new Promise((resolve, reject) => {
    const options = { N, r, p, maxmem: 128 * N * r + 2 ** 24 };
    scrypt(pin.normalize('NFKC'), Buffer.from(salt, 'base64url'), wanted.length, options, (error, made) =>
      error ? reject(error) : resolve(timingSafeEqual(made, wanted)),
    );
  });
}
