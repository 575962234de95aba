import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BadRow, FileFault } from '../../../server/transfer/fault.ts';
import type { ImportRow } from '../../../server/transfer/import-row.ts';
import { readMapping } from '../../../server/transfer/mapping.ts';
import { createStepReader } from '../../../server/transfer/read-steps.ts';

export interface Reading {
  rows: ImportRow[];
  faults: BadRow[];
  unmapped: Record<string, string[]>;
}

/** What the steps of a mapping make of files, given by name; a file that cannot be read is its only fault. */
export async function readFiles(mapping: unknown, files: Record<string, string | Buffer>): Promise<Reading> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-reading-'));
  const reading: Reading = { rows: [], faults: [], unmapped: {} };
  const paths = Object.entries(files).map(([name, content], index) => {
    const path = join(folder, String(index));
    writeFileSync(path, content);
    return { name, path };
  });
  const reader = createStepReader({
    mapping: readMapping(mapping),
    files: paths,
    spoolFile: join(folder, 'spool.db'),
    siteZone: 'Europe/Berlin',
    onBad: faults => reading.faults.push(...faults),
  });
  try {
    for (const step of reader.plans.keys()) {
      for await (const row of reader.rows(step)) if (row) reading.rows.push(row);
    }
    reading.unmapped = reader.unmappedColumns();
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    reading.faults.push({ ...error.place, message: error.message });
  } finally {
    reader.close();
    rmSync(folder, { recursive: true });
  }
  return reading;
}

/** A mapping of one CSV file, `a.csv`, keyed by its line unless said. */
export function mappingOf(family: string, fields: object, step: object = {}, file: object = {}): object {
  return {
    source: 'test',
    files: { 'a.csv': file },
    steps: [{ file: 'a.csv', family, key: '$line', fields, ...step }],
  };
}

/** The fields of the rows that suppliers' CSV gives, by their lines. */
export function fieldsByLine({ rows }: Reading): [number | undefined, Record<string, unknown>][] {
  return rows.map(row => [row.places['']?.line, row.input.fields]);
}
