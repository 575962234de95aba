import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'reserve';
const BYTES = 2 * 2 ** 20;

/**
 * Room on the disk that is given up when the disk is full, so that the store can still write its log back into the file
 * and close in order. Until there is room for it again no write begins: writes would use it up.
 */
export class Reserve {
  readonly #file: string;
  readonly #folder: string;
  #isGivenUp = false;

  /** Made where there is room for it several times over; a disk that is smaller goes without. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, FILE);
    if (!existsSync(this.#file) && this.#hasRoom(4)) this.#make();
  }

  giveUp(): void {
    if (!existsSync(this.#file)) return;
    rmSync(this.#file);
    this.#isGivenUp = true;
  }

  /** Whether writes may begin: the reserve is there, or was made again. */
  isReady(): boolean {
    if (this.#isGivenUp && this.#hasRoom(2) && this.#make()) this.#isGivenUp = false;
    return !this.#isGivenUp;
  }

  #hasRoom(times: number): boolean {
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize >= times * BYTES;
  }

  #make(): boolean {
    const descriptor = openSync(this.#file, 'w', 0o600);
    try {
      return writeSync(descriptor, Buffer.alloc(BYTES)) === BYTES;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
      throw error;
    } finally {
      closeSync(descriptor);
    }
  }
}
