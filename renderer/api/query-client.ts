import { hashKey, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { AppError } from '../../shared/contract/errors.ts';

/** Answers that say: this is not (or no longer) your session. The session is asked again, and the screen follows. */
function isAboutSession(error: unknown): boolean {
  return error instanceof AppError && error.status === 401;
}

/** Why each query had no answer when it was last read; of one that has had an answer since, nothing. */
const failures = new WeakMap<object, Error>();

/**
 * Why a query has no answer, also while it is read again. The query itself forgets that as soon as it is, and a failure
 * that stands on screen would take its button, and the focus, away with each change that the server tells of.
 */
export function failureOf(queries: QueryClient, queryKey: readonly unknown[]): Error | null {
  // `find` would compare the key with that of every query, for each of them.
  const query = queries.getQueryCache().get(hashKey(queryKey));
  return (query && failures.get(query)) ?? null;
}

/** Reads are repeated while the server is away; what it refused is not. */
export function createQueryClient(): QueryClient {
  const askSession = (error: unknown) => {
    if (isAboutSession(error)) void queries.invalidateQueries({ queryKey: ['x.session.read'] });
  };
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        failures.set(query, error);
        askSession(error);
      },
      onSuccess: (_data, query) => failures.delete(query),
    }),
    mutationCache: new MutationCache({ onError: askSession }),
    defaultOptions: {
      queries: {
        // The server tells what changes, on this machine; the network's state says nothing about it.
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (failures, error) =>
          error instanceof AppError && error.code === 'unavailable' && failures < 10,
        retryDelay: failures => Math.min(300 * 2 ** failures, 3_000),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return queries;
}
