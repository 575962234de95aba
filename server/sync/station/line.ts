import { AppError } from '../../../shared/contract/errors.ts';
import { CentralFailure } from '../client/central-failure.ts';
import { commitSize } from '../protocol/message-size.ts';
import { PAGE_SIZE, type Request } from '../protocol/wire.ts';
import { Pace, type PaceBounds } from './pace.ts';

/**
 * Of a push. The first has as many ordinary commits as any, so that nothing is lost on a quick line; the largest is, as JSON,
 * below the 16 MiB that central takes, whatever characters it has, and short enough to be read between two answers.
 */
const UP: PaceBounds = { first: 384 * 1024, least: 8 * 1024, most: 1024 * 1024 };
/** Of a page of the log or of a snapshot. */
const DOWN: PaceBounds = { ...UP, most: PAGE_SIZE };

/** Fewer bytes say more of the way than of what it carries. */
const MEASURED_BYTES = 4_096;
/** In bytes a second. Between the two a line is what it was, so that what people read does not change to and fro. */
const SLOW = 32_000;
const QUICK = 64_000;
/** The share of the last message in what is taken for the rate. */
const NEWEST = 0.3;

/** How one direction of an exchange went. */
export interface Passage {
  /** As JSON, and as it was on the wire. */
  characters: number;
  bytes: number;
  /** From its first byte to its last. */
  seconds: number;
}

/** What is known of the line to central. */
export interface LineState {
  is_slow: boolean;
  /** Since when it is slow, or is not. */
  since: string;
  /** Bytes a second on the wire, in two digits; null while no message was large enough to tell. */
  sends: number | null;
  receives: number | null;
  /** Bytes on the wire for each character that was pushed, and for each entry of central's log; null while not known. */
  push_packing: number | null;
  entry_bytes: number | null;
}

/** The line to central: how large messages may be on it, and how quick it is. Nothing of it outlives the process. */
export class Line {
  readonly up = new Pace(UP);
  readonly down = new Pace(DOWN);
  readonly #clock: () => Date;
  readonly #sends = new Average();
  readonly #receives = new Average();
  readonly #pushPacking = new Average();
  readonly #entryBytes = new Average();
  #isSlow = false;
  #since: string | undefined;

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  /** A request was answered. `entries` of the log, if it was a page of it. */
  passed(request: Request, { up, down }: { up: Passage; down: Passage }, entries = 0): void {
    if (request.kind === 'push') {
      this.up.passed(up.characters, up.seconds);
      this.#pushPacking.add(up.bytes / up.characters);
    } else this.down.passed(down.characters, down.seconds);
    // An entry that comes alone may be one that is larger than a page, and says nothing of the others.
    if (entries > 1) this.#entryBytes.add(down.bytes / entries);
    const isMeasured = [measure(this.#sends, up), measure(this.#receives, down)].includes(true);
    if (isMeasured) this.#judge();
  }

  /** A request was not answered, or not whole: of a line that is there, but too slow for it, or cut. */
  failed(request: Request, cause: unknown): void {
    if (!isOfLine(cause)) return;
    if (request.kind === 'push') {
      const commits = [...request.offers.map(({ commit }) => commit), ...request.commits];
      this.up.failed(commits.reduce((sum, commit) => sum + commitSize(commit), 0));
    } else if (request.kind !== 'prefix') this.down.failed(this.down.size);
  }

  /** Null before anything was measured. */
  state(): LineState | null {
    if (this.#since === undefined) return null;
    return {
      is_slow: this.#isSlow,
      since: this.#since,
      sends: this.#sends.rounded,
      receives: this.#receives.rounded,
      push_packing: this.#pushPacking.value ?? null,
      entry_bytes: this.#entryBytes.value ?? null,
    };
  }

  #judge(): void {
    const slowest = Math.min(...[this.#sends, this.#receives].flatMap(({ value }) => value ?? []));
    const isSlow = this.#isSlow ? slowest < QUICK : slowest < SLOW;
    if (isSlow !== this.#isSlow) this.#since = undefined;
    this.#isSlow = isSlow;
    this.#since ??= this.#clock().toISOString();
  }
}

/** Of numbers that follow each other, the later ones counting more. */
class Average {
  value: number | undefined;

  /** In two digits, so that it does not change with every message. */
  get rounded(): number | null {
    return this.value === undefined ? null : Math.round(Number(this.value.toPrecision(2)));
  }

  add(value: number): void {
    this.value = this.value === undefined ? value : this.value + NEWEST * (value - this.value);
  }
}

/** Whether it was large enough to tell. */
function measure(average: Average, { bytes, seconds }: Passage): boolean {
  if (bytes < MEASURED_BYTES) return false;
  average.add(bytes / Math.max(seconds, 0.001));
  return true;
}

/** An older central gives up on a message that is not whole after ten seconds, and says so. */
function isOfLine(cause: unknown): boolean {
  if (cause instanceof CentralFailure) return cause.kind === 'timeout' || cause.kind === 'cut';
  return cause instanceof AppError && cause.code === 'timeout';
}
