import type { Commit } from './changes.ts';
import { textOfCommit } from './commit-text.ts';
import { Connection } from './sqlite/connection.ts';
import { damaged } from './sqlite/store-errors.ts';

/** Commits in a file without a name, which is gone when it is closed: as much of history as `SignedStates` asks for. */
export class ScratchHistory {
  readonly sql: Connection;

  constructor() {
    this.sql = new Connection('', {
      readOnly: false,
      busyTimeoutMs: 0,
      guard: statement => statement(),
      onDamage: what => damaged('', what),
    });
    this.sql.control(`PRAGMA synchronous = OFF;
      CREATE TABLE history (sequence INTEGER PRIMARY KEY, at TEXT NOT NULL, entries TEXT NOT NULL);
      CREATE TABLE history_subject (subject TEXT NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (subject, sequence))
        WITHOUT ROWID;`);
  }

  /** Records go by their keys. */
  add(sequence: number, commit: Commit): void {
    this.sql.run('INSERT INTO history VALUES (?, ?, ?)', sequence, commit.at, textOfCommit(commit));
    for (const { subject } of commit.entries)
      this.sql.run('INSERT OR IGNORE INTO history_subject VALUES (?, ?)', subject, sequence);
  }

  [Symbol.dispose](): void {
    this.sql.close();
  }
}
