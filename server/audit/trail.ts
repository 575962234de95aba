import { AppError } from '../../shared/contract/errors.ts';
import { BY_SERVER } from '../../shared/contract/permission.ts';
import type { Store } from '../store/store.ts';
import { noteClockFacts } from './clock-events.ts';
import { AUDIT_TRAIL, type AuditEvent, putEvent } from './event.ts';
import { type KeptEvents, takeKept } from './kept-events.ts';
import { readWaiting, writeWaiting } from './waiting.ts';

/** How often it is looked for what commands left, and what could not be noted. */
const TAKE_MS = 60_000;

/** Worked out in the transaction where that matters. */
export type Events = readonly AuditEvent[] | (() => readonly AuditEvent[]);

/** The system's own trail, as those write it who do what stands in it. */
export interface Trail {
  /**
   * What happens, with what the database keeps of it, in one transaction: `act` runs in it, and what it throws leaves no
   * event. @throws as `WriteGate.commit` does, and what `act` throws
   */
  with<Result>(events: Events, act: () => Result): Promise<Result>;
  /**
   * What has happened already, or happens outside of the database. Never rejects: where nothing can be written it is kept in
   * the data folder until that is possible again, and told where not even that is.
   */
  note(...events: readonly AuditEvent[]): Promise<void>;
  /** Notes what was kept, and what is new of the machine's clock. */
  takeKept(): Promise<void>;
  /** Does so now and from time to time; once what is written is sent as well. */
  start(): Promise<void>;
  /** Waits for what is still to be noted. */
  close(): Promise<void>;
}

export interface TrailOptions {
  store: Pick<Store, 'gate' | 'database' | 'clockWatch'>;
  kept: KeptEvents;
  /** These events are in no trail. */
  onLost: (error: unknown, events: readonly AuditEvent[]) => void;
  /** A try to note what was kept has failed; there will be others. */
  onFault: (error: unknown) => void;
}

export function createTrail({ store, kept, onLost, onFault }: TrailOptions): Trail {
  const { gate, database } = store;
  const write: Trail['with'] = (events, act) =>
    gate.commit({
      actor: { user: AUDIT_TRAIL, rights: BY_SERVER },
      reason: null,
      work: work => {
        const before = readWaiting(database);
        const now = typeof events === 'function' ? events() : events;
        const all = [...before, ...now.map(event => ({ ...event, at: event.at ?? work.at }))];
        const written = countWritten(all, event => putEvent(work, event));
        return { rest: all.slice(written), hadAny: before.length > 0 };
      },
      answer: ({ rest, hadAny }) => {
        if (hadAny || rest.length > 0) writeWaiting(database, rest);
        return act();
      },
    });
  const noting = new Set<Promise<void>>();
  const follow = (work: Promise<void>) => {
    const done = work.finally(() => noting.delete(done));
    noting.add(done);
    return done;
  };
  const keepOrTell = (error: unknown, events: readonly AuditEvent[]) => {
    try {
      kept.add(events);
    } catch {
      onLost(error, events);
    }
  };
  const take = async () => {
    if (database.damage) return;
    await follow(
      takeKept(kept, database, write)
        .then(() => noteClockFacts(database, write))
        .catch(onFault),
    );
  };
  let taking: NodeJS.Timeout | undefined;
  return {
    with: write,
    async note(...events) {
      if (events.length === 0) return;
      // It is noted when it happened, whatever becomes of the first try.
      const at = gate.now();
      const dated = events.map(event => ({ ...event, at: event.at ?? at }));
      await follow(write(dated, () => undefined).catch((error: unknown) => keepOrTell(error, dated)));
    },
    takeKept: take,
    async start() {
      taking = setInterval(() => void take(), TAKE_MS).unref();
      await take();
    },
    async close() {
      clearInterval(taking);
      await Promise.all(noting);
    },
  };
}

/** How many were put: a station that has no ids left puts none, and the others wait for its next block. */
function countWritten(events: readonly AuditEvent[], put: (event: AuditEvent) => void): number {
  for (const [place, event] of events.entries()) {
    try {
      put(event);
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') return place;
      throw error;
    }
  }
  return events.length;
}
