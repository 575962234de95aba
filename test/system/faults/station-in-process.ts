import { randomBytes } from 'node:crypto';
import { openStation, type Station } from '../../../server/app/station.ts';
import { createLogger } from '../../../server/http/log.ts';

/** A station within this process, where a kit must reach into its store or open hundreds; one at a time. */
export interface StationInProcess extends Station {
  token: string;
  get(path: string): Promise<{ status: number; text: string }>;
}

/** @throws AppError as the store does for a folder that it does not open */
export async function stationInProcess(folder: string): Promise<StationInProcess> {
  const token = randomBytes(24).toString('base64url');
  const station = await openStation({
    config: { folder, host: '127.0.0.1', port: 0, hosts: [], token, logLevel: 'silent' },
    log: createLogger({ level: 'silent' }),
    clock: () => new Date(),
    onFail: () => {},
  });
  return {
    ...station,
    token,
    async get(path) {
      const response = await fetch(`${station.origin}/api/v2${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return { status: response.status, text: await response.text() };
    },
  };
}
