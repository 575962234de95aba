import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Commit, Entry } from '../../../../server/store/changes.ts';
import { newChain } from '../../../../server/store/history.ts';
import {
  createCentralClient,
  type CentralClient as Line,
} from '../../../../server/sync/client/central-client.ts';
import { enrolWith } from '../../../../server/sync/client/enrol-with.ts';
import { sha256 } from '../../../../server/sync/log/log.ts';
import { commitHash, type LogEntry } from '../../../../server/sync/protocol/log.ts';
import type { Agreed, Proof } from '../../../../server/sync/protocol/proof.ts';
import {
  abandon,
  NEW_PROTOCOL_STATE,
  notify,
  type OutgoingReader,
  type ProtocolState,
  whatNext,
} from '../../../../server/sync/protocol/protocol-state.ts';
import { receiveAnswer, type StationReader } from '../../../../server/sync/protocol/station.ts';
import { type Answer, type Cursor, FIRST_CURSOR, SPEAKS } from '../../../../server/sync/protocol/wire.ts';
import { backoffMs } from '../../../../server/sync/station/backoff.ts';

/** As a station's engine has them. */
const MESSAGE_LIMIT = 500;
const GATHER_MS = 200;
const INTERVAL_MS = 30_000;
const STEP_MS = 10_000;
const VERSION = '1.0.0';

export interface LightStationOptions {
  /** Of central, or of a proxy before it. */
  address: string;
  /** The one-time code. */
  code: string;
  /** Each entry of the log that came, in its order. */
  onEntry: (entry: LogEntry, station: LightStation) => void;
}

/** How many messages it sent, and what was in them and in their answers. */
export interface LightCounts {
  pushes: number;
  pulls: number;
  commits: number;
  entries: number;
  failures: number;
}

/**
 * A station that speaks the real protocol by the product's own functions, and has no store: it keeps its chain, its
 * cursor, and what central has not decided yet. Every hash of the log is checked.
 */
export class LightStation {
  readonly installation: string;
  readonly block: number;
  readonly key: string;
  readonly counts: LightCounts = { pushes: 0, pulls: 0, commits: 0, entries: 0, failures: 0 };
  /** Since when it has been connected without a break, by `performance.now()`; undefined while it is not. */
  connectedSince: number | undefined;
  /** Why the last failure was one. */
  fault: unknown;
  readonly #options: LightStationOptions;
  readonly #chain: string;
  readonly #proof = new LightProof();
  /** Of the own commits, by number from 1. */
  readonly #hashes: string[] = [];
  #open: Commit[] = [];
  #cursor: Cursor = FIRST_CURSOR;
  #state: ProtocolState = NEW_PROTOCOL_STATE;
  #line: Line | undefined;
  #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #wake: () => void = () => {};
  #isWoken = false;

  private constructor(
    options: LightStationOptions,
    enrolled: { installation: string; key: string; block: number },
  ) {
    this.#options = options;
    this.installation = enrolled.installation;
    this.key = enrolled.key;
    this.block = enrolled.block;
    this.#chain = newChain(enrolled.installation);
  }

  /** As a fresh installation enrols. Not connected yet. */
  static async enrol(options: LightStationOptions): Promise<LightStation> {
    const { address, code } = options;
    const installation = randomUUID();
    const { answer } = await enrolWith({
      address,
      code,
      station: installation,
      version: VERSION,
      clock: () => new Date(),
      blocks: 0,
    });
    return new LightStation(options, { installation, key: answer.key, block: answer.block });
  }

  get cursor(): Cursor {
    return this.#cursor;
  }

  /** As one that has the log up to a place, which another has checked. To be called while it is not connected. */
  standAt(cursor: Cursor): void {
    this.#cursor = cursor;
  }

  /** Own commits that the log has not brought back. */
  get unsent(): readonly Commit[] {
    return this.#open;
  }

  /** A commit of its own, next in its chain; answers its id. */
  write(entries: Entry[], at: string = new Date().toISOString()): string {
    const commit: Commit = {
      chain: this.#chain,
      number: this.#hashes.length + 1,
      commit_id: randomUUID(),
      at,
      clock_offset: null,
      user: 'tester',
      reason: null,
      entries,
      previous_hash: this.#hashes.at(-1) ?? '',
      hash: '',
    };
    const whole = { ...commit, hash: commitHash(commit, sha256) };
    this.#hashes.push(whole.hash);
    this.#open.push(whole);
    this.#rouse();
    return whole.commit_id;
  }

