import { type KeyObject, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import { openKey, sealKey } from '../keys/sealed-key.ts';

/** OWASP Password Storage Cheat Sheet, scrypt: N = 2^17, r = 8, p = 1, which takes 128 MiB while it runs. */
const COST = { log2N: 17, r: 8, p: 1 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** An Ed25519 key in PKCS 8 has 48 bytes. */
const SEALED = /^key\$(1\d)\$(\d{1,2})\$(\d)\$([\w-]{22})\$([\w-]{16})\$([\w-]{86})$/;
/** What a stored text may ask for: one that came from elsewhere must not stop this machine. */
const LIMITS = { log2N: 18, r: 16, p: 4 } as const;
const STORED = /^scrypt\$(1\d)\$(\d{1,2})\$(\d)\$([\w-]{22})\$([\w-]{43})$/;

/** NIST SP 800-63B, 5.1.1.2: length instead of rules about characters; at least 64 must be possible. */
export const PASSWORD_MINIMUM = 8;
const PASSWORD_MAXIMUM = 256;

/** At once, and waiting: beyond it a server would only fall further behind. */
const AT_ONCE = 2;
const WAITING_LIMIT = 64;

/** Of what people choose most; longer lists are of shorter passwords. Compared without case, digits at the end left out. */
const WORST = new Set(
  'password passwort passw0rd p@ssw0rd kennwort geheim qwertyui qwertyuiop qwertzui qwertzuiop asdfghjk asdfghjkl iloveyou ichliebedich sunshine princess football baseball superman trustno1 letmein welcome willkommen changeme holdpoint administrator starwars whatever computer internet hallohallo passwordpassword abcdefgh abcdefghi qwerty qwertz qazwsx qazwsxedc zaq12wsx q1w2e3r4 1q2w3e4r 1qaz2wsx default supervisor operator inspector manager warehouse laboratory quality'.split(
    ' ',
  ),
);

export interface PasswordsOptions {
  /** OWASP's where nothing is said. */
  cost?: Cost | undefined;
}

export type Passwords = ReturnType<typeof createPasswords>;

/** Makes and checks stored passwords and what is sealed by them, a few at a time. */
export function createPasswords({ cost = COST }: PasswordsOptions = {}) {
  const inTurn = createTurns();

  /** A salted, stretched hash of a password, with what it was made with. @throws AppError 503 when too many wait */
  async function hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const key = await inTurn(() => stretched(password, salt, cost));
    return ['scrypt', cost.log2N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join(
      '$',
    );
  }

  /**
   * Whether the password is the one of the stored text. Without a text, or with one that cannot be read, it is not, and
   * the answer takes as long. @throws AppError 503 when too many wait
   */
  async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
    const read = readStored(stored ?? '');
    const nobody = { salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES), cost };
    const { salt, key, cost: own } = read ?? nobody;
    const made = await inTurn(() => stretched(password, salt, own));
    return timingSafeEqual(made, key) && read !== undefined;
  }

  /** Seals a private key by the password: only who knows it can open it again. @throws AppError 503 when too many wait */
  async function seal(password: string, key: KeyObject): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const sealed = sealKey(await inTurn(() => stretched(password, salt, cost)), key);
    return ['key', cost.log2N, cost.r, cost.p, salt.toString('base64url'), ...sealed].join('$');
  }

  /** Undefined for another password than it was sealed by, and for what `seal` did not make. @throws AppError 503 when too many wait */
  async function open(password: string, sealed: string): Promise<KeyObject | undefined> {
    const [, log2N, r, p, salt = '', nonce = '', box = ''] = SEALED.exec(sealed) ?? [];
    const own = { log2N: Number(log2N), r: Number(r), p: Number(p) };
    if (!isWithinLimits(own)) return undefined;
    const stretch = () => stretched(password, Buffer.from(salt, 'base64url'), own);
    return openKey(await inTurn(stretch), nonce, box);
  }

  return { hash, isPassword, seal, open };
}

/** Whether a text that came from elsewhere is a hash that `isPassword` can read. */
export function isStoredPassword(text: string): boolean {
  return readStored(text) !== undefined;
}

/**
 * NIST SP 800-63B, 5.1.1.2: long enough, not the name, not what everybody chooses. @throws AppError 422 on `field`
 */
export function checkPassword(
  password: unknown,
  { login, name }: { login: string; name: string },
  field = 'password',
): string {
  const refuse = (message: string) => invalid({ [field]: [message] });
  if (typeof password !== 'string' || password === '') {
    throw refuse(`The password is missing. Give one of at least ${PASSWORD_MINIMUM} characters.`);
  }
  const length = [...password.normalize('NFKC')].length;
  if (length < PASSWORD_MINIMUM) {
    throw refuse(
      `The password is too short. Give at least ${PASSWORD_MINIMUM} characters; several words are best.`,
    );
  }
  if (length > PASSWORD_MAXIMUM) throw refuse(`The password is too long. The most is ${PASSWORD_MAXIMUM}.`);
  const plain = folded(password);
  const stem = plain.replace(/[\d\W_]+$/u, '');
  const own = [login, name, ...name.split(/\s+/)].map(folded).filter(text => text.length >= 3);
  if (own.some(text => plain === text || stem === text || plain === text + text)) {
    throw refuse('The password is the name of the user. Give another one; several words are best.');
  }
  if (WORST.has(plain) || WORST.has(stem) || isMonotonous(plain)) {
    throw refuse('Too many people choose this password. Give another one; several words are best.');
  }
  return password;
}

/** One character again and again, a short piece again and again, or a run up or down: `aaaaaaaa`, `12341234`, `87654321`. */
function isMonotonous(text: string): boolean {
  if (/^(.{1,4})\1+$/u.test(text)) return true;
  const codes = [...text].map(character => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  return steps.size === 1 || '01234567890123456789'.includes(text) || '98765432109876543210'.includes(text);
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
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

function isWithinLimits({ log2N, r, p }: Cost): boolean {
  return log2N <= LIMITS.log2N && r >= 1 && r <= LIMITS.r && p >= 1 && p <= LIMITS.p;
}

/** Runs work that is dear, a few at a time. */
function createTurns() {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= AT_ONCE) {
      if (waiting.length >= WAITING_LIMIT) {
        const message = 'Too many people sign in at this moment. Try again in a few seconds.';
        throw new AppError('unavailable', message, { headers: { 'Retry-After': '5' } });
      }
      // Whoever ends hands its place over.
      await new Promise<void>(resolve => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
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
