import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A commit as its row has it, with the entries parsed. */
export interface StoredCommit {
  sequence: number;
  chain: string;
  number: number;
  commit_id: string;
  at: string;
  clock_offset: number | null;
  user: string;
  reason: string | null;
  entries: { subject: string; changes: { path: string; old: unknown; new: unknown; over: string[] }[] }[];
  previous_hash: string;
  hash: string;
}

export interface StoredDocument {
  key: string;
  family: string;
  id: number;
  version: number;
  state: string;
  fields: Record<string, unknown>;
}

/** Quantities in millionths. */
interface StockRow {
  lot: bigint;
  location: bigint;
  quantity: bigint;
}

/** What the database file of a data folder holds. */
export interface StoredFile {
  /** In the order of their arrival. */
  commits: StoredCommit[];
  records: StoredDocument[];
  stock: StockRow[];
  /** Facts about lots, added up by lot and location, without those that add up to nothing. */
  facts: StockRow[];
}

/** Reads with statements of its own, so that a fault of the store's reading cannot hide one of its writing. */
export function readStoredFile(folder: string): StoredFile {
  const database = new DatabaseSync(join(folder, 'holdpoint.db'), { readOnly: true, timeout: 5_000 });
  try {
    database.exec('BEGIN');
    const history = database
      .prepare(
        `SELECT sequence, chain, number, commit_id, at, clock_offset, user, reason, entries, previous_hash, hash
         FROM history ORDER BY sequence`,
      )
      .all();
    const [table] = database
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'holdpoint\\_\\_records%' ESCAPE '\\'",
      )
      .all();
    const records = database.prepare(`SELECT document FROM "${table?.name}"`).all();
    const big = (sql: string): StockRow[] => {
      const statement = database.prepare(sql);
      statement.setReadBigInts(true);
      return statement.all().map(({ lot, location, quantity }) => ({
        lot: BigInt(Number(lot)),
        location: BigInt(Number(location)),
        quantity: typeof quantity === 'bigint' ? quantity : 0n,
      }));
    };
    return {
      commits: history.map(row => commitOf(row)),
      records: records.map(({ document }): StoredDocument => JSON.parse(String(document))),
      stock: big('SELECT lot, location, quantity FROM stock'),
      facts: big(`SELECT lot, location, sum(quantity) AS quantity FROM lot_fact WHERE lot IS NOT NULL
        GROUP BY lot, location HAVING sum(quantity) <> 0`),
    };
  } finally {
    database.close();
  }
}

function commitOf(row: Record<string, unknown>): StoredCommit {
  return {
    sequence: Number(row.sequence),
    chain: String(row.chain),
    number: Number(row.number),
    commit_id: String(row.commit_id),
    at: String(row.at),
    clock_offset: row.clock_offset === null ? null : Number(row.clock_offset),
    user: String(row.user),
    reason: row.reason === null ? null : String(row.reason),
    ...contentOf(JSON.parse(String(row.entries))),
    previous_hash: String(row.previous_hash),
    hash: String(row.hash),
  };
}

/** The entries; of a commit whose clock was not confirmed they stand beside that. */
function contentOf(text: StoredCommit['entries'] | { entries: StoredCommit['entries']; further: object }) {
  return Array.isArray(text) ? { entries: text } : { entries: text.entries, ...text.further };
}
