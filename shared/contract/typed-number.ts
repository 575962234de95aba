/**
 * One form of a number, however people write it: trimmed, normalised and without case (interface decisions, 5.15). A pure
 * function, so that all machines take the same two numbers for one.
 */
export function foldNumber(number: string): string {
  return number.trim().normalize('NFC').toLowerCase();
}

/** Whether two numbers that people typed are the same one. */
export function isSameNumber(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return one === other || foldNumber(one) === foldNumber(other);
}

/** Whether two lots, lines or reports name the same lot, or none of them any. */
export function isSameLotNumber(one: unknown, other: unknown): boolean {
  return (one ?? null) === (other ?? null) || isSameNumber(one, other);
}
