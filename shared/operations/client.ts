import type { Answer, OperationKind } from '../contract/define-family.ts';
import { errorSchema, type PageMeta } from '../contract/envelope.ts';
import { AppError, type ErrorCode, type ErrorDetails, errorStatus, invalid } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import type { inventoryDetailFields, inventoryListFields } from '../families/inventory.ts';
import { type FamilyName, type families, family } from '../families/registry.ts';
import { listOperations } from './operations.ts';

export interface ClientOptions {
  /** Everything before `/api/v2`: `http://127.0.0.1:4870`; empty in a page that the server itself serves. */
  baseUrl: string;
  token?: string;
  fetch?: typeof fetch;
  operations?: readonly Operation[];
}

export type Scalar = string | number | boolean;

/** A body that is sent as it is, where the operation takes no JSON. */
export type RawBody = string | Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export interface CallOptions {
  /** The parameters of the path. */
  params?: Record<string, string | number>;
  query?: Record<string, Scalar | undefined>;
  /** Sent as JSON, or as it is (`RawBody`) where the operation takes another type. */
  body?: unknown;
  /** Such as `If-Match`, `Idempotency-Key`, or a `Content-Type` for a raw body. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A success, taken out of its envelope. */
export interface Reply<Data> {
  status: number;
  /** The envelope's `data`; the whole answer where the document has none (the status). */
  data: Data;
  meta: Record<string, unknown>;
  /** For `If-Match`. */
  etag: string | null;
  location: string | null;
}

export interface Page<Item> {
  data: Item[];
  meta: PageMeta;
}

type Lot = Answer<(typeof families)['inventory']>;

/** The fields of a single record. The items that some answers carry beside them are typed by the caller: `call<…>`. */
export type Single<Name extends FamilyName> = Name extends 'inventory'
  ? Pick<Lot, (typeof inventoryDetailFields)[number]>
  : Answer<(typeof families)[Name]>;

export type Listed<Name extends FamilyName> = Name extends 'inventory'
  ? Pick<Lot, (typeof inventoryListFields)[number]>
  : Answer<(typeof families)[Name]>;

/** Names that a write of the family takes are its fields' and their second names; the server names those it ignores. */
export type Written = Record<string, unknown>;

export type Client = ReturnType<typeof createClient>;

/** The error that a server answered, with the id under which its log has it. */
export class CallError extends AppError {
  readonly requestId: string;

  constructor(code: ErrorCode, message: string, requestId: string, details: ErrorDetails) {
    super(code, message, details);
    this.name = 'CallError';
    this.requestId = requestId;
  }
}

/**
 * Calls the operations of the one table, in browsers and in Node. An error that the server answers is thrown as a
 * `CallError` with its code, status, field errors and request id; no answer, or one that is not the server's (the page
 * of a captive portal), as `AppError('unavailable')`. A call that is aborted by its signal rejects with its reason.
 */
export function createClient(options: ClientOptions) {
  const { baseUrl, token, fetch: send = fetch } = options;
  const root = `${baseUrl.replace(/\/+$/, '')}/api/v2`;
  const operations = indexOperations(options.operations ?? listOperations());

  /** The answer as it comes, for exports and event streams. Throws as `call` does. */
  async function stream(id: string, options: CallOptions = {}): Promise<Response> {
    const operation = operations.byId.get(id);
    if (!operation) throw new TypeError(`There is no operation ${id}.`);
    const headers = new Headers(options.headers);
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    const request: RequestInit & { duplex?: 'half' } = {
      method: operation.method,
      headers,
      redirect: 'error',
    };
    if (options.signal) request.signal = options.signal;
    if (options.body !== undefined) {
      const type = operation.body?.type ?? 'application/json';
      if (!headers.has('Content-Type')) headers.set('Content-Type', type);
      request.body = type === 'application/json' ? JSON.stringify(options.body) : (options.body as RawBody);
      // Node sends a stream only when told that the answer waits for its end.
      if (request.body instanceof ReadableStream) request.duplex = 'half';
    }
    const url = root + fillPath(operation.path, options.params) + queryOf(options.query);
    const response = await reach(() => send(url, request), options.signal);
    if (!response.ok) throw await errorOf(response, options.signal);
    if (isOfAnotherType(response, operation)) throw notOurs(response);
    return response;
  }

  /** The answer of an operation by its id (`orders.items.add`), out of its envelope. */
  async function call<Data = unknown>(id: string, options: CallOptions = {}): Promise<Reply<Data>> {
    const response = await stream(id, options);
    const envelope = await readJson(response, options.signal);
    if (envelope?.status !== 'success') throw notOurs(response);
    const { data = envelope, meta } = envelope;
    return {
      status: response.status,
      data: data as Data,
      meta: isObject(meta) ? meta : {},
      etag: response.headers.get('ETag'),
      location: response.headers.get('Location'),
    };
  }

  function idOf(name: FamilyName, kind: OperationKind): string {
    const id = operations.byFamily.get(`${name} ${kind}`);
    if (id === undefined) throw new TypeError(`There is no operation to ${kind} ${name}.`);
    return id;
  }

  return {
    call,
    stream,

    /** One page of a family, in the order of the ids; `page`, `per_page`, `keyword` and the family's filters. */
    async list<Name extends FamilyName>(
      name: Name,
      query: CallOptions['query'] = {},
      options: CallOptions = {},
    ): Promise<Page<Listed<Name>>> {
      const as = family(name).operations.listForm === 'first-record' ? { as: 'array' } : {};
      const id = idOf(name, 'list');
      const { data, meta } = await call<Listed<Name>[]>(id, { ...options, query: { ...as, ...query } });
      // The stock's list has `per_page` as text.
      return { data, meta: { ...meta, per_page: Number(meta.per_page) } as PageMeta };
    },

    read<Name extends FamilyName>(
      name: Name,
      id: number,
      options: CallOptions = {},
    ): Promise<Reply<Single<Name>>> {
      return call(idOf(name, 'read'), { ...options, params: { id } });
    },

    create<Name extends FamilyName>(
      name: Name,
      body: Written,
      options: CallOptions = {},
    ): Promise<Reply<Single<Name>>> {
      return call(idOf(name, 'create'), { ...options, body });
    },

    /** A partial update: fields that are left out stay, null clears. */
    update<Name extends FamilyName>(
      name: Name,
      id: number,
      body: Written,
      options: CallOptions = {},
    ): Promise<Reply<Single<Name>>> {
      return call(`${idOf(name, 'update')}.patch`, { ...options, params: { id }, body });
    },
  };
}

/** By id, and by family and kind; where the document has the operation, that one. */
function indexOperations(list: readonly Operation[]) {
  const byId = new Map<string, Operation>();
  const byFamily = new Map<string, string>();
  for (const operation of list) {
    byId.set(operation.id, operation);
    const key = `${operation.family?.name} ${operation.kind}`;
    if (operation.family && !byFamily.has(key)) byFamily.set(key, operation.id);
  }
  return { byId, byFamily };
}

function fillPath(path: string, params: Record<string, string | number> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = String(params[name] ?? '');
    // A part that is empty or dots would name another path.
    if (/^\.{0,2}$/.test(value)) throw invalid({ [name]: [`${name} is missing. Give what it names.`] });
    return encodeURIComponent(value);
  });
}

