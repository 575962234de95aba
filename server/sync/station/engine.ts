import { randomUUID } from 'node:crypto';
import { newChain } from '../../store/history.ts';
import type { Store } from '../../store/store.ts';
import { digestsOf } from '../log/digest.ts';
import { sha256 } from '../log/log.ts';
import { syncRules } from '../log/rules.ts';
import { abandon, type Link, NEW_LINK, type OutgoingReader, poke, whatNext } from '../protocol/link.ts';
import { type Act, receiveAnswer } from '../protocol/station.ts';
import type { Answer, Request } from '../protocol/wire.ts';
import { StationStore } from './station-store.ts';

/** The way to central. */
export interface Transport {
  /** @throws an error whose message a person understands: no network, a captive portal, refused. */
  exchange(request: Request, signal: AbortSignal): Promise<Answer>;
}

export interface EngineOptions {
  store: Store;
  transport: Transport;
  clock: () => Date;
  /** Milliseconds to wait after the nth failure in a row, from 1. */
  backoff?: (failures: number) => number;
  /** Milliseconds between two questions for news when nothing else asks. */
  interval?: number;
  onFault?: (error: unknown) => void;
}

export interface EngineState {
  last_contact_at: string | null;
  /** Why the last try failed, in words; null after one that worked. */
  fault: string | null;
  /** Why central or this station does not go on; null while it does. */
  stuck: string | null;
  /** Own commits that central has not decided. */
  unsent: number;
  is_caught_up: boolean;
}

const INTERVAL_MS = 30_000;

/** A station's side of the exchange: one request at a time, for as long as it runs. Local work never waits for it. */
export class StationEngine {
  readonly #options: EngineOptions;
  readonly #committed: StationStore;
  readonly #writing: StationStore;
  readonly #stop = new AbortController();
  #link: Link = NEW_LINK;
  #wake: () => void = () => {};
  #running: Promise<void> | undefined;
  #failures = 0;
  #lastContact: string | null = null;
  #fault: string | null = null;
  #stuck: string | null = null;
  #isCaughtUp = false;

  constructor(options: EngineOptions) {
    const { store } = options;
    this.#options = options;
    this.#committed = new StationStore(store, syncRules, store.database.reader);
    this.#writing = new StationStore(store, syncRules, store.database);
    store.gate.hookInto(this.#writing.commitHook());
  }

  /** Goes on until `close`. */
  start(): void {
    const unfollow = this.#options.store.gate.follow(() => this.#wake());
    this.#running = this.#run().finally(unfollow);
  }

  /** Central has news. */
  poke(): void {
    this.#link = poke(this.#link);
    this.#failures = 0;
    this.#wake();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#running;
  }

  state(): EngineState {
    return {
      last_contact_at: this.#lastContact,
      fault: this.#fault,
      stuck: this.#stuck,
      unsent: this.#committed.undecided.count(),
      is_caught_up: this.#isCaughtUp,
    };
  }

  digests(): { sequence: number; digests: Record<string, string> } {
    const { sequence } = this.#committed.cursor();
    return { sequence, digests: digestsOf(this.#options.store.database.reader) };
  }

  get reader(): StationStore {
    return this.#committed;
  }

  /** One request and what follows from its answer; false when there is nothing to ask or to say. */
  async step(): Promise<boolean> {
    const { store, transport, clock } = this.#options;
    const outgoing: OutgoingReader = {
      station: store.station,
      cursor: () => this.#committed.cursor(),
      offersAfter: (place, limit) => this.#committed.offers.after(place, limit),
      ownAfter: (heads, limit) => this.#committed.ownAfter(heads, limit),
      chainInDoubt: () => this.#committed.chainInDoubt(),
    };
    for (const slot of ['down', 'up'] as const) {
      const next = whatNext(slot, this.#link, outgoing, randomUUID());
      if (!next) continue;
      this.#link = next.link;
      let answer: Answer;
      try {
        answer = await transport.exchange(next.request, this.#stop.signal);
      } catch (error) {
        this.#link = abandon(slot, this.#link);
        throw error;
      }
      this.#lastContact = clock().toISOString();
      const received = receiveAnswer(answer, this.#link, this.#committed, sha256);
      await this.#perform(received.act);
      // A poke that came meanwhile stands.
      this.#link = {
        ...received.link,
        isPoked: received.link.isPoked || this.#link.isPoked !== next.link.isPoked,
      };
      this.#isCaughtUp = answer.kind === 'page' && answer.to.sequence >= answer.last;
      return true;
    }
    return false;
  }

  async #perform(act: Act): Promise<void> {
    const { station } = this.#options.store;
    this.#stuck = act.kind === 'stuck' ? act.why : null;
    switch (act.kind) {
      case 'take':
        return this.#writing.take(act.entries, act.cursor);
      case 'cut':
        return this.#writing.cutTo(act.to);
      case 'begin_again':
        return this.#writing.beginAgain(newChain(station));
      case 'heads':
        return this.#writing.refuseOffers(act.unverified);
      case 'stuck':
        throw new Error(act.why);
      case 'none':
        return undefined;
      default:
        throw new Error(`The station cannot ${act.kind} yet.`);
    }
  }

  async #run(): Promise<void> {
    const { onFault, backoff = backoffMs, interval = INTERVAL_MS } = this.#options;
    while (!this.#stop.signal.aborted) {
      let pause = interval;
      try {
        const isBusy = await this.step();
        this.#failures = 0;
        this.#fault = null;
        if (isBusy) continue;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#failures += 1;
        this.#fault = error instanceof Error ? error.message : String(error);
        pause = backoff(this.#failures);
        onFault?.(error);
      }
      if (await this.#pause(pause)) this.#link = poke(this.#link);
    }
  }

  /** True when the time is over, false when something woke it. */
  #pause(milliseconds: number): Promise<boolean> {
    if (this.#stop.signal.aborted) return Promise.resolve(false);
    return new Promise(resolve => {
      const timer = setTimeout(() => resolve(true), milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
  }
}

/** From one second to one minute, each drawn from its upper half so that stations do not come back all at once. */
function backoffMs(failures: number): number {
  const longest = Math.min(60_000, 1_000 * 2 ** (failures - 1));
  return longest / 2 + (Math.random() * longest) / 2;
}
