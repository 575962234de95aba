import type { StoredRecord } from '../../shared/contract/present.ts';
import { foldLogin } from '../../shared/families/user.ts';
import { overwriting } from './identity-tables.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import { readLocal, writeLocal } from './tables.ts';

/**
 * The key that a person had here before the installation joined, sealed by the password of then, until that person says by it who they are
 * at central, and no longer than `KEPT_MS`. It signs nothing else any more.
 */
export interface FormerKey {
  public_key: string;
  sealed: string;
  /** ISO 8601 UTC. */
  until: string;
}

/** Half a year: people are ill, and on leave. */
const KEPT_MS = 183 * 24 * 3_600_000;
/** In `local`, before a login as it is compared. */
const NAME = 'former_key:';

/** In the open transaction that joins, while the users and keys of before are here. */
export function keepFormerKeys(database: Database, users: Iterable<StoredRecord>, at: string): void {
  const until = new Date(Date.parse(at) + KEPT_MS).toISOString();
  for (const { id, fields } of users) {
    const sql = 'SELECT public_key, sealed FROM user_key WHERE user_id = ? AND public_key = ?';
    const row = database.get<Omit<FormerKey, 'until'>>(sql, id, String(fields.public_key));
    if (!row || typeof fields.login !== 'string') continue;
    writeLocal(database, NAME + foldLogin(fields.login), JSON.stringify({ ...row, until }));
  }
}

/** Of a login of before. */
export function readFormerKey(sql: Pick<SqlReader, 'get'>, login: string, now: Date): FormerKey | undefined {
  const text = readLocal(sql, NAME + foldLogin(login));
  const found: FormerKey | undefined = text === undefined ? undefined : JSON.parse(text);
  return found && found.until > now.toISOString() ? found : undefined;
}

/** In the open transaction: it has said what it is there for. */
export function forgetFormerKey(database: Database, login: string): void {
  overwriting(database, () => database.run('DELETE FROM local WHERE name = ?', NAME + foldLogin(login)));
}

/** In the open transaction: those that nobody came for. */
export function forgetFormerKeysOver(database: Database, now: Date): void {
  const sql = `DELETE FROM local WHERE name > '${NAME}' AND name < '${NAME.slice(0, -1)};' AND value ->> '$.until' <= ?`;
  overwriting(database, () => database.run(sql, now.toISOString()));
}
