/** One write that a client wants, once, however often it is sent. */
export interface Operation {
  /** Counts from 1 within the log. */
  number: number;
  kind: string;
  /** Stands in one value of the body and nowhere else, so that the write can be found in history. */
  marker: string;
  method: 'POST' | 'PUT';
  path: string;
  body: Record<string, unknown>;
  /** Sent as `Idempotency-Key` with every attempt; null for a write that is sent once, without one. */
  key: string | null;
}

/** What came back for one request; the status is null when nothing did. */
export interface Attempt {
  operation: number;
  status: number | null;
  /** The whole answer, or why there is none. */
  answer: unknown;
}

type Line = { sent: Operation } | { attempt: Attempt };

/** An operation with all that came back for it. */
export interface Logged {
  operation: Operation;
  attempts: Attempt[];
}

/**
 * - `written`: answered 2xx, so that it must be there, once
 * - `refused`: every answer is a 4xx, or 507 for want of room, so that it must be nowhere
 * - `unknown`: cut off or a fault of the server, so that it may be there, once
 */
export type Outcome = 'written' | 'refused' | 'unknown';

/** What clients sent and what they were answered, in its order. Every operation is noted before it is sent. */
export class FaultLog {
  /** All markers of the log begin with it, and nothing else in the store does. */
  readonly prefix: string;
  readonly #lines: Line[] = [];
  readonly #byNumber = new Map<number, Logged>();

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** Of the text that `text` gives. */
  static parse(text: string): FaultLog {
    const [head = '{}', ...lines] = text.trimEnd().split('\n');
    const log = new FaultLog(JSON.parse(head).prefix);
    for (const line of lines) log.#add(JSON.parse(line));
    return log;
  }

  get operations(): Logged[] {
    return [...this.#byNumber.values()];
  }

  get nextNumber(): number {
    return this.#byNumber.size + 1;
  }

  sent(operation: Operation): void {
    this.#add({ sent: operation });
  }

  attempted(attempt: Attempt): void {
    this.#add({ attempt });
  }

  /** JSON lines, the prefix first. */
  text(): string {
    return `${[{ prefix: this.prefix }, ...this.#lines].map(line => JSON.stringify(line)).join('\n')}\n`;
  }

  /** How many operations ended how. */
  counts(): Record<Outcome, number> {
    const counts = { written: 0, refused: 0, unknown: 0 };
    for (const logged of this.#byNumber.values()) counts[outcomeOf(logged)] += 1;
    return counts;
  }

  #add(line: Line): void {
    this.#lines.push(line);
    if ('sent' in line) {
      this.#byNumber.set(line.sent.number, { operation: line.sent, attempts: [] });
      return;
    }
    const logged = this.#byNumber.get(line.attempt.operation);
    if (!logged) throw new Error(`The operation ${line.attempt.operation} was answered before it was sent.`);
    logged.attempts.push(line.attempt);
  }
}

export function outcomeOf({ operation, attempts }: Logged): Outcome {
  if (attempts.some(({ status }) => isWritten(status))) return 'written';
  // With a key the last answer tells of all attempts: a write that had passed would have been answered again.
  const telling = operation.key === null ? attempts : attempts.slice(-1);
  return telling.length > 0 && telling.every(({ status }) => isRefused(status)) ? 'refused' : 'unknown';
}

export function isWritten(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

function isRefused(status: number | null): boolean {
  return status !== null && ((status >= 400 && status < 500) || status === 507);
}
