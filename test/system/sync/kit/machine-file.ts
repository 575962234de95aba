import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { canonical } from '../../faults/check-sequence.ts';
import { readStoredFile, type StoredFile } from '../../faults/stored-file.ts';

const WAITING = 'SELECT commit_id FROM undecided UNION SELECT commit_id FROM held WHERE is_withdrawn = 0';

/** Where a machine of the fleet keeps its database. */
export interface Machine {
  name: string;
  folder: string;
}

interface StoredConflict {
  id: string;
  subject: string;
  path: string;
  siblings: { commit: string; value: unknown }[];
  isOpen: boolean;
  /** The whole row, to compare machines by. */
  text: string;
}

/** What the database of a machine that exchanges commits with others holds. */
export interface MachineFile extends Machine {
  file: StoredFile;
  /** What every machine must have of each record, as text by key. */
  records: Map<string, string>;
  /** The rows of central's log as this machine has it, as text by sequence. */
  log: Map<string, string>;
  /** The ids of the commits in it. */
  logged: Set<string>;
  /** By id. */
  conflicts: Map<string, StoredConflict>;
  /** By family. */
  digests: Map<string, string>;
  /** Commits that wait: to be sent, or for a person. */
  waiting: string[];
}

/** Reads with statements of its own, so that a fault of the store's reading cannot hide one of its writing. */
export function readMachineFile({ name, folder }: Machine): MachineFile {
  const file = readStoredFile(folder);
  const database = new DatabaseSync(join(folder, 'holdpoint.db'), { readOnly: true, timeout: 5_000 });
  try {
    const rows = (sql: string) => database.prepare(sql).all();
    const texts = (sql: string, key: string) =>
      new Map(rows(sql).map(row => [String(row[key]), canonical({ ...row })]));
    const places = new Map(
      rows('SELECT commit_id, min(sequence) AS place FROM log GROUP BY commit_id').map(row => [
        row.commit_id,
        row.place,
      ]),
    );
    // A station's own new record has its place by its creator.
    const placed = (record: (typeof file.records)[number]) =>
      'folded' in record && 'creator' in record && record.folded === 0
        ? { ...record, folded: places.get(String(record.creator)) ?? 0 }
        : record;
    return {
      name,
      folder,
      file,
      records: new Map(file.records.map(record => [record.key, sharedText(placed(record))])),
      log: texts('SELECT sequence, commit_id, chain, number, decisions, hash FROM log', 'sequence'),
      logged: new Set(rows('SELECT commit_id FROM log').map(row => String(row.commit_id))),
      conflicts: new Map(rows('SELECT * FROM conflict').map(row => [String(row.id), conflictOf(row)])),
      digests: texts("SELECT family, sum FROM digest WHERE sum <> '0'", 'family'),
      waiting: rows(WAITING).map(row => String(row.commit_id)),
    };
  } finally {
    database.close();
  }
}

function conflictOf(row: Record<string, unknown>): StoredConflict {
  return {
    id: String(row.id),
    subject: String(row.subject),
    path: String(row.path),
    siblings: JSON.parse(String(row.siblings)),
    isOpen: row.closed === null,
    text: canonical({ ...row }),
  };
}

/** Without what RxDB adds, and the number of a list of fields, which each machine gives for itself. */
function sharedText(record: object): string {
  const shared = Object.entries(record).filter(([name]) => !name.startsWith('_') && name !== 'field_set');
  return canonical(Object.fromEntries(shared));
}
