import {
  type Cluster,
  type EntryRow,
  type Peer,
  refusal,
  type Server,
  type State,
  type TurnRow,
  type Written,
} from './model-parts.ts';
import { ModelSession } from './model-session.ts';

/** One server: its log on its disk, what of it others see, its sessions, and who has the head's row. */
export class ModelNode implements Server<ModelSession> {
  readonly name: string;
  readonly cluster: Cluster;
  isUp = true;
  isStandby = false;
  /** Transactions that are on its disk. */
  log: Written[] = [];
  state: State = { head: undefined, turns: [], entries: [] };
  #sessions = new Set<ModelSession>();
  #holder: ModelSession | undefined;
  #queue: { session: ModelSession; go: () => void }[] = [];
  /** Another for each time that it runs. */
  #run = 0;

  constructor(name: string, cluster: Cluster) {
    this.name = name;
    this.cluster = cluster;
  }

  accept(client: Peer): ModelSession {
    const session = new ModelSession(this, client);
    this.#sessions.add(session);
    return session;
  }

  /** Ends all sessions; what is not on the disk is gone. */
  stop(): void {
    this.isUp = false;
    this.#run += 1;
    const sessions = [...this.#sessions];
    this.#sessions.clear();
    this.#queue = [];
    this.#holder = undefined;
    for (const session of sessions) session.end(true);
  }

  /** All that is on the disk is seen. */
  start(): void {
    this.#run += 1;
    this.isUp = true;
    this.state = { head: undefined, turns: [], entries: [] };
    for (const written of this.log) this.#show(written);
    if (!this.isStandby) this.#sendRest();
  }

  /** Has the other's log in the place of its own. */
  copy(other: ModelNode): void {
    this.log = [...other.log];
  }

  left(session: ModelSession): void {
    this.#sessions.delete(session);
    this.#queue = this.#queue.filter(waiting => waiting.session !== session);
    this.unlock(session);
  }

  notify(payload: string): void {
    for (const session of this.#sessions) if (session.isListening) session.notify(payload);
  }

  lock(session: ModelSession, limitMs: number): Promise<void> {
    if (this.#holder === undefined || this.#holder === session) {
      this.#holder = session;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiting = {
        session,
        go: () => {
          late.isCancelled = true;
          resolve();
        },
      };
      const late = this.cluster.world.after(limitMs, '', () => {
        this.#queue = this.#queue.filter(each => each !== waiting);
        reject(refusal('55P03', 'canceling statement due to lock timeout'));
      });
      this.#queue.push(waiting);
    });
  }

  unlock(session: ModelSession): void {
    if (this.#holder !== session) return;
    const next = this.#queue.shift();
    this.#holder = next?.session;
    next?.go();
  }

  /** On the disk at once; seen, and answered, when the standby has it where that is waited for. */
  async flush(written: Written): Promise<void> {
    const run = this.#run;
    this.log.push(written);
    const { isSynchronous, standby } = this.cluster;
    const sent = this.#send(this.log.length);
    if (isSynchronous && standby) await sent;
    if (run === this.#run) this.#show(written);
  }

  refuseDoubled(turn: TurnRow, entries: readonly EntryRow[]): void {
    const { state } = this;
    const isDoubled =
      state.turns.some(({ position, id }) => position === turn.position || id === turn.id) ||
      entries.some(entry =>
        state.entries.some(
          ({ sequence, chain, number }) =>
            sequence === entry.sequence || (chain === entry.chain && number === entry.number),
        ),
      );
    if (isDoubled) throw refusal('23505', 'duplicate key value violates unique constraint');
  }

  /** The log up to there comes to the standby, and word of it back. */
  #send(length: number): Promise<void> {
    const { world } = this.cluster;
    const run = this.#run;
    return new Promise(resolve => {
      const attempt = () => {
        const { standby, standbyCutUntil, isSynchronous } = this.cluster;
        if (run !== this.#run) return;
        if (!standby || standbyCutUntil > world.now) {
          world.after(Math.max(50, standbyCutUntil - world.now), '', attempt);
          return;
        }
        for (const each of this.log.slice(standby.log.length, length)) standby.log.push(each);
        // Word of it comes back later, or not where one of the two is gone by then.
        world.after(world.random.below(isSynchronous ? 3 : 1), '', () => run === this.#run && resolve());
      };
      world.after(world.random.below(this.cluster.isSynchronous ? 4 : 600), '', attempt);
    });
  }

  #sendRest(): void {
    void this.#send(this.log.length);
  }

  #show({ head, turn, entries }: Written): void {
    if (head) this.state.head = head;
    if (turn) this.state.turns.push(turn);
    if (entries) this.state.entries.push(...entries);
  }
}
