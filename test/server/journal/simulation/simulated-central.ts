import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { openShared, type Shared } from '../../../../server/journal/open-shared.ts';
import { CHAIN_START, newChain } from '../../../../server/store/history.ts';
import type { Store } from '../../../../server/store/store.ts';
import { readLocal, writeLocal } from '../../../../server/store/tables.ts';
import { RECORDS_TABLE } from '../../../../server/store/verify/verify.ts';
import { CentralStore } from '../../../../server/sync/central/central-store.ts';
import { type CentralExchange, createCentralExchange } from '../../../../server/sync/central/exchange.ts';
import { type CentralTerms, checkCursor } from '../../../../server/sync/protocol/central.ts';
import type { Request } from '../../../../server/sync/protocol/wire.ts';
import type { Answered } from '../../../../server/sync/station/transport.ts';
import { parseInput } from '../../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { supplier } from '../../../../shared/families/supplier.ts';
import { type PostgresModel, URL } from './postgres-model.ts';
import { copyFolder, openSimulated } from './simulated-store.ts';
import type { Actor, World } from './virtual-time.ts';

/** After how long what has ended is started again, in milliseconds. */
const AGAIN_MS = 300;
const TOKEN = 1;

/** The process has ended, or did not answer: nobody knows what became of the request. */
export class Gone extends Error {}

interface Running {
  store: Store;
  shared: Shared;
  exchange: CentralExchange;
}

export interface CentralParts {
  world: World;
  postgres: PostgresModel;
  name: string;
  folder: string;
  /** What a new folder begins with. */
  template: string;
  /** Stores of processes that have ended, which give back at the end what they hold of this one. */
  ended: Store[];
  /** Whether the key of a request is looked up again inside the gate. */
  isChecking: boolean;
  /** Whether a process that lags takes a station's newer cursor for one of a future that it has lost. */
  isLaggard: boolean;
}

/** One of the processes of a central: its store, gate and journal are the product's; the machine starts it again when it ends. */
export class SimulatedCentral {
  readonly name: string;
  actor: Actor;
  readonly #parts: CentralParts;
  #running: Running | undefined;
  /** The store that is open, also before it takes part. */
  #store: Store | undefined;
  #lives = 0;
  readonly #waiting = new Set<(gone: Gone) => void>();
  /** It said that the journal does not have what its folder has. */
  #isParted = false;
  /** How often it has. */
  partings = 0;

  constructor(parts: CentralParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.actor = parts.world.actor(parts.name);
  }

  get running(): Running | undefined {
    return this.#running;
  }

  get folder(): string {
    return this.#parts.folder;
  }

