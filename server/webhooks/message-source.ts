import type { FeedPlace } from '../store/change-feed.ts';

/** What a receiver is sent. */
export interface Message {
  /** The `webhook-id`: the same for the same change. */
  id: string;
  /** Family and id; empty for what concerns all records. */
  record: string;
  type: string;
  /** JSON text. */
  body: string;
}

/** Which changes a subscription wants; null: all. */
export interface Wanted {
  families: readonly string[] | null;
  kinds: readonly string[] | null;
}

/** What one entry of what changed says, and the place after it. */
export interface ReadEntry {
  messages: Message[];
  after: FeedPlace;
}

/** What has changed on this machine, as messages. */
export interface MessageSource {
  /** Places of another epoch lead nowhere. */
  epoch(): string;
  end(): FeedPlace;
  cursorOf(place: FeedPlace, epoch: string): string;
  placeOf(cursor: string): FeedPlace | 'reset' | undefined;
  /** The next entries, until so many messages are wanted or a while was spent; none at the end. */
  read(place: FeedPlace, wanted: Wanted, limit: number): Promise<ReadEntry[]>;
  /** That everything is to be read anew. */
  reset(place: FeedPlace): Message;
}
