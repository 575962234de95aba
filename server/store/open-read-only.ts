import { dirname } from 'node:path';
import { Connection } from './sqlite/connection.ts';
import { damaged } from './sqlite/store-errors.ts';

/** How long a statement waits for a lock, in milliseconds. */
const BUSY_MS = 5_000;

/** A connection of its own that only reads, beside whatever else uses the file. Temporary tables may be written. */
export function openReadOnly(file: string): Connection {
  const sql = new Connection(file, {
    readOnly: true,
    busyTimeoutMs: BUSY_MS,
    guard: statement => statement(),
    onDamage: what => damaged(dirname(file), what),
  });
  sql.control('PRAGMA cache_size = -16384; PRAGMA mmap_size = 0;');
  return sql;
}
