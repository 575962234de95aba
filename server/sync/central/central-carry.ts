import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';
import type { Checkpoint } from '../../../shared/operations/checkpoint-operations.ts';
import { exchangeRequestSchema } from '../../../shared/operations/exchange-operations.ts';
import type { Stations } from '../../enrolment/stations.ts';
import type { Store } from '../../store/store.ts';
import { inTurns } from '../../store/yield-to-event-loop.ts';
import { refuseOtherSigner } from '../protocol/carry-key.ts';
import { type FileSigner, messagesIn, proveMessages, sealMessages } from '../protocol/message-file.ts';
import { readRequest } from '../protocol/read-message.ts';
import { type ReadBytes, readHeader, refused } from '../protocol/sealed-file.ts';
import {
  type Answer,
  type Cursor,
  FAR_BEHIND,
  FIRST_CURSOR,
  PROTOCOL,
  type PullRequest,
  type Request,
} from '../protocol/wire.ts';
import { requestSchema } from '../protocol/wire-schemas.ts';
import type { About, CentralSync } from './central-sync.ts';
import { refuseOtherKey } from './station-keys.ts';

/** Entries of the log in one message. */
const LIMIT = 500;
/** What comes back within so many seconds is waited for. */
const PATIENCE_S = 90;

export interface CentralCarryOptions {
  store: Store;
  stations: Stations;
  /** Hashes of passwords that are a station's, by its id here, and their digest. */
  secretsFor: (stationId: number) => Promise<{ changed: readonly object[]; cursor: string }>;
  sync: CentralSync;
  /** Central's word on where its log stands now. */
  checkpoint: () => Checkpoint | undefined;
  /** By which this installation signs. */
  authority: FileSigner;
  clock: () => Date;
  /** In the place of `FAR_BEHIND`. */
  farBehind?: number;
}

export interface Taking {
  signal: AbortSignal;
  /** Called with each message that was taken. */
  onMessage: (done: number, of: number) => void;
  /** The fingerprint of the key that the file may be signed with, where it is another one than before. */
  acceptedKey?: string | undefined;
}

/** What became of a file. */
export interface Carried {
  /** Of a station, or null for central. */
  name: string | null;
  written_at: string;
  /** Changes in it that were new here. */
  changes: number;
  /** Those that were here already. */
  known: number;
}

/** Central's side of the exchange by files: each has the messages that would go over the line. */
export class CentralCarry {
  readonly #options: CentralCarryOptions;

  constructor(options: CentralCarryOptions) {
    this.#options = options;
  }

  /**
   * The bytes of a file for a station, by its id here: what the station is not known to have.
   * @throws AppError 404; `conflict` for a station whose key is void
   */
  out(id: number): AsyncGenerator<Buffer> {
    const { store, stations, clock, authority } = this.#options;
    const { station } = stations.get(id);
    const about = {
      from: 'central',
      station,
      central: store.station,
      written_at: clock().toISOString(),
      key: authority.key,
      sign: authority.sign,
    } as const;
    return sealMessages(about, stations.secretOf(id), this.#answers(id, station));
  }

  /** That a file for the station is written. */
  async noteOut(id: number): Promise<void> {
    await this.#note(this.#options.stations.get(id).station, { out_at: this.#options.clock().toISOString() });
  }

  /**
   * Takes what a station wrote, message by message as over the line. Nothing of it is taken before all of it is proved; what
   * was taken before something is refused stays, and does no harm when the file is read again.
   * @throws AppError 422 on `file`; `conflict` with what to do; the signal's reason
   */
  async take(read: ReadBytes, { signal, onMessage, acceptedKey }: Taking): Promise<Carried> {
    const { store, stations, sync } = this.#options;
    const header = await readHeader(read);
    if (header.central !== store.station) throw refused('It is of a station of another central.');
    const station = stations.list().find(one => one.station === header.station);
    if (!station) throw refused('It is of a station that this central does not know.');
    if (header.from !== 'station') {
      throw refused(`Central wrote it, for the station "${station.name}". Read it in there.`);
    }
    const secret = stations.secretOf(station.id);
    const { count, key } = await proveMessages(read, secret);
    // What it holds is signed by the same key, and is taken of no other one, whatever a person says of the file.
    refuseOtherKey(store.database, station.station, key);
    const { key: known, block: given } = sync.carried.of(station.station);
    const whose = `the station "${station.name}"`;
    refuseOtherSigner({ key, known: known === undefined ? [] : [known], accepted: acceptedKey, whose });
    let asking: string | undefined;
    const carried: Carried = { name: station.name, written_at: header.written_at, changes: 0, known: 0 };
    let done = 0;
    for await (const message of messagesIn(read, secret)) {
      signal.throwIfAborted();
      // As over the line, where each message shows the key: it may have been revoked since the one before.
      if (!stations.secretOf(station.id).equals(secret))
        throw new AppError('conflict', otherKey(station.name));
      const { request, about } = await parsed(message);
      if (request.station !== header.station) throw refused('A message in it is of another station.');
      const before = sync.exchange.reader();
      const commits = request.kind === 'push' ? request.commits : [];
      const fresh = commits.filter(({ chain, number }) => number > before.head(chain).number).length;
      await this.#say(station, request, about, signal);
      if (about?.wants_block) asking = request.proof?.next;
      carried.changes += fresh;
      carried.known += commits.length - fresh;
      done += 1;
      onMessage(done, count);
    }
    await this.#noteIn(station, key, asking === given?.for ? undefined : asking);
    return carried;
  }

  /** As a message over the line, waiting where the station has used up what it may of a minute. */
  async #say(
    { id, name }: { id: number; name: string },
    request: Request,
    about: About | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    // What the station asks for is written into a file when one is asked for.
    const asked = request.kind === 'pull' ? { ...request, limit: 0 } : request;
    for (;;) {
      try {
        const answer = await this.#options.sync.answer(id, asked, about, true);
        if (answer.kind === 'held_off') throw heldOff(name, answer.machine, answer.is_decided);
        // One that has not heard of central's log yet has said so.
        const isFirst = request.kind !== 'push' && request.cursor.epoch === '';
        if (answer.kind === 'cursor_unknown' && !isFirst) throw new AppError('conflict', otherLog(name));
        if (answer.kind === 'push' && answer.refused)
          throw new AppError('conflict', refusal(name, answer.refused.reason));
        return;
      } catch (error) {
        const wait =
          error instanceof AppError && error.code === 'too_many_requests' ? waitOf(error) : undefined;
        if (wait === undefined) throw error;
        if (wait > PATIENCE_S || wait === 0) throw error;
        await sleep(wait * 1_000, undefined, { signal });
      }
    }
  }

