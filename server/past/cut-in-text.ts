import { parseTimestamp } from '../../shared/contract/dates.ts';
import type { AppError } from '../../shared/contract/errors.ts';
import { invalid } from '../../shared/contract/errors.ts';
import { shown } from '../../shared/contract/field-schemas.ts';
import type { Cut } from './cut.ts';
import type { Steps } from './steps.ts';

const PLACE = /^\d{1,15}$/;
/** A plus in an address reads as a space, which nobody means here. */
const UNQUOTED_PLUS = / (?=\d{2}:?\d{2}$)/;
const OFFSET = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * What a request asks for by `as_of` and `known`; undefined where it asks for the present.
 * @throws AppError 422 on `as_of` or `known`
 */
export function cutIn(
  { asOf, known }: { asOf: string | undefined; known: string | undefined },
  steps: Pick<Steps, 'end'>,
  now: string,
): Cut | undefined {
  if (known !== undefined && known !== 'here')
    throw invalid({ known: [`${shown(known)} is none of: here. Give here, or leave it out.`] });
  if (asOf === undefined) {
    if (known === undefined) return undefined;
    throw missing();
  }
  if (PLACE.test(asOf)) return placeIn(Number(asOf), known, steps);
  const text = asOf.replace(UNQUOTED_PLUS, '+');
  const at = OFFSET.test(text) ? parseTimestamp(text) : null;
  if (at === null) {
    const message = `${shown(asOf)} is neither a moment with its offset from UTC nor a place in the log. Give 2026-03-03T10:00:00+01:00 or 903.`;
    throw invalid({ as_of: [message] });
  }
  if (at > now)
    throw invalid({ as_of: [`${at} is not over yet: it is ${now}. Give a moment that is over.`] });
  return { kind: known === 'here' ? 'here' : 'moment', at };
}

export function missing(): AppError {
  return invalid({
    as_of: ['as_of is missing. Give a moment as 2026-03-03T10:00:00+01:00, or a place in the log.'],
  });
}

function placeIn(place: number, known: string | undefined, steps: Pick<Steps, 'end'>): Cut {
  if (known === 'here') {
    const message = `${place} is a place in the log, which is the same for all. Give a moment with known=here, or leave known out.`;
    throw invalid({ as_of: [message] });
  }
  const end = steps.end();
  if (place < 1 || place > end) {
    throw invalid({ as_of: [`There is no entry ${place} of the log here. Give 1 to ${end}.`] });
  }
  return { kind: 'place', place };
}
