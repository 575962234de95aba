import type { Family } from '../../shared/contract/define-family.ts';
import { type Answered, present, type StoredRecord } from '../../shared/contract/present.ts';
import { isCorrected, LISTED_CORRECTIONS, LISTED_FIELDS } from '../../shared/families/record-corrections.ts';
import { families } from '../../shared/families/registry.ts';
import type { Reads } from './lot-state.ts';

/** How many corrections a record has, and what stood before; nothing of a family whose records have none. */
export function correctionsOf(
  { records }: Pick<Reads, 'records'>,
  family: Pick<Family, 'may'>,
  { key }: Pick<StoredRecord, 'key'>,
): Answered {
  if (!isCorrected(family)) return {};
  const found = records.findBy('correction', 'subject', key);
  return {
    corrections_count: found.length,
    corrections: found
      .slice(0, LISTED_CORRECTIONS)
      .map(correction => present(families.correction, correction, { fields: LISTED_FIELDS })),
  };
}
