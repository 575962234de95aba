import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATABASE_FILE } from '../../../../server/store/verify/verify.ts';

/** The markers that stand in the history of a data folder, whether a server uses it or not. */
export function markersOn(folder: string, prefix: string): Set<string> {
  const marker = markerPattern(prefix);
  return reading(
    folder,
    database =>
      // What an author had seen stands there as well, as the former value; it was written by another commit on the same disk.
      new Set(
        database
          .prepare('SELECT entries FROM history')
          .all()
          .flatMap(({ entries }) => String(entries).match(marker) ?? []),
      ),
  );
}

/** Finds the markers that stand in a text of JSON. */
export function markerPattern(prefix: string): RegExp {
  return new RegExp(`(?<=")${prefix.replace('.', '\\.')}\\d+\\.(?=")`, 'g');
}

/** How much of central's log a data folder has. */
export function logged(folder: string): number {
  return reading(folder, database =>
    Number(database.prepare('SELECT max(sequence) AS last FROM log').get()?.last ?? 0),
  );
}

/** What the database of a data folder says, by statements of the caller's own. */
export function reading<Value>(folder: string, read: (database: DatabaseSync) => Value): Value {
  const database = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true, timeout: 10_000 });
  try {
    return read(database);
  } finally {
    database.close();
  }
}
