import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../support/expect-shape.ts';
import { type Attempt, FaultLog, isWritten, type Operation } from './fault-log.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

/** Where a server is and what opens it: a `Station`, say. */
export interface Target {
  readonly origin: string;
  readonly token: string;
}

export interface LoggingClientOptions {
  seed: number;
  /** How long an answer may take before the request counts as cut off. */
  timeoutMs?: number;
}

type Wanted = Omit<Operation, 'number' | 'key' | 'marker'>;

/** The lot that all writers receive and ship. */
const LOT = 'L';
const PAUSE_MS = 10;

/**
 * Several writers at one station, who log every request before it goes out and every answer. Seven in ten writes carry
 * an `Idempotency-Key` and are repeated until they are answered; the others are sent once. One in eight is a write that
 * must be refused.
 */
export class LoggingClient {
  readonly log: FaultLog;
  readonly #target: Target;
  readonly #random: SeededRandom;
  readonly #timeoutMs: number;
  #part = 0;
  #isAbandoned = false;

  constructor(target: Target, { seed, timeoutMs = 120_000 }: LoggingClientOptions) {
    this.#target = target;
    this.#random = seededRandom(seed);
    this.#timeoutMs = timeoutMs;
    this.log = new FaultLog(`F${seed}.${randomUUID().slice(0, 8)}.`);
  }

  /** The part and the first stock of the lot, before the writers begin. */
  async prepare(): Promise<void> {
    const part = await this.#write(true, marker => ({
      kind: 'part',
      method: 'POST',
      path: '/parts',
      body: { name: marker, unit_of_measure: 'units' },
    }));
    this.#part = idOf(part);
    await this.#write(true, marker => this.#receipt(marker, 1_000));
  }

  /** Writes until the signal; what is under way then is still brought to its end. */
  async writeUntil(signal: AbortSignal, writers = 4): Promise<void> {
    await Promise.all(Array.from({ length: writers }, () => this.#writer(() => signal.aborted)));
  }

  async writeSome(count: number, writers = 4): Promise<void> {
    const end = this.log.nextNumber + count;
    await Promise.all(Array.from({ length: writers }, () => this.#writer(() => this.log.nextNumber >= end)));
  }

  /** Every writer stops at its next answer, or where none comes: the station is gone for good. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  async #writer(isOver: () => boolean): Promise<void> {
    const own = { supplier: 0, order: 0 };
    while (!isOver() && !this.#isAbandoned) {
      const isRepeated = this.#random.below(10) < 7;
      const attempt = await this.#write(isRepeated, marker => this.#next(own, marker));
      if (!isWritten(attempt.status)) await sleep(PAUSE_MS);
      else if (attempt.kind === 'supplier') own.supplier = idOf(attempt);
      else if (attempt.kind === 'order') own.order = idOf(attempt);
    }
  }

  #next(own: { supplier: number; order: number }, marker: string): Wanted {
    const random = this.#random;
    if (random.below(8) === 0) return this.#refused(marker);
    const quantity = (random.below(999) + 1) / 1_000;
    const item = { part_id: this.#part, quantity };
    const create = (kind: string, path: string, body: Wanted['body']): Wanted => ({
      kind,
      method: 'POST',
      path,
      body,
    });
    const choice = random.below(7);
    if (choice === 0 || own.supplier === 0) return create('supplier', '/suppliers', { name: marker });
    if (choice === 1 || own.order === 0) {
      const items = [{ ...item, serial_number: 'O' }];
      return create('order', '/orders', { notes: marker, items });
    }
    if (choice === 2) {
      const body = { order_id: own.order, ...item, serial_number: marker };
      return create('order item', `/orders/${own.order}/items`, body);
    }
    if (choice === 3) {
      const items = [{ ...item, serial_number: LOT }];
      return create('shipment', '/shipments', { po_number: marker, actual_ship_date: '2026-06-15', items });
    }
    if (choice === 4) return create('ncr', '/ncrs', { ncr_number: marker, source: 'internal' });
    if (choice === 5) return this.#receipt(marker, quantity);
    return {
      kind: 'change',
      method: 'PUT',
      path: `/suppliers/${own.supplier}`,
      body: { primary_name: marker },
    };
  }

  #receipt(marker: string, quantity_accepted: number): Wanted {
    const items = [{ part_id: this.#part, serial_number: LOT, quantity_accepted }];
    return {
      kind: 'receipt',
      method: 'POST',
      path: '/receiving-inspections',
      // Before the day that the shipments name: nothing ships before it came.
      body: { notes: marker, actual_arrival_date: '2026-06-01', items },
    };
  }

  #refused(marker: string): Wanted {
    const item = { part_id: this.#part, serial_number: LOT, quantity: 900_000_000 };
    return this.#random.pick<Wanted>([
      { kind: 'refused', method: 'POST', path: '/suppliers', body: { name: marker, primary_email: ['no'] } },
      { kind: 'refused', method: 'PUT', path: '/suppliers/999999', body: { primary_name: marker } },
      {
        kind: 'refused',
        method: 'POST',
        path: '/orders',
        body: { notes: marker, items: [{ ...item, part_id: 999_999 }] },
      },
      {
        kind: 'refused',
        method: 'POST',
        path: '/shipments',
        body: { po_number: marker, actual_ship_date: '2026-06-15', items: [item] },
      },
    ]);
  }

  /** The answer that ends the operation, with the operation's kind. */
  async #write(isRepeated: boolean, want: (marker: string) => Wanted): Promise<Attempt & { kind: string }> {
    const number = this.log.nextNumber;
    const marker = `${this.log.prefix}${number}.`;
    const operation: Operation = { number, marker, key: isRepeated ? randomUUID() : null, ...want(marker) };
    this.log.sent(operation);
    for (;;) {
      const attempt = await this.#attempt(operation);
      this.log.attempted(attempt);
      if (!isRepeated || !isOpen(attempt) || this.#isAbandoned) return { ...attempt, kind: operation.kind };
      await sleep(PAUSE_MS);
    }
  }

  async #attempt({ number, method, path, body, key }: Operation): Promise<Attempt> {
    try {
      const response = await fetch(`${this.#target.origin}/api/v2${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#target.token}`,
          'content-type': 'application/json',
          ...(key === null ? {} : { 'idempotency-key': key }),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
      return { operation: number, status: response.status, answer: await response.json() };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { operation: number, status: null, answer: `${error.name}: ${error.message}` };
    }
  }
}

/** Whether only another attempt can tell: no answer, a fault of the server, or the first attempt is still running. */
function isOpen({ status, answer }: Attempt): boolean {
  if (status === null) return true;
  if (status === 409) return isObject(answer) && /still running/.test(String(answer.message));
  return status >= 500 && status !== 507;
}

function idOf({ answer }: Attempt): number {
  const data = isObject(answer) ? answer.data : undefined;
  if (!isObject(data)) throw new Error(`An answer without data: ${JSON.stringify(answer)}`);
  return Number(data.id);
}
