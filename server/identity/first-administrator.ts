import { hash, timingSafeEqual } from 'node:crypto';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import { createFailureLimit } from './failure-limit.ts';

const HOURS = 24;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const FAILURES = { perAddress: 10, overall: 100, windowMs: 10 * 60_000 };

export interface FirstAdministratorOptions {
  now: () => Date;
  random: (size: number) => Buffer;
  /** Whether the installation has no user and is to get its first one here. */
  isMissing: () => boolean;
  /** Where several processes give codes: those that any of them was told of, and where to tell of a new one. */
  stored?: unknown;
  onCode?: (code: KeptCode) => void;
}

/** Milliseconds since 1970; the hash in hex. */
export interface KeptCode {
  hash: string;
  expiresAt: number;
}

export interface FirstCode {
  code: string;
  /** ISO 8601 UTC. */
  expires_at: string;
}

export type FirstAdministrator = ReturnType<typeof createFirstAdministrator>;

/**
 * The code with which the first administrator is made: 128 random bits, valid for a day and once. It is kept in memory
 * as a hash, so that whoever starts the server, and nobody who reads its files, can be the first. Of several processes each
 * takes those that the others have given as well, for a day.
 */
export function createFirstAdministrator({
  now,
  random,
  isMissing,
  stored,
  onCode,
}: FirstAdministratorOptions) {
  let codes: readonly KeptCode[] = readCodes(stored);
  const failures = createFailureLimit({ ...FAILURES, now: () => performance.now() });

  /** A fresh code; an earlier one is void. Undefined when there is a user already. */
  function newCode(): FirstCode | undefined {
    if (!isMissing()) return undefined;
    const code = base32(random(16));
    const expiresAt = now().getTime() + HOURS * 3_600_000;
    const fresh = { hash: sha256(code).toString('hex'), expiresAt };
    codes = onCode ? [...codes, fresh] : [fresh];
    onCode?.(fresh);
    return { code, expires_at: new Date(expiresAt).toISOString() };
  }

  /**
   * Takes the code for as long as `use` runs, and for good when it succeeds.
   * @throws AppError 422 on `code`; 429 after many wrong ones; 409 when there is a user already; what `use` throws
   */
  async function redeem<Result>(code: string, address: string, use: () => Promise<Result>): Promise<Result> {
    if (!isMissing()) {
      throw new AppError('conflict', 'There is an administrator already. Sign in, or ask one for a user.');
    }
    const given = sha256(code.trim().toUpperCase());
    const taken = codes.find(({ hash: one }) => timingSafeEqual(Buffer.from(one, 'hex'), given));
    if (!taken || taken.expiresAt <= now().getTime()) {
      failures.check(address);
      failures.note(address);
      throw invalid({
        code: [
          'The link is not valid any more. The start of the server, or holdpoint user link, prints another.',
        ],
      });
    }
    codes = codes.filter(one => one !== taken);
    try {
      return await use();
    } catch (error) {
      if (onCode || codes.length === 0) codes = [...codes, taken];
      throw error;
    }
  }

  /** What another process has told of. */
  function join(told: unknown): void {
    codes = readCodes(told);
  }

  return { newCode, redeem, join };
}

function readCodes(stored: unknown): KeptCode[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: unknown) => {
    const { hash: one, expiresAt } = Object(entry);
    return typeof one === 'string' && /^[0-9a-f]{64}$/.test(one) && typeof expiresAt === 'number'
      ? [{ hash: one, expiresAt }]
      : [];
  });
}

/** RFC 4648, 6, without padding: 26 characters for 16 bytes. */
function base32(bytes: Buffer): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map(five => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
