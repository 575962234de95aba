import { NOTABLE_CLOCK_OFFSET } from './limits.ts';

/** When something was written, by a clock that was off by so much; null where that is not known. */
export interface Dated {
  at: string;
  clock_offset: number | null;
  /** What the clock should at least have said, where it was not confirmed. */
  clock_at_least?: string | null | undefined;
}

/**
 * By the author's clock, or by central's where that one is known to have been wrong by what people notice; not before what a clock that
 * was not confirmed should at least have said. ISO 8601 UTC.
 */
export function momentOf({ at, clock_offset: offset, clock_at_least: atLeast }: Dated): string {
  if (isMisdated({ clock_offset: offset })) return new Date(Date.parse(at) - (offset ?? 0)).toISOString();
  return typeof atLeast === 'string' && atLeast > at ? atLeast : at;
}

const SPANS = [
  { unit: 'year', size: 365.25 * 86_400_000 },
  { unit: 'day', size: 86_400_000 },
  { unit: 'hour', size: 3_600_000 },
  { unit: 'minute', size: 60_000 },
] as const;

/** "10 years", "3 hours" in English, of milliseconds without their sign, to one decimal; less than a minute is 0 minutes. */
export function spanOf(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  const { unit, size } = SPANS.find(each => length >= each.size) ?? SPANS[3];
  const count = Math.floor((length / size) * 10 + 0.5) / 10;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Whether the clock is known to have been wrong by what people notice. */
export function isMisdated({ clock_offset: offset }: Pick<Dated, 'clock_offset'>): boolean {
  return offset !== null && Math.abs(offset) >= NOTABLE_CLOCK_OFFSET;
}
