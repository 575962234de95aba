import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PASSWORD } from '../../../server/identity/browser.ts';
import { isObject } from '../../../support/expect-shape.ts';
import type { Answer } from '../../../support/station.ts';
import { decimalMillionths } from '../../faults/check-agreement.ts';
import { isWritten } from '../../faults/fault-log.ts';
import { type SeededRandom, seededRandom } from '../../faults/seeded-random.ts';
import type { Acknowledged, Life, Write } from './acknowledged.ts';

/** The lot that all receive and ship. */
export const LOT = 'L';
/** Fields of a supplier that the authors change. */
const FIELDS = ['primary_name', 'secondary_name'] as const;
const TIMEOUT_MS = 20_000;
const PAUSE_MS = 60;
const CREATED = { supplier: '/suppliers', order: '/orders' } as const;

export interface AuthorOptions {
  login: string;
  /** Where the machine is asked, and as which address it knows itself. */
  address: () => string;
  origin: () => string;
  /** Of the machine's disk just now. */
  life: () => Life;
  /** The part that all receive and ship. */
  part: number;
  seed: number;
}

interface Request {
  method: 'POST' | 'PATCH';
  path: string;
  body: Record<string, unknown>;
  headers?: Record<string, string>;
}

type Row = Record<string, unknown>;

/**
 * A person who writes at one machine by the documented interface, signed in. Each write has a key and is repeated until it is
 * answered, or until the machine has another disk. A change names the state that was read before.
 */
export class Author {
  readonly #options: AuthorOptions;
  readonly #writes: Acknowledged;
  readonly #random: SeededRandom;
  #cookie = '';

  constructor(writes: Acknowledged, options: AuthorOptions) {
    this.#options = options;
    this.#writes = writes;
    this.#random = seededRandom(options.seed);
  }

