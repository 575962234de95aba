import { NOTABLE_CLOCK_OFFSET } from './limits.ts';

/** When something was written, by a clock that was off by so much; null where that is not known. */
export interface Dated {
  at: string;
  clock_offset: number | null;
}

/** By the author's clock, or by central's where that one is known to have been wrong by what people notice. ISO 8601 UTC. */
export function momentOf({ at, clock_offset: offset }: Dated): string {
  return isMisdated({ clock_offset: offset }) ? new Date(Date.parse(at) - (offset ?? 0)).toISOString() : at;
}

/** Whether the clock is known to have been wrong by what people notice. */
export function isMisdated({ clock_offset: offset }: Pick<Dated, 'clock_offset'>): boolean {
  return offset !== null && Math.abs(offset) >= NOTABLE_CLOCK_OFFSET;
}
