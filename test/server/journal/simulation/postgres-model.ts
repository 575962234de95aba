import type { JournalDriver } from '../../../../server/journal/connection.ts';
import { ModelClient } from './model-client.ts';
import { ModelNode } from './model-node.ts';
import type { Cluster } from './model-parts.ts';
import type { Actor, World } from './virtual-time.ts';

/** Two servers, the first of which begins as the primary; the names are hosts of the address. */
export const URL = 'postgres://journal@one,two/central';

/**
 * A model of two PostgreSQL servers: transactions with READ COMMITTED, the lock of the head's row, a log that is sent to the
 * standby, COMMIT that waits for it or does not, restarts, and promotion. It knows the journal's statements and no others.
 */
export class PostgresModel implements Cluster {
  readonly world: World;
  readonly nodes: ReadonlyMap<string, ModelNode>;
  readonly isSynchronous: boolean;
  refusesOneIn = 0;
  isSilent = false;
  standbyCutUntil = 0;
  readonly #clients = new Set<ModelClient>();
  #primary: ModelNode;

  constructor(world: World, isSynchronous: boolean) {
    this.world = world;
    this.isSynchronous = isSynchronous;
    const [one, two] = [new ModelNode('one', this), new ModelNode('two', this)];
    this.nodes = new Map([one, two].map(node => [node.name, node]));
    this.#primary = one;
    two.isStandby = true;
  }

  get primary(): ModelNode {
    return this.#primary;
  }

  /** The other one, where it is up and has all but what is on its way. */
  get standby(): ModelNode | undefined {
    return [...this.nodes.values()].find(node => node.isStandby && node.isUp);
  }

  /** For the journal of an actor. */
  driverOf(actor: Actor): JournalDriver {
    return config => {
      const client = new ModelClient(this, actor, config);
      this.#clients.add(client);
      return client;
    };
  }

  /** @param isSilent whether neither end hears of it */
  cut(actor: Actor, isSilent: boolean): void {
    for (const client of this.#clients) if (client.actor === actor) client.cut(isSilent);
  }

  /** The machine says for its dead process that it is gone, behind what it has sent. */
  hangUp(actor: Actor): void {
    for (const client of this.#clients) {
      if (client.actor !== actor) continue;
      client.hangUp();
      this.#clients.delete(client);
    }
  }

  /** What was flushed is there after, also where nobody was told; it is seen, though the standby may not have it. */
  restart(downMs: number): void {
    const node = this.#primary;
    // It is down already, or is not promoted yet.
    if (!node.isUp) return;
    node.stop();
    const start = () => {
      this.world.note(`${node.name} is up again`);
      node.start();
    };
    this.world.after(downMs, '', start);
  }

  /**
   * The primary is gone for good, and its standby takes its place after a while. The other one comes back later as its standby.
   * @returns what the log had that the standby had not
   */
  failOver(promotionMs: number, backMs: number): ModelNode['log'] {
    const [lost, next] = [this.#primary, this.standby];
    if (!next) throw new Error('There is no standby.');
    lost.stop();
    const end = lost.log.slice(next.log.length);
    next.isUp = false;
    this.#primary = next;
    this.world.after(promotionMs, `${next.name} is promoted`, () => {
      // Not before: who has connected to it already is told that it takes no writes, until it shows all that it has.
      next.isStandby = false;
      next.start();
    });
    this.world.after(promotionMs + backMs, `${lost.name} is its standby`, () => {
      lost.copy(next);
      lost.isStandby = true;
      lost.start();
    });
    return end;
  }
}
