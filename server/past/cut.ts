import { NOTABLE_CLOCK_OFFSET } from '../../shared/contract/limits.ts';
import type { Commit } from '../store/changes.ts';

/**
 * What of history counts for an answer about the past (interface decisions, 6):
 * - `moment`: the commits that were written at or before it, in the order of the log; own ones that the log does not have on top.
 * - `place`: the first so many entries of the log.
 * - `here`: what had been written or received on this machine until then, as it was shown here.
 */
export type Cut =
  | { kind: 'moment'; at: string }
  | { kind: 'place'; place: number }
  | { kind: 'here'; at: string };

/**
 * When a commit was written: by its author's clock, or by central's where that clock is known to have been wrong by what
 * people notice. ISO 8601 UTC.
 */
export function momentOf({ at, clock_offset: offset }: Pick<Commit, 'at' | 'clock_offset'>): string {
  return isMisdated({ clock_offset: offset }) ? new Date(Date.parse(at) - (offset ?? 0)).toISOString() : at;
}

/** Whether the clock that dated a commit is known to have been wrong by what people notice. */
export function isMisdated({ clock_offset: offset }: Pick<Commit, 'clock_offset'>): boolean {
  return offset !== null && Math.abs(offset) >= NOTABLE_CLOCK_OFFSET;
}
