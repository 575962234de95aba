import { Histogram, Registry } from 'prom-client';
import { type Standing, standingMetrics } from './standing-metrics.ts';

/** In seconds: a read of one record takes less than a millisecond, a message of a station may take some seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** An answer that is done. */
export interface Answered {
  method: string;
  /** An operation's path as the table has it; undefined for what is none of them. */
  route: string | undefined;
  /** Undefined: the caller left before the end. */
  status: number | undefined;
  seconds: number;
}

/** What a process waits for the journal for: the lock with what the head says, a group of writes up to its COMMIT, a read. */
export type JournalOperation = 'lock' | 'append' | 'read';

export interface Metrics {
  answered(answer: Answered): void;
  /** The journal has answered, or failed to. */
  waited(operation: JournalOperation, seconds: number): void;
  /** All of it as text, and of what media type it is. */
  read(standing: Standing): Promise<{ text: string; type: string }>;
}

/**
 * What monitors are told in Prometheus' text format. What happens often costs one observation; all else is looked at when it is
 * asked for.
 */
export function createMetrics(): Metrics {
  const counted = new Registry();
  const registers = [counted];
  const requests = new Histogram({
    name: 'holdpoint_http_request_duration_seconds',
    help: 'Requests by method, route and class of status, up to the end of the answer. aborted: the caller left.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const waits = new Histogram({
    name: 'holdpoint_journal_duration_seconds',
    help: 'Waits for the journal: for its lock, for a group of writes to be durable there, for a read.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers,
  });
  return {
    answered({ method, route = 'other', status, seconds }) {
      requests.observe({ method, route, status: classOf(status) }, seconds);
    },
    waited: (operation, seconds) => waits.observe({ operation }, seconds),
    async read(standing) {
      const texts = [counted, standingMetrics(standing)].map(registry => registry.metrics());
      return { text: (await Promise.all(texts)).join(''), type: counted.contentType };
    },
  };
}

const CLASSES = ['aborted', '1xx', '2xx', '3xx', '4xx', '5xx'];

function classOf(status = 0): string {
  return CLASSES[Math.floor(status / 100)] ?? 'other';
}
