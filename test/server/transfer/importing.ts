import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportJob } from '../../../server/transfer/imports.ts';
import type { Answer, Station } from '../../support/station.ts';

export type Content = string | Buffer | Record<string, unknown>[];

export interface ImportFlags {
  skip_bad?: boolean;
  dry_run?: boolean;
}

/** Makes an import over the interface, gives it its files, runs it and waits for its end. */
export async function importFiles(
  station: Station,
  mapping: object,
  files: Record<string, Content>,
  flags: ImportFlags = {},
): Promise<ImportJob> {
  const id = await startImport(station, mapping, files, flags);
  return ended(station, id);
}

/** As `importFiles`, up to its run. */
export async function startImport(
  station: Station,
  mapping: object,
  files: Record<string, Content>,
  flags: ImportFlags = {},
): Promise<string> {
  const { id } = jobOf(await station.post('/x/imports', { mapping, ...flags }));
  for (const [name, content] of Object.entries(files)) jobOf(await putFile(station, id, name, content));
  jobOf(await station.post(`/x/imports/${id}/run`));
  return id;
}

export async function putFile(station: Station, id: string, name: string, content: Content): Promise<Answer> {
  const body = Array.isArray(content) ? JSON.stringify(content) : content;
  const response = await fetch(`${station.origin}/api/v2/x/imports/${id}/files/${encodeURIComponent(name)}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${station.token}`, 'content-type': 'application/octet-stream' },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export async function ended(station: Station, id: string): Promise<ImportJob> {
  for (;;) {
    const job = jobOf(await station.get(`/x/imports/${id}`));
    if (job.state !== 'running') return job;
    await sleep(20);
  }
}

export function jobOf({ status, body }: Answer): ImportJob {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return (body as { data: ImportJob }).data;
}

export type Row = Record<string, unknown> & { id: number };

/** The whole list at a path, all pages. */
export async function listOf(station: Station, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const { body } = await station.get(path, { page, per_page: 500 });
    const { data, meta } = body as { data: Row[]; meta: { total: number } };
    rows.push(...data);
    if (data.length === 0 || rows.length >= meta.total) return rows;
  }
}
