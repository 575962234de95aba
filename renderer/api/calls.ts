import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AppError } from '../../shared/contract/errors.ts';
import type { CallOptions, Reply } from '../../shared/operations/send-operation.ts';
import { client } from './client.ts';
import { ownChanges } from './own-changes.ts';
import { failureOf } from './query-client.ts';
import { useWriteKey } from './write-key.ts';

type Asked = Pick<CallOptions, 'params' | 'query' | 'body'>;

/** A read of the interface as a query: its key is the operation and what it is asked. */
export function callOptions<Data>(operation: string, asked: Asked = {}) {
  return queryOptions({
    queryKey: [operation, asked] as const,
    queryFn: ({ signal }): Promise<Reply<Data>> => client.call<Data>(operation, { ...asked, signal }),
  });
}

export interface ReadOptions {
  isEnabled?: boolean;
  /** Show what was there until the new answer is (the next page of a list). */
  keepsPrevious?: boolean;
}

/**
 * The answer of a read operation (`suppliers.list`), kept up to date by what the server says has changed.
 * `data.data` is the envelope's data, `data.meta` its meta, `data.etag` for `If-Match`. `error` stays until there is an
 * answer, also while it is read again.
 */
export function useCall<Data>(
  operation: string,
  asked: Asked = {},
  { isEnabled = true, keepsPrevious }: ReadOptions = {},
) {
  const options = callOptions<Data>(operation, asked);
  const result = useQuery({
    ...options,
    enabled: isEnabled,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
  const queries = useQueryClient();
  const error = result.error ?? failureOf(queries, options.queryKey);
  // Getters: a screen is drawn again only for what it reads.
  return {
    error,
    refetch: result.refetch,
    get data() {
      return result.data;
    },
    get failureReason() {
      return result.failureReason;
    },
    get isPending() {
      return result.isPending;
    },
    get isLoading() {
      return result.isLoading;
    },
    get isFetching() {
      return result.isFetching;
    },
    get isPlaceholderData() {
      return result.isPlaceholderData;
    },
  };
}

/**
 * A write, by its operation: `mutateAsync({ params, body, headers })`. Everything on screen is read again after it, so
 * that derived values (stock, locks, counts) are right at once. One whose answer was lost counts once when it is sent
 * again unchanged.
 */
export function useWrite<Data>(operation: string) {
  const queries = useQueryClient();
  const { headersFor, done } = useWriteKey();
  return useMutation({
    mutationFn: async ({ headers, ...options }: CallOptions): Promise<Reply<Data>> => {
      const key = headersFor([options.params, options.body]);
      try {
        const reply = await client.call<Data>(operation, { ...options, headers: { ...key, ...headers } });
        done();
        return reply;
      } catch (error) {
        if (!isLost(error)) done();
        throw error;
      }
    },
    onSuccess: () => ownChanges.readAgain(queries),
  });
}

/** Nobody knows whether the write was done. */
function isLost(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}
