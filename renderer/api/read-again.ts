import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Makes what reads everything on screen again. What is being read is not given up for that, or a slow answer would never
 * be seen while much changes: it is read once more when it has come.
 */
export function createReadAgain(queries: QueryClient): () => void {
  const following = new Set<Query>();
  const patiently = { cancelRefetch: false };
  return () => {
    const busy = queries.getQueryCache().findAll({ type: 'active', fetchStatus: 'fetching' });
    void queries.invalidateQueries({}, patiently);
    for (const query of busy) {
      if (following.has(query)) continue;
      following.add(query);
      const one = { queryKey: query.queryKey, exact: true };
      // As it is being read, this waits for its answer.
      void queries.refetchQueries(one, patiently).finally(() => {
        following.delete(query);
        void queries.invalidateQueries(one, patiently);
      });
    }
  };
}
