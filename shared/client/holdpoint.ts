import { AppError } from '../contract/errors.ts';
import {
  type Asked,
  CallError,
  type CalledOperation,
  type CallOptions,
  createSender,
  type OperationTypes,
  type SenderOptions,
  type TypedReply,
} from '../operations/send-operation.ts';
import { readEvents, type StreamedEvent } from './read-events.ts';
import { repeatUntilAnswered, sleep } from './repeat-until-answered.ts';

export interface HoldpointOptions extends SenderOptions {
  /** Milliseconds to wait for one answer; 60,000 unless said. */
  timeout?: number;
  /** Milliseconds for which lost answers, 429 and 503 are tried again; 60,000 unless said, 0 for never. */
  retryFor?: number;
}

export interface CallExtras {
  /** Such as `Content-Type` for a file that is sent. */
  headers?: Record<string, string>;
  /** The `etag` that was read: a 412 (`stale`) when the record has changed since. */
  ifMatch?: string;
  /** The name of a write of your own; a random one unless given. However often it is sent, it counts once. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  timeout?: number;
  retryFor?: number;
}

/** The record of a list. */
export type Listed<Types extends OperationTypes> = Extract<Types['answer'], readonly unknown[]>[number];

export interface FollowOptions {
  /** The cursor of the last page, or the id of the last event; absent: from now on. `0`: all that history has. */
  since?: string;
  /** Only these families. */
  families?: readonly string[];
  /** Only these fields of the records. */
  fields?: readonly string[];
  signal?: AbortSignal;
}

export interface ChangesOptions extends FollowOptions {
  /** `now`: with each record as it is now. `then`: as it was after the change. */
  as?: 'now' | 'then';
  /** Changes in a page, at most 500. */
  limit?: number;
  /** Seconds that the server holds an answer until something happens, at most 55. 0: end when all is told. 30 unless said. */
  wait?: number;
}

/** Keep `cursor` in the same transaction as what `changes` did. */
export interface ChangesPage<Change> {
  changes: Change[];
  cursor: string;
  /** The place leads nowhere any more (a restore): list everything again, then go on from `cursor`. */
  isReset: boolean;
}

/** An operation as the package knows it. */
export interface PackedOperation extends CalledOperation {
  /** Its list is asked for with `as=array`. */
  hasForms?: true;
}

const TIMEOUT_MS = 60_000;
const RETRY_FOR_MS = 60_000;
const WAIT_SECONDS = 30;
/** Before a stream that ended is opened again. */
const REOPEN_MS = 250;

export type Holdpoint<Table extends { [Id in keyof Table]: OperationTypes }> = ReturnType<
  typeof createHoldpoint<Table>
>;

/**
 * A client of the interface that repeats what was lost. Errors that the server answers are `CallError`; without an answer
 * in time, `AppError` with the code `unavailable` or `timeout`.
 */
export function createHoldpoint<Table extends { [Id in keyof Table]: OperationTypes }>(
  operations: readonly PackedOperation[],
  options: HoldpointOptions,
) {
  type Id = keyof Table & string;
  const byId = new Map(operations.map(operation => [operation.id, operation]));
  const sender = createSender(byId, options);

  /** Runs one call until it is answered, each try with a time limit. */
  function send<Answer>(
    id: string,
    { ifMatch, idempotencyKey, timeout, retryFor, ...rest }: CallOptions & CallExtras,
    once: (options: CallOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const headers = { ...rest.headers };
    if (ifMatch !== undefined) headers['If-Match'] = ifMatch;
    if (byId.get(id)?.method !== 'GET') headers['Idempotency-Key'] ??= idempotencyKey ?? randomKey();
    // A stream is read by the first try.
    const isRepeatable = !(rest.body instanceof ReadableStream);
    const limit = timeout ?? options.timeout ?? TIMEOUT_MS;
    return repeatUntilAnswered(
      () => withinLimit(limit, rest.signal, signal => once({ ...rest, headers, signal })),
      { retryFor: isRepeatable ? (retryFor ?? options.retryFor ?? RETRY_FOR_MS) : 0, signal: rest.signal },
    );
  }

  /** The answer of an operation by its id (`suppliers.create`), out of its envelope. */
  function call<Name extends Id>(
    id: Name,
    ...asked: Asked<Table[Name], CallExtras>
  ): Promise<TypedReply<Table[Name]>> {
    return send(id, asked[0] ?? {}, once => sender.call(id, once)) as Promise<TypedReply<Table[Name]>>;
  }

  /** The answer as it comes, for papers and exports: `body` is a stream, `arrayBuffer()` its bytes. */
  function download<Name extends Id>(id: Name, ...asked: Asked<Table[Name], CallExtras>): Promise<Response> {
    return send(id, asked[0] ?? {}, once => sender.stream(id, once));
  }

  /**
   * All records of a list, page after page, each once. What is added meanwhile is among them where the list is in the order
   * of ids; where records leave the list meanwhile, pages that moved are read again.
   */
  async function* list<Name extends Id>(
    id: Name,
    ...asked: Asked<Table[Name], CallExtras>
  ): AsyncGenerator<Listed<Table[Name]>, void, undefined> {
    const given: CallOptions & CallExtras = asked[0] ?? {};
    const seen = new Set<unknown>();
    let total = 0;
    let page = 1;
    const form = byId.get(id)?.hasForms ? { as: 'array' } : {};
    for (;;) {
      const query = { per_page: 500, ...form, ...given.query, page };
      const { data, meta } = await send(id, { ...given, query }, once => sender.call<unknown[]>(id, once));
      for (const record of data) {
        const key = idOf(record);
        if (key !== undefined && seen.has(key)) continue;
        seen.add(key);
        yield record as Listed<Table[Name]>;
      }
      const perPage = Number(meta.per_page ?? query.per_page);
      const left = total - Number(meta.total ?? 0);
      total = Number(meta.total ?? 0);
      if (left > 0 && page > 1) page = Math.max(1, page - Math.ceil(left / perPage));
      else if (data.length < perPage) return;
      else page += 1;
    }
  }

  /** What has changed since a place, in the order in which it came to stand there, page by page; waits for more. */
  async function* changes({
    since,
    families,
    fields,
    signal,
    wait = WAIT_SECONDS,
    ...asked
  }: ChangesOptions = {}): AsyncGenerator<ChangesPage<ChangeOf<Table>>, void, undefined> {
    let cursor = since;
    const chosen = { families: families?.join(','), fields: fields?.join(',') };
    for (;;) {
      const waits = cursor === undefined || wait === 0 ? {} : { wait };
      const extras = {
        timeout: (options.timeout ?? TIMEOUT_MS) + wait * 1000,
        // Who follows goes on when the server is back, however long that takes.
        ...(wait > 0 && { retryFor: Number.POSITIVE_INFINITY }),
        ...(signal && { signal }),
      };
      const query = { ...asked, ...chosen, ...waits, since: cursor };
      const reply = await send('x.changes.list', { query, ...extras }, once =>
        sender.call<ChangeOf<Table>[]>('x.changes.list', once),
      );
      const next = String(reply.meta.cursor);
      const isReset = reply.meta.is_reset === true;
      if (next !== cursor || isReset) yield { changes: reply.data, cursor: next, isReset };
      cursor = next;
      if (wait === 0 && reply.meta.is_more !== true) return;
    }
  }

  /**
   * Events as they happen. It begins with a `cursor`, goes on behind the last event when the line breaks, and says `reset`
   * when that place leads nowhere any more. Ends when the loop is left or the signal aborts.
   */
  async function* events(follow: FollowOptions = {}): AsyncGenerator<StreamedEvent, void, undefined> {
    const { since, families, fields, signal } = follow;
    const query = { families: families?.join(','), fields: fields?.join(',') };
    let place = since;
    for (;;) {
      const stop = new AbortController();
      const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
      try {
        const headers: Record<string, string> = place === undefined ? {} : { 'Last-Event-ID': place };
        const response = await repeatUntilAnswered(
          () => sender.stream('x.events', { query, headers, signal: either }),
          { retryFor: Number.POSITIVE_INFINITY, signal },
        );
        for await (const event of readEvents(response, () => stop.abort())) {
          place = event.id ?? place;
          yield event;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof AppError) throw error;
        // The line broke: it is opened again behind the last event.
      } finally {
        stop.abort();
      }
      await sleep(REOPEN_MS, signal);
    }
  }

  return { call, download, list, changes, events };
}

type ChangeOf<Table> = Table extends { 'x.changes.list': { answer: (infer Change)[] } } ? Change : never;

async function withinLimit<Answer>(
  limit: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limit);
  try {
    return await work(signal ? AbortSignal.any([signal, late.signal]) : late.signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (!late.signal.aborted || error instanceof CallError) throw error;
    throw new AppError('timeout', `The server did not answer within ${limit} ms.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function idOf(record: unknown): unknown {
  return typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined;
}

/** `randomUUID` is only where a page came over TLS or from loopback. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('');
}
