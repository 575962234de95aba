/** What the keys of the pad say. */
export const padKeys = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '.', '0', 'back'] as const;
export type PadKey = (typeof padKeys)[number];

/** Longer numbers are no quantities. */
const LONGEST = 15;

/**
 * A number as it stands after a key of the pad.
 * @param isFresh nothing has been pressed yet: what stands there is replaced, as by whoever types over what is selected
 */
export function afterKey(value: string, key: PadKey, isFresh: boolean): string {
  const before = isFresh ? '' : value;
  if (key === 'back') return isFresh ? '' : before.slice(0, -1);
  if (before.length >= LONGEST || (key === '.' && before.includes('.'))) return before;
  if (key === '.') return before === '' ? '0.' : `${before}.`;
  return before === '0' ? key : before + key;
}
