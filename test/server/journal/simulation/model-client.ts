import { EventEmitter } from 'node:events';
import type { ClientConfig, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { JournalClient } from '../../../../server/journal/connection.ts';
import type { Cluster, Peer } from './model-parts.ts';
import type { ModelSession } from './model-session.ts';
import type { Actor } from './virtual-time.ts';

interface Asked {
  answer: PromiseWithResolvers<QueryResult>;
  isOver: boolean;
}

/** A server that takes connections while it is up. */
interface Accepting {
  readonly isUp: boolean;
  accept(client: Peer): ModelSession;
}

/** The driver's end of a connection: what is sent comes in its order, late, or not at all where the connection is cut. */
export class ModelClient extends EventEmitter implements JournalClient, Peer {
  readonly actor: Actor;
  readonly #cluster: Cluster & { nodes: ReadonlyMap<string, Accepting> };
  readonly #config: ClientConfig;
  readonly #asked: Asked[] = [];
  #session: ModelSession | undefined;
  /** When what was sent last comes to the other end, there and back. */
  #there = 0;
  #back = 0;
  /** Nothing comes through any more. */
  #isCut = false;
  /** This end has given up, or heard. */
  #isEnded = false;

  constructor(
    cluster: Cluster & { nodes: ReadonlyMap<string, Accepting> },
    actor: Actor,
    config: ClientConfig,
  ) {
    super();
    this.#cluster = cluster;
    this.actor = actor;
    this.#config = config;
  }

  connect(): Promise<void> {
    const { world, nodes } = this.#cluster;
    const host = /@([^/?]+)/.exec(this.#config.connectionString ?? '')?.[1] ?? '';
    const node = nodes.get(host);
    if (!node) throw new Error(`There is no ${host}.`);
    return new Promise((resolve, reject) => {
      const limit = this.#config.connectionTimeoutMillis ?? 0;
      const late = world.after(limit, '', () => reject(new Error('timeout expired')), this.actor);
      this.#send(() => {
        const session = node.isUp ? node.accept(this) : undefined;
        this.#answer(() => {
          late.isCancelled = true;
          this.#session = session;
          if (session) resolve();
          else reject(new Error('connect ECONNREFUSED'));
        });
      });
    });
  }

  query<Row extends QueryResultRow>({ text, values = [] }: QueryConfig): Promise<QueryResult<Row>> {
    const answer = Promise.withResolvers<QueryResult<Row>>();
    if (this.actor.isDead) return answer.promise;
    if (this.#isEnded) {
      answer.reject(new Error('Client was closed and is not queryable'));
      return answer.promise;
    }
    const asked: Asked = { answer: answer as unknown as Asked['answer'], isOver: false };
    this.#asked.push(asked);
    const limit = typeof this.#config.query_timeout === 'number' ? this.#config.query_timeout : 0;
    const late = this.#cluster.world.after(
      limit,
      '',
      () => {
        asked.isOver = true;
        answer.reject(new Error('Query read timeout'));
      },
      this.actor,
    );
    const settle = (told: QueryResult | Error) => {
      late.isCancelled = true;
      if (asked.isOver) return;
      asked.isOver = true;
      if (told instanceof Error) answer.reject(told);
      else answer.resolve(told as QueryResult<Row>);
    };
    this.#send(() => this.#session?.take(text, values, told => this.#answer(() => settle(told))));
    return answer.promise;
  }

  async end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.hangUp();
    this.#fail('Connection terminated');
  }

  /** Told by the server. */
  notified(payload: string): void {
    this.#answer(() => this.emit('notification', { payload }));
  }

  /** The server has ended it. */
  ended(): void {
    this.#answer(() => this.#hear());
  }

  /** What was sent before comes there before it. */
  hangUp(): void {
    this.#send(() => this.#session?.close());
  }

  /** What is on its way is lost; where it is silent, both ends find out by waiting. */
  cut(isSilent: boolean): void {
    if (this.#isCut || this.#isEnded) return;
    this.#isCut = true;
    if (isSilent) return;
    const { world } = this.#cluster;
    world.after(world.random.below(40), '', () => this.#hear(), this.actor);
    world.after(world.random.below(40), '', () => this.#session?.close());
  }

  #hear(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#fail('Connection terminated unexpectedly');
    this.emit('error', new Error('Connection terminated unexpectedly'));
    this.emit('end');
  }

  #fail(why: string): void {
    for (const asked of this.#asked.splice(0)) {
      if (asked.isOver) continue;
      asked.isOver = true;
      asked.answer.reject(new Error(why));
    }
  }

  #send(come: () => void): void {
    const { world } = this.#cluster;
    this.#there = Math.max(this.#there, world.now + this.#way());
    // What was on its way when it was cut has come there or has not.
    const comesAnyway = world.oneIn(2);
    if (this.#isCut) return;
    world.after(this.#there - world.now, '', () => {
      if (!this.#isCut || comesAnyway) come();
    });
  }

  #answer(come: () => void): void {
    const { world } = this.#cluster;
    this.#back = Math.max(this.#back, world.now + this.#way());
    const at = this.#back - world.now;
    world.after(at, '', () => {
      // It lies in the buffer of the machine until the process reads it.
      if (!this.#isCut) world.after(0, '', () => this.#isEnded || come(), this.actor);
    });
  }

  #way(): number {
    const { world } = this.#cluster;
    const { random } = world;
    return world.oneIn(60) ? 5 + random.below(400) : 0.2 + random.below(20) / 10;
  }
}
