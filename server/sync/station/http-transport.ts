import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { StationMachine } from '../../../shared/contract/station-machine.ts';
import { stationNamesSchema } from '../../../shared/contract/station-names.ts';
import { type Checkpoint, checkpointSchema } from '../../../shared/operations/checkpoint-operations.ts';
import { centralDigestsSchema, logDigestsSchema } from '../../../shared/operations/exchange-operations.ts';
import { userKeySchema } from '../../../shared/operations/identity-operations.ts';
import {
  type ArchiveAnswer,
  type ArchiveRequest,
  archiveAnswerSchema,
} from '../../../shared/operations/moved-operations.ts';
import {
  type ShownCertificates,
  shownCertificatesSchema,
} from '../../../shared/operations/renewal-operations.ts';
import {
  type BackupPart,
  type BackupReceived,
  backupReceivedSchema,
} from '../../../shared/operations/station-backup-operations.ts';
import { blockAnswerSchema } from '../../../shared/operations/sync-operations.ts';
import type { Secrets } from '../../identity/secrets.ts';
import type { Store } from '../../store/store.ts';
import { inTurns } from '../../store/yield-to-event-loop.ts';
import type { CentralClient, Traffic } from '../client/central-client.ts';
import { CentralFailure } from '../client/central-failure.ts';
import { fingerprintsOf, isCentralsTime, type KnownCertificates } from '../client/central-pins.ts';
import { type EarlierAnswer, type EarlierRequest, earlierAnswerSchema } from '../protocol/earlier.ts';
import { readAnswer } from '../protocol/read-message.ts';
import { type Request, SPEAKS } from '../protocol/wire.ts';
import { agreedSchema, answerSchema, doubledSchema, heldOffSchema } from '../protocol/wire-schemas.ts';
import { backoffMs } from './backoff.ts';
import type { CentralClock } from './central-clock.ts';
import { HeldOff } from './held-off.ts';
import type { KeptNames } from './kept-names.ts';
import type { Passage } from './line.ts';
import { SecretsExchange } from './secrets.ts';
import type { Answered, Sending, Transport } from './transport.ts';

/** A further block is asked for when less than this share of the last one is left. */
const BLOCK_RESERVE = 0.1;

/** An answer that came later than so many milliseconds says nothing of the two clocks. */
const CLOCK_PATIENCE_MS = 60_000;

/** What stands beside an answer of the protocol; an older central says less. */
const whole = z.looseObject({
  digests: logDigestsSchema.optional(),
  pushes: z.int().optional(),
  secrets: z.string().optional(),
  names: stationNamesSchema.optional(),
  clock: z.iso.datetime().optional(),
  clock_signature: z.string().optional(),
  certificates: shownCertificatesSchema.optional(),
  body_ms: z.number().min(0).optional(),
  agreed: agreedSchema.optional(),
  doubled: doubledSchema.optional(),
  // An answer counts without one that is not understood.
  checkpoint: checkpointSchema.optional().catch(undefined),
});

export interface HttpTransportOptions {
  client: CentralClient;
  store: Store;
  secrets: Secrets;
  names: KeptNames;
  version: string;
  /** The public key by which this installation signs its files. */
  signsWith: string;
  clock: () => Date;
  centralClock: CentralClock;
  pins: Pins;
  /** Keeps what central signs of its log. */
  keepCheckpoint: (checkpoint: Checkpoint | undefined) => Promise<void>;
  /** Own commits that central has neither decided nor held. */
  unsent: () => number;
  /** What this station says of its machine. */
  machineSays?: (() => StationMachine) | undefined;
  /** Central has news, or may have. */
  onNews: () => void;
  onFault: (error: unknown) => void;
}

/** The certificates by which central is known. */
export interface Pins {
  read(): KnownCertificates;
  /** What central says, over a connection to it, of its certificates. Answers whether that was new. */
  keep(shown: ShownCertificates): Promise<boolean>;
}

