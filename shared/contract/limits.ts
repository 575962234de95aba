/** What a record can hold, for writes and for what other machines send alike. */

/** Characters of a text. */
export const TEXT_LIMIT = 10_000;

/** Entries of a list. */
export const ARRAY_LIMIT = 1_000;

/** Records that one commit changes: ten times as many as one request may name. It is judged and written as a whole. */
export const COMMIT_LIMIT = 10_000;

/** Of an entry that decides on a held commit: what it says, and what that is over. One each, and room for a later version. */
export const HOLD_LIMIT = 10;

/** Containers within containers of one value: `{"text": "…"}` has one. */
export const VALUE_DEPTH = 20;

/** Containers within containers of a request's body; the deepest documented one has five around a value. */
export const BODY_DEPTH = 32;

/**
 * Of a message between machines, where a value lies nine deep: deep enough for whatever an earlier version took, so that
 * it is held alone and nothing behind it waits.
 */
export const MESSAGE_DEPTH = 64;

/** Ids stay below it: what is worked out of them stays exact. */
export const ID_LIMIT = 2 ** 44;

/** Milliseconds by which a clock is said to be off at most: a century. A machine whose battery is empty may stand at 1970. */
export const CLOCK_OFFSET_LIMIT = 100 * 366 * 86_400_000;

/** Clocks that are kept by the network differ by less; people read the times by the minute. In milliseconds. */
export const NOTABLE_CLOCK_OFFSET = 2 * 60_000;

/** How deep containers lie within containers; 0 of what is none. Stops counting beyond `most`. */
export function depthOf(value: unknown, most = MESSAGE_DEPTH): number {
  if (value === null || typeof value !== 'object') return 0;
  if (most <= 0) return 1;
  let deepest = 0;
  for (const member of Object.values(value)) deepest = Math.max(deepest, depthOf(member, most - 1));
  return deepest + 1;
}

/** Characters of a scan: more than a data matrix or a QR code of letters holds, and less than a jammed key or a pasted file sends. */
export const SCAN_LIMIT = 4_096;