  /** What central answers to the station's last question, and to those that follow from the answers. */
  async *#answers(id: number, station: string): AsyncGenerator<unknown> {
    const { stations, secretsFor, sync } = this.#options;
    const checkpoint = this.#options.checkpoint();
    const agreed = sync.machines.lastAgreed(station);
    const { has, block, takes_records: takesRecords = false } = sync.carried.of(station);
    const { cursor = FIRST_CURSOR, packed = [] } = has ?? {};
    yield {
      kind: 'beside',
      ...(agreed && { agreed }),
      ...(checkpoint && { checkpoint }),
      ...(block && { block }),
      names: stations.names().since(''),
      secrets: await secretsFor(id),
    };
    const asking = { station, protocol: PROTOCOL.newest };
    const ask = (request: Omit<PullRequest, 'request'>) =>
      sync.exchange.answer({ ...request, request: randomUUID() });
    let pull: Omit<PullRequest, 'request'> = { kind: 'pull', ...asking, cursor, packed, limit: LIMIT };
    const { farBehind = FAR_BEHIND } = this.#options;
    const isNew = cursor.epoch === '' && sync.exchange.reader().place().sequence > farBehind;
    if (takesRecords || isNew) {
      const at = yield* this.#records(station);
      if (!at) return;
      pull = { ...pull, cursor: at, packed: [] };
    }
    let answer = await ask(pull);
    if (answer.kind === 'cursor_unknown') {
      // Closer and closer to the end, where logs part when one was put back.
      const { sequence } = cursor;
      const lows = [0, sequence - 1_000, sequence - 30].map(low => Math.max(0, low));
      const found = new Map(answer.rungs.map(rung => [rung.sequence, rung]));
      for (const low of lows) {
        const prefix = {
          kind: 'prefix' as const,
          ...asking,
          cursor,
          request: randomUUID(),
          low,
          high: sequence + 1,
        };
        const more = await sync.exchange.answer(prefix);
        if (more.kind === 'cursor_unknown') for (const rung of more.rungs) found.set(rung.sequence, rung);
      }
      const rungs = [...found.values()].sort((one, other) => one.sequence - other.sequence);
      yield { ...answer, rungs };
      const [first] = rungs;
      // One that heard of nothing begins at the beginning; any other says next which place it shares.
      if (sequence > 0 || !first) return;
      pull = { ...pull, cursor: first };
      answer = await ask(pull);
    }
    for (const end = answer.last; answer.kind === 'page'; ) {
      const isEnd = answer.to.sequence >= end;
      const { digests, sequence } = { digests: sync.exchange.digests(), sequence: answer.to.sequence };
      yield digests.sequence === sequence ? { ...answer, digests } : answer;
      if (isEnd) return;
      pull = { ...pull, cursor: answer.to };
      answer = await ask(pull);
    }
  }

  /**
   * All records, in place of the log: for a station that began to take them, and for a new one where they are fewer messages.
   * Returns where in the log it goes on; undefined where central was put back meanwhile.
   */
  async *#records(station: string): AsyncGenerator<unknown, Cursor | undefined> {
    const { exchange } = this.#options.sync;
    const asking = { station, protocol: PROTOCOL.newest };
    const first = { kind: 'pull', ...asking, request: randomUUID(), cursor: FIRST_CURSOR, limit: 1 } as const;
    const known = await exchange.answer(first);
    // Whoever knows nothing of the log is told its places, the end last.
    const cursor = known.kind === 'cursor_unknown' ? known.rungs.at(-1) : undefined;
    if (!cursor) return undefined;
    let at: Cursor | null = null;
    for (let after: string | null = null; ; ) {
      const page: Answer = await exchange.answer({
        kind: 'snapshot',
        ...asking,
        ...{ request: randomUUID(), cursor, at, after },
      });
      if (page.kind !== 'snapshot') return undefined;
      yield page;
      at = page.at;
      after = page.after;
      if (after === null) return at;
    }
  }

  /** @param asking the name of the file that asks for a block of ids: the same file never gets a second one */
  async #noteIn(
    { id, station }: { id: number; station: string },
    key: string,
    asking: string | undefined,
  ): Promise<void> {
    const { store, stations, sync, clock } = this.#options;
    const isGiven = asking !== undefined && this.#mayHaveBlock(id);
    const said = { key, in_at: clock().toISOString() };
    await store.gate.applyRemote(() => {
      const block = isGiven ? { block: { for: asking, block: stations.takeBlock(id).block } } : {};
      sync.carried.keep(station, { ...said, ...block });
      return { result: undefined };
    });
  }

  #mayHaveBlock(id: number): boolean {
    try {
      this.#options.sync.quotas.take(id, { blocks: 1 });
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'too_many_requests') return false;
      throw error;
    }
  }

  async #note(station: string, said: { out_at?: string; in_at?: string }): Promise<void> {
    const { store, sync } = this.#options;
    sync.carried.note(station, said);
    await store.gate.applyRemote(() => {
      sync.carried.write();
      return { result: undefined };
    });
  }
}

