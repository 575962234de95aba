import { fillWithDefaultSettings } from 'rxdb';
import { describe, expect, it } from 'vitest';
import { extraColumns, ownColumns } from '../../../../server/store/sqlite/collection-columns.ts';
import { indexNameOf } from '../../../../server/store/sqlite/collection-table.ts';
import type { Database } from '../../../../server/store/sqlite/database.ts';
import { toCondition, toOrder } from '../../../../server/store/sqlite/mango.ts';
import { insertOf, openSamples, sampleColumns, sampleSchema } from './sample-collection.ts';
import { temporaryDatabase } from './temporary-folder.ts';

const partOfLot = `json_extract(document, '$.fields.part_id')`;
const options = {
  columns: sampleColumns,
  indexes: [
    { name: 'page', sql: '(f_family, f_id) WHERE deleted = 0' },
    { name: 'lot_part', sql: `(f_family, ${partOfLot}, f_id) WHERE f_family = 'lot' AND deleted = 0` },
  ],
};

/** A table with enough rows of several families that the planner has something to choose from. */
async function filled(): Promise<{ database: Database; table: string }> {
  const database = temporaryDatabase();
  const first = await openSamples(database, { columns: sampleColumns });
  const rows = Array.from({ length: 2_000 }, (_, n) => {
    const family = n % 3 === 0 ? 'lot' : 'part';
    return insertOf({ key: `${family}:${n}`, family, id: n, fields: { part_id: n % 50 } });
  });
  await first.bulkWrite(rows, 'test');
  const { internals } = await openSamples(database, options);
  return { database, table: internals.table };
}

function planOf(database: Database, sql: string): string {
  const nulls = [...sql.matchAll(/\?/g)].map(() => null);
  const steps = database.reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...nulls);
  return steps.map(step => step.detail).join('; ');
}

describe('the plan of', () => {
  it('a read by key is the primary key', async () => {
    const { database, table } = await filled();
    const plan = planOf(database, `SELECT document FROM "${table}" WHERE key = ?`);
    expect(plan).toBe(`SEARCH ${table} USING INDEX sqlite_autoindex_${table}_1 (key=?)`);
  });

  it('a page of a family is a range of its index, in order', async () => {
    const { database, table } = await filled();
    const page = indexNameOf(table, 'page');
    for (const hint of [`INDEXED BY "${page}"`, '']) {
      const sql = `SELECT document FROM "${table}" ${hint}
        WHERE f_family = ? AND deleted = 0 AND f_id >= ? ORDER BY f_id LIMIT ? OFFSET ?`;
      expect(planOf(database, sql)).toBe(`SEARCH ${table} USING INDEX ${page} (f_family=? AND f_id>?)`);
    }
  });

  it('the ids or number of a family comes from its index alone', async () => {
    const { database, table } = await filled();
    const page = indexNameOf(table, 'page');
    for (const columns of ['f_id', 'count(*)']) {
      const sql = `SELECT ${columns} FROM "${table}" WHERE f_family = ? AND deleted = 0`;
      expect(planOf(database, sql)).toBe(`SEARCH ${table} USING COVERING INDEX ${page} (f_family=?)`);
    }
  });

  it('a filter on a field is the expression index that is named', async () => {
    const { database, table } = await filled();
    const index = indexNameOf(table, 'lot_part');
    const sql = `SELECT document FROM "${table}" INDEXED BY "${index}"
      WHERE f_family = 'lot' AND deleted = 0 AND ${partOfLot} = ? ORDER BY f_id LIMIT ?`;
    expect(planOf(database, sql)).toBe(`SEARCH ${table} USING INDEX ${index} (f_family=? AND <expr>=?)`);
  });

  it('changes and clean-up are the indexes that every collection has', async () => {
    const { database, table } = await filled();
    expect(
      planOf(database, `SELECT document FROM "${table}" WHERE sequence > ? ORDER BY sequence LIMIT ?`),
    ).toBe(`SEARCH ${table} USING INDEX ${indexNameOf(table, 'sequence')} (sequence>?)`);
    expect(
      planOf(database, `SELECT key FROM "${table}" WHERE deleted = 1 AND lwt <= ? ORDER BY lwt LIMIT ?`),
    ).toBe(`SEARCH ${table} USING INDEX ${indexNameOf(table, 'deleted')} (lwt<?)`);
  });

  it('what RxDB asks by family and id is the index of the page', async () => {
    const { database, table } = await filled();
    const columns = new Map(
      [...ownColumns('key'), ...extraColumns(fillWithDefaultSettings(sampleSchema), sampleColumns)].map(
        column => [column.path, column],
      ),
    );
    const selector = { _deleted: { $eq: false }, family: { $eq: 'lot' }, id: { $gt: 5 } };
    const condition = toCondition(selector, columns);
    const sql = `SELECT document FROM "${table}" WHERE ${condition.sql} ORDER BY ${toOrder([{ id: 'asc' }], columns)}`;
    expect(condition.isExact).toBe(true);
    expect(planOf(database, sql)).toBe(
      `SEARCH ${table} USING INDEX ${indexNameOf(table, 'page')} (f_family=? AND f_id>?)`,
    );
  });
});
