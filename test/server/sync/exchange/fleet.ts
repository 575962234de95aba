import { randomUUID } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { verifyDependencies } from '../../../../server/backup/verify-dependencies.ts';
import { noteSigning } from '../../../../server/store/noted-authorship.ts';
import { stationTables } from '../../../../server/store/station-table.ts';
import type { Store } from '../../../../server/store/store.ts';
import { verify } from '../../../../server/store/verify/verify.ts';
import { type CentralExchange, createCentralExchange } from '../../../../server/sync/central/exchange.ts';
import { StationMachines } from '../../../../server/sync/central/station-machines.ts';
import { plain } from '../../../../server/sync/log/decided-store.ts';
import { withPlace } from '../../../../server/sync/log/place-of-record.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { createSyncTables } from '../../../../server/sync/log/tables.ts';
import type { Request } from '../../../../server/sync/protocol/wire.ts';
import { HeldOff } from '../../../../server/sync/station/held-off.ts';
import { joinAgain, joinCentral } from '../../../../server/sync/station/join.ts';
import { PushPullLoop, type PushPullOptions } from '../../../../server/sync/station/push-pull-loop.ts';
import { separateStation } from '../../../../server/sync/station/separate.ts';
import { readProof, StationProof } from '../../../../server/sync/station/station-proof.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import type { Answered, Transport } from '../../../../server/sync/station/transport.ts';
import { openAuthority } from '../../../../server/trust/authority-key.ts';
import { canonicalJson } from '../../../../shared/contract/canonical-json.ts';
import type { StoredRecord } from '../../../../shared/contract/present.ts';
import type { FamilyName } from '../../../../shared/families/registry.ts';
import { recordsOf } from '../../store/audit.ts';
import { temporaryFolder } from '../../store/sqlite/temporary-folder.ts';
import { create, START, temporaryStore } from '../../store/temporary-store.ts';
import { employSigner, signEverything } from './signing-people.ts';

type Carry = (request: Request, unsent?: number | null) => Promise<Answered>;

export type Permission = Parameters<typeof createCentralExchange>[2];

/** Of a station's engine. */
type PeerOptions = Pick<PushPullOptions, 'farBehind' | 'limit' | 'backoff' | 'now' | 'interval'> & {
  /** Whether it proves to be the newest machine with its disk, anew with every message that may. */
  isProving?: boolean;
  /** Whose session signs whatever is written there; nobody's where nothing is said. */
  signer?: { id: number; login: string };
};

/** A central in this process, with a store of its own. */
export class Central {
  store!: Store;
  exchange!: CentralExchange;
  machines!: StationMachines;

  /** In the place of central's own judgement. */
  #permission: Permission | undefined;

  static async open(folder?: string, permission?: Permission): Promise<Central> {
    const central = new Central();
    central.#permission = permission;
    await central.#open(folder);
    return central;
  }

  /** Messages that are not answered. */
  readonly #asked = new Set<Promise<unknown>>();

  /** Messages pass as JSON. */
  readonly answer: Carry = (request, unsent) => {
    const answer = this.#answer(request, unsent);
    this.#asked.add(answer);
    const isAnswered = () => this.#asked.delete(answer);
    answer.then(isAnswered, isAnswered);
    return answer;
  };

