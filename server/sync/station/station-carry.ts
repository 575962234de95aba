import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';
import { stationNamesSchema } from '../../../shared/contract/station-names.ts';
import { type Checkpoint, checkpointSchema } from '../../../shared/operations/checkpoint-operations.ts';
import { logDigestsSchema } from '../../../shared/operations/exchange-operations.ts';
import { secretsAnswerSchema } from '../../../shared/operations/identity-operations.ts';
import type { Secrets } from '../../identity/secrets.ts';
import type { Commit } from '../../store/changes.ts';
import type { Store } from '../../store/store.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import { inTurns } from '../../store/yield-to-event-loop.ts';
import { type EnrolmentData, hashOfKey } from '../client/enrolment-data.ts';
import { syncRules } from '../log/rules.ts';
import { refuseOtherSigner } from '../protocol/carry-key.ts';
import { type FileSigner, messagesIn, proveMessages, sealMessages } from '../protocol/message-file.ts';
import { commitSize } from '../protocol/message-size.ts';
import type { Proof } from '../protocol/proof.ts';
import { readAnswer } from '../protocol/read-message.ts';
import { type ReadBytes, readHeader, refused } from '../protocol/sealed-file.ts';
import {
  type Asking,
  PROTOCOL,
  type PullRequest,
  type PushRequest,
  type SnapshotRequest,
} from '../protocol/wire.ts';
import { agreedSchema, answerSchema } from '../protocol/wire-schemas.ts';
import type { KeptNames } from './kept-names.ts';
import type { PushPullLoop } from './push-pull-loop.ts';
import { receiveCarried } from './receive-carried.ts';
import { signedPush } from './signed-push.ts';
import type { StationProof } from './station-proof.ts';
import { StationStore } from './station-store.ts';

/** Commits in one message, and characters of JSON but for one that alone has more. */
const LIMIT = 500;
const SIZE = 1024 * 1024;
/** A block of ids is asked for when less than this share of the last one is left: files come seldom. */
const BLOCK_RESERVE = 0.5;
/** Files that ask for one, whose names are remembered. */
const ASKING = 64;
/** In `local`: when files went. */
const CARRIED = 'carried';

type Saying =
  | Omit<PullRequest, keyof Asking>
  | Omit<PushRequest, keyof Asking>
  | Omit<SnapshotRequest, keyof Asking>;

/** Times by this station's clock; `written_at` by central's. */
const datesSchema = z.object({
  out_at: z.string().nullable().default(null),
  in_at: z.string().nullable().default(null),
  /** When central wrote the newest file that was read in. */
  written_at: z.string().default(''),
  /** How far it brought the log. */
  epoch: z.string().default(''),
  sequence: z.int().default(0),
  /** The public key by which central's last file was signed. */
  key: z.string().nullable().default(null),
  /** The names of files that ask for a block of ids. */
  asking: z.array(z.string()).default([]),
});
export type CarryDates = z.infer<typeof datesSchema>;

const besideSchema = z.object({
  kind: z.literal('beside'),
  agreed: agreedSchema.optional(),
  names: stationNamesSchema.optional(),
  secrets: secretsAnswerSchema.optional(),
  block: z.object({ for: z.string(), block: z.int().min(1) }).optional(),
  // An answer counts without one that is not understood.
  checkpoint: checkpointSchema.optional().catch(undefined),
});
type Beside = z.infer<typeof besideSchema>;

export interface StationCarryOptions {
  store: Store;
  secrets: Secrets;
  names: KeptNames;
  engine: PushPullLoop;
  proof: StationProof;
  enrolment: EnrolmentData;
  /** Keeps what central signs of its log. */
  keepCheckpoint: (checkpoint: Checkpoint | undefined) => Promise<void>;
  /** Keys by which central is known to sign, the newest last; none before it was heard of. */
  centralKeys: () => readonly string[];
  /** By which this installation signs. */
  authority: FileSigner;
  /** The station's key. */
  key: string;
  version: string;
  clock: () => Date;
}

/** How far a file brings central's log, and when central says that it wrote it. */
type FileEnd = Pick<CarryDates, 'epoch' | 'sequence' | 'written_at'>;

export interface Taking {
  signal: AbortSignal;
  /** Called with each message that was taken. */
  onMessage: (done: number, of: number) => void;
  /** The fingerprint of the key that the file may be signed with, where it is another one than before. */
  acceptedKey?: string | undefined;
}

/** What became of a file. */
export interface Carried {
  name: null;
  written_at: string;
  /** Entries of central's log that were new here. */
  changes: number;
  /** Those that were here already. */
  known: number;
}

/** A station's side of the exchange by files: each has the messages that would go over the line. */
export class StationCarry {
  readonly #options: StationCarryOptions;
  readonly #read: StationStore;
  readonly #secret: Buffer;

