import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolder } from '../../store/marks.ts';
import {
  agreeTo,
  failedStep,
  type KeptProof,
  type OwnProof,
  said,
  startProof,
  takeStep,
} from '../protocol/own-proof.ts';
import type { Agreed, Proof } from '../protocol/proof.ts';

const FILE = 'station.proof';
/** Between two steps, in milliseconds: central remembers some of the last ones, for messages that are long on their way. */
const STEP_MS = 10_000;

const kept = z.object({
  count: z.int(),
  proof: z.string(),
  countersignature: z.string(),
  since: z.array(z.string()).default([]),
  next: z.string().nullable(),
});

/** Names of files that nobody has answered; of more the oldest are forgotten. */
const MOST_SINCE = 500;

/**
 * A station's proof of being the newest machine with its disk. It is kept beside the database and goes to no backup: a
 * declared restore leaves it as it is, and a copy of the disk takes it along, so that only one of the two can go on with it.
 */
export class StationProof {
  readonly #folder: string;
  readonly #clock: () => Date;
  readonly #stepMs: number;
  #own: OwnProof;
  #steppedAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string, clock: () => Date, stepMs = STEP_MS) {
    this.#folder = folder;
    this.#clock = clock;
    this.#stepMs = stepMs;
    this.#own = startProof(readKept(folder));
  }

  /** See `OwnProof`. */
  isAlone(): boolean {
    return this.#own.isAlone;
  }

  /** To be sent with a message; durable. */
  present(): Proof {
    const now = this.#clock().getTime();
    const isDue = Math.abs(now - this.#steppedAt) >= this.#stepMs;
    const stepped = takeStep(this.#own, isDue, newName);
    if (stepped.sent !== this.#own.sent) this.#steppedAt = now;
    this.#keep(stepped);
    return stepped.sent;
  }

  /** As `agreeTo`. */
  agree(to: Agreed | undefined): void {
    this.#keep(agreeTo(this.#own, to));
  }

  /**
   * To be written into a file, which gets a name of its own: another machine with this disk writes another one, and a file that
   * is lost, or read late, is one of the names that were given since.
   */
  forFile(): Proof {
    const { kept } = this.#own;
    const { since, next } = kept;
    const given = next === null ? since : [...since, next];
    const proof = said({ ...kept, since: given }, newName());
    const names = [...given, proof.next].slice(-MOST_SINCE);
    this.#keep({ ...this.#own, kept: { ...kept, since: names, next: null }, sent: null });
    return proof;
  }

  /**
   * Whether a file of central, which says what it agreed to last, is for this machine, is from before what this one knows, or is
   * for another machine with its disk.
   */
  isMeant(last: Agreed): 'now' | 'before' | 'other' {
    const { count, proof, since, next } = this.#own.kept;
    if ([proof, ...since, next].includes(last.proof)) return 'now';
    return last.count <= count ? 'before' : 'other';
  }

  /** As `failedStep`. */
  failed(): void {
    this.#own = failedStep(this.#own);
  }

  #keep(next: OwnProof): void {
    if (next.kept !== this.#own.kept) writeKept(this.#folder, next.kept);
    this.#own = next;
  }
}

/** As it is sent with what is no message of the exchange: a step that only shows which machine asks. */
export function readProof(folder: string): Proof | undefined {
  const last = readKept(folder);
  return last && said(last, last.next ?? newName());
}

function newName(): string {
  return randomBytes(16).toString('base64url');
}

/** Undefined where this station never gave a proof. */
function readKept(folder: string): KeptProof | undefined {
  const path = join(folder, FILE);
  if (!existsSync(path)) return undefined;
  try {
    return kept.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    // One that cannot be read proves nothing: central tells people, who say that this machine goes on.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

function writeKept(folder: string, next: KeptProof): void {
  const path = join(folder, FILE);
  writeFileSync(`${path}.new`, `${JSON.stringify(next)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  syncFolder(folder);
}