  /** Follows the pokes, and exchanges until `disconnect`. */
  connect(): void {
    if (this.#line) return;
    const line = createCentralClient({ address: this.#options.address, key: this.key, trust: {} });
    this.#line = line;
    this.#stop = new AbortController();
    this.#state = notify(this.#state);
    const { signal } = this.#stop;
    this.#running = Promise.all([this.#follow(line, signal), this.#run(line, signal)]);
  }

  /** As when the network goes. */
  async disconnect(): Promise<void> {
    this.connectedSince = undefined;
    this.#stop.abort();
    this.#rouse();
    this.#line?.close();
    await this.#running;
    this.#line = undefined;
  }

  /** The next message, where there is one to send. */
  async step(line: Line, signal: AbortSignal): Promise<{ isBusy: boolean; hadAll: boolean }> {
    for (const slot of ['down', 'up'] as const) {
      const next = whatNext(slot, this.#state, this.#outgoing(), randomUUID(), MESSAGE_LIMIT);
      if (!next) continue;
      const { request } = next;
      this.#state = next.state;
      try {
        const unsent = this.#open.length;
        const about = { version: VERSION, speaks: SPEAKS, unsent, clock: new Date().toISOString() };
        const message = { ...request, proof: this.#proof.present(), about };
        // Not parsed again: what a station refuses of an answer is tested elsewhere, and costs more than all else here.
        const answer = (await line.request('POST', '/x/sync/exchange', message, { signal })) as Answer & {
          agreed?: Agreed;
        };
        this.#proof.agree(answer.agreed);
        const received = receiveAnswer(answer, this.#state, this.#reader(), sha256);
        if (request.kind === 'push') {
          this.counts.pushes += 1;
          this.counts.commits += request.commits.length;
        } else this.counts.pulls += 1;
        if (received.act.kind === 'take') this.#take(received.act.entries, received.act.cursor);
        else if (received.act.kind === 'cut') this.#cursor = received.act.to;
        else if (received.act.kind !== 'none' && received.act.kind !== 'heads') {
          throw new Error(`A light station cannot ${received.act.kind}.`);
        }
        const wasNotified = this.#state.isNotified !== next.state.isNotified;
        this.#state = { ...received.state, isNotified: received.state.isNotified || wasNotified };
        const hadAll =
          request.kind === 'push'
            ? request.commits.length < MESSAGE_LIMIT
            : answer.kind === 'page' && answer.to.sequence >= answer.last;
        return { isBusy: true, hadAll };
      } catch (error) {
        this.#state = abandon(slot, this.#state);
        throw error;
      }
    }
    return { isBusy: false, hadAll: true };
  }

  async #run(line: Line, signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const { isBusy, hadAll } = await this.step(line, signal);
        failures = 0;
        this.connectedSince ??= performance.now();
        if (isBusy && hadAll) await this.#sleep(GATHER_MS, signal);
        if (!isBusy && (await this.#pause())) this.#state = notify(this.#state);
      } catch (error) {
        if (signal.aborted) return;
        // Refused or cut off: tried again as a station does.
        failures += 1;
        this.counts.failures += 1;
        this.fault = error;
        await this.#sleep(backoffMs(failures), signal);
      }
    }
  }

  async #follow(line: Line, signal: AbortSignal): Promise<void> {
    const onNews = () => {
      this.#state = notify(this.#state);
      this.#rouse();
    };
    for (let failures = 1; !signal.aborted; failures += 1) {
      // A stream that ends, whatever ended it, is followed again.
      await line.stream('/x/sync/pokes', onNews, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#sleep(backoffMs(failures), signal);
    }
  }

  #take(entries: readonly LogEntry[], cursor: Cursor): void {
    this.#cursor = cursor;
    this.counts.entries += entries.length;
    const decided = new Set(entries.map(({ commit }) => commit.commit_id));
    if (this.#open.some(({ commit_id }) => decided.has(commit_id))) {
      this.#open = this.#open.filter(({ commit_id }) => !decided.has(commit_id));
    }
    for (const entry of entries) this.#options.onEntry(entry, this);
  }

  #outgoing(): OutgoingReader {
    return {
      station: this.installation,
      cursor: () => this.#cursor,
      snapshot: () => undefined,
      offersAfter: () => [],
      ownAfter: (heads, limit) =>
        this.#open.filter(({ number }) => number > (heads[this.#chain] ?? 0)).slice(0, limit),
      chainInDoubt: () => this.#open[0]?.chain,
      hashAt: (chain, number) => this.#reader().hashAt(chain, number),
    };
  }

  #reader(): StationReader {
    return {
      cursor: () => this.#cursor,
      logStart: () => 0,
      snapshot: () => undefined,
      snapshotUntil: () => undefined,
      farBehind: () => Number.POSITIVE_INFINITY,
      logHashAt: sequence =>
        sequence === 0 ? '' : sequence === this.#cursor.sequence ? this.#cursor.hash : undefined,
      ownChain: () => this.#chain,
      isOwn: chain => chain === this.#chain,
      head: () => ({ number: this.#hashes.length, hash: this.#hashes.at(-1) ?? '' }),
      hashAt: (chain, number) => (chain === this.#chain ? this.#hashes[number - 1] : undefined),
      commitAt: place => this.#open.find(({ number }) => number === place.number),
    };
  }

  #rouse(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** True when nothing woke it in time. */
  async #pause(): Promise<boolean> {
    if (!this.#isWoken) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, INTERVAL_MS);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const isOver = !this.#isWoken;
    this.#isWoken = false;
    return isOver;
  }

  async #sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    // Ended early by `disconnect` alone.
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}

/** Steps as `StationProof` takes them, in memory: nobody copies a disk that there is not. */
class LightProof {
  #agreed: Agreed = { count: 0, proof: '', countersignature: '' };
  #sent: Proof | undefined;
  #isAnswered = true;
  #steppedAt = Number.NEGATIVE_INFINITY;

  present(): Proof {
    const now = performance.now();
    if (this.#sent && !(this.#isAnswered && now - this.#steppedAt >= STEP_MS)) return this.#sent;
    this.#sent = { ...this.#agreed, next: randomBytes(16).toString('base64url') };
    this.#isAnswered = false;
    this.#steppedAt = now;
    return this.#sent;
  }

  agree(to: Agreed | undefined): void {
    if (!to || to.proof !== this.#sent?.next) return;
    this.#agreed = to;
    this.#isAnswered = true;
  }
}
