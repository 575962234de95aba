import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDatabase } from './temporary-folder.ts';

it('is given up when the disk is full, and made again when there is room', () => {
  const database = temporaryDatabase();
  const reserve = join(database.folder, 'reserve');
  expect(statSync(reserve).size).toBe(2 * 2 ** 20);
  database.exec('CREATE TABLE t (v)');
  const pages = database.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
  database.exec(`PRAGMA max_page_count = ${pages}`);
  const fill = () => database.transaction(() => database.run('INSERT INTO t VALUES (zeroblob(100000))'));
  expect(fill).toThrow(expect.objectContaining({ code: 'storage_full' }));
  expect(existsSync(reserve)).toBe(false);
  expect(database.reader.get('SELECT count(*) AS n FROM t')).toEqual({ n: 0 });
  database.exec('PRAGMA max_page_count = 1000000');
  database.begin();
  expect(existsSync(reserve)).toBe(true);
  database.rollback();
  fill();
  expect(database.get('SELECT count(*) AS n FROM t')).toEqual({ n: 1 });
});
