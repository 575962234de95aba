import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolder } from '../../store/marks.ts';
import type { Agreed, Proof } from '../protocol/proof.ts';

const FILE = 'station.proof';
/** Between two steps, in milliseconds: central remembers some of the last ones, for messages that are long on their way. */
const STEP_MS = 10_000;

const agreed = z.object({ count: z.int(), proof: z.string(), countersignature: z.string() });
/** `next`: the step that was sent, and not answered yet as far as is known. `since`: as of a `Proof`. */
const kept = agreed.extend({ since: z.array(z.string()).default([]), next: z.string().nullable() });
type Kept = z.infer<typeof kept>;

const FIRST: Kept = { count: 0, proof: '', countersignature: '', since: [], next: null };
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
  #kept: Kept;
  /** The last step, which may be sent any number of times. */
  #sent: Proof | undefined;
  #steppedAt = Number.NEGATIVE_INFINITY;
  /** The step that is not agreed yet stood on the disk for a while: a copy of that has it as well. */
  #isCopied: boolean;
  #isAlone = false;

  constructor(folder: string, clock: () => Date, stepMs = STEP_MS) {
    this.#folder = folder;
    this.#clock = clock;
    this.#stepMs = stepMs;
    this.#kept = readKept(folder) ?? FIRST;
    this.#isCopied = this.#kept.next !== null;
  }

  /**
   * Whether central agreed to a step that only this process can have sent, or agrees to none: nothing is pushed before. Two
   * machines whose common disk held a step that nobody had answered both repeat it, and only one goes on from it.
   */
  isAlone(): boolean {
    return this.#isAlone;
  }

  /** To be sent with a message. A step is durable before it is answered: whoever starts from here on sends the same one. */
  present(): Proof {
    const { next } = this.#kept;
    const now = this.#clock().getTime();
    const isDue = Math.abs(now - this.#steppedAt) >= this.#stepMs;
    if (this.#sent && (next !== null || !isDue)) return this.#sent;
    const sent = said(this.#kept, next ?? newName());
    if (next === null) this.#keep({ ...this.#kept, next: sent.next });
    this.#sent = sent;
    this.#steppedAt = now;
    return sent;
  }

  /** Central has agreed to a step; of an earlier one that says nothing new. A former central agrees to none. */
  agree(to: Agreed | undefined): void {
    if (!to) this.#isAlone = true;
    if (!to) return;
    const { since, next } = this.#kept;
    const place = since.indexOf(to.proof);
    if (place >= 0) {
      this.#keep({ ...to, since: since.slice(place + 1), next });
      this.#sent = undefined;
    }
    if (to.proof !== next) return;
    this.#keep({ ...to, since: [], next: null });
    this.#isAlone = !this.#isCopied;
    if (this.#isCopied) this.#steppedAt = Number.NEGATIVE_INFINITY;
    this.#isCopied = false;
  }

  /**
   * To be written into a file, which gets a name of its own: another machine with this disk writes another one, and a file that
   * is lost, or read late, is one of the names that were given since.
   */
  forFile(): Proof {
    const { since, next } = this.#kept;
    const given = next === null ? since : [...since, next];
    const proof = said({ ...this.#kept, since: given }, newName());
    this.#keep({ ...this.#kept, since: [...given, proof.next].slice(-MOST_SINCE), next: null });
    this.#sent = undefined;
    return proof;
  }

  /**
   * Whether a file of central, which says what it agreed to last, is for this machine, is from before what this one knows, or is
   * for another machine with its disk.
   */
  isMeant(last: Agreed): 'now' | 'before' | 'other' {
    const { count, proof, since, next } = this.#kept;
    if ([proof, ...since, next].includes(last.proof)) return 'now';
    return last.count <= count ? 'before' : 'other';
  }

  /** A message came to nothing: what it said may wait for long now. */
  failed(): void {
    if (this.#kept.next === null) return;
    this.#isCopied = true;
    this.#isAlone = false;
  }

  #keep(next: Kept): void {
    writeKept(this.#folder, next);
    this.#kept = next;
  }
}

/** As it is sent with what is no message of the exchange: a step that only shows which machine asks. */
export function readProof(folder: string): Proof | undefined {
  const last = readKept(folder);
  return last && said(last, last.next ?? newName());
}

function said({ since, ...last }: Kept, next: string): Proof {
  return { ...last, ...(since.length > 0 && { since }), next };
}

function newName(): string {
  return randomBytes(16).toString('base64url');
}

/** Undefined where this station never gave a proof. */
function readKept(folder: string): Kept | undefined {
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

function writeKept(folder: string, next: Kept): void {
  const path = join(folder, FILE);
  writeFileSync(`${path}.new`, `${JSON.stringify(next)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  syncFolder(folder);
}
