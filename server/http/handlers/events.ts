import { lastSequence, readCommitsAfter } from '../../store/history.ts';
import { lotsOf } from '../../store/lots.ts';
import type { FollowSync } from '../../sync/sync-watch.ts';
import type { RequestContext } from '../request-context.ts';
import type { Handler, Services } from './handler.ts';

const BATCH = 200;

/**
 * Server-sent events: one `change` for each changed record, with family, id, version and who wrote it, and for each lot whose stock or
 * locks changed with it. The id of an event is the
 * sequence of its commit, so a client that comes back with `Last-Event-ID` misses nothing; it may see the records of
 * one commit twice, never a gap. A `sync` without data says that the exchange stands otherwise than before.
 */
export const eventHandlers = (followSync: FollowSync): Record<string, Handler> => ({
  'x.events': (services, context) => sendEvents(followSync, services, context),
});

async function sendEvents(
  followSync: FollowSync,
  { store, streams }: Services,
  context: RequestContext,
): Promise<undefined> {
  const stream = streams.open(context.request, context.response, context.tokenId);
  let isOpen = true;
  let isLive = false;
  const send = (
    sequence: number | undefined,
    records: readonly { family: string; id: number; version: number; user: string }[],
  ) => {
    for (const [index, { family, id, version, user }] of records.entries()) {
      const isNamed = sequence !== undefined && index === records.length - 1;
      stream.send({
        event: 'change',
        data: { family, id, version, user },
        ...(isNamed ? { id: sequence } : {}),
      });
    }
  };

  // An id from before a restore can be ahead of this history; the client starts from now.
  const last = lastSequence(store.database.reader);
  let caughtUp = Math.min(sequenceFrom(stream.lastEventId) ?? last, last);
  const stop = store.gate.follow(({ sequence, records, lots }) => {
    // What arrives by sync can bring several commits at once, or none.
    if (isLive) caughtUp = sequence;
    send(isLive ? sequence : undefined, [
      ...lots.flatMap(lot => store.records.get('inventory', lot) ?? []),
      ...records,
    ]);
  });
  const stopSync = followSync(() => stream.send({ event: 'sync', data: {} }));
  stream.onClose(() => {
    isOpen = false;
    stop();
    stopSync();
  });
  // Commits that land while this catches up are read from history as well; the follower takes over without a gap.
  while (isOpen) {
    const missed = readCommitsAfter(store.database.reader, caughtUp, BATCH);
    isLive = missed.length === 0;
    if (isLive) break;
    for (const { sequence, commit } of missed) {
      if (sequence <= caughtUp) continue;
      caughtUp = sequence;
      const lots = commit.entries.flatMap(entry => lotsOf(store.database.reader, entry.subject));
      const keys = new Set([
        ...lots.map(lot => `inventory:${lot}`),
        ...commit.entries.map(entry => entry.subject),
      ]);
      send(
        sequence,
        [...keys].flatMap(key => store.records.getByKey(key) ?? []),
      );
    }
    await new Promise(resolve => setImmediate(resolve));
  }
  return undefined;
}

function sequenceFrom(lastEventId: string | undefined): number | undefined {
  return lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
}
