import { AppError } from '../../../shared/contract/errors.ts';
import type { QuotaName, QuotaState } from '../../../shared/operations/quota.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MB = 1024 * 1024;

/** What one station may use of central: so much at once, and as much again over so many milliseconds. */
export interface Quota {
  of: Exclude<QuotaName, 'held'>;
  amount: number;
  per: typeof MINUTE | typeof DAY;
}

/** Megabytes of changes that a station may send in a day, unless it is set. */
export const DAY_MB = 2_048;

/** Of changes that wait for a person at central: commits, and bytes of JSON. They are read together, and often. */
export const HELD_LIMIT = { commits: 5_000, size: 64 * MB };
export type Held = typeof HELD_LIMIT;
/** How soon a station asks again whether somebody has decided on its held changes. In seconds. */
const HELD_PATIENCE = 60;

/** Those of a minute leave the others their share of the processor, those of a day the disk. */
export function quotasOf(dayMB: number): Quota[] {
  return [
    { of: 'messages', amount: 3_000, per: MINUTE },
    { of: 'commits', amount: 120_000, per: MINUTE },
    { of: 'bytes', amount: 256 * MB, per: MINUTE },
    { of: 'bytes', amount: dayMB * MB, per: DAY },
    { of: 'blocks', amount: 16, per: DAY },
    { of: 'hashes', amount: 1_000_000, per: MINUTE },
  ];
}

/** What a station is about to use. */
export type Use = Partial<Record<Quota['of'], number>>;

interface Left {
  quota: Quota;
  /** Below 0 where the last use was larger than what was left: it was taken whole. */
  left: number;
  at: number;
}

/**
 * What each station may use of central. Whoever has used it up waits until some of it is there again, keeps what it has to
 * send, and goes on by itself. Nothing of it outlives the process.
 */
export class StationQuotas {
  readonly #quotas: readonly Quota[];
  readonly #held: Held;
  /** Milliseconds that only go forward. */
  readonly #now: () => number;
  readonly #left = new Map<number, Left[]>();
  readonly #met = new Map<number, { of: QuotaName; until: number }>();

  constructor(quotas: readonly Quota[], held: Held, now: () => number = () => performance.now()) {
    this.#quotas = quotas;
    this.#held = held;
    this.#now = now;
  }

  /** @throws AppError `too_many_requests` where nothing is left of what is to be used: nothing is counted then */
  take(station: number, use: Use): void {
    const now = this.#now();
    const known = this.#of(station).filter(({ quota }) => use[quota.of] !== undefined);
    for (const one of known) {
      const { amount, per } = one.quota;
      one.left = Math.min(amount, one.left + ((now - one.at) * amount) / per);
      one.at = now;
    }
    const empty = known.find(({ left }) => left < 1);
    if (empty) throw this.#refuse(station, empty, now);
    for (const one of known) one.left -= use[one.quota.of] ?? 0;
  }

  /** Of what central holds of a station, and nobody has decided on. @throws AppError `too_many_requests` */
  checkHeld(station: number, held: Held): void {
    if (held.commits < this.#held.commits && held.size < this.#held.size) return;
    this.#met.set(station, { of: 'held', until: this.#now() + HELD_PATIENCE * 1_000 });
    const count = held.commits.toLocaleString('en');
    const message = `${count} of the changes of this station wait for a decision at central, which takes no more until some are decided on. What is unsent stays here and goes on by itself then.`;
    throw tooMany(message, HELD_PATIENCE);
  }

  /** What a station has used up, and for how many milliseconds it waits; undefined where it does not. */
  metBy(station: number): (Omit<QuotaState, 'until'> & { left: number }) | undefined {
    const met = this.#met.get(station);
    const left = met ? met.until - this.#now() : 0;
    return met && left > 0 ? { of: met.of, left } : undefined;
  }

  #of(station: number): Left[] {
    const known =
      this.#left.get(station) ?? this.#quotas.map(quota => ({ quota, left: quota.amount, at: this.#now() }));
    this.#left.set(station, known);
    return known;
  }

  #refuse(station: number, { quota, left }: Left, now: number): AppError {
    const { of, amount, per } = quota;
    // Some at once: else it would be told so again after each message.
    const wanted = Math.max(1, amount / 100) - left;
    const seconds = Math.ceil((wanted * per) / amount / 1_000);
    this.#met.set(station, { of, until: now + seconds * 1_000 });
    const [said, unit] = of === 'bytes' ? [amount / MB, 'MB'] : [amount, of];
    if (of === 'hashes') {
      const message = `Central works out the hashes of ${said.toLocaleString('en')} records a minute for one station, and this one has asked for them. Compare again in ${seconds} seconds.`;
      return tooMany(message, seconds);
    }
    const message = `Central takes ${said.toLocaleString('en')} ${unit === 'blocks' ? 'blocks of ids' : unit} a ${per === DAY ? 'day' : 'minute'} from one station, and this one has sent them. What is unsent stays here and goes on by itself in ${seconds} seconds.`;
    return tooMany(message, seconds);
  }
}

function tooMany(message: string, seconds: number): AppError {
  return new AppError('too_many_requests', message, { headers: { 'Retry-After': String(seconds) } });
}
