import type { Station } from '../../support/station.ts';
import type { DescribedInterface, DescribedOperation } from './described-interface.ts';
import type { GeneratedRequest } from './generated-request.ts';
import { differences } from './read-back.ts';
import type { RecordPool } from './record-pool.ts';

/** Operations that write no record: what a token or a code is for is the server's reading of what was asked for. */
const NOT_RECORDS =
  /^\/x\/(bulk|lab-results\/import|imports|backup-key|tokens|validation|rebuild|enrolment|stations|session|first-administrator|list-views)|^\/x\/users\/.*\/(password|language|revoke|sessions\/end)$|^\/x\/scan$|^\/x\/parts\/.*\/barcodes$/;

interface Sent {
  url: string;
  init: RequestInit;
  body: unknown;
}

interface Received {
  status: number;
  type: string;
  text: string;
  location: string | null;
}

/** Sends generated requests to a station and says what is wrong with its answers. */
export class PropertyRun {
  readonly described: DescribedInterface;
  /** How often each operation answered with each status. */
  readonly statuses = new Map<string, Map<number, number>>();
  readonly #station: Pick<Station, 'origin' | 'token'>;
  readonly #pool: RecordPool;

  constructor(station: Pick<Station, 'origin' | 'token'>, described: DescribedInterface, pool: RecordPool) {
    this.#station = station;
    this.described = described;
    this.#pool = pool;
  }

  /** What the answer to a request does that it must not; each with the request and the answer. */
  async faultsOf(operation: DescribedOperation, request: GeneratedRequest): Promise<string[]> {
    const sent = this.#prepare(operation, request);
    const received = await this.#send(sent);
    this.#count(operation.id, received.status);
    if (received.location !== null) this.#pool.noteLocation(received.location);
    const faults = [
      ...(received.status >= 500 ? [`answers ${received.status}`] : []),
      ...this.described.faultsOf(operation, received),
      ...(received.status < 300 ? await this.#readBack(operation, sent, received) : []),
    ];
    const text = typeof sent.init.body === 'string' ? sent.init.body.slice(0, 2_000) : '';
    const line = `${sent.init.method} ${sent.url} ${JSON.stringify(request.headers)} ${text}`;
    return faults.map(fault => `${fault}\n  ${line}\n  ${received.status} ${received.text.slice(0, 1_000)}`);
  }

  #prepare(operation: DescribedOperation, { path, query, headers, body }: GeneratedRequest): Sent {
    const parameters = 'pick' in path ? this.#pool.parametersOf(operation, path.pick) : path.texts;
    const filled = operation.path.replace(/\{(\w+)\}/g, (_match, name: string) => parameters[name] ?? '1');
    const pairs = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
    const value = body && 'value' in body ? this.#pool.resolved(body.value, parameters) : undefined;
    const text = body === undefined ? undefined : 'text' in body ? body.text : JSON.stringify(value);
    const mayHaveBody = operation.method !== 'GET' && text !== undefined;
    return {
      url: `/api/v2${filled}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
      body: value,
      init: {
        method: operation.method,
        headers: {
          authorization: `Bearer ${this.#station.token}`,
          ...(mayHaveBody ? { 'content-type': operation.bodyType ?? 'application/json' } : {}),
          ...headers,
        },
        ...(mayHaveBody ? { body: text } : {}),
      },
    };
  }

  async #send({ url, init }: Pick<Sent, 'url' | 'init'>): Promise<Received> {
    const response = await fetch(`${this.#station.origin}${url}`, init);
    const { status, headers } = response;
    const type = headers.get('content-type') ?? '';
    const location = headers.get('location');
    if (type !== 'text/event-stream') return { status, type, text: await response.text(), location };
    await response.body?.cancel();
    return { status, type, text: '', location };
  }

  /** The record of an accepted write as its answer has it, and as it reads afterwards. */
  async #readBack(operation: DescribedOperation, sent: Sent, received: Received): Promise<string[]> {
    const { body: schema, method } = operation;
    if (schema === undefined || method === 'GET' || NOT_RECORDS.test(operation.path)) return [];
    const { components } = this.described;
    const { body: text } = sent.init;
    // What was accepted is JSON, also where it was written as a text that need not be; a mark may stand before it.
    const json = typeof text === 'string' ? text.replace(/^\ufeff/, '') : '';
    const body: unknown = sent.body ?? (json === '' ? undefined : JSON.parse(json));
    const { data: answered, meta } = JSON.parse(received.text) as Envelope;
    const ignored = meta?.ignored ?? [];
    const compare = (record: unknown, where: string) =>
      differences({ value: body, schema, ignored, components }, record).map(fault => `${where}: ${fault}`);
    if (Array.isArray(body) && Array.isArray(answered)) {
      const { items = {} } = schema;
      return body.flatMap((value, at) =>
        differences({ value, schema: items, ignored: ofRow(ignored, at), components }, answered[at]),
      );
    }
    const path = received.location ?? sent.url.split('?')[0] ?? '';
    const [, owner = '', item] = /^(.*?)\/(?:items|samples)\/(\d+)$/.exec(path) ?? [];
    const read = item === undefined ? await this.#read(path) : itemOf(await this.#read(owner), Number(item));
    if (read === undefined) return ['read: nothing is there'];
    return [...(isRecordOf(operation) ? compare(answered, 'answer') : []), ...compare(read, 'read')];
  }

  /** The record at a path; what `/x` answers is the fuller form. */
  async #read(path: string): Promise<unknown> {
    const init = { method: 'GET', headers: { authorization: `Bearer ${this.#station.token}` } };
    const plain = path.replace('/api/v2/x/', '/api/v2/').replace(/\/lock$/, '');
    for (const url of [plain.replace('/api/v2/', '/api/v2/x/'), plain]) {
      const { status, text } = await this.#send({ url, init });
      if (status === 200) return (JSON.parse(text) as { data: unknown }).data;
    }
    return undefined;
  }

  #count(id: string, status: number): void {
    const statuses = this.statuses.get(id) ?? new Map<number, number>();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    this.statuses.set(id, statuses);
  }
}

interface Envelope {
  data: unknown;
  meta?: { ignored?: string[] };
}

/** The paths that lie in one row of a list, without its place: `0.name`. */
function ofRow(paths: readonly string[], at: number): string[] {
  return paths.flatMap(path => (path.startsWith(`${at}.`) ? [path.slice(`${at}.`.length)] : []));
}

/** Whether the answer of a write is what was written; writes of an order's items answer with the order. */
function isRecordOf({ id }: DescribedOperation): boolean {
  return !/^(orders\.items|inspections\.samples)\./.test(id);
}

function itemOf(record: unknown, id: number): unknown {
  const { items, samples } = Object(record) as { items?: unknown; samples?: unknown };
  const list = items ?? samples;
  return Array.isArray(list) ? list.find(each => Number(each.id) === id) : undefined;
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
