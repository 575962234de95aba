/**
 * Milliseconds to wait after the nth failure in a row: from one second to one minute, each drawn from its upper half so
 * that stations do not come back all at once.
 */
export function backoffMs(failures: number): number {
  const longest = Math.min(60_000, 1_000 * 2 ** (failures - 1));
  return longest / 2 + (Math.random() * longest) / 2;
}
