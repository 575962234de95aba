/** The digit that completes a GS1 number: weights 3, 1, 3 … from the right, modulo 10 (General Specifications 7.9.1). */
export function checkDigit(digits: string): string {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

/** Whether a number of two or more digits ends with its check digit. */
export function hasCheckDigit(digits: string): boolean {
  return /^\d{2,}$/.test(digits) && checkDigit(digits.slice(0, -1)) === digits.slice(-1);
}

/**
 * The 14 digits of a GTIN-8, -12, -13 or -14, or of a UPC-E with its check digit; null for anything else. Of eight
 * digits that could be both, those beginning with 0 are a UPC-E: as a GTIN-8 they would be a shop's own number
 * (General Specifications 1.4.3, GS1-8 prefixes 000 to 099).
 */
export function toGtin14(digits: string): string | null {
  const asWritten = /^(?:\d{8}|\d{12,14})$/.test(digits) ? digits : null;
  const candidates = digits.startsWith('0')
    ? [expandUpcE(digits), asWritten]
    : [asWritten, expandUpcE(digits)];
  return candidates.find(number => number !== null && hasCheckDigit(number))?.padStart(14, '0') ?? null;
}

/** UPC-E leaves out zeros by the rule that its last digit names (General Specifications 5.2.2.4.2). */
function expandUpcE(digits: string): string | null {
  const [, system = '', body = '', last = '', check = ''] = /^([01])(\d{5})(\d)(\d)$/.exec(digits) ?? [];
  if (check === '') return null;
  const rule = Number(last);
  const item =
    rule <= 2
      ? `${body.slice(0, 2)}${last}0000${body.slice(2)}`
      : rule === 3
        ? `${body.slice(0, 3)}00000${body.slice(3)}`
        : rule === 4
          ? `${body.slice(0, 4)}00000${body.slice(4)}`
          : `${body}0000${last}`;
  return `${system}${item}${check}`;
}
