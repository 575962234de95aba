import type { Family } from '../../shared/define-family.ts';
import type { Derived } from './derived.ts';
import type { Records } from './records.ts';
import type { Database } from './sqlite/database.ts';

export interface RebuildParts {
  database: Database;
  derived: Derived;
  records: Records;
  families: readonly Family[];
}

export interface RebuildReport {
  records: number;
  /** Rows of stock and counters that were not as the records say; 0 when nothing was wrong. */
  differences: number;
  /** Seconds. */
  seconds: number;
}

/** In the open transaction: forgets stock, search and counters and works them out again from the records. */
export async function rebuild(parts: RebuildParts): Promise<RebuildReport> {
  const started = performance.now();
  const before = snapshot(parts.database);
  parts.derived.clear();
  let records = 0;
  for (const family of parts.families) {
    for (const record of parts.records.all(family.name)) {
      parts.derived.follow(undefined, record);
      records += 1;
      if (records % 500 === 0) await breath();
    }
  }
  const after = snapshot(parts.database);
  const differences =
    [...before].filter(row => !after.has(row)).length + [...after].filter(row => !before.has(row)).length;
  return { records, differences, seconds: (performance.now() - started) / 1000 };
}

function snapshot(database: Database): Set<string> {
  const stock = database.allBig<{ lot: bigint; location: bigint; quantity: bigint }>('SELECT * FROM stock');
  const buckets = database.all('SELECT * FROM bucket');
  const facts = database.allBig('SELECT * FROM lot_fact');
  const text = (kind: string) => (row: object) => `${kind}:${Object.values(row).map(String).join(',')}`;
  return new Set([...stock.map(text('stock')), ...buckets.map(text('bucket')), ...facts.map(text('fact'))]);
}

/** Lets reads through between two stretches of work. */
function breath(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
