import { hash } from 'node:crypto';
import { family as familyNamed } from '../../shared/families/registry.ts';
import { collectionsOf } from '../../shared/operations/family-operations.ts';
import type { AnswerContext } from '../rules/answers.ts';
import { ChangeFeed } from '../store/change-feed.ts';
import type { Store } from '../store/store.ts';
import { inTurns, yieldingToEventLoop } from '../store/yield-to-event-loop.ts';
import type { Message, MessageSource, ReadEntry, Wanted } from '../webhooks/message-source.ts';
import { oneAnswer, oneOptions } from './handlers/family.ts';
import { stationOfChange, type ToldChange, tellStep } from './told-changes.ts';

/** Steps that are gone through at once, however few of them are wanted. */
const STEPS = 2_000;
/** Characters of a message at most: of a greater record the receiver hears that it has changed, and reads it. */
const LONGEST = 1024 * 1024;

/** What has changed here as `/x/changes` tells it, one message for each change. */
export function webhookMessages(
  store: Pick<Store, 'database' | 'records' | 'gate'>,
  reading: () => AnswerContext,
  clock: () => Date,
): MessageSource {
  const feed = new ChangeFeed(store.database.reader, () => store.gate.chain);
  const reads = { records: store.records, sql: store.database.reader };

  async function read(from: ReadEntry['after'], wanted: Wanted, limit: number): Promise<ReadEntry[]> {
    const has = chosenBy(wanted);
    const epoch = feed.epoch();
    const yieldToEventLoop = yieldingToEventLoop();
    const entries: ReadEntry[] = [];
    let place = from;
    let found = 0;
    for (let count = 0; count < STEPS; ) {
      const steps = await inTurns(feed.after(place), yieldToEventLoop);
      if (steps.length === 0) return entries;
      count += steps.length;
      for (const step of steps) {
        for (const told of tellStep(reads, step, place)) {
          place = told.place;
          const messages = told.changes
            .filter(has)
            .map(change => messageOf(change, feed.cursorOf(place, epoch)));
          entries.push({ messages, after: place });
          found += messages.length;
          if (found >= limit) return entries;
          await yieldToEventLoop();
        }
      }
    }
    return entries;
  }

  function messageOf(change: ToldChange, cursor: string): Message {
    const { family, id, kind, version, at, user, of, commit } = change;
    const record = id === null ? `${family} of ${of?.family}:${of?.id}` : `${family}:${id}`;
    const type = `${family}.${kind}`;
    const told = { family, id, change: kind, version, at, user, of };
    const header = {
      commit: commit?.commit_id ?? null,
      station: stationOfChange(change),
      reason: commit?.reason ?? null,
    };
    const isThin = familyNamed(family).operations.isAdministrative;
    const timestamp = at ?? clock().toISOString();
    const bodyWith = (content: object) =>
      JSON.stringify({ type, timestamp, data: { ...told, ...header, ...content, cursor } });
    const whole = isThin ? { record: null } : { record: answerOf(change), changes: changesOf(change) };
    const body = bodyWith(whole);
    const body_ = body.length > LONGEST ? bodyWith({ record: null }) : body;
    // Without a commit the place says which change it is.
    const name = [commit?.commit_id ?? cursor, family, id, of?.family, of?.id];
    return { id: messageId(name), record, type, body: body_ };
  }

  function answerOf({ family: name, record }: ToldChange): object | null {
    if (!record) return null;
    const family = familyNamed(name);
    return oneAnswer(family, reading(), record, {
      ...oneOptions(family),
      collections: collectionsOf(family, 'any'),
    });
  }

  return {
    epoch: () => feed.epoch(),
    end: () => feed.end(),
    cursorOf: (place, epoch) => feed.cursorOf(place, epoch),
    placeOf: cursor => feed.placeOf(cursor),
    read,
    reset(place) {
      const cursor = feed.cursorOf(place);
      const body = JSON.stringify({ type: 'reset', timestamp: clock().toISOString(), data: { cursor } });
      return { id: messageId(['reset', cursor]), record: '', type: 'reset', body };
    },
  };
}

function changesOf({ changes }: ToldChange): object[] {
  return changes.map(({ path, old, new: value }) => ({ path, old, new: value }));
}

function messageId(parts: readonly unknown[]): string {
  return `msg_${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 32)}`;
}

function chosenBy({ families, kinds }: Wanted): (change: ToldChange) => boolean {
  const [wantedFamilies, wantedKinds] = [families && new Set(families), kinds && new Set(kinds)];
  return ({ family, kind }) => {
    if (wantedKinds && !wantedKinds.has(kind)) return false;
    // What the machine notes of itself: who wants it asks for it.
    return wantedFamilies ? wantedFamilies.has(family) : !familyNamed(family).isByMachine;
  };
}
