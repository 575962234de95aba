import { randomUUID } from 'node:crypto';
import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import type { EndSigner } from '../../keys/signed-end.ts';
import { expectGarbage } from '../../store/gc-tuning.ts';
import { newChain } from '../../store/history.ts';
import type { Store } from '../../store/store.ts';
import { HOLD_SUBJECT } from '../../store/subjects.ts';
import { inTurns } from '../../store/yield-to-event-loop.ts';
import { digestsOf, type LogDigests } from '../log/digest.ts';
import { sha256 } from '../log/log.ts';
import { syncRules } from '../log/rules.ts';
import type { Decision } from '../protocol/decide.ts';
import type { HoldDecision } from '../protocol/decide-in-log.ts';
import { type CommitPlace, type Unpacked, unpackingEntries } from '../protocol/packed-entries.ts';
import {
  abandon,
  NEW_PROTOCOL_STATE,
  notify,
  type ProtocolState,
  type Slot,
  slotOf,
  whatNext,
} from '../protocol/protocol-state.ts';
import { type Act, receiveAnswer } from '../protocol/station.ts';
import type { PullRequest, Request, SnapshotRequest } from '../protocol/wire.ts';
import { backoffMs } from './backoff.ts';
import { followLog } from './follow-log.ts';
import { HeldOff } from './held-off.ts';
import { Line } from './line.ts';
import { outgoing } from './outgoing.ts';
import { ownCommits } from './own-commits.ts';
import { PagePrefetch } from './page-prefetch.ts';
import { PushPipeline } from './push-pipeline.ts';
import type { PushPullState } from './push-pull-state.ts';
import { signedPush } from './signed-push.ts';
import type { StationProof } from './station-proof.ts';
import { StationStore } from './station-store.ts';
import { type Answered, isWhole, type Sending, type Transport } from './transport.ts';
import { Wait } from './wait.ts';
import { WakeableSleep } from './wakeable-sleep.ts';
import { withdrawal } from './withdrawal.ts';

export interface PushPullOptions {
  store: Store;
  transport: Transport;
  clock: () => Date;
  /** Milliseconds that only go forward. */
  now?: () => number;
  /** Milliseconds to wait after the nth failure in a row, from 1. */
  backoff?: (failures: number) => number;
  /** Milliseconds between two questions for news when nothing else asks. */
  interval?: number;
  /** Entries of the log that are more than to take all records. */
  farBehind?: number;
  /** Commits, or entries of the log, in one message: 500 unless given. */
  limit?: number;
  /** That this is the newest machine of the station; without one central cannot tell. */
  proof?: StationProof;
  /** By which the station signs what it sends. */
  authority?: EndSigner;
  onFault?: (error: unknown) => void;
}

const INTERVAL_MS = 30_000;
/** In one message: each is one transaction here, which local writes wait for. */
const MESSAGE_LIMIT = 500;
/** Between messages that were not full, in milliseconds: few large ones disturb local writes less than many small. */
const GATHER_MS = 200;

/** Why a request failed. */
type Failure = { cause: unknown };

/**
 * A station's side of the exchange, for as long as it runs: one question at a time, and of pushes the next one while the
 * last is answered. Local work never waits for it.
 */
export class PushPullLoop {
  readonly #options: PushPullOptions;
  readonly #limit: number;
  readonly #committed: StationStore;
  readonly #writing: StationStore;
  readonly #stop = new AbortController();
  #state: ProtocolState = NEW_PROTOCOL_STATE;
  readonly #sleep = new WakeableSleep();
  #running: Promise<void> | undefined;
  #failures = 0;
  /** Whether the last message had all that there was to say or to ask. */
  #hadAll = true;
  /** The push that was sent before the one before it was answered. */
  #sentAhead: { taken: Promise<Failure | undefined>; leave: AbortController } | undefined;
  readonly #line: Line;
  /** Pushes that more did not fit into. */
  readonly #cut = new WeakSet<Request>();
  readonly #pipeline = new PushPipeline();
  readonly #prefetch: PagePrefetch<Answered>;
  #turn: Promise<unknown> = Promise.resolve();
  #hasSentAll = true;
  #lastContact: string | null = null;
  #fault: unknown;
  #faults = 0;
  #stuck: string | null = null;
  #isCaughtUp = false;
  /** While it lasts nothing is sent; what central has to say is read all the same. */
  readonly #wait: Wait;
  #doubled: PushPullState['doubled'] = null;
  /** Whether the log may have brought what has to be issued again. */
  #isReissueDue = true;
  /** The last sequence of central's log, as far as it was told. */
  #last: number | null = null;
  #digestsAgree: boolean | null = null;