/** A station's line to its central: messages of the exchange, news, and blocks of ids. */
export class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions;
  readonly #stop = new AbortController();
  /** While the stream of news is down, and waits to be tried again. */
  #waiting: AbortController | undefined;
  #following: Promise<void> | undefined;
  #fetching: Promise<void> | undefined;
  readonly #secrets: SecretsExchange;
  #agreeing: Promise<void> | undefined;
  #naming: Promise<void> | undefined;
  #comparing: Promise<void> | undefined;
  #checking: Promise<void> | undefined;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    this.#secrets = new SecretsExchange({ ...options, signal: this.#stop.signal });
  }

  /** Listens for news until `close`. */
  start(): void {
    this.#following = this.#follow();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#options.client.close();
    await Promise.all([
      this.#following,
      this.#fetching,
      this.#agreeing,
      this.#naming,
      this.#comparing,
      this.#checking,
    ]);
  }

  async exchange(request: Request, sending: Sending): ReturnType<Transport['exchange']> {
    const { client, version, clock, unsent, names, pins } = this.#options;
    const asked = clock();
    const certificates = fingerprintsOf(pins.read());
    const about = {
      version,
      speaks: SPEAKS,
      unsent: unsent(),
      clock: asked.toISOString(),
      key: this.#options.signsWith,
      names: names.stamp,
      ...(this.#options.machineSays && { machine: this.#options.machineSays() }),
      ...(certificates.length > 0 && { certificates }),
    };
    const isPush = request.kind === 'push';
    let traffic: Traffic | undefined;
    const data = await client.request(
      'POST',
      '/x/sync/exchange',
      { ...request, about },
      {
        ...sending,
        isQueued: isPush,
        onAnswered: measured => {
          traffic = measured;
        },
      },
    );
    const heldOff = heldOffSchema.safeParse(data);
    if (heldOff.success) throw new HeldOff(heldOff.data);
    const answer = await inTurns(readAnswer(data, input => understood(answerSchema, input)));
    const beside = understood(whole, data);
    this.#waiting?.abort();
    this.#considerBlock();
    // Central waits to hear that it is known.
    if (beside.certificates && (await pins.keep(beside.certificates))) this.#options.onNews();
    const onFault = (error: unknown) => {
      if (!this.#stop.signal.aborted) this.#options.onFault(error);
    };
    // A push waits at central, so that the middle of its time says nothing.
    if (!isPush) this.#comparing = this.#compareClocks(asked, request.request, beside).catch(onFault);
    this.#agreeing = this.#secrets.agree(beside.secrets).catch(onFault);
    this.#naming = names.keep(beside.names).catch(onFault);
    this.#checking = this.#options.keepCheckpoint(beside.checkpoint).catch(onFault);
    const passage = traffic && passageOf(traffic, beside.body_ms);
    const { digests, pushes, agreed, doubled } = beside;
    return { ...answer, digests, pushes, agreed, doubled, ...(passage && { passage }) };
  }

  /**
   * Central's time is taken as that of the middle between question and answer. What bears a signature that is not central's, as
   * of a certificate that this station has not heard of, counts for nothing; a former version signs none.
   */
  async #compareClocks(
    asked: Date,
    request: string,
    { clock: central, clock_signature: signature }: z.infer<typeof whole>,
  ): Promise<void> {
    const { clock, centralClock, pins } = this.#options;
    const took = clock().getTime() - asked.getTime();
    if (central === undefined || took < 0 || took > CLOCK_PATIENCE_MS) return;
    const isProved =
      signature === undefined || isCentralsTime(pins.read(), { request, clock: central, signature });
    if (!isProved) return;
    await centralClock.compare(asked.getTime() + took / 2, Date.parse(central));
  }

  /** Central's digests at the end of its log; of one family also the hashes of its records. */
  async digests(family?: string): Promise<z.infer<typeof centralDigestsSchema>> {
    const query = family === undefined ? '' : `?family=${encodeURIComponent(family)}`;
    const data = await this.#options.client.request('GET', `/x/sync/digests${query}`);
    return centralDigestsSchema.parse(data);
  }

  /** Asks for what is missing of records' histories. */
  async earlier(
    request: EarlierRequest,
    signal: AbortSignal,
  ): Promise<{ answer: EarlierAnswer; passage?: Passage }> {
    let traffic: Traffic | undefined;
    const data = await this.#options.client.request('POST', '/x/sync/history', request, {
      signal,
      onAnswered: measured => {
        traffic = measured;
      },
    });
    const answer = understood(earlierAnswerSchema, data);
    const passage = traffic && passageOf(traffic, undefined)?.down;
    return { answer, ...(passage && { passage }) };
  }

  /** A part of a backup, and how much of it central has then. */
  async backup(part: BackupPart, signal: AbortSignal): Promise<BackupReceived> {
    const either = AbortSignal.any([signal, this.#stop.signal]);
    // The last part is answered once the whole is proved.
    const data = await this.#options.client.request('POST', '/x/stations/backup', part, {
      signal: either,
      isQueued: true,
    });
    return understood(backupReceivedSchema, data);
  }

  /** A part of the history of before this installation joined. */
  async archive(
    part: Omit<ArchiveRequest, 'commits'> & { commits: readonly object[] },
    signal: AbortSignal,
  ): Promise<ArchiveAnswer> {
    const either = AbortSignal.any([signal, this.#stop.signal]);
    const data = await this.#options.client.request('POST', '/x/stations/archive', part, { signal: either });
    return understood(archiveAnswerSchema, data);
  }

  /** Of who signs in here. @param place in which part of the network */
  async key(
    login: string,
    password: string,
    place: number | undefined,
  ): Promise<z.infer<typeof userKeySchema> | undefined> {
    const { signal } = this.#stop;
    const body = { login, password, ...(place !== undefined && { place }) };
    const data = await this.#options.client.request('POST', '/x/stations/key', body, { signal });
    return understood(userKeySchema.nullable(), data) ?? undefined;
  }

  /** The hashes of passwords that central gives this station, without waiting for the next exchange. */
  takeSecrets(): Promise<void> {
    return this.#secrets.takeAnew();
  }

  #considerBlock(): void {
    const { store, onFault } = this.#options;
    if (this.#fetching || store.ids.leftOfLastBlock() >= BLOCK_RESERVE) return;
    this.#fetching = this.#fetchBlock()
      .catch(onFault)
      .finally(() => {
        this.#fetching = undefined;
      });
  }

  async #fetchBlock(): Promise<void> {
    const { client, store } = this.#options;
    const { signal } = this.#stop;
    const { block } = blockAnswerSchema.parse(
      await client.request('POST', '/x/stations/block', {}, { signal }),
    );
    await store.gate.applyRemote(() => {
      store.ids.adopt(block, false);
      return { result: undefined };
    });
  }

  async #follow(): Promise<void> {
    const { client, onNews, onFault } = this.#options;
    const { signal } = this.#stop;
    let failures = 0;
    while (!signal.aborted) {
      let isRefused = false;
      try {
        // The first event comes with the connection: what happened without one is asked for then.
        const onEvent = () => {
          failures = 0;
          onNews();
        };
        await client.stream('/x/sync/pokes', onEvent, { signal });
      } catch (error) {
        isRefused = !(error instanceof CentralFailure);
        if (!signal.aborted) onFault(error);
      }
      // A line that was there and is not any more, or that central refuses: the exchange finds out what that means.
      if ((failures === 0 || isRefused) && !signal.aborted) onNews();
      failures += 1;
      await this.#pause(backoffMs(failures));
    }
  }

  /** Until the time is over, the exchange works again, or the line is closed. */
  async #pause(milliseconds: number): Promise<void> {
    this.#waiting = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, this.#waiting.signal]);
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
    this.#waiting = undefined;
  }
}

/**
 * How long the request took on the line only central can tell, by itself or by its whole time: here it counts as sent when
 * the system has it.
 */
function passageOf(
  { sent, received, waited, arrived }: Traffic,
  bodyMs: number | undefined,
): Answered['passage'] {
  const seconds = bodyMs === undefined ? waited : bodyMs / 1_000;
  return {
    up: { characters: sent.unpacked, bytes: sent.packed, seconds },
    down: { characters: received.unpacked, bytes: received.packed, seconds: arrived },
  };
}

/** @throws CentralFailure for what no schema of this version is */
function understood<Out>(schema: z.ZodType<Out>, data: unknown): Out {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const message = 'Central answers in a way that this version does not understand. Update this station.';
  throw new CentralFailure('not_central', message, parsed.error);
}
