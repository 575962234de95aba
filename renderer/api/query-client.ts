import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { AppError } from '../../shared/contract/errors.ts';

/** Answers that say: this is not (or no longer) your session. The session is asked again, and the screen follows. */
function isAboutSession(error: unknown): boolean {
  return error instanceof AppError && error.status === 401;
}

/** Reads are repeated while the server is away; what it refused is not. */
export function createQueryClient(): QueryClient {
  const askSession = (error: unknown) => {
    if (isAboutSession(error)) void queries.invalidateQueries({ queryKey: ['x.session.read'] });
  };
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: askSession }),
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
