import type { TokenRow, TokenTable } from '../identity/tokens.ts';
import type { Database } from './sqlite/database.ts';

interface StoredToken extends Omit<TokenRow, 'scopes'> {
  scopes: string;
}

/** Tokens of this installation. They are not synced and stand in no history. */
export function tokenTable(database: Database): TokenTable {
  const read = (row: StoredToken): TokenRow => ({ ...row, scopes: JSON.parse(row.scopes) });
  return {
    insert(row) {
      const { lastInsertRowid } = database.run(
        'INSERT INTO token (name, hash, scopes, created_at, revoked_at) VALUES (?, ?, ?, ?, ?)',
        row.name,
        row.hash,
        JSON.stringify(row.scopes),
        row.created_at,
        row.revoked_at,
      );
      return { ...row, id: Number(lastInsertRowid) };
    },
    list: () => database.reader.all<StoredToken>('SELECT * FROM token ORDER BY id').map(read),
    findByHash(hash) {
      const row = database.reader.get<StoredToken>('SELECT * FROM token WHERE hash = ?', hash);
      return row && read(row);
    },
    revoke(id, at) {
      database.run('UPDATE token SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id);
    },
  };
}