  /** Begins; takes part when it can, and tries again until then. */
  start(): void {
    const { world } = this.#parts;
    this.#lives += 1;
    this.actor = world.actor(`${this.name}.${this.#lives}`);
    const { actor } = this;
    world.note(`${actor.name} starts`);
    world.as(actor, () => this.#open(actor)).catch(error => this.#endBy(actor, `could not start: ${error}`));
  }

  /** As by SIGKILL; what it had sent to PostgreSQL may come there. */
  kill(why = 'is killed'): void {
    const { world, postgres, ended } = this.#parts;
    world.note(`${this.actor.name} ${why}`);
    this.actor.isDead = true;
    this.#running = undefined;
    postgres.hangUp(this.actor);
    if (this.#store) {
      this.#store.database.close();
      ended.push(this.#store);
    }
    this.#store = undefined;
    for (const hear of this.#waiting) hear(new Gone('The process has ended.'));
    this.#waiting.clear();
  }

  /** A request of a browser: once for each key, answered with the record's id. */
  create(key: string, name: string): Promise<number> {
    const { isChecking } = this.#parts;
    return this.#request(async ({ store, shared }) => {
      await shared.shared.fresh();
      const known = () => store.answers.find(TOKEN, key);
      const before = known();
      if (before) return Number(before.body);
      return store.gate.commit({
        actor: { rights: BY_SERVER, user: 'tester' },
        reason: null,
        work(work) {
          // Also what stands in the same transaction: somebody may have asked twice here.
          const answered = isChecking
            ? store.database.get<{ body: string }>(
                'SELECT body FROM remembered_answer WHERE token = ? AND key = ?',
                TOKEN,
                key,
              )
            : undefined;
          if (answered) return { id: Number(answered.body), isNew: false };
          const input = parseInput(supplier, { name }, { mode: 'create' });
          return { id: work.create(supplier, input, null).id, isNew: true };
        },
        answer({ id, isNew }) {
          if (isNew)
            store.answers.keep(TOKEN, key, { status: 201, headers: {}, body: `${id}`, request_hash: key });
          return id;
        },
      });
    });
  }

  /** Writes a fact beside the log. */
  note(name: string, value: string): Promise<void> {
    return this.#request(async ({ store, shared }) => {
      await shared.shared.fresh();
      await store.gate.briefly(() => writeLocal(store.database, `said:${name}`, value));
    });
  }

  /** What a reader sees: names of suppliers, and a fact. */
  read(fact: string): Promise<{ names: string[]; fact: string | undefined }> {
    return this.#request(async ({ store, shared }) => {
      await shared.shared.fresh();
      return { names: namesIn(store), fact: readLocal(store.database.reader, `said:${fact}`) };
    });
  }

  exchange(request: Request): Promise<Answered> {
    const { isLaggard } = this.#parts;
    return this.#request(async ({ store, shared, exchange }) => {
      if (isLaggard) await beginEpochAsLaggard(store, exchange, request);
      await shared.shared.fresh();
      const answer = await exchange.answer(JSON.parse(JSON.stringify(request)));
      return JSON.parse(JSON.stringify({ ...answer, pushes: 2 }));
    });
  }

  async close(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#store = undefined;
    await running?.shared.close();
  }

  async #open(actor: Actor): Promise<void> {
    const { world, postgres, folder } = this.#parts;
    const shared = await openShared({
      url: URL,
      driver: postgres.driverOf(actor),
      open: async () => {
        this.#store = await openSimulated(world, folder, true);
        return this.#store;
      },
      clock: world.clock,
      onParted: said => {
        if (!this.#isParted) this.partings += 1;
        this.#isParted = true;
        world.after(AGAIN_MS, '', () => this.#endBy(actor, `is parted: ${said}`));
      },
      onBehind: cause => {
        world.after(0, '', () => this.#endBy(actor, `is behind: ${cause}`));
      },
      onFault: () => {},
    });
    const { store } = shared;
    this.#store = store;
    const exchange = await createCentralExchange(store, world.clock);
    this.#running = { store, shared, exchange };
    world.note(`${actor.name} takes part`);
  }

  #endBy(actor: Actor, why: string): void {
    const { world, folder, template } = this.#parts;
    if (actor.isDead) return;
    this.kill(why.replaceAll(folder, this.name));
    // As a person does who reads it: another folder takes the place of this one.
    if (this.#isParted) {
      rmSync(folder, { recursive: true, force: true });
      copyFolder(template, folder);
    }
    this.#isParted = false;
    world.after(AGAIN_MS, '', () => this.start());
  }

  /** There and back over a network on which both may be lost. */
  #request<Result>(run: (running: Running) => Promise<Result>): Promise<Result> {
    const { world } = this.#parts;
    const { random } = world;
    return new Promise((resolve, reject) => {
      // Whoever asks gives up after a while, and asks again elsewhere while this is still under way.
      const patience = this.isHasty() ? random.below(300) : 20_000;
      world.after(patience, '', () => reject(new Gone('It took too long.')));
      const answered = (answer: () => void, ms = 0.2 + world.random.below(20) / 10) =>
        world.after(ms, '', answer);
      answered(() => {
        const { actor } = this;
        const running = this.#running;
        if (!running) return answered(() => reject(new Gone('The process is not there.')));
        const gone = (error: Gone) => answered(() => reject(error));
        this.#waiting.add(gone);
        const over = (answer: () => void) => {
          if (actor.isDead || !this.#waiting.delete(gone)) return;
          if (this.isLosing()) answered(() => reject(new Gone('The answer was lost.')));
          else answered(answer);
        };
        world
          .as(actor, () => run(running))
          .then(
            result => over(() => resolve(result)),
            error => over(() => reject(error)),
          );
        return undefined;
      });
    });
  }

  /** Whether an answer is lost on its way; set while faults are about. */
  isLosing: () => boolean = () => false;

  /** Whether whoever asks soon gives up. */
  isHasty: () => boolean = () => false;
}

export function namesIn({ database }: Store): string[] {
  return database.reader
    .all<{ name: string }>(
      `SELECT json_extract(document, '$.fields.name') AS name FROM "${RECORDS_TABLE}" WHERE f_family = 'supplier'`,
    )
    .map(({ name }) => name);
}

/** Planted: judged by what is here, without asking whether there is more, and not judged again inside the gate. */
async function beginEpochAsLaggard(store: Store, exchange: CentralExchange, request: Request): Promise<void> {
  const { cursor } = request;
  if (checkCursor(cursor, exchange.reader(), exchange.signing as CentralTerms) !== 'restored') return;
  const chain = newChain(store.station);
  await store.gate.applyRemote(() => {
    const read = new CentralStore(store, store.database, () => undefined);
    read.beginEpoch(randomUUID(), [cursor.epoch]);
    writeLocal(store.database, 'chain', chain);
    store.ids.leap();
    return { place: { chain, head: CHAIN_START }, result: undefined };
  });
}
