import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AppError } from '../../shared/contract/errors.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import type { OperationId, Operations } from '../../shared/operations/operation-types.ts';
import type { CallOptions, Reply, TypedReply } from '../../shared/operations/send-operation.ts';
import { client } from './client.ts';
import { ownChanges } from './own-changes.ts';
import { failureOf } from './query-client.ts';
import { useWriteKey } from './write-key.ts';

type Asked = Pick<CallOptions, 'params' | 'query' | 'body'>;
type Answered<Id extends OperationId> = TypedReply<Operations[Id]>;

/** What a read is asked, which may be left out where nothing must be; and how it is shown. */
type Reading<Id extends OperationId> = object extends Operations[Id]['asked']
  ? [asked?: Operations[Id]['asked'], options?: ReadOptions]
  : [asked: Operations[Id]['asked'], options?: ReadOptions];

/** A read of the interface as a query: its key is the operation and what it is asked. */
export function callOptions<Id extends OperationId>(operation: Id, ...[asked]: Reading<Id>) {
  return queryOf<Answered<Id>>(operation, asked);
}

function queryOf<Reply>(operation: string, asked: Asked = {}) {
  return queryOptions({
    queryKey: [operation, asked] as const,
    queryFn: ({ signal }) => client.send({ id: operation }, { ...asked, signal }) as Promise<Reply>,
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
export function useCall<Id extends OperationId>(operation: Id, ...[asked, options]: Reading<Id>) {
  return useQueryOf<Answered<Id>>(operation, asked, options);
}

/** The same of an operation that is known only when the page is shown: the list of any family. Undefined: nothing is read. */
export function useCallOf<Data = unknown>(
  operation: Operation | undefined,
  asked: Asked,
  options: ReadOptions = {},
) {
  const isEnabled = operation !== undefined && options.isEnabled !== false;
  return useQueryOf<Reply<Data>>(operation?.id ?? '', asked, { ...options, isEnabled });
}

function useQueryOf<Reply>(
  operation: string,
  asked: Asked | undefined,
  { isEnabled = true, keepsPrevious }: ReadOptions = {},
) {
  const options = queryOf<Reply>(operation, asked);
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
export function useWrite<Id extends OperationId>(operation: Id) {
  return useMutationOf<Operations[Id]['asked'] & Pick<CallOptions, 'headers'>, Answered<Id>>(operation);
}

/** The same of an operation that is known only when the page is shown. */
export function useWriteOf<Data = unknown>(operation: Pick<Operation, 'id'>) {
  return useMutationOf<CallOptions, Reply<Data>>(operation.id);
}

function useMutationOf<Options extends object, Answer>(operation: string) {
  const queries = useQueryClient();
  const { headersFor, done } = useWriteKey();
  return useMutation({
    mutationFn: async (given: Options): Promise<Answer> => {
      const { headers, ...options }: CallOptions = given;
      const key = headersFor([options.params, options.body]);
      try {
        const reply = await client.send({ id: operation }, { ...options, headers: { ...key, ...headers } });
        done();
        return reply as Answer;
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
