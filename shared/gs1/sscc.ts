import { z } from 'zod';
import { shown } from '../contract/field-schemas.ts';
import { type Field, type FieldOptions, text, withInput } from '../contract/fields.ts';
import { hasCheckDigit } from './check-digit.ts';

/** A number that GS1 numbers by, with its check digit; `(00)` and the like before it and blanks are left out. */
function checked(
  options: FieldOptions & { identifier: string; digits: number; called: string },
): Field<string> {
  const { identifier, digits, called, ...rest } = options;
  const base = text({ maximum: 40, ...rest });
  const before = new RegExp(`^\\s*\\(?${identifier}\\)?(?=\\d{${digits}}\\s*$)|\\s`, 'g');
  return withInput(base, usual =>
    z.preprocess(
      value => (typeof value === 'string' ? value.replace(before, '') : value),
      usual.refine(value => typeof value !== 'string' || (value.length === digits && hasCheckDigit(value)), {
        error: ({ input }) =>
          `${shown(input)} is no ${called}: it has ${digits} digits, and the last one is their check digit. Read it from the label again.`,
      }),
    ),
  );
}

/** Number of a pallet or case (AI 00): 18 digits, the last one their check digit. */
export function sscc(options: FieldOptions = {}): Field<string> {
  return checked({ label: 'SSCC', identifier: '00', digits: 18, called: 'SSCC', ...options });
}

/** Global location number (AI 414): 13 digits, the last one their check digit. */
export function gln(options: FieldOptions = {}): Field<string> {
  return checked({ label: 'GLN', identifier: '414', digits: 13, called: 'GLN', ...options });
}
