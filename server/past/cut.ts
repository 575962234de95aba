/**
 * What of history counts for an answer about the past (interface decisions, 5.18):
 * - `moment`: the commits that were written at or before it, in the order of the log; own ones that the log does not have on top.
 * - `place`: the first so many entries of the log.
 * - `here`: what had been written or received on this machine until then, as it was shown here.
 */
export type Cut =
  | { kind: 'moment'; at: string }
  | { kind: 'place'; place: number }
  | { kind: 'here'; at: string };
