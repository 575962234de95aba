import type { Family } from '../../shared/contract/define-family.ts';
import { type Answered, present, type StoredRecord } from '../../shared/contract/present.ts';
import { isCorrected, LISTED_CORRECTIONS, LISTED_FIELDS } from '../../shared/families/record-corrections.ts';
import { families } from '../../shared/families/registry.ts';
import type { Reads } from './lot-state.ts';

/** Adds to an answer how many corrections the record has, and what stood before; nothing where a family's records have none. */
export function addCorrections<Answer extends Answered>(
  answer: Answer,
  { records }: Pick<Reads, 'records'>,
  family: Pick<Family, 'may'>,
  { key }: Pick<StoredRecord, 'key'>,
): Answer & Answered {
  if (!isCorrected(family)) return answer;
  const found = records.findBy('correction', 'subject', key);
  // Set one by one: every answer of a record comes by here.
  const told: Answered = answer;
  told.corrections_count = found.length;
  told.corrections = found
    .slice(0, LISTED_CORRECTIONS)
    .map(correction => present(families.correction, correction, { fields: LISTED_FIELDS }));
  return answer;
}
