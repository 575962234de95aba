/** By family, the field that says the number of a lot. */
const LOT_NUMBERS: Readonly<Record<string, string>> = {
  inventory: 'batch_number',
  'lab-result': 'batch_number',
  complaint: 'batch_number',
  ncr: 'lot_number',
};

/** The field of a family that says the number of a lot: records are found by it however people write it. */
export function lotNumberField(family: string): string | undefined {
  return LOT_NUMBERS[family];
}

/**
 * Whether opening stock is left without a lot number (interface decisions, 5.2): it is opened with one, and keeps one. A lot that has
 * none, of a version that did not ask for it, is changed as it is.
 * @param before the number so far; undefined for stock that is opened
 */
export function isLeftWithoutNumber(before: unknown, after: unknown): boolean {
  return !isLotNumber(after) && (before === undefined || isLotNumber(before));
}

/** Blanks around a number are no part of it. */
function isLotNumber(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
