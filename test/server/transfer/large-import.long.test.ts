import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { importFiles, jobOf, startImport } from './importing.ts';

/** Little more than a server needs that does nothing; the files are larger. */
const HEAP_MIB = 96;

const station = new Station({ env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` } });
beforeAll(() => station.start());
afterAll(() => station.stop());

const mapping = {
  source: 'large',
  steps: [{ file: 'p.csv', family: 'part', key: 'no', fields: { name: 'name', reorder_point: 'point' } }],
};
const csv = (rows: number, padding: number, lastPoint = '1') => {
  const text = 'x'.repeat(padding);
  const lines = Array.from(
    { length: rows },
    (_, index) => `${index},"${text}\n${index}",${index === rows - 1 ? lastPoint : 1}\n`,
  );
  return `no,name,point\n${lines.join('')}`;
};
const total = async () =>
  ((await station.get('/parts', { per_page: 1 })).body as { meta: { total: number } }).meta.total;

it('reads 100,000 rows of 60 megabytes in bounded memory, and finds the bad one at the end', async () => {
  const job = await importFiles(station, mapping, { 'p.csv': csv(100_000, 590, 'many') }, { dry_run: true });
  expect(job).toMatchObject({
    state: 'failed',
    rows_total: 100_000,
    bad: 1,
    bad_rows: [{ line: 200_000, column: 'point' }],
  });
});

it('leaves nothing of it when the server is killed in the middle, and can be run again', async () => {
  const id = await startImport(station, mapping, { 'p.csv': csv(12_000, 10) });
  while (jobOf(await station.get(`/x/imports/${id}`)).created < 4_000) await new Promise(setImmediate);
  await station.kill();
  expect(readdirSync(join(station.folder, 'imports'))).toEqual([id]);
  await station.start();
  expect(await total()).toBe(0);
  expect(existsSync(join(station.folder, 'imports'))).toBe(false);
  expect((await station.post('/x/rebuild')).body).toMatchObject({ data: { differences: 0 } });
});

it('writes 40,000 rows in one transaction in bounded memory', async () => {
  const job = await importFiles(station, mapping, { 'p.csv': csv(40_000, 10) });
  expect(job).toMatchObject({ state: 'done', created: 40_000 });
  expect(await total()).toBe(40_000);
});
