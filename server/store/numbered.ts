import type { Family } from '../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { isSameNumber } from '../../shared/contract/typed-number.ts';
import { CODE, foldCode } from '../../shared/families/secondary-index.ts';
import type { Records } from './records.ts';
import { recordsAt } from './secondary-index.ts';
import type { SqlReader } from './sqlite/connection.ts';
import { FAMILY_SPAN } from './subjects.ts';

/** More than stations can have given twice. */
const MOST = 100;

/**
 * Records of a family whose number is this one as people compare them: trimmed, normalised and without case (interface
 * decisions, 5.15). By id.
 * @param field one of the family's codes
 */
export function numberedAs(
  sql: SqlReader,
  records: Pick<Records, 'ofSubject' | 'subjectNumber'>,
  family: Pick<Family, 'name'>,
  field: string,
  number: string,
  limit = MOST,
): StoredRecord[] {
  const code = foldCode(number);
  if (code === '') return [];
  const base = records.subjectNumber(family.name, 0);
  const where = `subject BETWEEN ${base} AND ${base + FAMILY_SPAN - 1}`;
  const found = recordsAt(sql, records, { place: CODE, from: code, to: code }, { limit, where });
  return found.filter(({ fields }) => isSameNumber(fields[field], number));
}
