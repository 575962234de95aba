import type { FamilyName } from '../../shared/families/registry.ts';
import type { FeedPlace } from '../store/change-feed.ts';

/** What changed after a place, and the place after that. */
export interface ReportedChanges {
  /** Records that changed, went, or whose answers show otherwise: `supplier:12`. */
  keys: string[];
  /** Families any of whose records may show otherwise. */
  families: FamilyName[];
  place: FeedPlace;
}

/** A record's answer as `/x/changes` has it. */
export interface ReportedAnswer {
  id: number;
  answer: Record<string, unknown>;
}

/** Central's records as the interface answers them, and what changes of them. */
export interface ReportSource {
  end(): FeedPlace;
  cursorOf(place: FeedPlace): string;
  /** `reset` or undefined: the cursor leads nowhere any more, and all records are to be read. */
  placeOf(cursor: string): FeedPlace | 'reset' | undefined;
  /** The next changes, of so many records or a little more; without any where there is nothing new. */
  after(place: FeedPlace, limit: number): Promise<ReportedChanges | undefined>;
  /** As they stand now; those that are not there are left out. */
  answers(keys: readonly string[]): Promise<Map<string, ReportedAnswer>>;
  /** The answers of a family's records from an id on, in order of id; none at the end. */
  from(family: FamilyName, id: number, limit: number): Promise<ReportedAnswer[]>;
}
