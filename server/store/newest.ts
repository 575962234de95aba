import type { Family } from '../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { Records } from './records.ts';

/** The newest records by id that pass the filters, oldest first, and how many there are in all. */
export function newestRecords(
  records: Pick<Records, 'page'>,
  family: Family,
  filters: Record<string, number | string>,
  limit: number,
): { newest: StoredRecord[]; total: number } {
  const found = records.page(family, { page: 1, perPage: limit, filters, isNewestFirst: true });
  return { newest: found.records.toReversed(), total: found.total };
}
