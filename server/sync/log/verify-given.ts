import type { StoredRecord } from '../../../shared/contract/present.ts';
import { readLocal } from '../../store/tables.ts';
import { remedies } from '../../store/verify/findings.ts';
import type { VerifyContext } from '../../store/verify/verify-context.ts';
import { createdItems } from './created-ids.ts';
import { GivenItems, ITEMS_GIVEN, itemKinds } from './given-items.ts';

/** For every decided record: at central the ids of its items are noted as given, so that whoever gives one again is found. */
export function givenVerifier({ sql, findings }: VerifyContext): (record: StoredRecord) => void {
  // Central looks through all of them at its next start.
  if (readLocal(sql, ITEMS_GIVEN) !== itemKinds()) return () => {};
  const given = new GivenItems(sql, sql);
  return ({ key, fields }) => {
    const changes = Object.entries(fields).map(([path, value]) => ({ path, new: value }));
    const missing = createdItems({ subject: key, changes }).find(one => !given.has(one));
    if (missing === undefined) return;
    findings.add(
      `${missing.counter} ${missing.id} is not noted as given.`,
      `record ${key}`,
      remedies.restore,
    );
  };
}
