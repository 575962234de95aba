import type { Store } from '../../../../server/store/store.ts';
import { createdIds } from '../../../../server/sync/log/created-ids.ts';
import { recordsOf } from '../../store/audit.ts';

/** Ids of items that stand in more than one record. */
export function idsTwice(store: Store): string[] {
  const seen = new Set<string>();
  return recordsOf(store).flatMap(({ key, fields }) => {
    const changes = Object.entries(fields).map(([path, value]) => ({
      path,
      old: null,
      new: value,
      over: [],
    }));
    return createdIds({ subject: key, changes }).flatMap(({ counter, id }) => {
      const name = `${counter} ${id}`;
      if (seen.has(name)) return [`${name} in ${key}`];
      seen.add(name);
      return [];
    });
  });
}
