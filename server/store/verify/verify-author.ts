import { isMovedAlike, proofOfAuthorship, readAuthorship } from '../../keys/authorship.ts';
import type { Commit } from '../changes.ts';
import type { SqlReader } from '../sqlite/connection.ts';
import type { VerifyContext } from './verify-context.ts';

/**
 * What is wrong with the authorship of a commit that counts, as a sentence; undefined where its author's key has signed it, and where
 * nobody signed it, or the key is pending. What came in under other ids may be of a key that nobody here has: of an installation that joined.
 */
export function authorFault(
  { sql, table }: Pick<VerifyContext, 'sql' | 'table'>,
  commit: Commit,
): string | undefined {
  if ((commit.authorship ?? null) === null) return undefined;
  const authorship = readAuthorship(commit.authorship);
  const proof = authorship ? proofOfAuthorship(commit, authorship) : 'broken';
  const isOther = authorship && proof === 'moved' && !isMovedAlike(commit, authorship);
  if (!authorship || proof === 'broken' || isOther) return 'A commit is not what its author has signed.';
  if (proof === 'pending') return undefined;
  const { user_id: id, key } = authorship.session;
  if (proof === 'moved' || keysOf(sql, table, id).includes(key)) return undefined;
  return "A commit is signed by a key that is not its author's.";
}

function keysOf(sql: Pick<SqlReader, 'get'>, table: string, user: number): unknown[] {
  const row = sql.get<{ document: string }>(
    `SELECT document FROM main."${table}" WHERE key = ?`,
    `user:${user}`,
  );
  const fields = row ? JSON.parse(row.document).fields : {};
  return [fields.public_key, ...(Array.isArray(fields.former_keys) ? fields.former_keys : [])];
}
