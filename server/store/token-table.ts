import { checksumOf } from './sqlite/checksum.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';

/** What a token may do, each including those before it. `admin`: tokens, settings, import and export. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** A stored token. The secret itself is nowhere: `hash` is its SHA-256 in hex. Times are ISO 8601, UTC. */
export interface TokenRow {
  id: number;
  name: string;
  scopes: readonly Scope[];
  hash: string;
  created_at: string;
  revoked_at: string | null;
}

/** Where tokens are kept. Rows are never deleted: names in logs and history lead back to them. */
export interface TokenTable {
  /** Stores the row under the next id, from 1 on, and answers it. */
  insert(row: Omit<TokenRow, 'id'>): TokenRow;
  /** All rows, the revoked included, by id. */
  list(): readonly TokenRow[];
  findByHash(hash: string): TokenRow | undefined;
  revoke(id: number, at: string): void;
}

interface StoredToken extends Omit<TokenRow, 'scopes'> {
  scopes: string;
  seal: number;
}

/** Tokens of this installation. They are not synced and stand in no history. */
export function tokenTable(database: Database): TokenTable {
  const read = ({ seal, ...row }: StoredToken): TokenRow => {
    if (checksumOfToken(row) !== seal)
      throw database.damaged(`The token "${row.name}" is not what was written.`);
    return { ...row, scopes: JSON.parse(row.scopes) };
  };
  return {
    insert(row) {
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
      return { ...row, id: Number(lastInsertRowid) };
    },
    list: () => database.reader.all<StoredToken>('SELECT * FROM token ORDER BY id').map(read),
    findByHash(hash) {
      const row = database.reader.get<StoredToken>('SELECT * FROM token WHERE hash = ?', hash);
      return row && read(row);
    },
    revoke: (id, at) => revokeToken(database, id, at),
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

/** The checksum of a token's row: a bit must not make one live again, or give it another scope. */
export function checksumOfToken({
  name,
  hash,
  scopes,
  revoked_at,
}: Omit<StoredToken, 'id' | 'created_at' | 'seal'>): number {
  return checksumOf(JSON.stringify([name, hash, scopes, revoked_at]));
}
