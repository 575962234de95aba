import { type ErrorCode, errorStatus, type FieldErrors } from '../../../shared/contract/errors.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { COMPONENT_PATH } from './json-schema.ts';
import type { OpenApiHeader, OpenApiResponse, Reference } from './openapi-document.ts';

interface ErrorExample {
  name: string;
  description: string;
  message: string;
  errors?: FieldErrors;
  headers?: string[];
}

const errorExamples: Partial<Record<ErrorCode, ErrorExample>> = {
  malformed: {
    name: 'Malformed',
    description: 'The request is not valid HTTP, or its body is missing or not JSON.',
    message: 'The body is not valid JSON.',
  },
  unauthenticated: {
    name: 'Unauthenticated',
    description:
      'No token or session, or one that is not valid, or a session that is locked (`session_locked`).',
    message: 'Sign in, or send a valid token as Authorization: Bearer <token>.',
    headers: ['WWW-Authenticate'],
  },
  forbidden: {
    name: 'Forbidden',
    description: 'The token lacks the scope, or the host name or the page that asks is refused.',
    message: 'The token lacks the scope write.',
  },
  not_found: {
    name: 'NotFound',
    description: 'No record has this id.',
    message: 'There is no supplier with the id 7.',
  },
  timeout: {
    name: 'Timeout',
    description: 'The body was not complete in time.',
    message: 'The request was not complete in time.',
  },
  conflict: {
    name: 'Conflict',
    description:
      'The id is taken, the state of the record or of the stock forbids it, or a request with the same `Idempotency-Key` still runs.',
    message: 'The shipment is closed; its items cannot change. Clear its actual_ship_date first.',
  },
  stale: {
    name: 'Stale',
    description: 'The record has changed since the version that `If-Match` names. Read it again.',
    message: 'The record has changed since you read it. Read it again and repeat the change.',
  },
  too_large: {
    name: 'TooLarge',
    description: 'The body is larger than the operation takes.',
    message: 'The body is larger than 1 MiB.',
  },
  unsupported_media_type: {
    name: 'UnsupportedMediaType',
    description: 'The body is of another type than the operation takes, or compressed.',
    message: 'Send the body as Content-Type: application/json.',
  },
  validation_failed: {
    name: 'Invalid',
    description:
      'Fields or parameters are at fault; `errors` names each by its path, all of a request at once, in the order of the contract.',
    message: 'items.0.part_id: 99 is not a part.',
    errors: { 'items.0.part_id': ['99 is not a part.'] },
  },
  too_many_requests: {
    name: 'TooManyRequests',
    description: 'Too many requests, failed sign-ins or event streams. Wait as `Retry-After` says.',
    message: 'Too many requests. Try again in a minute.',
    headers: ['Retry-After'],
  },
  internal: {
    name: 'Fault',
    description: 'A fault of the server; its log names the cause under the `request_id`.',
    message: 'The server could not answer. Its log names the cause.',
  },
  unavailable: {
    name: 'Unavailable',
    description: 'The server starts, stops or is busy. Try again as `Retry-After` says.',
    message: 'The server is shutting down. Try again.',
    headers: ['Retry-After'],
  },
  storage_full: {
    name: 'StorageFull',
    description: 'The disk is full; nothing was written.',
    message: 'The disk is full. Free some space, then try again.',
  },
};

const REQUEST_ID = '5f0c8f0e-6d0b-4c0a-9a55-0f6f6f1f2b7e';

/** Response components: one for each status of the error envelope, and `OtherError` for those of no operation in particular. */
export function errorResponses(): Record<string, OpenApiResponse> {
  const responses: Record<string, OpenApiResponse> = {};
  for (const [code, { name, description, message, errors, headers = [] }] of Object.entries(errorExamples)) {
    const example = { status: 'error', message, code, ...(errors && { errors }), request_id: REQUEST_ID };
    responses[name] = errorResponse(description, headers, example);
  }
  responses.NotModified = {
    description: 'The answer would be the one that `If-None-Match` names: it has no body.',
    headers: headerReferences(['X-Request-Id', 'ETag']),
  };
  responses.OtherError = errorResponse(
    'Any other error: 405 with `Allow` where the path exists but not the method, 414 and 431 where the address or the headers are too long, 501 where the method or transfer coding is unknown. (A path with a slash at its end is no error: 308 leads to the one without.)',
    ['Allow'],
    {
      status: 'error',
      message: 'This path has no DELETE. Allowed: GET, PUT, PATCH.',
      code: 'method_not_allowed',
      request_id: REQUEST_ID,
    },
  );
  return responses;
}

export function answerHeaders(): Record<string, OpenApiHeader> {
  const text = { type: 'string' };
  return {
    'X-Request-Id': { description: "Names the request in the server's log.", schema: text },
    ETag: {
      description:
        'For `If-None-Match`: it changes with what is answered. Of a single record it begins with its version and state, which alone count for `If-Match`.',
      schema: text,
    },
    Location: { description: 'Path of the new record.', schema: text },
    'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
    'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string', const: 'Bearer' } },
    Allow: { description: 'The methods that the path has.', schema: text },
  };
}

export function headerReferences(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The error responses of an operation: its own, and those that every operation of its kind can have. */
export function errorsOf(operation: Operation): Record<string, Reference> {
  const responses: Record<string, Reference> = {};
  for (const status of [...errorStatuses(operation)].sort((a, b) => a - b)) {
    responses[status] = reference(nameOfStatus.get(status) ?? 'OtherError');
  }
  return { ...responses, default: reference('OtherError') };
}

/** Of codes that share a status, the one that has an example. */
const nameOfStatus = new Map<number, string>(
  Object.entries(errorStatus).flatMap(([code, status]) => {
    const name = errorExamples[code as ErrorCode]?.name;
    return name === undefined ? [] : [[status, name] as const];
  }),
);

function errorStatuses(operation: Operation): Set<number> {
  const { malformed, unauthenticated, forbidden, too_many_requests, internal, unavailable } = errorStatus;
  const statuses = new Set<number>([
    ...operation.errors,
    malformed,
    forbidden,
    too_many_requests,
    internal,
    unavailable,
  ]);
  if (operation.scope !== 'none') statuses.add(unauthenticated);
  if (Object.keys(operation.parameters).length > 0) statuses.add(errorStatus.not_found);
  if (Object.keys(operation.query).length > 0) statuses.add(errorStatus.validation_failed);
  if (operation.method !== 'GET') statuses.add(errorStatus.storage_full);
  if (isRecordWrite(operation)) {
    // Idempotency-Key: still running, or used with another body.
    statuses.add(errorStatus.conflict).add(errorStatus.validation_failed);
  }
  if (operation.body) {
    statuses.add(errorStatus.timeout).add(errorStatus.too_large).add(errorStatus.unsupported_media_type);
    // Whatever takes JSON reads it strictly.
    if (operation.body.type === 'application/json') statuses.add(errorStatus.validation_failed);
  }
  return statuses;
}

/** Writes of records and settings, as against tokens and maintenance: they take an `Idempotency-Key`. */
export function isRecordWrite({ scope, errors, kind }: Operation): boolean {
  return scope === 'write' || kind === 'create' || errors.includes(errorStatus.stale);
}

function errorResponse(description: string, headers: readonly string[], example: unknown): OpenApiResponse {
  return {
    description,
    headers: headerReferences(['X-Request-Id', ...headers]),
    content: { 'application/json': { schema: { $ref: `${COMPONENT_PATH}ProblemResponse` }, example } },
  };
}

function reference(name: string): Reference {
  return { $ref: `#/components/responses/${name}` };
}
