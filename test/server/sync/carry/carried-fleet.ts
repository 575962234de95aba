import { onTestFinished } from 'vitest';
import { createCentral } from '../../../../server/enrolment/central.ts';
import type { Stations } from '../../../../server/enrolment/stations.ts';
import { createSecrets, type Secrets } from '../../../../server/identity/secrets.ts';
import { identityTables } from '../../../../server/store/identity-tables.ts';
import type { Store } from '../../../../server/store/store.ts';
import {
  type Carried,
  CentralCarry,
  type CentralCarryOptions,
} from '../../../../server/sync/central/central-carry.ts';
import { CentralSync } from '../../../../server/sync/central/central-sync.ts';
import { PROTOCOL, SPEAKS } from '../../../../server/sync/protocol/wire.ts';
import { HeldOff } from '../../../../server/sync/station/held-off.ts';
import { KeptCheckpoints } from '../../../../server/sync/station/kept-checkpoints.ts';
import { KeptNames } from '../../../../server/sync/station/kept-names.ts';
import { StationCarry } from '../../../../server/sync/station/station-carry.ts';
import { type Authority, openAuthority } from '../../../../server/trust/authority-key.ts';
import { createCheckpoints } from '../../../../server/trust/checkpoints.ts';
import type { Checkpoint } from '../../../../shared/operations/checkpoint-operations.ts';
import { temporaryFolder } from '../../store/sqlite/temporary-folder.ts';
import { START, temporaryStore } from '../../store/temporary-store.ts';
import { Peer } from '../exchange/fleet.ts';

/** A file as bytes. */
export type File = Buffer;

/** A clock by which each file is later than the one before. */
let now = Date.parse(START);
const clock = () => {
  now += 1_000;
  return new Date(now);
};

export interface CarryingCentral {
  store: Store;
  sync: CentralSync;
  stations: Stations;
  secrets: Secrets;
  /** All of them: which are a station's is no matter of files. */
  secretsFor: CentralCarryOptions['secretsFor'];
  carry: CentralCarry;
  authority: Authority;
  /** @param at what its clock says */
  out(peer: CarryingPeer, at?: string): Promise<File>;
  in(file: File, acceptedKey?: string): Promise<Carried>;
}

/** A station with its line, and its side of the exchange by files. */
export class CarryingPeer {
  readonly peer: Peer;
  /** By which it signs its files; what goes over the line is signed by the one of its folder. */
  authority: Authority;
  readonly #key: string;
  readonly #central: string;

  constructor(peer: Peer, key: string, central: string) {
    this.peer = peer;
    this.authority = openAuthority(peer.store.database.folder);
    this.#key = key;
    this.#central = central;
  }

  get store(): Store {
    return this.peer.store;
  }

  get secrets(): Secrets {
    return createSecrets(identityTables(this.store.database));
  }

  get carry(): StationCarry {
    const { store, engine, proof } = this.peer;
    if (!proof) throw new Error();
    const enrolment = { address: '', certificate: null, central: this.#central, name: '' };
    const names = new KeptNames(store);
    const about = { enrolment, key: this.#key, version: '1.0.0', clock };
    const checkpoints = new KeptCheckpoints(store, clock);
    const keepCheckpoint = (one: Checkpoint | undefined) => checkpoints.keep(enrolment.central, one);
    const centralKeys = () =>
      checkpoints
        .list()
        .map(one => one.key)
        .toReversed();
    return new StationCarry({
      authority: this.authority,
      centralKeys,
      ...{ store, secrets: this.secrets, names, engine, proof, keepCheckpoint },
      ...about,
    });
  }

  /** Another machine with a copy of its disk. */
  async clone(): Promise<CarryingPeer> {
    const clone = new CarryingPeer(await this.peer.clone(), this.#key, this.#central);
    clone.authority = this.authority;
    return clone;
  }

  out(): Promise<File> {
    return collected(this.carry.out());
  }

  in(file: File, acceptedKey?: string) {
    return this.carry.take(() => bytesOf(file), { ...quietly(), acceptedKey });
  }
}

export interface CarryingFleet {
  central: CarryingCentral;
  peers: CarryingPeer[];
  stores(): Store[];
}

export async function carryingFleet(count: number, farBehind?: number): Promise<CarryingFleet> {
  const store = await temporaryStore();
  const { stations } = createCentral({ store, clock, protocol: PROTOCOL, pin: () => null });
  const onFault = (error: unknown) => {
    throw error;
  };
  const authority = openAuthority(temporaryFolder());
  const checkpoint = createCheckpoints({ store, authority, clock }).present;
  const sync = await CentralSync.open({ store, stations, clock, onFault, checkpoint });
  onTestFinished(() => sync.close());
  const secrets = createSecrets(identityTables(store.database));
  const secretsFor = async () => ({ changed: secrets.all(), cursor: secrets.digest() });
  const carrying = {
    ...{ store, stations, secretsFor, sync, checkpoint, authority },
    ...(farBehind !== undefined && { farBehind }),
  };
  const carry = new CentralCarry({ ...carrying, clock });
  const idOf = ({ store: { station } }: CarryingPeer) =>
    stations.list().find(one => one.station === station)?.id ?? 0;
  const central: CarryingCentral = {
    ...{ store, sync, stations, secrets, secretsFor, carry, authority },
    out: (peer, at) => {
      const by = at === undefined ? carry : new CentralCarry({ ...carrying, clock: () => new Date(at) });
      return collected(by.out(idOf(peer)));
    },
    in: (file, acceptedKey) => carry.take(() => bytesOf(file), { ...quietly(), acceptedKey }),
  };
  const peers: CarryingPeer[] = [];
  for (let block = 1; block <= count; block += 1) {
    const peer = await Peer.join(
      async (request, unsent = 0) => {
        const about = { version: '1.0.0', speaks: SPEAKS, unsent: unsent ?? 0 };
        const answer = await sync.answer(block, JSON.parse(JSON.stringify(request)), about);
        if (answer.kind === 'held_off') throw new HeldOff(answer);
        return JSON.parse(JSON.stringify(answer));
      },
      block,
      { isProving: true },
    );
    const about = { name: `Station ${block}`, protocol: 1, version: null, clock_offset_ms: null };
    const { key } = await store.gate.together(async () =>
      stations.admit({ station: peer.store.station, ...about }),
    );
    peers.push(new CarryingPeer(peer, key, store.station));
  }
  return { central, peers, stores: () => [store, ...peers.map(peer => peer.store)] };
}

export async function collected(bytes: AsyncIterable<Buffer>): Promise<File> {
  const pieces: Buffer[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** In pieces of an odd size, as a disk may give them. */
export async function* bytesOf(file: File): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += 70_001) yield file.subarray(at, at + 70_001);
}

function quietly() {
  return { signal: new AbortController().signal, onMessage: () => {} };
}
