import { findApplicationIdentifier } from './application-identifiers.ts';
import { checkValue } from './check-value.ts';

/**
 * What a label bears: the element string, with GS (ASCII 29) for FNC1 between values that need it and without the
 * FNC1 that comes first, and the form in brackets that is printed below the code. (Barcode writers take that one too,
 * but misread a bracket in a value; BWIPP wants it as `^040`.)
 * Values of predefined length come first, in the order given, which makes the code shorter
 * (General Specifications 7.8.5). `today` decides the century of dates.
 *
 * RangeError for an unknown identifier or a value that its format refuses; the message says which and why.
 */
export function formatGs1(
  elements: readonly { readonly ai: string; readonly value: string }[],
  today: string,
): { elementString: string; bracketed: string } {
  const known = elements.map(({ ai, value }) => {
    const identifier = findApplicationIdentifier(ai);
    if (identifier?.ai !== ai) {
      throw new RangeError(`(${ai}) is no GS1 application identifier. Leave it out or correct it.`);
    }
    const problem = checkValue(identifier, value, 0, today);
    if (problem !== null) throw new RangeError(problem.message);
    return { ai, value, hasPredefinedLength: identifier.hasPredefinedLength };
  });
  const ordered = [
    ...known.filter(({ hasPredefinedLength }) => hasPredefinedLength),
    ...known.filter(({ hasPredefinedLength }) => !hasPredefinedLength),
  ];
  return {
    elementString: ordered
      .map(({ ai, value, hasPredefinedLength }, index) => {
        const isLast = index === ordered.length - 1;
        return `${ai}${value}${hasPredefinedLength || isLast ? '' : '\u001d'}`;
      })
      .join(''),
    bracketed: ordered.map(({ ai, value }) => `(${ai})${value}`).join(''),
  };
}
