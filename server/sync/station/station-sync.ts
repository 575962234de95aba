import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';
import type { StationMachine } from '../../../shared/contract/station-machine.ts';
import type { Checkpoint } from '../../../shared/operations/checkpoint-operations.ts';
import type { Comparison } from '../../../shared/operations/exchange-operations.ts';
import type { userKeySchema } from '../../../shared/operations/identity-operations.ts';
import type { ShownCertificates } from '../../../shared/operations/renewal-operations.ts';
import type { BackupPart, BackupReceived } from '../../../shared/operations/station-backup-operations.ts';
import type { Secrets } from '../../identity/secrets.ts';
import { forgetFormerKeysOver } from '../../store/former-keys.ts';
import type { Store } from '../../store/store.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import type { Authority } from '../../trust/authority-key.ts';
import { saysCentralKey } from '../../trust/authority-standing.ts';
import { CentralFailure } from '../client/central-failure.ts';
import { fingerprintsOf, follow } from '../client/central-pins.ts';
import { readCentralAddress } from '../client/central-tls.ts';
import type { Enrolled } from '../client/enrol-with.ts';
import {
  type EnrolmentData,
  openCentralClient,
  readEnrolmentData,
  readStationKey,
  takeStationKey,
  writeEnrolmentData,
} from '../client/enrolment-data.ts';
import { askForCertificates } from '../client/unproved-server.ts';
import { noteMissing } from '../log/noted-names.ts';
import { syncRules } from '../log/rules.ts';
import { createSyncTables } from '../log/tables.ts';
import type { EarlierRequest } from '../protocol/earlier.ts';
import type { Proof } from '../protocol/proof.ts';
import { CentralClock } from './central-clock.ts';
import { noteCertified, otherCentralKey } from './central-key.ts';
import { compareWithCentral } from './comparison.ts';
import { HttpTransport } from './http-transport.ts';
import { blocksToMove, type Joining, joinAgain, joinCentral } from './join.ts';
import { KeptCheckpoints } from './kept-checkpoints.ts';
import { KeptNames } from './kept-names.ts';
import type { MovingReport } from './moving.ts';
import { PushPullLoop } from './push-pull-loop.ts';
import type { PushPullState } from './push-pull-state.ts';
import { type ArchiveSender, sendArchive } from './send-archive.ts';
import { separateStation } from './separate.ts';
import { type CarryDates, carryDates, StationCarry } from './station-carry.ts';
import { readProof, StationProof } from './station-proof.ts';
import { StationStore } from './station-store.ts';
import type { Transport } from './transport.ts';

export interface StationSyncOptions {
  store: Store;
  secrets: Secrets;
  folder: string;
  version: string;
  /** PEM text of `HOLDPOINT_CA`. */
  authorities: string | undefined;
  /** By which this installation signs. */
  authority: Authority;
  clock: () => Date;
  /** Whether this process speaks with central; one that does not keeps all the same what it writes for the exchange. */
  isTalking: boolean;
  /** What it says of its machine. */
  machineSays?: () => StationMachine;
  onFault: (error: unknown) => void;
}

/** What a station does about sync: nothing until it is enrolled, then the exchange with its central. */
export class StationSync {
  /** What people call central's stations. */
  readonly names: KeptNames;
  readonly #checkpoints: KeptCheckpoints;
  readonly #options: StationSyncOptions;
  #engine: PushPullLoop | undefined;
  #transport: HttpTransport | undefined;
  #archive: ArchiveSender | undefined;
  #following: Promise<boolean> | undefined;
  readonly #centralClock: CentralClock;
  #proof: StationProof | undefined;
  /** By which central signs, found to be the one that counts. */
  #knownKey: string | undefined;
  #isStarted = false;

  private constructor(options: StationSyncOptions) {
    this.#options = options;
    this.names = new KeptNames(options.store);
    this.#checkpoints = new KeptCheckpoints(options.store, options.clock);
    this.#centralClock = new CentralClock(options.store, options.clock);
  }

  /** Before anything is written to the store. */
  static async open(options: StationSyncOptions): Promise<StationSync> {
    const sync = new StationSync(options);
    const data = sync.enrolmentData;
    if (data) takeStationKey(options.folder, data);
    if (data) await sync.#openEngine();
    return sync;
  }

