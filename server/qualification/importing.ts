import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, dataOf } from './caller.ts';
import type { ScratchStation } from './scratch-station.ts';

export interface ImportSeen {
  id: string;
  state: string;
  rows_read: number;
  created: number;
  updated: number;
  unchanged: number;
  bad: number;
  bad_rows: { line: number }[];
}

interface ImportAsked {
  family: string;
  /** CSV, with its head. */
  file: string;
  key: string[];
  fields: Record<string, string>;
  isTrial?: boolean;
  by?: Caller;
}

const LOOK_MS = 25;
/** So long at most: a minute. */
const LOOKS = 2_400;

/** Imports one file, and follows it to its end. */
export async function importOf(
  scratch: ScratchStation,
  { family, file, key, fields, isTrial = false, by = scratch.program() }: ImportAsked,
): Promise<ImportSeen> {
  const mapping = {
    source: 'legacy',
    files: { 'file.csv': { format: 'csv' } },
    steps: [{ family, file: 'file.csv', key, fields }],
  };
  const { id } = dataOf(await by.post('/x/imports', { mapping, dry_run: isTrial }));
  dataOf(await by.call('PUT', `/x/imports/${id}/files/file.csv`, { body: file }));
  dataOf(await by.post(`/x/imports/${id}/run`));
  for (let look = 0; look < LOOKS; look += 1) {
    const job = dataOf<ImportSeen>(await by.get(`/x/imports/${id}`));
    if (job.state !== 'running') return job;
    await sleep(LOOK_MS);
  }
  throw new Error('The import did not end.');
}
