import { checksumOf } from './sqlite/checksum.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';

/** What a token may do, each including those before it. `admin`: tokens, settings, import and export. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Beside the tokens, since their own table is that of the first version: who made one, and what bounds it; its last use. */
export const TOKEN_TABLES = `
CREATE TABLE IF NOT EXISTS token_bounds (
  token_id INTEGER PRIMARY KEY, ends_at TEXT, families TEXT, networks TEXT, created_by TEXT, seal INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS token_use (
  token_id INTEGER PRIMARY KEY, used_at TEXT NOT NULL, address TEXT NOT NULL
);
`;

/** What bounds a token, given once when it is made. */
export interface TokenBounds {
  /** From then on it counts no more; null: it has no end. */
  ends_at: string | null;
  /** Names of the families that it reaches; null: all. */
  families: readonly string[] | null;
  /** Addresses and networks (`10.2.0.0/16`) that it counts from; null: anywhere. */
  networks: readonly string[] | null;
  /** By whom it was made; null: by a version that did not note it. */
  created_by: string | null;
}

/** When a token was last used, to some minutes, and from where. */
export interface TokenUse {
  token_id: number;
  used_at: string;
  address: string;
}

/** A stored token. The secret itself is nowhere: `hash` is its SHA-256 in hex. Times are ISO 8601, UTC. */
export interface TokenRow extends TokenBounds {
  id: number;
  name: string;
  scopes: readonly Scope[];
  hash: string;
  created_at: string;
  revoked_at: string | null;
}

/** What is not said does not bound. */
export type NewTokenRow = Omit<TokenRow, 'id' | keyof TokenBounds> & Partial<TokenBounds>;

/** Where tokens are kept. Rows are never deleted: names in logs and history lead back to them. */
export interface TokenTable {
  /** Stores the row under the next id, from 1 on, and answers it. */
  insert(row: NewTokenRow): TokenRow;
  /** All rows, the revoked included, by id. */
  list(): readonly TokenRow[];
  findByHash(hash: string): TokenRow | undefined;
  revoke(id: number, at: string): void;
  uses(): readonly TokenUse[];
  noteUses(uses: readonly TokenUse[]): void;
}

interface StoredToken extends Omit<TokenRow, 'scopes' | keyof TokenBounds> {
  scopes: string;
  seal: number;
}

interface StoredBounds {
  token_id: number;
  ends_at: string | null;
  families: string | null;
  networks: string | null;
  created_by: string | null;
  seal: number;
}

const UNBOUNDED: TokenBounds = { ends_at: null, families: null, networks: null, created_by: null };

/** Tokens of this installation. They are not synced and stand in no history. */
export function tokenTable(database: Database): TokenTable {
  const read = ({ seal, ...row }: StoredToken): TokenRow => {
    const bounds = database.reader.get<StoredBounds>('SELECT * FROM token_bounds WHERE token_id = ?', row.id);
    if (checksumOfToken(row) !== seal || (bounds && checksumOfBounds(bounds) !== bounds.seal))
      throw database.damaged(`The token "${row.name}" is not what was written.`);
    return { ...row, scopes: JSON.parse(row.scopes), ...(bounds ? boundsOf(bounds) : UNBOUNDED) };
  };
  return {
    insert(given) {
      const row = { ...UNBOUNDED, ...given };
      const scopes = JSON.stringify(row.scopes);
      const { lastInsertRowid } = database.run(
        'INSERT INTO token (name, hash, scopes, created_at, revoked_at, seal) VALUES (?, ?, ?, ?, ?, ?)',
        row.name,
        row.hash,
        scopes,
        row.created_at,
        row.revoked_at,
        checksumOfToken({ ...row, scopes }),
      );
      const id = Number(lastInsertRowid);
      const bounds = storedBounds(id, row);
      database.run(
        'INSERT INTO token_bounds (token_id, ends_at, families, networks, created_by, seal) VALUES (?, ?, ?, ?, ?, ?)',
        ...[id, bounds.ends_at, bounds.families, bounds.networks, bounds.created_by],
        checksumOfBounds(bounds),
      );
      return { ...row, id };
    },
    list: () => database.reader.all<StoredToken>('SELECT * FROM token ORDER BY id').map(read),
    findByHash(hash) {
      const row = database.reader.get<StoredToken>('SELECT * FROM token WHERE hash = ?', hash);
      return row && read(row);
    },
    revoke: (id, at) => revokeToken(database, id, at),
    uses: () => database.reader.all<TokenUse>('SELECT * FROM token_use'),
    noteUses(uses) {
      const sql = 'INSERT OR REPLACE INTO token_use (token_id, used_at, address) VALUES (?, ?, ?)';
      for (const { token_id: id, used_at: at, address } of uses) database.run(sql, id, at, address);
    },
  };
}

function storedBounds(id: number, row: TokenBounds): Omit<StoredBounds, 'seal'> {
  const [families, networks] = [row.families, row.networks].map(list => list && JSON.stringify(list));
  return {
    token_id: id,
    ends_at: row.ends_at,
    families: families ?? null,
    networks: networks ?? null,
    created_by: row.created_by,
  };
}

function boundsOf({ ends_at, families, networks, created_by }: StoredBounds): TokenBounds {
  return {
    ends_at,
    families: families === null ? null : JSON.parse(families),
    networks: networks === null ? null : JSON.parse(networks),
    created_by,
  };
}

/** Names of all tokens, the revoked included: history knows authors by them. */
export function tokenNames(sql: SqlReader): string[] {
  return sql.all<Pick<StoredToken, 'name'>>('SELECT name FROM token').map(({ name }) => name);
}

/** Ends a token, unless it was ended. */
export function revokeToken(database: Pick<Database, 'get' | 'run'>, id: number, at: string): void {
  const row = database.get<StoredToken>('SELECT * FROM token WHERE id = ? AND revoked_at IS NULL', id);
  if (!row) return;
  const seal = checksumOfToken({ ...row, revoked_at: at });
  database.run('UPDATE token SET revoked_at = ?, seal = ? WHERE id = ?', at, seal, id);
}

/** The checksum of what bounds a token. */
export function checksumOfBounds(row: Omit<StoredBounds, 'seal'>): number {
  return checksumOf(JSON.stringify([row.token_id, row.ends_at, row.families, row.networks, row.created_by]));
}

/** The checksum of a token's row: a bit must not make one live again, or give it another scope. */
export function checksumOfToken({
  name,
  hash,
  scopes,
  revoked_at,
}: Omit<StoredToken, 'id' | 'created_at' | 'seal'>): number {
  return checksumOf(JSON.stringify([name, hash, scopes, revoked_at]));
}
