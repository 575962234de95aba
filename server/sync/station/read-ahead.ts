import { sameJson } from '../../../shared/canonical-json.ts';
import type { Commit } from '../../store/history.ts';
import type { PushRequest } from '../protocol/wire.ts';
import { type OutgoingStore, PUSH_SIZE } from './outgoing.ts';

type Heads = Readonly<Record<string, number>>;

/** What a station may send, with what follows a push read while central works on it: both are then busy at once. */
export class ReadAhead implements OutgoingStore {
  readonly #store: OutgoingStore;
  #known: { heads: Heads; commits: Commit[] } | undefined;

  constructor(store: OutgoingStore) {
    this.#store = store;
  }

  /** Reads what follows a push that is on its way, if it is taken whole; `heads` are what central had before it. */
  follow({ commits }: PushRequest, heads: Heads, limit: number): void {
    this.#known = undefined;
    if (commits.length < limit) return;
    const last = Object.fromEntries(commits.map(({ chain, number }) => [chain, number]));
    const then = { ...heads, ...last };
    this.#known = { heads: then, commits: this.#store.ownAfter(then, limit, PUSH_SIZE) };
  }

  /** What is written meanwhile comes after what was read, so that a full message stays the next one. */
  ownAfter(heads: Heads, limit: number, size: number): Commit[] {
    const known = this.#known;
    if (known?.commits.length === limit && sameJson(known.heads, heads)) return known.commits;
    return this.#store.ownAfter(heads, limit, size);
  }

  /** This station's chains are not what they were. */
  clear(): void {
    this.#known = undefined;
  }

  get offers(): OutgoingStore['offers'] {
    return this.#store.offers;
  }

  cursor(): ReturnType<OutgoingStore['cursor']> {
    return this.#store.cursor();
  }

  snapshot(): ReturnType<OutgoingStore['snapshot']> {
    return this.#store.snapshot();
  }

  chainInDoubt(): string | undefined {
    return this.#store.chainInDoubt();
  }

  hashAt(chain: string, number: number): string | undefined {
    return this.#store.hashAt(chain, number);
  }
}
