import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const HEADER = 32;
const FRAME_HEADER = 24;

export interface PageMap {
  transactions: number;
  /** Pages written to the log, by the table or index that they belong to, most of them first. */
  pages: { name: string; pages: number }[];
}

/**
 * Counts the pages that a server writes, by table and index, from its write-ahead log. A reader of its own holds the log
 * from being begun anew meanwhile.
 */
export class PageCount {
  readonly #file: string;
  readonly #holder: DatabaseSync;
  readonly #from: number;

  constructor(folder: string) {
    this.#file = join(folder, 'holdpoint.db');
    this.#holder = new DatabaseSync(this.#file, { readOnly: true });
    this.#holder.exec('BEGIN');
    this.#holder.prepare('SELECT count(*) FROM sqlite_schema').get();
    this.#from = this.#framesOfLog().length;
  }

  /** What was written since the beginning. */
  end(): PageMap {
    const frames = this.#framesOfLog().slice(this.#from);
    this.#holder.close();
    const database = new DatabaseSync(this.#file, { readOnly: true });
    const names = new Map<number, string>();
    for (const { name, pageno } of database.prepare('SELECT name, pageno FROM dbstat').all())
      names.set(Number(pageno), String(name));
    database.close();
    const counts = new Map<string, number>();
    for (const { page } of frames) {
      const name = names.get(page) ?? 'other';
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return {
      transactions: frames.filter(({ isEnd }) => isEnd).length,
      pages: [...counts].map(([name, pages]) => ({ name, pages })).sort((a, b) => b.pages - a.pages),
    };
  }

  /** Of the present run of the log: those with the salts of its head. */
  #framesOfLog(): { page: number; isEnd: boolean }[] {
    const descriptor = openSync(`${this.#file}-wal`, 'r');
    try {
      const { size } = fstatSync(descriptor);
      if (size < HEADER) return [];
      const head = read(descriptor, 0, HEADER);
      const frameSize = FRAME_HEADER + head.readUInt32BE(8);
      const frames = [];
      for (let offset = HEADER; offset + frameSize <= size; offset += frameSize) {
        const frame = read(descriptor, offset, FRAME_HEADER);
        if (frame.compare(head, 16, 24, 8, 16) !== 0) break;
        frames.push({ page: frame.readUInt32BE(0), isEnd: frame.readUInt32BE(4) !== 0 });
      }
      return frames;
    } finally {
      closeSync(descriptor);
    }
  }
}

function read(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(descriptor, bytes, 0, length, position);
  return bytes;
}
