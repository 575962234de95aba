import type { StoredRecord } from '../../../shared/contract/present.ts';
import { indexEntriesOf } from '../../../shared/families/secondary-index.ts';
import { DATED_INSPECTIONS, fileVersion } from '../migrations.ts';
import { FAMILY_SPAN } from '../subjects.ts';
import { remedies } from './findings.ts';
import type { VerifyContext } from './verify-context.ts';

/** Compares `lookup` with what every record says it is found by. */
export function secondaryIndexVerifier({ sql, findings, familyNumbers }: VerifyContext): {
  record: (record: StoredRecord) => void;
  finish: () => void;
} {
  sql.exec(`CREATE TEMP TABLE fresh_lookup (
    place TEXT NOT NULL, value NOT NULL, subject INTEGER NOT NULL, PRIMARY KEY (place, value, subject)
  ) WITHOUT ROWID`);
  // Of these an earlier version has other days, which the opening works out again.
  const isDatedOtherwise = fileVersion(sql) < DATED_INSPECTIONS;
  return {
    record(record) {
      const number = familyNumbers.get(record.family);
      if (number === undefined) return;
      for (const { place, value } of indexEntriesOf(record)) {
        sql.run(
          'INSERT INTO temp.fresh_lookup VALUES (?, ?, ?)',
          place,
          value,
          number * FAMILY_SPAN + record.id,
        );
      }
    },
    finish() {
      report('main.lookup', 'temp.fresh_lookup', 'An index leads to a record that does not have the value.');
      report('temp.fresh_lookup', 'main.lookup', 'An index does not know a record by one of its values.');
    },
  };

  function report(one: string, other: string, what: string): void {
    const rows = sql.all<{ place: string; n: number }>(
      `SELECT place, count(*) AS n FROM (SELECT * FROM ${one} EXCEPT SELECT * FROM ${other}) GROUP BY place LIMIT 10`,
    );
    for (const { place, n } of rows) {
      if (isDatedOtherwise && INSPECTIONS.has(place)) continue;
      findings.add(what, `lookup of ${place}, ${n} rows`, remedies.rebuild);
    }
  }
}

const INSPECTIONS: ReadonlySet<string> = new Set(['open.inspection_open', 'open.inspection_failed']);
