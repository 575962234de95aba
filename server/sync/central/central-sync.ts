import type { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';
import type { StationMachine } from '../../../shared/contract/station-machine.ts';
import type { Checkpoint } from '../../../shared/operations/checkpoint-operations.ts';
import type { centralDigestsSchema } from '../../../shared/operations/exchange-operations.ts';
import type { StationSummary, Stations } from '../../enrolment/stations.ts';
import { stationOf } from '../../store/history.ts';
import type { Contact } from '../../store/station-rows.ts';
import type { Store } from '../../store/store.ts';
import type { LogDigests } from '../log/digest.ts';
import { noteMissing } from '../log/noted-names.ts';
import { countOf, recordHashes } from '../log/record-hashes.ts';
import { createSyncTables } from '../log/tables.ts';
import type { EarlierAnswer, EarlierRequest } from '../protocol/earlier.ts';
import { commitSize } from '../protocol/message-size.ts';
import type { Agreed, Doubled, HeldOffAnswer } from '../protocol/proof.ts';
import type { Answer, PushRequest, Request } from '../protocol/wire.ts';
import { Archives, type ArchivesOptions } from './archives.ts';
import { CarriedContacts } from './carried-contacts.ts';
import { earlierCommits } from './earlier-commits.ts';
import { type CentralExchange, createCentralExchange, type OnStationKey } from './exchange.ts';
import { headsAlone, isOfFormer, refuseFormer } from './former-station.ts';
import { Pokes } from './pokes.ts';
import { proveAhead } from './prove-ahead.ts';
import { PUSHES, PushQueue } from './push-queue.ts';
import { StationMachines } from './station-machines.ts';
import { DAY_MB, HELD_LIMIT, type Held, quotasOf, StationQuotas } from './station-quotas.ts';

/** What many stations tell of themselves makes one transaction. In milliseconds. */
const CONTACT_MS = 250;

/** For how long the size of what is held of a station is taken as it was. In milliseconds. */
const HELD_SIZE_MS = 1_000;

/** Of each station: what the network repeats later than this many messages counts as said then. */
const MOST_SAID = 100;

/** What stands beside an answer. */
interface Beside {
  digests: LogDigests;
  pushes: number;
  agreed?: Agreed;
  doubled?: Doubled;
  checkpoint?: Checkpoint;
}

/** What a station tells of itself with a message. */
export interface About {
  version: string;
  unsent: number;
  /** As `SPEAKS`. */
  speaks?: number | undefined;
  /** Its time; a file says none, being read at another time than it was written. */
  clock?: string | undefined;
  /** The public key by which it signs its files. */
  key?: string | undefined;
  /** What it says of its machine; a file says nothing of that. */
  machine?: StationMachine | undefined;
  /** In a file: that few of its ids are left. */
  wants_block?: boolean | undefined;
}

export interface CentralSyncOptions {
  store: Store;
  stations: Stations;
  clock: () => Date;
  onFault: (error: unknown) => void;
  /** Central's word on where its log stands now. */
  checkpoint: () => Checkpoint | undefined;
  onStationKey?: OnStationKey;
  onArchiveChecked?: ArchivesOptions['onChecked'];
  /** In the place of the usual ones. */
  quotas?: StationQuotas | undefined;
  /** Megabytes that a station may send in a day; `DAY_MB` unless it is given. */
  stationDayMB?: number | undefined;
}

/** What a central does about sync: answers its stations, notifies them, and keeps how each stands. */
export class CentralSync {
  readonly exchange: CentralExchange;
  readonly machines: StationMachines;
  readonly quotas: StationQuotas;
  readonly carried: CarriedContacts;
  readonly archives: Archives;
  readonly #options: CentralSyncOptions;
  readonly #unfollow: () => void;
  readonly #pushes = new PushQueue();
  /** By the names of stations, bytes of what is held of them, and when they were summed. */
  readonly #heldSizes = new Map<string, { at: number; size: number }>();
  readonly #pokes: Pokes;
  readonly #contacts = new Map<number, Contact>();
  /** By stations, the names of their last messages. */
  readonly #said = new Map<number, Set<string>>();
  #noting: NodeJS.Timeout | undefined;

  private constructor(options: CentralSyncOptions, exchange: CentralExchange) {
    this.#options = options;
    this.exchange = exchange;
    this.machines = new StationMachines(options.store, exchange.signing);
    this.quotas = options.quotas ?? new StationQuotas(quotasOf(options.stationDayMB ?? DAY_MB), HELD_LIMIT);
    this.carried = new CarriedContacts(options.store);
    const { onArchiveChecked: onChecked = keepOnly(options.store) } = options;
    this.archives = new Archives({ ...options, onChecked });
    this.#pokes = new Pokes(() => exchange.reader().place().sequence, options.onFault);
    this.#unfollow = options.store.gate.follow(() => this.#pokes.news());
  }

  /** Puts what the store holds into the log. Before anything else is written to the store. */
  static async open(options: CentralSyncOptions): Promise<CentralSync> {
    const { store, clock, onStationKey } = options;
    await store.gate.applyRemote(() => {
      createSyncTables(store.database);
      return { result: undefined };
    });
    await noteMissing(store);
    return new CentralSync(options, await createCentralExchange(store, clock, undefined, onStationKey));
  }

  /**
   * Answers a message of a station, by its id here; a machine that is not the one that goes on as the station gets no answer
   * to it.
   * @param isCarried whether it came in a file
   * @throws AppError `conflict` while two earlier pushes of the station are not taken; `too_many_requests` where it has used up
   * what it may; `upgrade_required` as `refuseFormer`; as `CentralExchange.answer`
   */
  async answer(
    station: number,
    request: Request,
    about: About | undefined,
    isCarried = false,
  ): Promise<HeldOffAnswer | (Answer & Beside)> {
    // Before it waits: what a station says of its clock is of then.
    const arrived = this.#options.clock();
    this.quotas.take(station, { messages: 1 });
    const admission = await this.machines.admit({
      station: request.station,
      proof: request.proof,
      isCarried,
      at: arrived.toISOString(),
      unsent: about?.unsent ?? null,
      version: about?.version ?? null,
    });
    if (admission.heldOff) return admission.heldOff;
    if (request.kind === 'push') this.#count(station, request);
    const isPush = request.kind === 'push';
    const isFormer = !isCarried && isOfFormer(about);
    const answer = await (isPush
      ? this.#push(station, request)
      : isFormer
        ? headsAlone(request, asked => this.exchange.answer(asked))
        : this.exchange.answer(request));
    if (isPush) await this.exchange.letInCertified();
    // A held commit changes no record, and is news all the same.
    if (isPush) this.#pokes.news();
    // A file's answer is written when a file is asked for: over the line the station has not heard of it.
    if (!isCarried) this.#pokes.told(station, answer.last);
    this.#noteContact(station, request, about, answer, arrived);
    if (isFormer && !isPush) refuseFormer(request, about);
    // Over the line its key was shown, which nobody learns from a file or from central's database.
    if (!isCarried && about?.key !== undefined) this.carried.note(request.station, { key: about.key });
    const checkpoint = this.#options.checkpoint();
    return {
      ...answer,
      ...admission.beside,
      digests: this.exchange.digests(),
      pushes: PUSHES,
      ...(checkpoint && { checkpoint }),
    };
  }

  /**
   * As `earlierCommits`, for a station by its id here.
   * @throws AppError `too_many_requests` where it has used up what it may
   */
  earlier(station: number, request: EarlierRequest): EarlierAnswer {
    this.quotas.take(station, { messages: 1 });
    return earlierCommits(this.#options.store, request);
  }

  /**
   * The digests at the end of the log; of one family also the hash of each record.
   * @param station by its id here; undefined where no station asks
   * @throws AppError `unavailable` when the log goes on meanwhile; `too_many_requests` where the station has used up what it may
   */
  async digests(
    family: string | undefined,
    station: number | undefined,
  ): Promise<z.infer<typeof centralDigestsSchema>> {
    if (station !== undefined) {
      // To count them costs something as well: only for one who may ask.
      this.quotas.take(station, { messages: 1, ...(family !== undefined && { hashes: 0 }) });
      if (family !== undefined) this.quotas.take(station, { hashes: countOf(this.#options.store, family) });
    }
    const place = this.exchange.reader().place();
    const digests = this.exchange.digests();
    const records = family === undefined ? null : await recordHashes(this.#options.store, family);
    if (this.exchange.reader().place().sequence !== place.sequence) {
      throw new AppError('unavailable', 'The log went on meanwhile. Try again.');
    }
    return { ...digests, hash: place.hash, records };
  }

  /** As `StationMachines.choose`, for a station by its id here; its machines hear of it at once, the one that is held off too. */
  async chooseMachine(
    { id, station }: Pick<StationSummary, 'id' | 'station'>,
    machine: string,
  ): Promise<void> {
    await this.machines.choose(station, machine, this.#options.clock().toISOString());
    this.#pokes.poke(id);
  }

  /** Decides a held commit and others with it, as `decideHeld`. */
  async decideHeld(
    ...decision: Parameters<CentralExchange['decideHeld']>
  ): ReturnType<CentralExchange['decideHeld']> {
    try {
      return await this.exchange.decideHeld(...decision);
    } finally {
      this.#pokes.news();
    }
  }

  /** How many stations hear of news. */
  get listening(): number {
    return this.#pokes.listening;
  }

  /** As `Pokes.follow`. */
  followNews(station: number, poke: () => void): () => void {
    return this.#pokes.follow(station, poke);
  }

  /** Every station is to ask what is new beside the log. */
  tellAll(): void {
    this.#pokes.newsForAll();
  }

  /** Keeps what is not kept yet. */
  async close(): Promise<void> {
    await this.archives.close();
    this.#unfollow();
    this.#pokes.close();
    clearTimeout(this.#noting);
    await this.#keepContacts();
  }

  /** @throws AppError `too_many_requests` */
  #count(station: number, request: PushRequest): void {
    this.quotas.checkHeld(station, this.#heldOf(request.station));
    const commits = [...request.commits, ...request.offers.map(({ commit }) => commit)];
    const bytes = commits.reduce((sum, commit) => sum + commitSize(commit), 0);
    this.quotas.take(station, { commits: commits.length, bytes });
  }

  /** How many bytes they have is read and summed over all of them, and pushes may come as often as they like. */
  #heldOf(station: string): Held {
    const { heldCommits } = this.exchange.reader();
    const now = performance.now();
    const known = this.#heldSizes.get(station);
    const isFresh = known !== undefined && now - known.at < HELD_SIZE_MS;
    const size = isFresh ? known.size : heldCommits.sizeOf(station);
    if (!isFresh) this.#heldSizes.set(station, { at: now, size });
    return { commits: heldCommits.countOf(station), size };
  }

  #noteContact(id: number, request: Request, about: About | undefined, answer: Answer, arrived: Date): void {
    // What the network repeats, however late, is of before what was said since; that its station has called is so all the same.
    const isRepeated = this.#wasSaid(id, request.request);
    const cursor = answer.kind === 'page' ? answer.to : request.cursor;
    const told = about && {
      version: about.version,
      ...(about.machine && { machine: about.machine }),
      unsent: unsentAfter(about.unsent, request, answer),
      ...(about.clock !== undefined &&
        this.#options.store.clockWatch.standing() === null && {
          clock_offset_ms: Date.parse(about.clock) - arrived.getTime(),
        }),
    };
    if (!isRepeated && (request.kind === 'pull' || request.kind === 'snapshot')) {
      const { cursor: has } = request;
      const packed = request.kind === 'pull' ? request.packed : undefined;
      const takesRecords = request.kind === 'snapshot';
      this.carried.note(request.station, {
        has: { cursor: has, ...(packed && { packed }) },
        takes_records: takesRecords,
      });
    }
    // A push is on its way while a page is asked for, and may come after it.
    const isOfNow = answer.kind !== 'cursor_unknown' && answer.kind !== 'push';
    const sequence = isOfNow ? { sequence: cursor.sequence } : {};
    const held = this.exchange.reader().heldCommits.countOf(request.station);
    const earlier = this.#contacts.get(id);
    const said = isRepeated ? {} : { protocol: request.protocol, ...sequence, ...told };
    this.#contacts.set(id, { ...earlier, held, ...said });
    this.#noting ??= setTimeout(() => {
      this.#noting = undefined;
      void this.#keepContacts();
    }, CONTACT_MS);
  }

  #wasSaid(station: number, name: string): boolean {
    const said = this.#said.get(station) ?? new Set();
    this.#said.set(station, said);
    if (said.has(name)) return true;
    said.add(name);
    const [first] = said;
    if (said.size > MOST_SAID && first !== undefined) said.delete(first);
    return false;
  }

  /** What it bears is verified while the push before it is taken. */
  #push(station: number, request: PushRequest): Promise<Answer> {
    const proving = Promise.withResolvers<() => void>();
    const answer = this.#pushes.inTurn(station, async () => {
      const forget = await proving.promise;
      try {
        return await this.exchange.answer(request);
      } finally {
        forget();
      }
    });
    proveAhead(request.commits).then(proving.resolve, proving.reject);
    return answer;
  }

  async #keepContacts(): Promise<void> {
    const { store, stations, onFault } = this.#options;
    const contacts = [...this.#contacts];
    this.#contacts.clear();
    if (contacts.length === 0) return;
    try {
      await store.gate.together(async () => {
        for (const [id, contact] of contacts) stations.noteContact(id, contact);
        this.carried.write();
      });
    } catch (error) {
      onFault(error);
    }
  }
}

/** Where no trail is kept. */
function keepOnly({ gate }: Store): ArchivesOptions['onChecked'] {
  return (_chain, _archive, keep) =>
    gate.applyRemote(() => {
      keep();
      return { result: undefined };
    });
}

/** What a station has to send once it has this answer: what it told is of before, and it may have nothing more to ask. */
function unsentAfter(told: number, request: Request, answer: Answer): number {
  if (request.kind === 'push' && answer.kind === 'push' && answer.refused === null)
    return Math.max(0, told - request.commits.length);
  if (answer.kind !== 'page') return told;
  const chains = answer.packed
    ? answer.packed.map(({ known, commit }) => (known ?? commit)?.chain)
    : answer.entries.map(({ commit }) => commit.chain);
  const own = chains.filter(chain => chain !== undefined && stationOf(chain) === request.station);
  return Math.max(0, told - own.length);
}
