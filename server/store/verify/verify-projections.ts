import type { Family } from '../../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { isSameNumber } from '../../../shared/contract/typed-number.ts';
import { families } from '../../../shared/families/registry.ts';
import { checksumOfFact, type FactRow, type LotFact } from '../lots.ts';
import { remedies } from './findings.ts';
import type { VerifyContext } from './verify-context.ts';
import { searchVerifier } from './verify-search.ts';
import { secondaryIndexVerifier } from './verify-secondary-index.ts';

/** Compares what is derived with a fresh derivation: `record` for every record, then `finish`. */
export function projectionVerifier(context: VerifyContext): {
  record: (record: StoredRecord) => void;
  finish: () => void;
} {
  context.sql.exec(`
    CREATE TEMP TABLE fact (lot INTEGER NOT NULL, location INTEGER NOT NULL, quantity INTEGER NOT NULL);
    CREATE TEMP TABLE source (key TEXT PRIMARY KEY) WITHOUT ROWID;
  `);
  const search = searchVerifier(context);
  const lookups = secondaryIndexVerifier(context);
  return {
    record(record) {
      verifyFacts(context, record);
      search.record(record);
      lookups.record(record);
    },
    finish() {
      search.finish();
      lookups.finish();
      verifyStock(context);
      verifyBuckets(context);
      verifyStrays(context);
    },
  };
}

function verifyFacts(
  { sql, findings, lotFactsOf, hasNumbersAsTyped }: VerifyContext,
  record: StoredRecord,
): void {
  const facts = lotFactsOf(record);
  for (const fact of facts) {
    if (fact.lot === null) continue;
    sql.run('INSERT INTO temp.fact VALUES (?, ?, ?)', fact.lot, fact.location, fact.quantity);
  }
  if (facts.length > 0) sql.run('INSERT OR IGNORE INTO temp.source VALUES (?)', record.key);
  const rows = sql.allBig<FactRow>(
    'SELECT * FROM main.lot_fact WHERE source = ? ORDER BY ordinal',
    record.key,
  );
  const isSame =
    rows.length === facts.length &&
    facts.every((fact, ordinal) => {
      const row = rows[ordinal];
      const isTyped = hasNumbersAsTyped && isSameNumber(row?.batch, fact.batch);
      return isFact(row, isTyped && row ? { ...fact, batch: row.batch } : fact, ordinal, record.key);
    });
  if (isSame) return;
  findings.add(
    'What a record says of lots is not what stock was worked out from.',
    `lot_fact of ${record.key}`,
    remedies.rebuild,
  );
}

function isFact(row: FactRow | undefined, fact: LotFact, ordinal: number, source: string): boolean {
  return (
    row !== undefined &&
    row.ordinal === BigInt(ordinal) &&
    row.line === BigInt(fact.line) &&
    row.lot === (fact.lot === null ? null : BigInt(fact.lot)) &&
    row.batch === fact.batch &&
    row.location === BigInt(fact.location) &&
    row.quantity === fact.quantity &&
    row.lock === fact.lock &&
    row.seal === BigInt(checksumOfFact(source, ordinal, fact))
  );
}

function verifyStock({ sql, findings }: VerifyContext): void {
  const rows = sql.allBig<{ lot: bigint; location: bigint; stored: bigint | null; fresh: bigint | null }>(`
    SELECT coalesce(s.lot, f.lot) AS lot, coalesce(s.location, f.location) AS location,
      s.quantity AS stored, f.quantity AS fresh
    FROM main.stock AS s FULL JOIN
      (SELECT lot, location, sum(quantity) AS quantity FROM temp.fact GROUP BY lot, location HAVING sum(quantity) <> 0) AS f
      ON f.lot = s.lot AND f.location = s.location
    WHERE s.quantity IS NOT f.quantity LIMIT 100`);
  for (const { lot, location, stored, fresh } of rows) {
    findings.add(
      `Stock is ${decimal(stored)}; its facts add up to ${decimal(fresh)}.`,
      `stock of lot ${lot} at ${location === 0n ? 'no place' : `location ${location}`}`,
      remedies.rebuild,
    );
  }
}

/** Millionths as people write them. */
function decimal(micro: bigint | null): string {
  return String(Number(micro ?? 0n) / 1_000_000);
}

/** Records of families that this version does not know are in no list, and are not counted. */
function verifyBuckets({ sql, table, findings }: VerifyContext): void {
  const rows = sql.all<{ number: number; bucket: number; stored: number | null; fresh: number | null }>(
    `
    SELECT coalesce(b.family_number, f.number) AS number, coalesce(b.bucket, f.bucket) AS bucket,
      b.n AS stored, f.n AS fresh
    FROM main.bucket AS b FULL JOIN
      (SELECT number, f_id >> 10 AS bucket, count(*) AS n FROM main."${table}"
       JOIN main.family_number ON family = f_family
       WHERE family IN (SELECT value FROM json_each(?)) GROUP BY 1, 2) AS f
      ON f.number = b.family_number AND f.bucket = b.bucket
    WHERE coalesce(b.n, 0) IS NOT coalesce(f.n, 0) LIMIT 100`,
    JSON.stringify(Object.keys(families)),
  );
  for (const { number, bucket, stored, fresh } of rows) {
    const names = sql.get<{ family: string }>(
      'SELECT family FROM main.family_number WHERE number = ?',
      number,
    );
    const range = `ids ${bucket * 1_024} to ${bucket * 1_024 + 1_023}`;
    findings.add(
      `The count of records is ${stored ?? 0}, not ${fresh ?? 0}.`,
      `bucket of ${names?.family ?? number}, ${range}`,
      remedies.rebuild,
    );
  }
}

/** Rows that no record stands behind. */
function verifyStrays({ sql, findings, table, familyNumbers }: VerifyContext): void {
  const facts = sql.all<{ source: string }>(
    'SELECT DISTINCT source FROM main.lot_fact WHERE source NOT IN (SELECT key FROM temp.source) LIMIT 10',
  );
  for (const { source } of facts) {
    findings.add('A fact about a lot has no record behind it.', `lot_fact of ${source}`, remedies.rebuild);
  }
  const known = new Set(Object.values<Family>(families).map(({ name }) => name));
  const numbers = [...familyNumbers].filter(([name]) => known.has(name)).map(([, number]) => number);
  const rows = sql.all<{ id: number }>(`
    SELECT id FROM main.search_index_docsize AS d WHERE NOT EXISTS
      (SELECT 1 FROM main."${table}" JOIN main.family_number ON number = d.id >> 44 AND number IN (${numbers.join()})
       WHERE key = family || ':' || (d.id & ((1 << 44) - 1))) LIMIT 10`);
  for (const { id } of rows) {
    findings.add('Search finds a record that is not there.', `search_index, row ${id}`, remedies.rebuild);
  }
}
