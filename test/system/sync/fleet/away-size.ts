/** `HOLDPOINT_SYNC=full` runs these tests at their full size; `HOLDPOINT_SYNC_EDITS` gives another number of edits. */
const { HOLDPOINT_SYNC: wanted, HOLDPOINT_SYNC_EDITS: edits } = process.env;
const isFull = wanted === 'full';

export const awaySize = isFull
  ? { edits: Number(edits ?? 100_000), records: 1_000, kills: 5 }
  : { edits: 500, records: 50, kills: 1 };

export const restoredSize = isFull
  ? { stations: 5, operations: 500, restores: 2 }
  : { stations: 2, operations: 15, restores: 1 };

/** Megabytes that a station or a central may hold at most: see the table of faults. */
export const MEMORY_LIMIT = 500;
