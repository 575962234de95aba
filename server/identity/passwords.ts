import { type KeyObject, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { openKey, sealKey } from '../keys/sealed-key.ts';
import { createTurns, type Turn } from './turns.ts';

/** OWASP Password Storage Cheat Sheet, scrypt: N = 2^17, r = 8, p = 1, which takes 128 MiB while it runs. */
const COST = { log2N: 17, r: 8, p: 1 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** An Ed25519 key in PKCS 8 has 48 bytes. */
const SEALED = /^key\$(1\d)\$(\d{1,2})\$(\d)\$([\w-]{22})\$([\w-]{16})\$([\w-]{86})$/;
/** What a stored text may ask for: one that came from elsewhere must not stop this machine. */
const LIMITS = { log2N: 18, r: 16, p: 4 } as const;
const STORED = /^scrypt\$(1\d)\$(\d{1,2})\$(\d)\$([\w-]{22})\$([\w-]{43})$/;

export interface PasswordsOptions {
  /** OWASP's where nothing is said. */
  cost?: Cost | undefined;
}

export type Passwords = ReturnType<typeof createPasswords>;

/** Makes and checks stored passwords and what is sealed by them, a few at a time. */
export function createPasswords({ cost = COST }: PasswordsOptions = {}) {
  const turns = createTurns();
  let typicalMs: number | undefined;

  function inTurn(password: string, salt: Buffer, own: Cost, turn: Turn = 'known'): Promise<Buffer> {
    return turns(turn, async () => {
      const begun = performance.now();
      const key = await stretched(password, salt, own);
      const took = performance.now() - begun;
      typicalMs = typicalMs === undefined ? took : typicalMs * 0.8 + took * 0.2;
      return key;
    });
  }

  /** How long checking a password takes of late, in milliseconds. */
  async function typical(): Promise<number> {
    if (typicalMs === undefined) await isPassword('', undefined);
    return typicalMs ?? 0;
  }

  /**
   * A salted, stretched hash of a password, with what it was made with. @param former a stored text of the same person, whose salt it
   * takes: the two are the same text exactly when the passwords are the same. @throws AppError 503 when too many wait
   */
  async function hash(password: string, former?: string): Promise<string> {
    const read = readStored(former ?? '');
    const salt = read && isSameCost(read.cost, cost) ? read.salt : randomBytes(SALT_BYTES);
    const key = await inTurn(password, salt, cost);
    return ['scrypt', cost.log2N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join(
      '$',
    );
  }

  /**
   * Whether the password is the one of the stored text. Without a text, or with one that cannot be read, it is not, and
   * the answer takes as long. @throws AppError 503 when too many wait
   */
  async function isPassword(password: string, stored: string | undefined, turn?: Turn): Promise<boolean> {
    const read = readStored(stored ?? '');
    const nobody = { salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES), cost };
    const { salt, key, cost: own } = read ?? nobody;
    const made = await inTurn(password, salt, own, turn);
    return timingSafeEqual(made, key) && read !== undefined;
  }

  /** Seals a private key by the password: only who knows it can open it again. @throws AppError 503 when too many wait */
  async function seal(password: string, key: KeyObject): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const sealed = sealKey(await inTurn(password, salt, cost), key);
    return ['key', cost.log2N, cost.r, cost.p, salt.toString('base64url'), ...sealed].join('$');
  }

  /** Undefined for another password than it was sealed by, and for what `seal` did not make. @throws AppError 503 when too many wait */
  async function open(password: string, sealed: string, turn?: Turn): Promise<KeyObject | undefined> {
    const [, log2N, r, p, salt = '', nonce = '', box = ''] = SEALED.exec(sealed) ?? [];
    const own = { log2N: Number(log2N), r: Number(r), p: Number(p) };
    if (!isWithinLimits(own)) return undefined;
    return openKey(await inTurn(password, Buffer.from(salt, 'base64url'), own, turn), nonce, box);
  }

  return { hash, isPassword, isSameSalt, seal, open, typical };
}

/** Whether two stored texts were made alike, so that they are the same exactly when their passwords are. */
function isSameSalt(one: string, other: string): boolean {
  const [first, second] = [readStored(one), readStored(other)];
  return (
    first !== undefined &&
    second !== undefined &&
    first.salt.equals(second.salt) &&
    isSameCost(first.cost, second.cost)
  );
}

/** Whether a text that came from elsewhere is a hash that `isPassword` can read. */
export function isStoredPassword(text: string): boolean {
  return readStored(text) !== undefined;
}

/** Of scrypt (RFC 7914). */
export interface Cost {
  log2N: number;
  r: number;
  p: number;
}

function readStored(stored: string): { salt: Buffer; key: Buffer; cost: Cost } | undefined {
  const [, log2N, r, p, salt = '', key = ''] = STORED.exec(stored) ?? [];
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  if (!isWithinLimits(cost)) return undefined;
  return { salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url'), cost };
}

function isSameCost(one: Cost, other: Cost): boolean {
  return one.log2N === other.log2N && one.r === other.r && one.p === other.p;
}

function isWithinLimits({ log2N, r, p }: Cost): boolean {
  return log2N <= LIMITS.log2N && r >= 1 && r <= LIMITS.r && p >= 1 && p <= LIMITS.p;
}

function stretched(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** log2N;
  const options = { N, r, p, maxmem: 128 * N * r + 2 ** 24 };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
