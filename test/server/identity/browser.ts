import type { Answer, CallOptions } from '../../support/station.ts';

type Options = Pick<CallOptions, 'body' | 'headers'>;

export const PASSWORD = 'seven grey herons';

/** A browser that is open at a station: it keeps the cookie, and says which page asks. */
export class Browser {
  readonly origin: string;
  cookie = '';

  constructor(origin: string) {
    this.origin = origin;
  }

  async call(method: string, path: string, { body, headers = {} }: Options = {}): Promise<Answer> {
    const wanted = {
      cookie: this.cookie === '' ? undefined : this.cookie,
      origin: method === 'GET' ? undefined : this.origin,
      'content-type': body === undefined ? undefined : 'application/json',
      ...headers,
    };
    const sent = Object.entries(wanted).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    const response = await fetch(`${this.origin}/api/v2${path}`, {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // Known again by nothing else: each attempt is a stranger's.
    for (const line of response.headers.getSetCookie())
      if (line.startsWith('holdpoint_session=')) this.cookie = line.split(';')[0] ?? '';
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  post(path: string, body: unknown = {}): Promise<Answer> {
    return this.call('POST', path, { body });
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.call('PUT', path, { body });
  }

  patch(path: string, body: unknown): Promise<Answer> {
    return this.call('PATCH', path, { body });
  }

  signIn(login: string, password = PASSWORD): Promise<Answer> {
    return this.post('/x/session', { login, password });
  }

  /** An event stream, and whether it has ended. */
  async listen(): Promise<{ isOver: () => boolean }> {
    const response = await fetch(`${this.origin}/api/v2/x/events`, { headers: { cookie: this.cookie } });
    if (response.status !== 200) throw new Error(`No stream: ${response.status}`);
    let isOver = false;
    void response.text().then(
      () => (isOver = true),
      () => (isOver = true),
    );
    return { isOver: () => isOver };
  }
}

/** The data of a success. */
export function dataOf<Data = Record<string, unknown>>(answer: Answer): Data {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return (answer.body as { data: Data }).data;
}

/** The error's code and message, or the names of the fields at fault. */
export function errorOf({ status, body }: Answer): {
  status: number;
  code: string;
  message: string;
  fields: string[];
} {
  const { code, message, errors = {} } = body as { code: string; message: string; errors?: object };
  return { status, code, message, fields: Object.keys(errors) };
}
