import type { TokenRow, TokenTable } from '../../../server/store/token-table.ts';

/** A token table in memory; `rows` is what it holds. */
export function createTokenTable(): TokenTable & { rows: TokenRow[] } {
  const rows: TokenRow[] = [];
  return {
    rows,
    insert: row => {
      const unbounded = { ends_at: null, families: null, networks: null, created_by: null };
      const stored = { ...unbounded, ...row, id: rows.length + 1 };
      rows.push(stored);
      return stored;
    },
    list: () => rows,
    findByHash: hash => rows.find(row => row.hash === hash),
    revoke: (id, at) => {
      const row = rows.find(candidate => candidate.id === id);
      if (row !== undefined) row.revoked_at = at;
    },
    uses: () => [],
    noteUses: () => {},
  };
}
