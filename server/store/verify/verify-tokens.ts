import type { AuditKind } from '../../../shared/families/audit-event.ts';
import { readLocal } from '../tables.ts';
import { checksumOfBounds, checksumOfToken } from '../token-table.ts';
import { remedies } from './findings.ts';
import type { VerifyContext } from './verify-context.ts';

/** Tokens that are not what was written, and those that lack what bounds them: such a one would reach everything. */
export function verifyTokens(
  { sql, table, findings }: Pick<VerifyContext, 'sql' | 'table' | 'findings'>,
  hasBounds: boolean,
): void {
  const tokens = sql.all<Parameters<typeof checksumOfToken>[0] & { id: number; name: string; seal: number }>(
    'SELECT * FROM main.token',
  );
  const bounds = hasBounds
    ? sql.all<Parameters<typeof checksumOfBounds>[0] & { seal: number }>('SELECT * FROM main.token_bounds')
    : [];
  const say = (id: number) =>
    findings.add('A token is not what was written.', `token ${id}`, remedies.restore);
  for (const token of tokens) if (checksumOfToken(token) !== token.seal) say(token.id);
  for (const bound of bounds) if (checksumOfBounds(bound) !== bound.seal) say(bound.token_id);
  const bounded = new Set(bounds.map(({ token_id: id }) => id));
  const noted = new Set(namesInTrail(sql, table));
  for (const { id, name } of tokens)
    if (noted.has(name) && !bounded.has(id))
      findings.add('What bounds a token is missing.', `token ${id}`, remedies.restore);
}

/**
 * The tokens that this installation's own trail names: each was made with a row of what bounds it, which tokens of version 0.1.0 do not
 * have. A name is given once.
 */
function namesInTrail(sql: VerifyContext['sql'], table: string): string[] {
  return sql
    .all<{ name: string }>(
      `SELECT json_extract(document, '$.fields.details.token') AS name FROM main."${table}"
       WHERE key >= 'audit-event:' AND key < 'audit-event;' AND json_extract(document, '$.station') = ?
         AND json_extract(document, '$.fields.kind') = ?`,
      readLocal(sql, 'station') ?? '',
      'token_created' satisfies AuditKind,
    )
    .map(({ name }) => name);
}