  constructor(options: PushPullOptions) {
    const { store, farBehind, limit = MESSAGE_LIMIT } = options;
    this.#options = options;
    this.#limit = limit;
    this.#line = new Line(options.clock);
    this.#wait = new Wait(options.clock, options.now ?? (() => performance.now()));
    this.#committed = new StationStore(store, syncRules, store.database.reader, { farBehind });
    const { sent } = this.#committed;
    this.#writing = new StationStore(store, syncRules, store.database, { sent });
    store.gate.hookInto(ownCommits(store, this.#writing, syncRules));
    this.#prefetch = new PagePrefetch(async request =>
      this.#options.transport.exchange(request, { signal: this.#stop.signal }),
    );
  }

  /** Goes on until `close`. Again does nothing. */
  start(): void {
    if (this.#running) return;
    const unfollow = this.#options.store.gate.follow(() => {
      // While central is not to be reached, what is written here is no reason to try sooner.
      if (this.#failures === 0) this.#sleep.wake();
    });
    this.#running = this.#run().finally(async () => {
      unfollow();
      await this.#giveUpAhead();
    });
  }

  /** Central has news. */
  notify(): void {
    this.#state = notify(this.#state);
    this.#failures = 0;
    this.#sleep.wake();
  }

  /**
   * Takes an answer that came in a file, to a question that nobody waits for.
   * @param receive what follows from it, in its turn
   */
  takeCarried(answer: Answered, receive: () => Act): Promise<Act> {
    return this.#inTurn(async () => {
      if (this.#committed.wasHeldOff()) {
        await this.#beginAfterHeldOff();
        return { kind: 'begin_again' };
      }
      const act = receive();
      await this.#perform(act);
      const isAnew = act.kind === 'cut' || act.kind === 'begin_again';
      this.#state = isAnew ? NEW_PROTOCOL_STATE : notify(this.#state);
      if (act.kind === 'take' && act.cursor.sequence >= answer.last) await this.#atEnd();
      this.#compare(answer.epoch, answer.digests);
      return act;
    });
  }

  /** A file of central says that it goes on with another machine. */
  async noteOther(): Promise<void> {
    await this.#inTurn(async () => this.#writing.noteHeldOff());
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#sleep.wake();
    await (this.#running ?? this.#giveUpAhead());
  }

  state(): PushPullState {
    return {
      last_contact_at: this.#lastContact,
      fault: this.#fault,
      faults: this.#faults,
      stuck: this.#stuck,
      unsent: this.#committed.pendingCommits.unheld(),
      unread: this.#unread(),
      is_caught_up: this.#isCaughtUp,
      digests_agree: this.#digestsAgree,
      doubled: this.#doubled,
      slowed: this.#wait.state,
      line: this.#line.state(),
    };
  }

  /**
   * A person at the station that wrote a held commit gives it up; central hears of it when there is a connection.
   * @throws AppError as `withdrawal`
   */
  async withdraw(decision: Omit<HoldDecision, 'decision'>): Promise<void> {
    const { gate } = this.#options.store;
    await this.#writing.writeOwn(() => [withdrawal(this.#writing, decision, gate.clockSays())]);
    this.#sleep.wake();
  }

  /** Whether a held commit was withdrawn here, and central has not said so yet. */
  isGivenUp(commit: string): boolean {
    return this.#committed.pendingCommits.names(`${HOLD_SUBJECT}${commit}`);
  }

  digests(): LogDigests {
    const { sequence } = this.#committed.cursor();
    return { sequence, digests: digestsOf(this.#options.store.database.reader) };
  }

  get reader(): StationStore {
    return this.#committed;
  }

  /**
   * What there is to ask and to say, and what follows from the answers; false when there is nothing. Central has the next
   * push before it has answered one, so that it never waits for this station while there is more to send.
   */
  async step(): Promise<boolean> {
    const down = await this.#inTurn(async () => this.#next('down'));
    const asked = down ? [this.#exchange(down)] : [];
    // The question is on its way before it is worked out what to send.
    if (down) await new Promise(setImmediate);
    const push = this.#sentAhead ? undefined : await this.#inTurn(async () => this.#next('up'));
    const sent = Promise.withResolvers<void>();
    const up = push ? this.#exchange(push, { onSent: sent.resolve }) : this.#sentAhead?.taken;
    if (this.#sentAhead) sent.resolve();
    this.#sentAhead = undefined;
    if (up) asked.push(up);
    if (up && this.#pipeline.isAllowed) asked.push(this.#sendAhead(Promise.race([sent.promise, up])));
    const [failure] = (await Promise.all(asked)).filter(one => one !== undefined);
    if (failure) {
      await this.#giveUpAhead();
      throw failure.cause;
    }
    return asked.length > 0;
  }

  /** Sends what follows the push that is waited for, once that is sent; answers why it could not be read. */
  async #sendAhead(sent: Promise<unknown>): Promise<Failure | undefined> {
    await sent;
    try {
      const request = await this.#inTurn(async () => this.#next('ahead'));
      const leave = new AbortController();
      if (request) this.#sentAhead = { taken: this.#exchange(request, { signal: leave.signal }), leave };
      return undefined;
    } catch (cause) {
      return { cause };
    }
  }

  async #giveUpAhead(): Promise<void> {
    this.#sentAhead?.leave.abort();
    await this.#sentAhead?.taken;
    this.#sentAhead = undefined;
  }

  /** The next request of a kind, which is waited for from now on. */
  #next(slot: Slot): Request | undefined {
    if (slot !== 'down' && (!this.#mayPush() || this.#wait.left > 0)) return undefined;
    const own = outgoing(this.#options.store.station, this.#committed, this.#line.up.size);
    const asked = slot === 'down' ? this.#prefetch.nameAt(this.#committed.cursor()) : undefined;
    const nextAs = (name: string) => whatNext(slot, this.#state, own, name, this.#limit);
    let next = nextAs(asked ?? randomUUID());
    // A page was asked for: of any other request the name is its own.
    if (asked !== undefined && next?.request.kind !== 'pull') next = nextAs(randomUUID());
    if (!next) return undefined;
    const proof = this.#options.proof?.present();
    const request: Request = this.#signed({ ...next.request, ...(proof && { proof }) });
    this.#state = next.state;
    if (request.kind === 'pull' || request.kind === 'snapshot') return this.#sized(request);
    if (request.kind === 'push') {
      this.#committed.sent.add(request.commits);
      if (own.isCut()) this.#cut.add(request);
    }
    return request;
  }

  #signed(request: Request): Request {
    const { authority, store } = this.#options;
    return request.kind === 'push' ? signedPush(store.database.reader, authority, request) : request;
  }

  #mayPush(): boolean {
    const station = this.#committed;
    return this.#isAlone() && !station.wasHeldOff() && !station.isIssuingAgain();
  }

  #isAlone(): boolean {
    return this.#options.proof?.isAlone() ?? true;
  }

  /** No more is asked for than the line carries in a short time: when it is cut, only that is asked for again. */
  #sized<Asked extends PullRequest | SnapshotRequest>(request: Asked): Asked {
    return { ...request, size: this.#line.down.size };
  }

  /** Sends a request and takes the answer, when it is its turn; answers why that failed, if it did. */
  async #exchange(
    request: Request,
    { signal: leave, ...sending }: Partial<Sending> = {},
  ): Promise<Failure | undefined> {
    const signal = leave ? AbortSignal.any([this.#stop.signal, leave]) : this.#stop.signal;
    const asking = async () =>
      this.#prefetch.answerTo(request) ?? this.#options.transport.exchange(request, { ...sending, signal });
    const [coming] = await Promise.allSettled([asking()]);
    return this.#inTurn(async () => {
      try {
        if (coming.status === 'rejected') throw coming.reason;
        const { passage, ...answer } = coming.value;
        if (passage) this.#line.passed(request, passage, entriesIn(answer));
        await this.#take(request, answer);
        return undefined;
      } catch (cause) {
        this.#options.proof?.failed();
        await this.#noteRefusal(cause);
        this.#line.failed(request, cause);
        if (request.kind === 'push') this.#pipeline.failed();
        // Whatever it was, nobody waits for this answer any more.
        const slot = slotOf(request.request, this.#state);
        if (slot) this.#state = abandon(slot, this.#state);
        this.#wait.failed(cause);
        // It is waited for, and no failure: reading goes on.
        return request.kind === 'push' && this.#wait.left > 0 ? undefined : { cause };
      }
    });
  }

  async #noteRefusal(cause: unknown): Promise<void> {
    if (cause instanceof HeldOff) {
      this.#doubled = { ...cause.doubled, is_held_off: true };
      await this.#writing.noteHeldOff();
    }
    // With its key all that central knew of its machines is gone.
    if (cause instanceof AppError && cause.code === 'unauthenticated') this.#doubled = null;
  }

  /** Whatever follows from the state and changes it is done one after the other; only a notification comes in between. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #take(request: Request, answer: Answered): Promise<void> {
    if (answer.request !== request.request) {
      throw new Error('Central answered another question. It is asked again.');
    }
    this.#lastContact = this.#options.clock().toISOString();
    this.#last = answer.last;
    this.#options.proof?.agree(answer.agreed);
    // The other machine may have given the same ids meanwhile.
    if (this.#committed.wasHeldOff()) return this.#beginAfterHeldOff();
    // To the one that goes on it is news until a person has said that it does.
    const isNews = answer.doubled && !answer.doubled.is_decided;
    this.#doubled = isNews && answer.doubled ? { ...answer.doubled, is_held_off: false } : null;
    const unpacked = await this.#unpacked(answer);
    const before = this.#state;
    const slot = slotOf(answer.request, before);
    const received = receiveAnswer(answer, before, this.#committed, sha256, unpacked);
    this.#pipeline.told(answer.pushes);
    if (slot === 'up') this.#pipeline.answered();
    if (slot === 'ahead') this.#pipeline.failed();
    if (slot === undefined || slot === 'ahead') {
      // It says nothing of what is waited for.
      this.#state = received.state;
      return;
    }
    const isMore = request.kind === 'pull' && answer.kind === 'page' && answer.to.sequence < answer.last;
    // What is answered to a push says more of the heads than a page that was asked for before.
    if (request.kind === 'push') this.#prefetch.giveUp();
    else if (isMore && received.act.kind === 'take' && received.state.up === null) {
      this.#prefetch.ask(this.#sized(request), answer.to, randomUUID());
    }
    await this.#perform(received.act);
    // A notification that came meanwhile stands.
    const isMet = received.state.isNotified || this.#state.isNotified !== before.isNotified;
    const isNotified = isMet || !this.#isAlone();
    this.#state = { ...received.state, isNotified };
    this.#isCaughtUp = answer.kind === 'page' && answer.to.sequence >= answer.last;
    if (this.#isCaughtUp && received.act.kind === 'take') await this.#atEnd();
    const isAll = isWhole(request, answer, this.#limit, this.#cut.has(request));
    if (!isAll) expectGarbage();
    if (request.kind === 'push') this.#hasSentAll = isAll;
    // With more to send, nothing is gained by waiting for more.
    this.#hadAll = isAll && this.#hasSentAll;
    this.#compare(answer.epoch, answer.digests);
  }

  /** The entries of a page in steps: each is hashed, and a page has hundreds, or one of thousands of records. */
  async #unpacked(answer: Answered): Promise<Unpacked | undefined> {
    if (answer.kind !== 'page' || !answer.packed) return undefined;
    const commitAt = (place: CommitPlace) => this.#committed.commitAt(place);
    return inTurns(unpackingEntries(answer.from, answer.packed, commitAt, sha256));
  }

  /** What this answer says is of the chain that is left. */
  async #beginAfterHeldOff(): Promise<void> {
    this.#committed.sent.clear();
    this.#prefetch.giveUp();
    await this.#writing.beginAgain(newChain(this.#options.store.station));
    this.#state = NEW_PROTOCOL_STATE;
  }

  /** Entries of central's log that are not here; null where that is not known, as while records come in their place. */
  #unread(): number | null {
    if (this.#last === null || this.#committed.snapshot()) return null;
    return Math.max(0, this.#last - this.#committed.cursor().sequence);
  }

  /** Only at the same place of the same log are the digests of the same records. */
  #compare(epoch: string, theirs: LogDigests | undefined): void {
    const own = this.digests();
    if (theirs && this.#committed.cursor().epoch === epoch && own.sequence === theirs.sequence) {
      this.#digestsAgree = sameJson(own.digests, theirs.digests);
    }
  }

  async #perform(act: Act): Promise<void> {
    const { station } = this.#options.store;
    this.#stuck = act.kind === 'stuck' ? act.why : null;
    if (act.kind === 'cut' || act.kind === 'begin_again') this.#committed.sent.clear();
    switch (act.kind) {
      case 'take':
        await this.#writing.take(act.entries, act.cursor);
        this.#isReissueDue ||= act.entries.some(({ decisions }) => isNoPlain(decisions));
        return undefined;
      case 'cut':
        return act.isAnew ? this.#writing.cutAnew(act.to, act.heads) : this.#writing.cutTo(act.to);
      case 'begin_snapshot':
        return this.#writing.beginSnapshot();
      case 'records':
        await this.#writing.takeRecords(act.page);
        this.#isReissueDue = true;
        return undefined;
      case 'begin_again':
        return this.#writing.beginAgain(newChain(station));
      case 'heads':
        return this.#writing.noteOffers(act);
      case 'stuck':
        throw new Error(act.why);
      case 'none':
        return undefined;
    }
  }

  /** Once the whole log was read: another machine may have issued the same again, which stands further on. */
  async #atEnd(): Promise<void> {
    if (this.#committed.isIssuingAgain()) {
      this.#committed.sent.clear();
      await this.#writing.issueOwnAgain();
      this.#isReissueDue = true;
    }
    if (!this.#isReissueDue) return;
    const { store, clock } = this.#options;
    while (await followLog(store, this.#writing, clock().toISOString()));
    this.#isReissueDue = false;
  }

  async #run(): Promise<void> {
    const { onFault, backoff = backoffMs, interval = INTERVAL_MS } = this.#options;
    while (!this.#stop.signal.aborted) {
      let pause = interval;
      try {
        const hadAll = this.#hadAll;
        const isBusy = await this.step();
        if (this.#wait.left > 0) pause = Math.min(interval, this.#wait.left);
        this.#failures = 0;
        this.#fault = undefined;
        if (isBusy) {
          // The end of much is taken without a pause.
          if (this.#hadAll && hadAll) await this.#sleep.rest(GATHER_MS, this.#stop.signal);
          continue;
        }
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#failures += 1;
        this.#faults += 1;
        this.#fault = error;
        pause = Math.max(backoff(this.#failures), this.#wait.left);
        onFault?.(error);
      }
      if (await this.#sleep.wait(pause, this.#stop.signal)) this.#state = notify(this.#state);
    }
  }
}

function isNoPlain(decisions: readonly Decision[]): boolean {
  return decisions.length !== 1 || decisions[0]?.outcome !== 'applied';
}

function entriesIn(answer: Answered): number {
  return answer.kind === 'page' ? (answer.packed ?? answer.entries).length : 0;
}
