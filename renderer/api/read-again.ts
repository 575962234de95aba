import type { Query, QueryClient } from '@tanstack/react-query';

const patiently = { cancelRefetch: false };

/**
 * Makes what reads everything on screen again. What is being read is not given up for that, or a slow answer would never
 * be seen while much changes: it is read once more when it has come. So is what was left while it was being read, once it is
 * shown again: its answer would pass for the present state.
 */
export function createReadAgain(queries: QueryClient): () => void {
  const following = new Set<Query>();
  return () => {
    const busy = queries.getQueryCache().findAll({ fetchStatus: 'fetching' });
    void queries.invalidateQueries({}, patiently);
    for (const query of busy) {
      if (following.has(query)) continue;
      following.add(query);
      void readOnceMore(queries, query, () => following.delete(query));
    }
  };
}

/** Waits for the answer of a query that is being read, and reads it again. @param answered called in between */
export async function readOnceMore(queries: QueryClient, query: Query, answered?: () => void): Promise<void> {
  const one = { queryKey: query.queryKey, exact: true };
  await queries.refetchQueries(one, patiently);
  answered?.();
  await queries.invalidateQueries(one, patiently);
}