  /** Undefined while the station stands alone. */
  get enrolmentData(): EnrolmentData | undefined {
    return readEnrolmentData(this.#options.store.database.reader);
  }

  /** Undefined while the station stands alone. */
  get engine(): PushPullLoop | undefined {
    return this.#engine;
  }

  /** Undefined while the station stands alone. */
  state(): PushPullState | undefined {
    return this.#engine?.state();
  }

  /** Whether there is a key to speak with: a restored station has none. */
  hasKey(): boolean {
    return readStationKey(this.#options.folder) !== undefined;
  }

  /** Begins the exchange, once the server listens. */
  start(): void {
    this.#isStarted = true;
    this.#talk();
  }

  /** How many blocks of ids the records need that move when this installation joins; 0 where none does. */
  blocksToMove(): number {
    return this.enrolmentData ? 0 : blocksToMove(this.#options.store);
  }

  /**
   * Before anything of central's answer is kept.
   * @throws AppError `conflict` for a station of another central
   */
  refuseJoin(enrolled: Enrolled): void {
    const former = this.enrolmentData;
    if (former && former.central !== enrolled.enrolment.central) {
      const message = `This installation is a station of the central at ${former.address}. Enrol another installation at another one.`;
      throw new AppError('conflict', message);
    }
  }

  /**
   * Makes the store a station of the central that let it in, and begins the exchange. One that is a station of the same
   * central already gets its new key and block.
   * @param onMoved before the exchange begins: ids that records had here can be those of central's from then on
   * @returns what was moved; undefined where nothing was
   * @throws AppError as `refuseJoin` and `joinCentral`
   */
  async join(
    enrolled: Enrolled,
    joining: Omit<Joining, 'further'>,
    onMoved: () => Promise<void>,
  ): Promise<MovingReport | undefined> {
    const { answer, enrolment, further } = enrolled;
    const { store, folder } = this.#options;
    const keep = () => writeEnrolmentData(store.database, enrolment);
    this.refuseJoin(enrolled);
    await this.#centralClock.compare(this.#options.clock().getTime(), Date.parse(answer.clock));
    let report: MovingReport | undefined;
    if (this.enrolmentData) {
      await this.#transport?.close();
      await joinAgain(store, answer.block, keep);
    } else {
      const own = further === undefined ? undefined : { ...joining, further };
      report = await joinCentral(store, answer.block, keep, own);
      if (report) await onMoved();
      await this.#openEngine();
    }
    takeStationKey(folder, enrolment);
    if (this.#isStarted) this.#talk();
    return report;
  }

  /**
   * Of a copy of a station that is to become a station of its own: the installation that it becomes, which is the same for
   * every try, and what tells central which copy it is.
   * @throws AppError `conflict` for an installation that stands alone
   */
  async separating(): Promise<{
    station: string;
    separatedFrom: { station: string; proof: Proof | undefined };
  }> {
    const { store, folder } = this.#options;
    const { database } = store;
    if (!this.enrolmentData) throw new AppError('conflict', STANDS_ALONE);
    const known = readLocal(database.reader, NEXT_STATION) || randomUUID();
    await store.gate.applyRemote(() => {
      writeLocal(database, NEXT_STATION, known);
      return { result: undefined };
    });
    return { station: known, separatedFrom: { station: store.station, proof: readProof(folder) } };
  }

  /** Makes this copy of a station the one that central let in, and begins its exchange. */
  async separate({ answer, enrolment }: Enrolled): Promise<void> {
    const { store, folder } = this.#options;
    const { database } = store;
    await Promise.all([this.#transport?.close(), this.#engine?.close()]);
    try {
      await separateStation(store, answer, () => {
        writeLocal(database, NEXT_STATION, '');
        writeEnrolmentData(database, enrolment);
      });
      takeStationKey(folder, enrolment);
    } finally {
      await this.#openEngine();
      if (this.#isStarted) this.#talk();
    }
  }

  /**
   * As `compareWithCentral`.
   * @throws AppError `not_found` while the station stands alone, `unavailable` while it does not speak with central
   */
  async compare(): Promise<Comparison> {
    if (!this.#engine) {
      throw new AppError('not_found', 'This station stands alone: it has no central to compare with.');
    }
    if (!this.#transport) {
      const why = this.hasKey() ? "The station's server does not run. Start it." : NO_KEY;
      throw new AppError('unavailable', why);
    }
    return compareWithCentral(this.#options.store, this.#engine, this.#transport);
  }

  /**
   * As `HttpTransport.earlier`.
   * @throws AppError `unauthenticated` while there is no key to ask with
   */
  async askEarlier(request: EarlierRequest, signal: AbortSignal): ReturnType<HttpTransport['earlier']> {
    if (!this.#transport) throw new AppError('unauthenticated', NO_KEY);
    return this.#transport.earlier(request, signal);
  }

  /**
   * The key of who signs in here, sealed by the password; undefined where central knows none. @param place in which part of the network
   * @throws CallError, CentralFailure where central refuses or cannot be asked
   */
  async askKey(
    login: string,
    password: string,
    place?: number,
  ): Promise<z.infer<typeof userKeySchema> | undefined> {
    if (!this.#transport) throw new AppError('unavailable', NO_KEY);
    return this.#transport.key(login, password, place);
  }

  /** The hashes of passwords that central gives this station. @throws as `askKey` */
  async takeSecrets(): Promise<void> {
    if (!this.#transport) throw new AppError('unavailable', NO_KEY);
    await this.#transport.takeSecrets();
  }

  /** A part of a backup for central. @throws as `askKey` */
  async sendBackup(part: BackupPart, signal: AbortSignal): Promise<BackupReceived> {
    if (!this.#transport) throw new AppError('unavailable', NO_KEY);
    return this.#transport.backup(part, signal);
  }

  /** Whether there is a line to central to send anything over. */
  isTalking(): boolean {
    return this.#transport !== undefined;
  }

  /**
   * The exchange by files.
   * @throws AppError `conflict` while the station stands alone or has no key
   */
  carry(): StationCarry {
    const [enrolment, engine, proof] = [this.enrolmentData, this.#engine, this.#proof];
    if (!enrolment || !engine || !proof) throw new AppError('conflict', NO_CENTRAL);
    const key = readStationKey(this.#options.folder);
    if (key === undefined) throw new AppError('conflict', NO_KEY);
    const keepCheckpoint = this.#keepCheckpoint;
    return new StationCarry({
      ...this.#options,
      names: this.names,
      engine,
      proof,
      enrolment,
      key,
      keepCheckpoint,
      centralKeys: () =>
        this.#checkpoints
          .list()
          .map(one => one.key)
          .toReversed(),
    });
  }

  /** When files were carried. */
  carryDates(): CarryDates {
    return carryDates(this.#options.store);
  }

  /** What central signed of its log, the newest first; none while the station stands alone. */
  centralCheckpoints(): Checkpoint[] {
    return this.#engine ? this.#checkpoints.list() : [];
  }

  readonly #keepCheckpoint = async (checkpoint: Checkpoint | undefined): Promise<void> => {
    const { central } = this.enrolmentData ?? {};
    if (central === undefined) return;
    await this.#checkpoints.keep(central, checkpoint);
    if (!checkpoint || checkpoint.key === this.#knownKey) return;
    const kept = this.#checkpoints.present();
    await noteCertified(this.#options.store, kept);
    const other = otherCentralKey(this.#options.store, kept);
    if (other) this.#options.onFault(new Error(saysCentralKey(other)));
    else this.#knownKey = checkpoint.key;
  };

  /** That central signs by another key than before, and nobody has certified it; null: it does not. */
  centralKeySays(): string | null {
    const kept = this.#engine ? this.#checkpoints.present() : [];
    if (kept[0]?.key === this.#knownKey) return null;
    const other = otherCentralKey(this.#options.store, kept);
    return other ? saysCentralKey(other) : null;
  }

  async close(): Promise<void> {
    await Promise.all([this.#archive?.close(), this.#transport?.close(), this.#engine?.close()]);
    await this.#checkpoints.write();
  }

  async #openEngine(): Promise<void> {
    const { store, folder, clock, onFault, authority } = this.#options;
    await store.gate.applyRemote(() => {
      createSyncTables(store.database);
      forgetFormerKeysOver(store.database, clock());
      // A restore has begun another chain, whose commits are sent as well.
      store.database.run('INSERT OR IGNORE INTO own_chain (chain) VALUES (?)', store.gate.chain);
      return { result: undefined };
    });
    await noteMissing(store);
    await new StationStore(store, syncRules, store.database).showCentrals();
    const transport: Transport = {
      exchange: async (request, sending) => {
        if (!this.#transport) throw new AppError('unauthenticated', NO_KEY);
        try {
          return await this.#transport.exchange(request, sending);
        } catch (error) {
          if (!isWrongCertificate(error) || !(await this.#follow(sending.signal))) throw error;
          return this.#transport.exchange(request, sending);
        }
      },
    };
    const proof = new StationProof(folder, clock);
    this.#proof = proof;
    this.#engine = new PushPullLoop({ store, transport, clock, proof, authority, onFault });
  }

  /**
   * Central shows a certificate that this station has not heard of: it was renewed while the station was away, if signatures
   * lead to that certificate. Answers whether it is known now; where nobody can be asked it is not.
   * @throws CentralFailure where somebody shows what does not follow
   */
  #follow(signal: AbortSignal | undefined): Promise<boolean> {
    this.#following ??= this.#askForCertificates(signal).finally(() => {
      this.#following = undefined;
    });
    return this.#following;
  }

  async #askForCertificates(signal: AbortSignal | undefined): Promise<boolean> {
    const data = this.enrolmentData;
    if (!data || data.certificate === null) return false;
    const address = readCentralAddress(data.address);
    const asked = await askForCertificates(address, signal ? { signal } : {}).catch(() => undefined);
    if (!asked) return false;
    const { present, shown } = asked;
    // Central went over while the question was on its way.
    if (fingerprintsOf(data).includes(present)) return true;
    // What he says of others counts for nothing without the one that he has the key of.
    await this.#keepCertificates({ certificates: shown?.certificates ?? [], present });
    return true;
  }

  async #keepCertificates(shown: ShownCertificates): Promise<boolean> {
    const { database, gate } = this.#options.store;
    // In the transaction: several answers may come at once, and somebody may enrol the station anew meanwhile.
    return gate.applyRemote(() => {
      const data = readEnrolmentData(database);
      const followed = data && follow(data, shown, readCentralAddress(data.address).host);
      if (followed) writeEnrolmentData(database, followed);
      return { result: followed !== undefined };
    });
  }

  #talk(): void {
    const { store, secrets, folder, version, authorities, clock, isTalking, onFault } = this.#options;
    const [data, key, engine] = [this.enrolmentData, readStationKey(folder), this.#engine];
    if (!isTalking || !data || !engine) return;
    if (key !== undefined) {
      this.#transport = new HttpTransport({
        client: openCentralClient(data, key, authorities, () => this.enrolmentData ?? data),
        centralClock: this.#centralClock,
        pins: {
          read: () => this.enrolmentData ?? data,
          keep: shown => this.#keepCertificates(shown),
        },
        store,
        secrets,
        names: this.names,
        keepCheckpoint: this.#keepCheckpoint,
        version,
        signsWith: this.#options.authority.key,
        clock,
        machineSays: this.#options.machineSays,
        unsent: () => engine.state().unsent,
        onNews: () => engine.notify(),
        onFault,
      });
      this.#transport.start();
      this.#sendArchive(engine, this.#transport);
    }
    engine.start();
    engine.notify();
  }

  #sendArchive(engine: PushPullLoop, transport: HttpTransport): void {
    void this.#archive?.close();
    this.#archive = sendArchive({
      ...this.#options,
      hasSentAll: () => engine.state().is_caught_up && engine.state().unsent === 0,
      send: (part, signal) => transport.archive(part, signal),
    });
  }
}

function isWrongCertificate(error: unknown): boolean {
  return error instanceof CentralFailure && error.kind === 'certificate';
}

/** In `local`: the installation that a copy of a station becomes; '' where it became it. */
const NEXT_STATION = 'next_station';
const STANDS_ALONE =
  'This installation stands alone: there is no station that it is a copy of. Enrol it without "separate".';
const NO_CENTRAL =
  'This station stands alone: there is no central to carry files to. Enrol it first, once, over a line.';
const NO_KEY =
  'This station has no key of its central. Make a new code at central and enrol the station again.';
