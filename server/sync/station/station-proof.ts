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
/** `next`: the step that was sent, and not answered yet as far as is known. */
const kept = agreed.extend({ next: z.string().nullable() });
type Kept = z.infer<typeof kept>;

const FIRST: Kept = { count: 0, proof: '', countersignature: '', next: null };

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
    const { next, ...last } = this.#kept;
    const now = this.#clock().getTime();
    const isDue = Math.abs(now - this.#steppedAt) >= this.#stepMs;
    if (this.#sent && (next !== null || !isDue)) return this.#sent;
    const sent = { ...last, next: next ?? randomBytes(16).toString('base64url') };
    if (next === null) this.#keep(sent);
    this.#sent = sent;
    this.#steppedAt = now;
    return sent;
  }

  /** Central has agreed to a step; of an earlier one that says nothing new. A former central agrees to none. */
  agree(to: Agreed | undefined): void {
    if (!to) this.#isAlone = true;
    if (!to || to.proof !== this.#kept.next) return;
    this.#keep({ ...to, next: null });
    this.#isAlone = !this.#isCopied;
    if (this.#isCopied) this.#steppedAt = Number.NEGATIVE_INFINITY;
    this.#isCopied = false;
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
  return last && { ...last, next: last.next ?? randomBytes(16).toString('base64url') };
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
