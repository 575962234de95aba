import { Connection } from '../store/sqlite/connection.ts';
import { damaged } from '../store/sqlite/store-errors.ts';

const BUSY_MS = 5_000;

/** As a foreign program does that has the file, and takes the triggers away first. Only ever a copy. */
export function alter(file: string, sql: string): void {
  withFile(file, connection => {
    const triggers = connection.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'history'",
    );
    for (const { name } of triggers) connection.exec(`DROP TRIGGER ${name}`);
    connection.exec(sql);
  });
}

export const ALTERED = 'altered';

/** What SQLite says to it, with the triggers as they are; `ALTERED` where it lets it be. */
export function attempt(file: string, sql: string): string {
  return withFile(file, connection => {
    try {
      connection.exec(sql);
      return ALTERED;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  });
}

function withFile<Result>(file: string, work: (connection: Connection) => Result): Result {
  const connection = new Connection(file, {
    readOnly: false,
    busyTimeoutMs: BUSY_MS,
    guard: statement => statement(),
    onDamage: what => damaged(file, what),
  });
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}
