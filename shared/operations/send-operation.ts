import {
  AppError,
  type ErrorCode,
  type ErrorDetails,
  errorStatus,
  type FieldErrors,
  invalid,
} from '../contract/errors.ts';

/** What is needed of an operation to call it; a whole `Operation` has it. */
export interface CalledOperation {
  id: string;
  method: string;
  /** Below `/api/v2`, with `{name}` parameters. */
  path: string;
  body: { type: string } | null;
  answerType: string;
}

export interface SenderOptions {
  /** Everything before `/api/v2`: `http://127.0.0.1:4870`; empty in a page that the server itself serves. */
  baseUrl: string;
  /** Absent: the cookie of a session says who calls. */
  token?: string;
  fetch?: typeof fetch;
}

export type Scalar = string | number | boolean;

/** A body that is sent as it is, where the operation takes no JSON. */
export type RawBody = string | Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export interface CallOptions {
  /** The parameters of the path. */
  params?: Record<string, string | number>;
  /** A list is sent with commas between its values. */
  query?: Record<string, Scalar | readonly Scalar[] | undefined>;
  /** Sent as JSON, or as it is (`RawBody`) where the operation takes another type. */
  body?: unknown;
  /** Such as `If-Match`, `Idempotency-Key`, or a `Content-Type` for a raw body. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** What an operation takes and answers. */
export interface OperationTypes {
  asked: object;
  answer: unknown;
  meta: unknown;
}

/** What a call is given beside what it asks. */
export interface CallExtras {
  /** Such as `If-Match`, `Idempotency-Key`, or a `Content-Type` for a raw body. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The arguments of a call behind the id: left out where nothing must be asked. */
export type Asked<Types extends OperationTypes, Extras = CallExtras> = object extends Types['asked']
  ? [options?: Types['asked'] & Extras]
  : [options: Types['asked'] & Extras];

export interface TypedReply<Types extends OperationTypes> extends Omit<Reply<Types['answer']>, 'meta'> {
  meta: Types['meta'];
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

export interface AnsweredError {
  code: string;
  status: number;
  requestId: string;
}

/** The error that a server answered, with the id under which its log has it. */
export class CallError extends AppError {
  readonly requestId: string;
  /** As the server said it: a newer one may have codes that `code` does not know. */
  readonly answer: AnsweredError;

  constructor(code: ErrorCode, message: string, answer: AnsweredError, details: ErrorDetails) {
    super(code, message, details);
    this.name = 'CallError';
    this.requestId = answer.requestId;
    this.answer = answer;
  }
}

/**
 * Calls operations of a table, in browsers and in Node, without anything from a library: the screens, the command line and
 * the client package use it. An error that the server answers is thrown as a `CallError` with its code, status, field
 * errors and request id; no answer, or one that is not the server's (the page of a captive portal), as
 * `AppError('unavailable')`. A call that is aborted by its signal rejects with its reason.
 */
export function createSender(operations: ReadonlyMap<string, CalledOperation>, options: SenderOptions) {
  const { baseUrl, token, fetch: send = fetch } = options;
  const root = `${baseUrl.replace(/\/+$/, '')}/api/v2`;

  /** The answer as it comes, for exports and event streams. Throws as `call` does. */
  async function stream(id: string, options: CallOptions = {}): Promise<Response> {
    const operation = operations.get(id);
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

  return { call, stream };
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
  const data = await readJson(response, signal);
  if (!isError(data)) return notOurs(response);
  const code = errorCodeOf(data.code, response.status);
  const retryAfter = response.headers.get('Retry-After');
  const answer = { code: data.code, status: response.status, requestId: data.request_id };
  return new CallError(code, data.message, answer, {
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
function isOfAnotherType(response: Response, operation: CalledOperation): boolean {
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

interface ErrorAnswer {
  message: string;
  code: string;
  request_id: string;
  errors?: FieldErrors;
}

/** The envelope of an error, as `errorSchema` has it. */
function isError(value: Record<string, unknown> | undefined): value is Record<string, unknown> & ErrorAnswer {
  if (value?.status !== 'error') return false;
  const { message, code, request_id: requestId, errors } = value;
  if ([message, code, requestId].some(text => typeof text !== 'string')) return false;
  return errors === undefined || (isObject(errors) && Object.values(errors).every(isTexts));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(text => typeof text === 'string');
}
