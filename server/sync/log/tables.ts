import type { Database } from '../../store/sqlite/database.ts';
import { beginArrivals } from './arrivals.ts';

/**
 * What a station and central keep of their exchange. `log` is central's order with its decisions: on central the fact,
 * on a station what it has received of it. The commits themselves stand in `history`.
 */
const TABLES = `
-- No decisions stand where they follow from the commit: it is applied, and nothing that it did not see meets it.
CREATE TABLE IF NOT EXISTS log (
  sequence INTEGER PRIMARY KEY,
  commit_id TEXT NOT NULL,
  chain TEXT NOT NULL,
  number INTEGER NOT NULL,
  decisions TEXT NOT NULL,
  hash TEXT NOT NULL,
  countersignature TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS log_commit ON log (commit_id);
CREATE UNIQUE INDEX IF NOT EXISTS log_place ON log (chain, number);

-- The name under which a commit of the log would be issued again follows from its own: this leads back.
CREATE TABLE IF NOT EXISTS name_again (name TEXT PRIMARY KEY, commit_id TEXT NOT NULL) WITHOUT ROWID;

-- The entries of the log by which held commits were given up.
CREATE TABLE IF NOT EXISTS given_up (commit_id TEXT PRIMARY KEY, sequence INTEGER NOT NULL) WITHOUT ROWID;

-- Central: commits that came back name ids of what is not back, by who created it: awaited-ids.ts.
CREATE TABLE IF NOT EXISTS awaited_id (
  creator TEXT NOT NULL, commit_id TEXT NOT NULL, counter TEXT NOT NULL, id INTEGER NOT NULL,
  PRIMARY KEY (creator, commit_id, counter, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS awaited_commit (
  creator TEXT PRIMARY KEY, again TEXT NOT NULL, is_due INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS awaited_commit_again ON awaited_commit (again);
CREATE INDEX IF NOT EXISTS awaited_commit_due ON awaited_commit (creator) WHERE is_due = 1;

-- Commits that wait for a person. A withdrawn one stays, so that what builds on it is not applied unseen.
CREATE TABLE IF NOT EXISTS held (
  commit_id TEXT PRIMARY KEY, station TEXT NOT NULL, sequence INTEGER NOT NULL, reason TEXT NOT NULL,
  is_withdrawn INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS held_station ON held (station, sequence) WHERE is_withdrawn = 0;

-- Central: the last commit of each chain.
CREATE TABLE IF NOT EXISTS chain_head (
  chain TEXT PRIMARY KEY, number INTEGER NOT NULL, hash TEXT NOT NULL
) WITHOUT ROWID;

-- Central: the ids of items that stand in records, as runs of ids of one kind: given-items.ts.
CREATE TABLE IF NOT EXISTS given_item (
  counter TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (counter, first)
) WITHOUT ROWID;

-- Central: epochs that restores have ended or lost.
CREATE TABLE IF NOT EXISTS former_epoch (epoch TEXT PRIMARY KEY) WITHOUT ROWID;

-- Station: the chains whose commits are sent.
CREATE TABLE IF NOT EXISTS own_chain (chain TEXT PRIMARY KEY) WITHOUT ROWID;

-- Station: own commits that the log does not settle, by their place in history, and the records that they touch.
CREATE TABLE IF NOT EXISTS undecided (
  sequence INTEGER PRIMARY KEY, commit_id TEXT NOT NULL UNIQUE, chain TEXT NOT NULL, number INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS undecided_subject (
  subject TEXT NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (subject, sequence)
) WITHOUT ROWID;

-- Station: by which commits the records and items were created that own commits change, and that a log had which central lost.
CREATE TABLE IF NOT EXISTS meant_record (
  commit_id TEXT NOT NULL, subject TEXT NOT NULL, path TEXT NOT NULL, creator TEXT NOT NULL,
  PRIMARY KEY (commit_id, subject, path)
) WITHOUT ROWID;

-- Station: records as decided, for those on which undecided commits are shown.
CREATE TABLE IF NOT EXISTS decided_record (
  key TEXT PRIMARY KEY, document TEXT NOT NULL, seal INTEGER NOT NULL
);

-- Station: what a restored central lacks, in the order of the log that it lost.
CREATE TABLE IF NOT EXISTS offer (
  place INTEGER PRIMARY KEY AUTOINCREMENT, chain TEXT NOT NULL, number INTEGER NOT NULL,
  commit_id TEXT NOT NULL, countersignature TEXT NOT NULL, is_refused INTEGER NOT NULL DEFAULT 0, means TEXT
);

-- Station: commits of the log's part that was taken as a snapshot, which later entries or open conflicts are about.
CREATE TABLE IF NOT EXISTS snapshot_commit (
  commit_id TEXT PRIMARY KEY, chain TEXT NOT NULL, number INTEGER NOT NULL
) WITHOUT ROWID;

-- Station: what it asked central for of the log before the records that it took: store/earlier-history.ts.
CREATE TABLE IF NOT EXISTS earlier_commit (
  sequence INTEGER PRIMARY KEY, chain TEXT NOT NULL, number INTEGER NOT NULL, commit_id TEXT NOT NULL, at TEXT NOT NULL,
  clock_offset INTEGER, user TEXT NOT NULL, reason TEXT, entries TEXT NOT NULL, previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL, seal INTEGER NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS earlier_commit_place ON earlier_commit (chain, number);
CREATE TABLE IF NOT EXISTS earlier_subject (
  subject TEXT NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (subject, sequence)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS earlier_record (
  subject TEXT PRIMARY KEY, since INTEGER NOT NULL
) WITHOUT ROWID;

-- Values of one path that stations wrote without having seen each other's.
CREATE TABLE IF NOT EXISTS conflict (
  id TEXT PRIMARY KEY, subject TEXT NOT NULL, path TEXT NOT NULL, siblings TEXT NOT NULL,
  opened INTEGER NOT NULL, closed INTEGER, closed_by TEXT, outcome TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS conflict_subject ON conflict (subject, path) WHERE closed IS NULL;
CREATE INDEX IF NOT EXISTS conflict_of ON conflict (subject);
CREATE INDEX IF NOT EXISTS conflict_open ON conflict (opened) WHERE closed IS NULL;

-- When entries arrived here, each page of the log and each push in one row. What central writes itself arrives nowhere.
CREATE TABLE IF NOT EXISTS arrival (
  last INTEGER PRIMARY KEY, first INTEGER NOT NULL, at TEXT NOT NULL, clock_offset INTEGER
);

-- Station: of each epoch and day the last place in central's log that central signed here.
CREATE TABLE IF NOT EXISTS checkpoint (
  epoch TEXT NOT NULL, day TEXT NOT NULL, sequence INTEGER NOT NULL, content TEXT NOT NULL, PRIMARY KEY (epoch, day)
) WITHOUT ROWID;

-- The sum of the hashes of all decided records, per family: equal on machines that stand at the same place of the log.
CREATE TABLE IF NOT EXISTS digest (family TEXT PRIMARY KEY, sum TEXT NOT NULL) WITHOUT ROWID;
`;

/** Entries whose commits are not simply applied, and what else they decide, are found without reading the others. */
const INDEX = "CREATE INDEX IF NOT EXISTS log_decided ON log (sequence) WHERE decisions <> ''";

/** @param at the moment from which on arrivals are noted, in a file that had a log before */
export function createSyncTables(
  database: Pick<Database, 'exec' | 'get' | 'run'>,
  at = new Date().toISOString(),
): void {
  const hasArrivals = database.get("SELECT 1 FROM sqlite_schema WHERE name = 'arrival'") !== undefined;
  database.exec(TABLES);
  database.exec(INDEX);
  if (!hasArrivals) beginArrivals(database, at);
  for (const [table, column, type] of [
    ['arrival', 'clock_offset', 'INTEGER'],
    ['offer', 'means', 'TEXT'],
  ] as const) {
    const known = 'SELECT 1 FROM pragma_table_info(?) WHERE name = ?';
    if (database.get(known, table, column) === undefined)
      database.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
  }
}
