import type { FeedPlace } from '../../store/change-feed.ts';
import type { Committed } from '../../store/commit.ts';
import { inTurns, restingBetween, workingClock } from '../../store/yield-to-event-loop.ts';
import type { FollowSync } from '../../sync/sync-watch.ts';
import type { EventStream } from '../event-stream.ts';
import type { RequestContext } from '../request-context.ts';
import { type ToldChange, tellElsewhere, tellStep } from '../told-changes.ts';
import { type Chosen, chosenIn, feedOf, placeIn } from './changes.ts';
import type { Handlers, Services } from './handler.ts';

/**
 * Server-sent events: one `change` for each changed record, and for each record whose answer shows otherwise because of it.
 * The id of an event is the place after it, so a client that comes back with `Last-Event-ID` misses nothing; it may see
 * the last record twice, never a gap. A stream begins with its `cursor`, so that what is listed after it and what is
 * told meet; or with a `reset` where the client's place leads nowhere any more. A client that reads slowly is waited for.
 * A `sync` without data says that the exchange stands otherwise than before.
 */
export const eventHandlers = (followSync: FollowSync) =>
  ({
    'x.events': (services, context) => sendEvents(followSync, services, context),
  }) satisfies Partial<Handlers>;

/** Answers of others follow from what these hold, which only history says in full. */
const REACHING = new Set([
  'part',
  'customer',
  'location',
  'setting',
  'inspection',
  'correction',
  'lab-result',
]);

async function sendEvents(
  followSync: FollowSync,
  services: Services,
  context: RequestContext,
): Promise<undefined> {
  const { store, streams } = services;
  const chosen = chosenIn(store.records, context);
  const named = placeIn(services, context, 'Last-Event-ID');
  const feed = feedOf(services);
  let epoch = feed.epoch();
  let place = named === 'reset' || named === undefined ? feed.end() : named;
  const stream = streams.open(context.request, context.response, context.tokenId);
  let isOpen = true;
  /** Whether all that is committed was told. */
  let isLive = false;
  /** How often something was committed. */
  let news = 0;
  let wake = () => {};

  const begin = (event: 'cursor' | 'reset') => {
    const cursor = feed.cursorOf(place, epoch);
    stream.send({ event, id: cursor, data: { cursor } });
  };
  const tell = (changes: readonly ToldChange[], after: FeedPlace, hash?: string) => {
    place = after;
    const wanted = changes.filter(chosen.has);
    for (const [index, change] of wanted.entries()) {
      const id = index === wanted.length - 1 ? { id: feed.cursorOf(after, epoch, hash) } : {};
      sendChange(services, stream, chosen, change, id);
    }
  };

  const stop = store.gate.follow(committed => {
    news += 1;
    const isNext = isLive && committed.sequence === place.sequence + 1 && !stream.isFull;
    if (isNext && isToldAtOnce(committed, epoch)) {
      const after = { ...place, sequence: committed.sequence, entry: 0 };
      return tell(committedChanges(services, committed), after, committed.commit?.hash);
    }
    isLive = false;
    wake();
  });
  const stopSync = followSync(() => stream.send({ event: 'sync', data: {} }));
  stream.onClose(() => {
    isOpen = false;
    stop();
    stopSync();
    wake();
  });
  begin(named === 'reset' ? 'reset' : 'cursor');
  const clock = workingClock();
  const yieldToEventLoop = restingBetween(() => context.traffic.isBusy, clock.now);
  while (isOpen) {
    if (feed.epoch() !== epoch) {
      epoch = feed.epoch();
      place = feed.end();
      begin('reset');
    }
    const before = news;
    const steps = await inTurns(feed.after(place), yieldToEventLoop);
    if (steps.length === 0 && news === before && isOpen) {
      isLive = true;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await clock.waitFor(promise);
    }
    for (const step of steps) {
      for (const told of tellStep({ records: store.records, sql: store.database.reader }, step, place)) {
        if (stream.isFull) await clock.waitFor(stream.drained());
        await yieldToEventLoop();
        if (!isOpen) return undefined;
        tell(told.changes, told.place);
      }
    }
  }
  return undefined;
}

/** Whether a commit was written here, in the chain that goes on, and says itself whose answers it reaches. */
function isToldAtOnce({ commit, records }: Committed, epoch: string): boolean {
  return (
    commit !== undefined &&
    epoch.startsWith(commit.chain.slice(commit.chain.lastIndexOf('.') + 1).replace(/\W/g, '')) &&
    records.every(({ family }) => !REACHING.has(family))
  );
}

/** What is told of a commit as it happens: each record with the version that it has made of it. */
function committedChanges({ store }: Services, committed: Committed): ToldChange[] {
  const { records, lots } = committed;
  const commit = committed.commit ?? null;
  const base = { commit, at: commit?.at ?? null, user: commit?.user ?? null, changes: [] };
  const [first] = records;
  const of = first && { family: first.family as ToldChange['family'], id: first.id };
  const keys = lots.map(lot => `inventory:${lot}`);
  const others = of ? tellElsewhere(store, { keys, families: [] }, of) : [];
  const own = records.map(({ family, id, version, isNew }): ToldChange => {
    const kind = isNew ? 'created' : 'changed';
    return {
      ...base,
      family: family as ToldChange['family'],
      id,
      kind,
      version,
      record: undefined,
      of: null,
    };
  });
  return [...others.map(other => ({ ...base, ...other })), ...own];
}

function sendChange(
  services: Services,
  stream: EventStream,
  chosen: Chosen,
  change: ToldChange,
  id: { id?: string },
): void {
  const { family, version, user, at, kind } = change;
  const of = chosen.causeOf(change);
  if (change.id === null) {
    stream.send({ event: 'change-of-many', ...id, data: { family, of, user, at } });
    return;
  }
  const fields = chosen.fieldsOf(services, change);
  const data = {
    family,
    id: change.id,
    version,
    user,
    change: kind,
    at,
    ...(of && { of }),
    ...(fields && { fields }),
  };
  stream.send({ event: 'change', ...id, data });
}
