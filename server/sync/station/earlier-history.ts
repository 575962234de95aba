import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../shared/contract/errors.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { earlierSince, isHistoryMissing, isTakingRecords, logStart } from '../../store/earlier-history.ts';
import type { Store } from '../../store/store.ts';
import { CentralFailure } from '../client/central-failure.ts';
import { type EarlierAnswer, type EarlierRequest, RECORD_LIMIT } from '../protocol/earlier.ts';
import { type Kept, keepEarlier } from './keep-earlier.ts';
import type { Passage } from './line.ts';
import { Pace } from './pace.ts';

/** How long a look waits for central, and for how long without anything new from it. In milliseconds. */
const PATIENCE_MS = 3_000;

/** In characters of JSON. */
const SIZES = { first: 384 * 1024, least: 8 * 1024, most: 4 * 1024 * 1024 };

type Looked = Pick<StoredRecord, 'key' | 'creator'>;

/** Why a record's history is not whole here. */
export interface Missing {
  /** `loading`: it is on its way. `unreachable`: central could not be asked. `refused`: its answer cannot be taken. */
  reason: 'loading' | 'unreachable' | 'refused';
  /** For people. */
  message: string;
}

export interface EarlierHistoryOptions {
  store: Store;
  /** @throws CentralFailure, CallError, AppError `unauthenticated` without a key */
  ask: (
    request: EarlierRequest,
    signal: AbortSignal,
  ) => Promise<{ answer: EarlierAnswer; passage?: Passage }>;
  patienceMs?: number;
}

/**
 * Asks central for what is missing of records' histories, when somebody looks at them. One question at a time, the newest
 * look first; what arrived is kept, also when nobody waits for it any more.
 */
export class EarlierHistory {
  readonly #options: EarlierHistoryOptions;
  readonly #patienceMs: number;
  readonly #stop = new AbortController();
  readonly #pace = new Pace(SIZES);
  /** In the order of the looks. */
  readonly #wanted = new Set<string>();
  readonly #faults = new Map<string, unknown>();
  #running: Promise<void> | undefined;
  #next = Promise.withResolvers<void>();
  #heardAt = 0;

  constructor(options: EarlierHistoryOptions) {
    this.#options = options;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
  }

  /**
   * Fetches what is missing of the records' histories, as far as that comes in time.
   * @param waitMs how long to wait while something comes; a few seconds unless said
   * @returns by key why a history is not whole here; none for those that are
   */
  async look(records: readonly Looked[], waitMs = this.#patienceMs): Promise<Map<string, Missing>> {
    const { reader } = this.#options.store.database;
    const missing = () => records.filter(record => isHistoryMissing(reader, record));
    const begun = performance.now();
    const asked = isTakingRecords(reader) ? [] : missing();
    for (const { key } of asked) {
      this.#faults.delete(key);
      this.#wanted.delete(key);
      this.#wanted.add(key);
    }
    if (asked.length > 0) this.#start();
    while (this.#running && asked.some(({ key }) => this.#wanted.has(key))) {
      const left = Math.min(begun + waitMs, this.#heardAt + this.#patienceMs) - performance.now();
      if (left <= 0) break;
      await Promise.race([this.#next.promise, sleep(left, undefined, { ref: false })]);
    }
    return new Map(missing().map(({ key }) => [key, this.#why(key)]));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  #start(): void {
    if (this.#running) return;
    this.#heardAt = performance.now();
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    // Its promise is noted before it ends.
    await Promise.resolve();
    while (this.#wanted.size > 0) {
      const keys = [...this.#wanted].reverse().slice(0, RECORD_LIMIT);
      try {
        await this.#fetch(keys);
      } catch (error) {
        for (const key of this.#wanted) this.#faults.set(key, error);
        this.#wanted.clear();
      }
      this.#heardAt = performance.now();
      this.#next.resolve();
      this.#next = Promise.withResolvers();
    }
    this.#running = undefined;
  }

  async #fetch(keys: readonly string[]): Promise<void> {
    const { store, ask } = this.#options;
    const { reader } = store.database;
    const until = logStart(reader);
    if (!until) return this.#wanted.clear();
    const records = keys.map(key => ({ key, before: earlierSince(reader, key) ?? until.sequence + 1 }));
    const request = { until, records: records.filter(({ before }) => before > 0), size: this.#pace.size };
    for (const { key, before } of records) if (before === 0) this.#wanted.delete(key);
    if (request.records.length === 0) return;
    const { answer, passage } = await ask(request, this.#stop.signal).catch(error => {
      this.#pace.failed(request.size);
      throw error;
    });
    if (passage) this.#pace.passed(passage.characters, passage.seconds);
    const kept = await keepEarlier(store, request, answer);
    for (const [key, fault] of kept) this.#note(key, fault);
  }

  #note(key: string, kept: Kept): void {
    if (kept === 'more') return;
    this.#wanted.delete(key);
    if (kept !== 'whole') this.#faults.set(key, kept);
  }

  #why(key: string): Missing {
    const { store } = this.#options;
    if (isTakingRecords(store.database.reader)) return { reason: 'loading', message: TAKING };
    const fault = this.#faults.get(key);
    if (fault === undefined) return { reason: 'loading', message: LOADING };
    const said = fault instanceof Error ? fault.message : String(fault);
    const isAway = fault instanceof CentralFailure;
    if (isAway) return { reason: 'unreachable', message: `${UNREACHABLE} ${said}` };
    const isUnknown = fault instanceof AppError && fault.code === 'not_found';
    return { reason: 'refused', message: isUnknown ? OLDER_CENTRAL : `${REFUSED} ${said}` };
  }
}

const TAKING = 'This station is still taking the records from central. Look again when it is in step.';
const LOADING = 'Earlier changes are on their way from central. Look again in a moment.';
const UNREACHABLE =
  'Earlier changes are at central, which cannot be reached. Look again when this station is connected. A file on a stick does not bring them; at central they can be looked at.';
const REFUSED = 'Earlier changes are at central, and did not come.';
const OLDER_CENTRAL =
  'Earlier changes are at central, which runs a version that does not send them. Update central.';