  readonly #answer: Carry = async (request, unsent = null) => {
    const { station, proof } = request;
    const admission = await this.machines.admit({ station, proof, at: START, unsent, version: null });
    if (admission.heldOff) throw new HeldOff(admission.heldOff);
    const answer = await this.exchange.answer(JSON.parse(JSON.stringify(request)));
    return JSON.parse(JSON.stringify({ ...answer, ...admission.beside, pushes: 2 }));
  };

  /** Once what is on its way is answered: a station sends the next push before the last one is. */
  async copy(): Promise<string> {
    await Promise.allSettled(this.#asked);
    return copyOf(this.store, folder => this.#open(folder));
  }

  /** An earlier copy takes the place of what is there, as when the image of a machine is put back. */
  async putBack(copy: string): Promise<void> {
    await Promise.allSettled(this.#asked);
    await replaceBy(this.store, copy);
    await this.#open(this.store.database.folder);
  }

  async #open(folder?: string): Promise<void> {
    this.store = await temporaryStore(folder === undefined ? {} : { folder });
    createSyncTables(this.store.database);
    this.exchange = await createCentralExchange(this.store, () => new Date(START), this.#permission);
    this.machines = new StationMachines(this.store, this.exchange.signing);
  }
}

/** A station in this process. */
export class Peer {
  store!: Store;
  engine!: PushPullLoop;
  /** Where it proves to be the newest machine with its disk. */
  proof: StationProof | undefined;
  /** What becomes of a request on its way; throws where it, or its answer, is lost. */
  carry: Carry;

  readonly #options: PeerOptions;

  private constructor(carry: Carry, options: PeerOptions) {
    this.carry = carry;
    this.#options = options;
  }

  static async join(carry: Carry, block: number, options: PeerOptions = {}): Promise<Peer> {
    const peer = new Peer(carry, options);
    await peer.#open();
    await joinCentral(peer.store, block);
    return peer;
  }

  /** One whose folder is there already. */
  static async open(carry: Carry, folder: string, options: PeerOptions = {}): Promise<Peer> {
    const peer = new Peer(carry, options);
    await peer.#open(folder);
    return peer;
  }

  async copy(): Promise<string> {
    await this.engine.close();
    return copyOf(this.store, folder => this.#open(folder));
  }

  async putBack(copy: string): Promise<void> {
    await this.engine.close();
    await replaceBy(this.store, copy);
    await this.#open(this.store.database.folder);
  }

  /** Another machine with a copy of its disk. */
  async clone(): Promise<Peer> {
    return Peer.open(this.carry, await this.copy(), this.#options);
  }

  /** As an administrator of central and a person at the machine make it a station of its own. */
  async separate(central: Central, block: number): Promise<void> {
    const station = randomUUID();
    const proof = readProof(this.store.database.folder);
    await central.store.gate.applyRemote(() => {
      central.machines.enrolling({ station, separated_from: { station: this.store.station, proof } }, false);
      return { result: undefined };
    });
    await separateStation(this.store, { station, block });
  }

  /** As a person at the machine enrols it once more, with a new code of central, as the station that it is. */
  async enrolAgain({ store, machines }: Central, block: number): Promise<void> {
    await store.gate.applyRemote(() => {
      machines.enrolling({ station: this.store.station }, true);
      return { result: undefined };
    });
    await joinAgain(this.store, block, () => {});
  }

  /** Asks and says what it has, until there is nothing left. */
  async settle(): Promise<void> {
    this.engine.notify();
    for (let steps = 0; await this.engine.step(); steps += 1) {
      if (steps > 2_000) throw new Error('It does not come to an end.');
    }
  }

  async #open(folder?: string): Promise<void> {
    this.store = await temporaryStore(folder === undefined ? {} : { folder });
    createSyncTables(this.store.database);
    const transport: Transport = {
      exchange: (request, { onSent }) => {
        const answer = this.carry(request, this.engine.state().unsent);
        onSent?.();
        return answer;
      },
    };
    this.proof = this.#options.isProving
      ? new StationProof(this.store.database.folder, () => new Date(0), 0)
      : undefined;
    if (this.#options.signer) signEverything(this.store, this.#options.signer);
    this.engine = new PushPullLoop({
      store: this.store,
      clock: () => new Date(0),
      transport,
      authority: openAuthority(this.store.database.folder),
      ...this.#options,
      ...(this.proof && { proof: this.proof }),
    });
  }
}

export interface Fleet {
  central: Central;
  stations: Peer[];
  stores(): Store[];
  settle(): Promise<void>;
}

/** @param options `isSigned`: whether everything at the stations is written by a person with a key, whose session signs it */
export async function fleet(
  count: number,
  { isSigned = false, ...options }: PeerOptions & { isSigned?: boolean } = {},
  permission?: Permission,
): Promise<Fleet> {
  const central = await Central.open(undefined, permission);
  const stations: Peer[] = [];
  const signer = isSigned ? { signer: await employSigner(central.store, 'signer') } : {};
  for (let block = 1; block <= count; block += 1) {
    const carry: Carry = (request, unsent) => central.answer(request, unsent);
    const peer = await Peer.join(carry, block, { ...options, ...signer });
    if (isSigned)
      await central.store.gate.briefly(() => noteSigning(central.store.database, peer.store.station));
    stations.push(peer);
  }
  return {
    central,
    stations,
    stores: () => [central.store, ...stations.map(({ store }) => store)],
    async settle() {
      for (let round = 0; round < 3; round += 1) for (const station of stations) await station.settle();
    },
  };
}

/** The central's administrator let the station's installation bring along what it recorded, in its block. */
export async function letBring({ store }: Central, station: Store, block: number): Promise<void> {
  const { pending } = stationTables(store.database);
  await store.gate.applyRemote(() => {
    const [at, until] = [START, '2026-06-22T12:00:00.000Z'];
    const { station: by } = station;
    const about = { protocol: 1, version: null, clock_offset_ms: null };
    pending.admit({ ...about, station: by, name: by, hash: by, at });
    const named = { name: by, hash: by, created_by: 'boss', created_at: at, expires_at: until };
    const code = pending.insertCode({ ...named, brings_records: true, uses: 1, group: null });
    pending.noteUse(code, { at, by, block, until });
    const id = pending.findStation(by)?.id ?? 0;
    store.database.run('INSERT INTO block_given (block, station) VALUES (?, ?)', block, id);
    return { result: undefined };
  });
}

/** People with the role quality: whom central does not know may do at a station what an integration may. */
export async function employ(store: Store, ...logins: readonly string[]): Promise<void> {
  for (const login of logins) await create(store, 'user', { login, name: login, roles: ['quality'] });
}

/** The records as shown, by key, without what belongs to one machine. */
export function shown(store: Store): Record<string, StoredRecord> {
  const { reader } = store.database;
  const isExchanging = reader.get("SELECT 1 FROM sqlite_schema WHERE name = 'log'") !== undefined;
  const placed = (record: StoredRecord) => (isExchanging ? withPlace(reader, record) : record);
  return Object.fromEntries(recordsOf(store).map(record => [record.key, plain(placed(record))]));
}

export function areSame(stores: readonly Store[]): boolean {
  return new Set(stores.map(store => canonicalJson(shown(store)))).size === 1;
}

/** A change of a record that central cannot take. Returns the id of its commit. */
export async function writeOdd(
  { store }: Peer,
  id: number,
  family: FamilyName = 'supplier',
): Promise<string> {
  const station = new StationStore(store, syncRules, store.database);
  const commit_id = randomUUID();
  await station.writeOwn(decidedOf => {
    const subject = `${family}:${id}`;
    const over = [decidedOf(subject)?.creator ?? ''];
    const entries = [{ subject, changes: [{ path: 'Odd', old: null, new: 'odd', over }] }];
    return [
      {
        commit_id,
        at: '2026-06-15T12:00:00.000Z',
        clock_offset: null,
        user: 'newer program',
        reason: null,
        entries,
      },
    ];
  });
  return commit_id;
}

/** Past the gate, as a station of altered code or of the former version writes it. Returns the id of its commit. */
export async function writePast(
  { store }: Peer,
  subject: string,
  fields: object,
  over: string[] = [],
  at = '2026-06-15T12:00:00.000Z',
): Promise<string> {
  const station = new StationStore(store, syncRules, store.database);
  const before: Record<string, unknown> = store.pending.getByKey(subject)?.fields ?? {};
  const changes = Object.entries(fields).map(([path, value]) => {
    return { path, old: before[path] ?? null, new: value, over };
  });
  const commit_id = randomUUID();
  const about = { commit_id, at, clock_offset: null, user: 'eve', reason: null };
  await station.writeOwn(() => [{ ...about, entries: [{ subject, changes }] }]);
  return commit_id;
}

/** What is wrong with a store; it stays open. */
export async function faultsOf({ database }: Store): Promise<string[]> {
  const { findings } = await verify(database.folder, verifyDependencies);
  return findings.map(({ what, where }) => `${what} ${where}`);
}

async function copyOf(store: Store, reopen: (folder: string) => Promise<void>): Promise<string> {
  const { folder } = store.database;
  await store.close();
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  await reopen(folder);
  return copy;
}

async function replaceBy(store: Store, copy: string): Promise<void> {
  const { folder } = store.database;
  await store.close();
  rmSync(folder, { recursive: true });
  cpSync(copy, folder, { recursive: true });
}
