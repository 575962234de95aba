import { closeSync, constants, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ChainHead } from './history.ts';

const FILE = 'head.json';
/** One size for every content, so that it is written over in place: no write of it can fail on a full disk. */
const SIZE = 512;

const schema = z.object({
  chain: z.string(),
  number: z.int().min(0),
  hash: z.string(),
  is_closed: z.boolean(),
});

/** How far history had come, and whether the store was closed in order since. */
export type Head = z.infer<typeof schema>;

/** Undefined where there is none, or none that can be read. */
export function readHeadMark(folder: string): Head | undefined {
  try {
    const read = schema.safeParse(JSON.parse(readFileSync(join(folder, FILE), 'utf8')));
    return read.success ? read.data : undefined;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Forgets how far history had come: a restore begins anew. */
export function removeHeadMark(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/**
 * A note beside the database of the last commit that is durable in it. SQLite opens a log that was cut as if nothing
 * had been behind the cut; this note tells. It is never ahead of the database, and need not be durable itself: one
 * that is behind says less and nothing wrong.
 */
export class HeadMark {
  readonly #descriptor: number;
  #chain: string;
  #head: ChainHead;

  /** Durably says that the store is open. */
  constructor(folder: string, chain: string, head: ChainHead) {
    this.#chain = chain;
    this.#head = head;
    // Without O_TRUNC: the old note stays until the new one is written over it.
    this.#descriptor = openSync(join(folder, FILE), constants.O_RDWR | constants.O_CREAT, 0o600);
    this.#write(false);
    fdatasyncSync(this.#descriptor);
  }

  /** After the commit is durable, before it is answered. */
  note(chain: string, head: ChainHead): void {
    this.#chain = chain;
    this.#head = head;
    try {
      this.#write(false);
    } catch (error) {
      // The commit stands, whatever the disk says of the note.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }

  /** `isClosed`: everything is in the database, and the database is closed in order. */
  close(isClosed: boolean): void {
    if (isClosed) {
      this.#write(true);
      fdatasyncSync(this.#descriptor);
    }
    closeSync(this.#descriptor);
  }

  #write(isClosed: boolean): void {
    const head: Head = { chain: this.#chain, ...this.#head, is_closed: isClosed };
    writeSync(this.#descriptor, `${JSON.stringify(head).padEnd(SIZE - 1)}\n`, 0);
  }
}
