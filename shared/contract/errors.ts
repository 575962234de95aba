/**
 * Every error that reaches a caller: one code, one HTTP status, a message that names the remedy.
 * Throw `AppError(code, …)`; the HTTP layer turns it into the error envelope with this table.
 */
export const errorStatus = {
  malformed: 400,
  unauthenticated: 401,
  session_locked: 401,
  forbidden: 403,
  password_due: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  stale: 412,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  validation_failed: 422,
  upgrade_required: 426,
  too_many_requests: 429,
  headers_too_large: 431,
  internal: 500,
  not_implemented: 501,
  unavailable: 503,
  storage_full: 507,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof errorStatus;

/** Messages per input path, as the envelope's `errors`: `{ "items.0.part_id": ["…"] }`. */
export type FieldErrors = Record<string, string[]>;

export interface ErrorDetails {
  /** Only with `validation_failed`. */
  errors?: FieldErrors;
  /** Extra response headers, e.g. `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error that a caller caused or can act on. Anything else that is thrown answers 500 without its text. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: FieldErrors | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = errorStatus[code];
    this.errors = details.errors;
    this.headers = details.headers ?? {};
  }
}

/** Refuses a request for all that was found in it at once. @throws AppError 422 unless nothing was */
export function refuse(errors: FieldErrors): void {
  for (const _path in errors) throw invalid(errors);
}

/** Notes what `work` refuses beside the request's other faults; the first message of a path stands. */
export function noting<Result>(errors: FieldErrors, work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error;
    for (const [path, messages] of Object.entries(error.errors)) errors[path] ??= messages;
    return undefined;
  }
}

/** A 422 on one or more fields; the message repeats the first so that a log line or a bare terminal is enough. */
export function invalid(errors: FieldErrors): AppError {
  const [path, messages] = Object.entries(errors)[0] ?? ['', ['The input is not valid.']];
  const first = messages[0] ?? 'The input is not valid.';
  return new AppError('validation_failed', path === '' ? first : `${path}: ${first}`, { errors });
}
