import { expect } from 'vitest';
import type { Station } from '../../support/station.ts';

/** Makes records through the interface before the first page is opened, and notes their ids by the names given here. */
export function maker(station: Station, made: Record<string, number>) {
  return async (name: string, path: string, body: unknown): Promise<void> => {
    const answer = await station.post(path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    made[name] = Number((answer.body as { data: { id: number | string } }).data.id);
  };
}
