import { AppError } from '../../shared/contract/errors.ts';

export interface FailureLimitOptions {
  perAddress: number;
  /** From all addresses together. */
  overall: number;
  windowMs: number;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

export interface FailureLimit {
  /** @throws AppError 429 with `Retry-After` while the address, or all together, failed too often */
  check(address: string): void;
  note(address: string): void;
}

interface Failures {
  count: number;
  endsAt: number;
}

/** Counts failed attempts in windows that begin with the first failure. What it remembers is bounded by `overall`. */
export function createFailureLimit({
  perAddress,
  overall,
  windowMs,
  now,
}: FailureLimitOptions): FailureLimit {
  const byAddress = new Map<string, Failures>();
  let all: Failures = { count: 0, endsAt: 0 };
  const running = (failures: Failures | undefined): Failures =>
    failures && failures.endsAt > now() ? failures : { count: 0, endsAt: now() + windowMs };
  return {
    check(address) {
      const own = running(byAddress.get(networkOf(address)));
      const full = own.count >= perAddress ? own : running(all).count >= overall ? running(all) : undefined;
      if (!full) return;
      const seconds = Math.max(1, Math.ceil((full.endsAt - now()) / 1_000));
      throw new AppError('too_many_requests', `Too many attempts failed. Try again in ${seconds} seconds.`, {
        headers: { 'Retry-After': String(seconds) },
      });
    },
    note(address) {
      for (const [known, failures] of byAddress) if (failures.endsAt <= now()) byAddress.delete(known);
      const own = running(byAddress.get(networkOf(address)));
      byAddress.set(networkOf(address), { ...own, count: own.count + 1 });
      all = running(all);
      all = { ...all, count: all.count + 1 };
    },
  };
}

/** One household's or machine's addresses count as one: an IPv4 address, or the first 64 bits of an IPv6 one. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const first = head.split(':').filter(group => group !== '');
  const last = tail?.split(':').filter(group => group !== '') ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array<string>(zeros).fill('0'), ...last].slice(0, 4).join(':');
}
