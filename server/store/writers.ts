import type { Commit } from './history.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';

/**
 * Which commit wrote the present value of each path of a record: what a later change is made `over`.
 *
 * A record that was never changed needs no row: everything in it was written by the commit that created it. After that
 * a row lists the paths that later commits wrote; the longest listed beginning of a path is its writer.
 */
export class Writers {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The commit that wrote the path's present value, as a list because sync can leave several (siblings). */
  of(key: string, subject: number): (path: string) => string[] {
    const row = this.#database.get<{ paths: string }>('SELECT paths FROM writer WHERE key = ?', key);
    const paths: Record<string, string> = row ? JSON.parse(row.paths) : {};
    const origin = creatorOf(this.#database, subject);
    return path => {
      for (let prefix = path; prefix !== ''; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf('.')))) {
        const commit = paths[prefix];
        if (commit !== undefined) return [commit];
      }
      return origin === undefined ? [] : [origin];
    };
  }

  /** Notes that a commit wrote these paths of a record that existed before. */
  note(key: string, paths: readonly string[], commit: string): void {
    const written = JSON.stringify(Object.fromEntries(paths.map(path => [path, commit])));
    // json_patch merges object members, and neither paths nor commit ids can be null.
    this.#database.run(
      `INSERT INTO writer (key, paths) VALUES (?, ?)
       ON CONFLICT (key) DO UPDATE SET paths = json_patch(paths, excluded.paths)`,
      key,
      written,
    );
  }
}

function creatorOf(reader: SqlReader, subject: number): Commit['commit_id'] | undefined {
  return reader.get<{ commit_id: string }>(
    `SELECT h.commit_id FROM history_subject s JOIN history h ON h.sequence = s.sequence
     WHERE s.subject = ? ORDER BY s.sequence LIMIT 1`,
    subject,
  )?.commit_id;
}
