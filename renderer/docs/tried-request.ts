/** What was filled in to try an operation. */
export interface Tried {
  method: string;
  /** `/api/v2/parts/{id}` */
  path: string;
  token: string;
  values: readonly { name: string; place: string; value: string }[];
  body: string;
  /** Content type of the body. */
  type: string;
}

/** The request for it: with the token that was typed, and never with the cookie of the screens. */
export function requestOf({ method, path, token, values, body, type }: Tried): {
  url: string;
  init: RequestInit;
} {
  const given = values.filter(({ value }) => value !== '');
  const inPath = (name: string) =>
    given.find(each => each.name === name && each.place === 'path')?.value ?? '';
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(inPath(name)));
  const query = given
    .filter(({ place }) => place === 'query')
    .flatMap(({ name, value }) => membersOf(name, value));
  const headers = new Headers(
    given.filter(({ place }) => place === 'header').map(({ name, value }): [string, string] => [name, value]),
  );
  if (token !== '') headers.set('Authorization', `Bearer ${token}`);
  const hasBody = method !== 'GET' && body.trim() !== '';
  if (hasBody) headers.set('Content-Type', type);
  const search = new URLSearchParams(query).toString();
  return {
    url: `${filled}${search === '' ? '' : `?${search}`}`,
    init: { method, headers, credentials: 'omit', ...(hasBody && { body }) },
  };
}

/** `[name][contains]=seal&[id]=7` of a parameter whose members are named in brackets; any other value as it is. */
function membersOf(name: string, value: string): [string, string][] {
  if (!value.startsWith('[')) return [[name, value]];
  return [...new URLSearchParams(value)].map(([member, one]) => [`${name}${member}`, one]);
}

/** Characters of an answer that are shown. */
const SHOWN = 20_000;
/** A stream has no end: so long is listened to it. In milliseconds. */
const LISTENED = 5_000;

/** Status, headers and body in words. */
export async function describeAnswer(response: Response, milliseconds: number): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  const head = [
    `${response.status} ${response.statusText} (${Math.round(milliseconds)} ms)`,
    ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
  ];
  return `${head.join('\n')}\n\n${await bodyText(response, type)}`;
}

async function bodyText(response: Response, type: string): Promise<string> {
  if (type.startsWith('text/event-stream')) return listenedTo(response);
  if (!/^(text\/|application\/(problem\+)?json|application\/x-ndjson)/.test(type)) {
    const { size } = await response.blob();
    return size === 0 ? '' : `(${size} bytes of ${type || 'an unknown type'})`;
  }
  const text = await response.text();
  const shown = type.includes('json') ? indented(text) : text;
  return shown.length > SHOWN ? `${shown.slice(0, SHOWN)}\n… (${shown.length} characters in all)` : shown;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // A line of JSON for each record is none as a whole.
    return text;
  }
}

async function listenedTo({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  if (!reader) return '';
  const end = setTimeout(() => void reader.cancel(), LISTENED);
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done || text.length > SHOWN) break;
    text += decoder.decode(value, { stream: true });
  }
  clearTimeout(end);
  await reader.cancel();
  return `${text}\n(heard for ${LISTENED / 1_000} seconds)`;
}