function queryOf(query: CallOptions['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** Runs what may fail on the way; an abort of the caller's stays what it is. */
async function reach<Value>(attempt: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  try {
    return await attempt();
  } catch (cause) {
    signal?.throwIfAborted();
    throw new AppError('unavailable', 'The server cannot be reached. Check the address, and that it runs.', {
      cause,
    });
  }
}

/** Undefined when the answer is not a JSON object; throws when it breaks off. */
async function readJson(
  response: Response,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown> | undefined> {
  const text = await reach(() => response.text(), signal);
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // Another program's answer; the caller says so.
    return undefined;
  }
}

async function errorOf(response: Response, signal: AbortSignal | undefined): Promise<AppError> {
  const { success, data } = errorSchema.safeParse(await readJson(response, signal));
  if (!success) return notOurs(response);
  const code = errorCodeOf(data.code, response.status);
  const retryAfter = response.headers.get('Retry-After');
  return new CallError(code, data.message, data.request_id, {
    ...(data.errors && { errors: data.errors }),
    ...(retryAfter !== null && { headers: { 'Retry-After': retryAfter } }),
  });
}

/** A newer server may have codes of its own; their status says what they are like. */
export function errorCodeOf(code: string, status: number): ErrorCode {
  const codes = Object.keys(errorStatus) as ErrorCode[];
  const similar = status >= 500 ? 'internal' : 'malformed';
  return codes.find(each => each === code) ?? codes.find(each => errorStatus[each] === status) ?? similar;
}

/** No operation answers with a page, and those that answer with JSON answer with nothing else. */
function isOfAnotherType(response: Response, operation: Operation): boolean {
  const type = response.headers.get('Content-Type') ?? '';
  return (
    type.includes('text/html') || (operation.answerType === 'application/json' && !type.includes('json'))
  );
}

function notOurs(response: Response): AppError {
  const type = response.headers.get('Content-Type') ?? 'no type';
  const message = `Another program answered (${response.status}, ${type}). Check the address, and whether the network asks to sign in.`;
  return new AppError('unavailable', message);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
