import { AppError } from '../../shared/contract/errors.ts';

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  /** Of JSON; undefined otherwise. */
  body:
    | { data?: unknown; meta?: Record<string, unknown>; errors?: Record<string, string[]>; code?: string }
    | undefined;
}

type Data = Record<string, unknown>;

/** Somebody who calls the interface as browsers and programs do: it keeps the cookie, and says which page asks. */
export class Caller {
  readonly #origin: string;
  readonly #identity: Record<string, string>;
  #cookie = '';

  constructor(origin: string, identity: Record<string, string>) {
    this.#origin = origin;
    this.#identity = identity;
  }

  async call(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answered> {
    const isRaw = typeof body === 'string';
    const sent = {
      ...this.#identity,
      ...(this.#cookie !== '' && { cookie: this.#cookie }),
      ...(method !== 'GET' && { origin: this.#origin }),
      ...(body !== undefined && { 'content-type': isRaw ? 'application/octet-stream' : 'application/json' }),
      ...headers,
    };
    const answer = await fetch(`${this.#origin}/api/v2${path}`, {
      method,
      headers: sent,
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) this.#cookie = line.split(';')[0] ?? '';
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: isJson && text.startsWith('{') ? JSON.parse(text) : undefined,
    };
  }

  get(path: string): Promise<Answered> {
    return this.call('GET', path);
  }

  post(path: string, body: unknown = {}): Promise<Answered> {
    return this.call('POST', path, { body });
  }

  put(path: string, body: unknown): Promise<Answered> {
    return this.call('PUT', path, { body });
  }

  patch(path: string, body: unknown): Promise<Answered> {
    return this.call('PATCH', path, { body });
  }

  /** Makes a record, and says which. */
  async made(path: string, body: unknown): Promise<number> {
    const answer = await this.post(path, body);
    const { id } = dataOf(answer);
    return Number(id ?? answer.body?.meta?.id);
  }
}

/** The data of a success. @throws AppError for what was refused */
export function dataOf<Wanted = Data>({ status, body, text }: Answered): Wanted {
  if (status < 300) return body?.data as Wanted;
  throw new AppError('conflict', `It was refused with ${status}: ${text.slice(0, 300)}`);
}

/** How it ended, and of a refusal which fields it names. */
export function outcomeOf({ status, body }: Answered): string {
  const fields = Object.keys(body?.errors ?? {}).sort();
  return fields.length > 0 ? `${status} ${fields.join(', ')}` : String(status);
}