  /** Until the signal; what is under way then is brought to its end. */
  async writeUntil(signal: AbortSignal, paceMs: number): Promise<void> {
    while (!signal.aborted) {
      await this.#next();
      await sleep(this.#random.below(2 * paceMs));
    }
  }

  /** @throws where it is not written */
  async create(kind: 'supplier' | 'receipt' | 'order', quantity = '1000'): Promise<Write> {
    const write = await (kind === 'receipt' ? this.#receipt(quantity) : this.#create(kind));
    if (write.outcome !== 'acknowledged') throw new Error(`No ${kind}: ${write.outcome}`);
    return write;
  }

  /** @throws where the machine lets nobody in */
  async signIn(): Promise<void> {
    await this.#signIn();
    if (this.#cookie === '') throw new Error(`${this.#options.login} is not let in.`);
  }

  #next(): Promise<unknown> {
    const quantity = `0.${this.#random.below(999) + 1}`.padEnd(5, '0');
    const choice = this.#random.below(20);
    if (choice < 7) return this.#change();
    if (choice < 9) return this.#decide();
    if (choice < 11) return this.#create('supplier');
    if (choice < 13) return this.#create('order');
    if (choice < 15) return this.#addItem();
    if (choice < 17) return this.#receipt(quantity);
    if (choice < 19) return this.#ship(quantity);
    return this.#report();
  }

  async #create(kind: 'supplier' | 'order'): Promise<Write> {
    const write = this.#begin({ kind });
    const body = kind === 'supplier' ? { name: write.marker } : { po_number: write.marker, items: [] };
    await this.#send(write, { method: 'POST', path: CREATED[kind], body });
    return write;
  }

  async #receipt(quantity: string): Promise<Write> {
    const write = this.#begin({ kind: 'receipt', stock: decimalMillionths(quantity) });
    const items = [{ part_id: this.#options.part, serial_number: LOT, quantity_accepted: Number(quantity) }];
    // Before the day that the shipments name: nothing ships before it came.
    const body = { notes: write.marker, actual_arrival_date: '2026-06-01', items };
    await this.#send(write, { method: 'POST', path: '/receiving-inspections', body });
    return write;
  }

  async #ship(quantity: string): Promise<void> {
    const write = this.#begin({ kind: 'shipment', stock: -decimalMillionths(quantity) });
    const items = [{ part_id: this.#options.part, serial_number: LOT, quantity: Number(quantity) }];
    const body = { po_number: write.marker, actual_ship_date: '2026-06-15', items };
    await this.#send(write, { method: 'POST', path: '/shipments', body });
  }

  async #report(): Promise<void> {
    const write = this.#begin({ kind: 'ncr' });
    const body = { ncr_number: write.marker, source: 'internal' };
    await this.#send(write, { method: 'POST', path: '/ncrs', body });
  }

  async #addItem(): Promise<void> {
    const row = await this.#any('/orders', 'po_number');
    const read = row && (await this.#get(`/orders/${row.id}`));
    const [order, etag] = [dataOf(read), read?.headers.get('etag')];
    if (!isObject(order) || !etag) return;
    const write = this.#begin({ kind: 'order item', record: String(order.po_number) });
    const item = { part_id: this.#options.part, quantity: 1, serial_number: write.marker };
    const path = `/orders/${order.id}/items`;
    const headers = { 'if-match': etag };
    await this.#send(write, { method: 'POST', path, body: { order_id: order.id, ...item }, headers });
  }

  async #change(): Promise<void> {
    const row = await this.#any('/suppliers', 'name');
    const read = row && (await this.#get(`/suppliers/${row.id}`));
    const [data, etag] = [dataOf(read), read?.headers.get('etag')];
    if (!isObject(data) || !etag) return;
    const path = this.#random.pick(FIELDS);
    const write = this.#begin({
      kind: 'change',
      record: String(data.name),
      path,
      seen: typeof data[path] === 'string' ? [data[path]] : [],
    });
    const body = { [path]: write.marker };
    const headers = { 'if-match': etag };
    await this.#send(write, { method: 'PATCH', path: `/suppliers/${data.id}`, body, headers });
  }

  /** Of what stands in conflict the author takes none, and writes another value over all that was shown. */
  async #decide(): Promise<void> {
    const conflict = this.#pick(rowsOf(await this.#get('/x/conflicts?per_page=50')));
    if (conflict?.family !== 'supplier') return;
    const record = dataOf(await this.#get(`/suppliers/${conflict.record_id}`));
    if (!isObject(record)) return;
    const write = this.#begin({
      kind: 'decision',
      record: String(record.name),
      path: String(conflict.path),
      seen: valuesIn(conflict),
    });
    const body = { value: write.marker, seen: valuesIn(conflict, 'commit'), reason: 'Asked both.' };
    const path = `/x/conflicts/${conflict.id}/resolve`;
    await this.#send(write, { method: 'POST', path, body });
  }

  #begin(wanted: Pick<Write, 'kind'> & Partial<Write>): Write {
    return this.#writes.begin({ author: this.#options.login, life: this.#options.life(), ...wanted });
  }

  /** Again and again until something tells what became of it. Undefined where nothing will. */
  async #send(write: Write, request: Request): Promise<Answer | undefined> {
    const headers = { ...request.headers, 'idempotency-key': randomUUID() };
    for (;;) {
      if (this.#options.life() !== write.life) return undefined;
      const answer = await this.#attempt({ ...request, headers });
      if (answer && isWritten(answer.status)) {
        write.outcome = 'acknowledged';
        const data = dataOf(answer);
        if (write.record === write.marker && isObject(data)) write.told = toldIn(data);
        return answer;
      }
      if (answer?.status === 401) await this.#signIn();
      else if (answer && isFinal(answer)) {
        write.outcome = 'refused';
        write.refusal = `${new Date().toISOString()} ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`;
        return answer;
      }
      await sleep(PAUSE_MS);
    }
  }

  /** One that is there, now and then one of the few that everybody writes to. */
  async #any(path: string, marker: string): Promise<Row | undefined> {
    const rows = rowsOf(await this.#get(`${path}?per_page=500`)).filter(row =>
      String(row[marker]).startsWith(this.#writes.prefix),
    );
    const first = rows.toSorted((one, other) => String(one[marker]).localeCompare(String(other[marker])));
    return this.#pick(this.#random.below(3) > 0 ? first.slice(0, 4) : rows);
  }

  #pick(rows: readonly Row[]): Row | undefined {
    return rows.length === 0 ? undefined : this.#random.pick(rows);
  }

  async #get(path: string): Promise<Answer | undefined> {
    const answer = await this.#attempt({ method: 'GET', path });
    if (answer?.status === 401) await this.#signIn();
    return answer?.status === 200 ? answer : undefined;
  }

  async #signIn(): Promise<void> {
    const body = { login: this.#options.login, password: PASSWORD };
    const answer = await this.#attempt({ method: 'POST', path: '/x/session', body });
    for (const line of answer?.headers.getSetCookie() ?? [])
      if (line.startsWith('holdpoint_session=')) this.#cookie = line.split(';')[0] ?? '';
  }

  /** Undefined where no answer came, or none of the machine. */
  async #attempt(request: {
    method: string;
    path: string;
    body?: Record<string, unknown>;
    headers?: Record<string, string>;
  }): Promise<Answer | undefined> {
    try {
      const response = await fetch(`${this.#options.address()}/api/v2${request.path}`, {
        method: request.method,
        headers: {
          cookie: this.#cookie,
          ...(request.body && { origin: this.#options.origin(), 'content-type': 'application/json' }),
          ...request.headers,
        },
        body: request.body ? JSON.stringify(request.body) : null,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return undefined;
    }
  }
}

/** Whether another attempt would tell nothing else. */
function isFinal({ status, body }: Answer): boolean {
  if (status === 409) return !(isObject(body) && /still running/.test(String(body.message)));
  return status >= 400 && status < 500 && status !== 429;
}

function dataOf(answer: Answer | undefined): unknown {
  return isObject(answer?.body) ? answer.body.data : undefined;
}

function rowsOf(answer: Answer | undefined): Row[] {
  const data = dataOf(answer);
  return Array.isArray(data) ? data.filter(isObject) : [];
}

function valuesIn(conflict: Row, member: 'value' | 'commit' = 'value'): string[] {
  const values = Array.isArray(conflict.values) ? conflict.values.filter(isObject) : [];
  return values.flatMap(({ [member]: one }) => (typeof one === 'string' ? [one] : []));
}

function toldIn(data: Row): Write['told'] {
  const number = data.order_number ?? data.shipment_number;
  return { id: Number(data.id), number: typeof number === 'string' ? number : null };
}
