import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillSampleCompany, type SampleCompany } from '../../server/sample-company/fill-sample-company.ts';
import { createClient } from '../../shared/client.ts';
import { type StationInProcess, stationInProcess } from '../faults/station-in-process.ts';

export type Data = Record<string, unknown>;

export interface SampleStation {
  station: StationInProcess;
  company: SampleCompany;
  today: string;
  /** Status, `data`, `meta` and message of an answer. */
  call: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; data: never; meta: Data; message: string }>;
  close: () => Promise<void>;
}

/** A station in this process with the sample company in it. */
export async function openSampleStation(): Promise<SampleStation> {
  const folder = await mkdtemp(join(tmpdir(), 'holdpoint-overview-'));
  const station = await stationInProcess(folder);
  const today = new Date().toISOString().slice(0, 10);
  const client = createClient({ baseUrl: station.origin, token: station.token });
  const company = await fillSampleCompany(client, { today });
  return {
    station,
    company,
    today,
    async call(method, path, body) {
      const response = await fetch(`${station.origin}/api/v2${path}`, {
        method,
        headers: {
          authorization: `Bearer ${station.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const { data, meta, message } = (await response.json()) as { data: never; meta: Data; message: string };
      return { status: response.status, data, meta: meta ?? {}, message };
    },
    async close() {
      await station.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
