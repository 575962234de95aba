import { rm } from 'node:fs/promises';
import { filledFolder } from '../../support/sample-company.ts';
import { type StationInProcess, stationInProcess } from '../../system/faults/station-in-process.ts';

export type Data = Record<string, unknown>;

export interface SampleStation {
  station: StationInProcess;
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
  const { folder } = await filledFolder();
  const station = await stationInProcess(folder);
  return {
    station,
    today: new Date().toISOString().slice(0, 10),
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
