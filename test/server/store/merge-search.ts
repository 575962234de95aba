import { SearchIndex } from '../../../server/store/sqlite/search.ts';
import type { Store } from '../../../server/store/store.ts';

/** As after a while in which nobody wrote: no text waits for the index. */
export function mergeSearch({ database }: Pick<Store, 'database'>): void {
  const search = new SearchIndex(database);
  database.transaction(() => {
    while (search.merge());
  });
}