/** As over the line. @throws AppError 422 on `file` */
async function parsed(message: unknown): Promise<{ request: Request; about: About | undefined }> {
  const outline = understood(exchangeRequestSchema, message);
  const { protocol, about } = outline;
  if (protocol < PROTOCOL.oldest || protocol > PROTOCOL.newest) {
    const which = protocol > PROTOCOL.newest ? 'central' : 'the station';
    throw refused(
      `The station speaks version ${protocol} of the sync protocol, central ${PROTOCOL.oldest} to ${PROTOCOL.newest}. Update ${which}.`,
    );
  }
  const request = await inTurns(readRequest(message, input => understood(requestSchema, input)));
  return { request, about };
}

function understood<Out>(schema: z.ZodType<Out>, input: unknown): Out {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refused(
    `A message in it is not understood (${issue?.path.join('.')}: ${issue?.message}). Update central.`,
  );
}

function waitOf(error: AppError): number {
  return Number(error.headers?.['Retry-After'] ?? 0);
}

function heldOff(name: string, machine: string, isDecided: boolean): AppError {
  const two = `This file is of the machine ${machine}, which has the data of the station "${name}", while central goes on with another one: its disk was copied, or an earlier copy was put back. Nothing of it was taken.`;
  const remedy = isDecided
    ? 'Make that machine a station of its own: a new code, and there "holdpoint enrol ADDRESS CODE --separate".'
    : 'Say at Stations, or by "holdpoint station choose", which one goes on. Then write a new file there.';
  return new AppError('conflict', `${two} ${remedy}`);
}

function otherKey(name: string): string {
  return `The station "${name}" was enrolled again while this file was read in: it counts no more. What stood before that was taken. Write a new file there.`;
}

function otherLog(name: string): string {
  return `Central was restored since the station "${name}" last heard of it, so nothing was taken. Write a file for the station now, read it in there, and bring a new one from there.`;
}

function refusal(name: string, reason: string): string {
  const taken = 'What stood before it was taken.';
  if (reason === 'gap') {
    return `Changes of the station "${name}" that come before those in this file are missing at central. ${taken} Write a file for the station now, read it in there, and bring a new one from there.`;
  }
  if (reason === 'fork') {
    return `Central has other changes of the station "${name}" in the place of those in this file: the station was put back to an earlier state. ${taken} Write a file for the station now, read it in there, and bring a new one from there.`;
  }
  return `A change in this file is not what its hash says, or of another station (${reason}). ${taken} Have the station verified: holdpoint verify.`;
}
