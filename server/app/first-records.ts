import { BY_SERVER } from '../../shared/contract/permission.ts';
import { families } from '../../shared/families/registry.ts';
import { inputOf } from '../rules/input-of.ts';
import { SETTING_ID } from '../rules/site.ts';
import type { Store } from '../store/store.ts';

/**
 * A fresh installation has one company and no other record (interface decisions, 1); an enrolled one has its central's. A
 * central has the record of settings as well: its id is central's, so no station could begin it.
 */
export async function writeFirstRecords(
  store: Store,
  { isCentral, isEnrolled }: { isCentral: boolean; isEnrolled: boolean },
): Promise<void> {
  if (isEnrolled || store.database.damage !== undefined) return;
  const hasCompany = store.records.total('company') > 0;
  const hasSettings = !isCentral || store.records.total('setting') > 0;
  if (hasCompany && hasSettings) return;
  await store.gate.commit({
    actor: { user: 'setup', rights: BY_SERVER },
    reason: null,
    work: work => {
      // Of several processes that start together one writes them.
      const hasCompany = store.pending.total('company') > 0;
      const hasSettings = !isCentral || store.pending.total('setting') > 0;
      if (!hasCompany) work.create(families.company, inputOf({ name: 'My company' }));
      if (!hasSettings) work.create(families.setting, inputOf({}), SETTING_ID);
    },
    answer: () => undefined,
  });
}