  constructor(options: StationCarryOptions) {
    const { store } = options;
    this.#options = options;
    // However much it is, it is here: nothing is gained by asking for records in its place.
    const farBehind = Number.POSITIVE_INFINITY;
    this.#read = new StationStore(store, syncRules, store.database.reader, { farBehind });
    this.#secret = Buffer.from(hashOfKey(options.key), 'hex');
  }

  dates(): CarryDates {
    return carryDates(this.#options.store);
  }

  /** The bytes of a file for central: what it is not known to have. */
  out(): AsyncGenerator<Buffer> {
    const { store, enrolment, proof, clock, authority } = this.#options;
    const { station } = store;
    const about = {
      from: 'station',
      station,
      central: enrolment.central,
      written_at: clock().toISOString(),
      key: authority.key,
      sign: authority.sign,
    } as const;
    return sealMessages(about, this.#secret, this.#requests(proof.forFile()));
  }

  noteOut(): Promise<void> {
    return this.#note({ out_at: this.#options.clock().toISOString() });
  }

  /**
   * Takes what central wrote, message by message as over the line. Nothing of it is taken before all of it is proved; what was
   * taken before something is refused stays, and does no harm when the file is read again.
   * @throws AppError 422 on `file`; `conflict` with what to do; the signal's reason
   */
  async take(read: ReadBytes, { signal, onMessage, acceptedKey }: Taking): Promise<Carried> {
    const { store, enrolment, engine } = this.#options;
    const header = await readHeader(read);
    if (header.station !== store.station) throw refused('It is of another station, or for another one.');
    if (header.central !== enrolment.central) throw refused('It is of another central.');
    if (header.from !== 'central') throw refused('This station wrote it. Read it in at central.');
    const { count, key } = await proveMessages(read, this.#secret);
    const kept = this.dates().key;
    const known = [...this.#options.centralKeys(), ...(kept === null ? [] : [kept])];
    refuseOtherSigner({ key, known, accepted: acceptedKey, whose: 'central' });
    const start = this.#read.cursor().sequence;
    const carried: Carried = { name: null, written_at: header.written_at, changes: 0, known: 0 };
    let done = 0;
    let beside: Beside | undefined;
    let entries = 0;
    /** How far the file brings the log. */
    let end: Omit<FileEnd, 'written_at'> | undefined;
    for await (const message of messagesIn(read, this.#secret)) {
      signal.throwIfAborted();
      if (!beside) {
        beside = understood(besideSchema, message);
        await this.#refuseOther(beside);
      } else {
        const answer = await inTurns(readAnswer(message, input => understood(answerSchema, input)));
        const { digests } = understood(z.looseObject({ digests: logDigestsSchema.optional() }), message);
        if (answer.kind === 'page') {
          entries += (answer.packed ?? answer.entries).length;
          end = { epoch: answer.to.epoch, sequence: answer.to.sequence };
        }
        const take = () =>
          engine.takeCarried({ ...answer, digests }, () => receiveCarried(answer, this.#read));
        const { kind } = await take();
        // What it says is taken in the chain that was begun, or as the first of the records that are begun with.
        if (kind === 'begin_again' || kind === 'begin_snapshot') await take();
      }
      done += 1;
      onMessage(done, count);
    }
    carried.changes = Math.max(0, this.#read.cursor().sequence - start);
    carried.known = Math.max(0, entries - carried.changes);
    if (beside && end) await this.#keep(beside, { ...end, written_at: header.written_at });
    await this.#options.keepCheckpoint(beside?.checkpoint);
    await this.#adopt(beside?.block, { key, in_at: this.#options.clock().toISOString() });
    return carried;
  }

  /** First what is here, so that what central says next begins there; then what is new. */
  async *#requests(proof: Proof): AsyncGenerator<unknown> {
    const { store, engine, authority, version } = this.#options;
    const read = this.#read;
    const { unsent } = engine.state();
    const asking = { station: store.station, protocol: PROTOCOL.newest, cursor: read.cursor(), proof };
    const said = (request: Saying, more = {}) => {
      return { ...request, ...asking, request: randomUUID(), about: { version, unsent, ...more } };
    };
    const push = (what: Pick<PushRequest, 'offers' | 'commits'>) => {
      const request: PushRequest = { kind: 'push', ...asking, request: randomUUID(), ...what };
      return { ...signedPush(store.database.reader, authority, request), about: { version, unsent } };
    };
    const wants = store.ids.leftOfLastBlock() < BLOCK_RESERVE;
    if (wants) await this.#note({ asking: [...this.dates().asking, proof.next].slice(-ASKING) });
    const more = wants ? { wants_block: true } : {};
    if (read.snapshot()) {
      yield said({ kind: 'snapshot', at: null, after: null }, more);
      return;
    }
    yield said({ kind: 'pull', limit: LIMIT, packed: this.#heads() }, more);
    // Central takes nothing of who has not heard of its log.
    if (asking.cursor.epoch === '') return;
    // Ids that it gave may be taken: nothing is said before the whole log was read.
    if (read.wasHeldOff() || read.isIssuingAgain()) return;
    for (let place = 0; ; ) {
      const offers = fitting(read.recoveryCommits.after(place, LIMIT), ({ commit }) => commit);
      const last = offers.at(-1);
      if (!last) break;
      yield push({
        offers: offers.map(({ place: _, ...offer }) => offer),
        commits: [],
      });
      place = last.place;
    }
    const written: Record<string, number> = {};
    for (;;) {
      const commits = fitting(read.unplaced(LIMIT, written, SIZE), commit => commit);
      if (commits.length === 0) return;
      yield push({ offers: [], commits });
      for (const { chain, number } of commits) written[chain] = number;
    }
  }

  /** How far its own chains stand in what it has of central's log. */
  #heads(): NonNullable<PullRequest['packed']> {
    return Object.entries(this.#read.placedHeads()).flatMap(([chain, number]) => {
      const hash = this.#read.hashAt(chain, number);
      return hash === undefined ? [] : [{ chain, number, hash }];
    });
  }

  /** @throws AppError `conflict` where central goes on with another machine that has this disk */
  async #refuseOther({ agreed }: Beside): Promise<void> {
    const { engine, proof } = this.#options;
    if (!agreed || proof.isMeant(agreed) !== 'other') return;
    await engine.noteOther();
    throw new AppError('conflict', OTHER_MACHINE);
  }

  /** What stands beside the log is central's last word only in the newest file, and where nothing was heard since. */
  async #keep({ agreed, names, secrets }: Beside, end: FileEnd): Promise<void> {
    const { store, secrets: kept, names: keptNames, proof } = this.#options;
    if (!this.#isNewest(end) || (agreed && proof.isMeant(agreed) === 'before')) return;
    if (names) await keptNames.keep(names);
    if (secrets && secrets.cursor !== kept.digest()) {
      // Who signed in here meanwhile stands in what the next file for central says.
      const keepsOthers = this.#options.engine.state().unsent > 0;
      await store.gate.together(async () => kept.replaceAll(secrets.changed, { keepsOthers }));
    }
    if (agreed) proof.agree(agreed);
    await this.#note(end);
  }

  /**
   * Whether nothing later was heard of central: by its log, in which whatever changes passwords stands. A clock that stood years ahead
   * would have the last word for years; it decides between files of one place alone.
   */
  #isNewest({ epoch, sequence, written_at: at }: FileEnd): boolean {
    const cursor = this.#read.cursor();
    if (epoch !== cursor.epoch || sequence < cursor.sequence) return false;
    const last = this.dates();
    return last.epoch !== epoch || last.sequence !== sequence || at > last.written_at;
  }

  /** A block of ids that one of its files has asked for, once: what else comes late is nobody's. */
  async #adopt(block: Beside['block'], dates: Partial<CarryDates>): Promise<void> {
    const isAsked = block !== undefined && this.dates().asking.includes(block.for);
    await this.#note({ ...dates, ...(isAsked && { asking: [] }) }, () => {
      if (isAsked) this.#options.store.ids.adopt(block.block, false);
    });
  }

  async #note(dates: Partial<CarryDates>, beside = () => {}): Promise<void> {
    const { store } = this.#options;
    await store.gate.applyRemote(() => {
      beside();
      writeLocal(store.database, CARRIED, JSON.stringify({ ...this.dates(), ...dates }));
      return { result: undefined };
    });
  }
}

/** The first of these that a message has room for: at least one. */
function fitting<Item>(items: readonly Item[], commitOf: (item: Item) => Commit): Item[] {
  let left = SIZE;
  const end = items.findIndex((item, index) => {
    left -= commitSize(commitOf(item));
    return left < 0 && index > 0;
  });
  return items.slice(0, end < 0 ? items.length : end);
}

/** @throws AppError 422 on `file` */
function understood<Out>(schema: z.ZodType<Out>, input: unknown): Out {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw refused('Central says something in it that this version does not understand. Update this station.');
}

const OTHER_MACHINE =
  'Central goes on with another machine that has this station\'s data: its disk was copied, or an earlier copy was put back. Nothing of this file was taken, and nothing that was recorded here is lost. Write a file here and read it in at central: it says how it calls this machine, and an administrator says which one goes on ("holdpoint station choose").';

/** When files were carried, whether or not one could be written now. */
export function carryDates({ database }: Store): CarryDates {
  return datesSchema.parse(JSON.parse(readLocal(database.reader, CARRIED) ?? '{}'));
}
