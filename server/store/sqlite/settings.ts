import type { Connection } from './connection.ts';
import { isStatementFault } from './sqlite-error.ts';

/** Of the whole log, 32 MB: a commit writes it back itself where the thread (`WriteBack`) cannot, or was never done with all of it. */
const LONGEST_LOG_PAGES = 8_000;

/**
 * What is SQLite's own about opening the file: pragmas and the features that the store relies on.
 * Cache sizes bound resident memory (a negative size is in KiB); mapped memory stays off, because a read error
 * in a mapping ends the process with SIGBUS instead of an error code.
 */
export function configureWriter(connection: Connection): void {
  connection.control(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA wal_autocheckpoint = ${LONGEST_LOG_PAGES};
    PRAGMA cache_size = -16384;
    PRAGMA mmap_size = 0;
    PRAGMA temp_store = MEMORY;
  `);
}

export function configureReader(connection: Connection): void {
  connection.control(`
    PRAGMA query_only = ON;
    PRAGMA cache_size = -16384;
    PRAGMA mmap_size = 0;
    PRAGMA temp_store = MEMORY;
  `);
}

/** Writes the log back into the file and empties it. */
export function checkpoint(connection: Connection): void {
  connection.control('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** @throws Error that names what this Node's SQLite lacks. */
export function requireFeatures(connection: Connection): void {
  requireFeature('the JSON functions', () => connection.control(`SELECT json_extract('{"a":1}', '$.a')`));
  requireFeature('FTS5 with the trigram tokenizer and contentless deletes (SQLite 3.43 or later)', () =>
    connection.control(`
      CREATE VIRTUAL TABLE temp.feature_probe
        USING fts5(text, content='', contentless_delete=1, tokenize='trigram');
      DROP TABLE temp.feature_probe;
    `),
  );
}

function requireFeature(name: string, probe: () => void): void {
  try {
    probe();
  } catch (cause) {
    if (!isStatementFault(cause)) throw cause;
    throw new Error(
      `The SQLite ${process.versions.sqlite} of this Node ${process.versions.node} lacks ${name}. ` +
        'Start Holdpoint with Node 24 or later.',
      { cause },
    );
  }
}
