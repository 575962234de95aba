import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATABASE_FILE } from '../../../server/store/verify/verify.ts';
import { Station } from '../../support/station.ts';
import { callWith, enrolledStation } from '../enrolment/enrolled.ts';
import { askMetrics, samplesOf } from './samples.ts';

const REQUESTS = 'holdpoint_http_request_duration_seconds';
const created = { method: 'POST', route: '/suppliers', status: '2xx' };
const read = { method: 'GET', route: '/suppliers/{id}', status: '2xx' };

describe('/x/metrics of a central', () => {
  const central = new Station({ role: 'central', isHere: true });
  beforeAll(() => central.start());
  afterAll(() => central.stop());

  async function newToken(name: string, limits: object): Promise<string> {
    const { body } = await central.post('/x/tokens', { name, ...limits });
    const { data } = body as { data?: Record<string, unknown> };
    if (!data) throw new Error(JSON.stringify(body));
    return String(Object.values(data).find(value => typeof value === 'string' && value.startsWith('hp_')));
  }

  it('counts what was asked by route and class of status, and how long it took', async () => {
    const before = await samplesOf(central);
    const { body } = await central.post('/suppliers', { name: 'Harbour' });
    const { id } = (body as { data: { id: number } }).data;
    for (let n = 0; n < 3; n += 1) await central.get(`/suppliers/${id}`);
    await central.get('/suppliers/999999');
    await central.get('/no-such-path');
    const after = await samplesOf(central);
    const grown = (labels: Record<string, string>) =>
      (after.get(`${REQUESTS}_count`, labels) ?? 0) - (before.get(`${REQUESTS}_count`, labels) ?? 0);
    expect(after.types.get(REQUESTS)).toBe('histogram');
    expect([created, read, { ...read, status: '4xx' }].map(grown)).toEqual([1, 3, 1]);
    expect(grown({ method: 'GET', route: 'other', status: '4xx' })).toBe(1);
    const seconds = after.get(`${REQUESTS}_sum`, read) ?? 0;
    expect(seconds).toBeGreaterThan(0);
    // A bucket has what took that long at most, and the last one all.
    expect(after.get(`${REQUESTS}_bucket`, { le: '+Inf', ...read })).toBe(3);
    expect((after.get('holdpoint_commits_total') ?? 0) - (before.get('holdpoint_commits_total') ?? 0)).toBe(
      1,
    );
  });

  it('says how the process stands: streams, stations that hear, files, memory, version and start', async () => {
    const { key } = await enrolledStation(central, 'Dock');
    const events = await central.fetch(`${central.origin}/api/v2/x/sync/pokes`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(events.status).toBe(200);
    const with1 = await samplesOf(central);
    expect(with1.get('holdpoint_event_streams')).toBe(1);
    expect(with1.get('holdpoint_stations_connected')).toBe(1);
    await events.body?.cancel();
    await expect.poll(async () => (await samplesOf(central)).get('holdpoint_stations_connected')).toBe(0);
    const { size } = statSync(join(central.folder, DATABASE_FILE));
    const present = await samplesOf(central);
    expect(present.get('holdpoint_event_streams')).toBe(0);
    expect(present.get('holdpoint_file_size_bytes', { file: 'database' })).toBe(size);
    expect(present.get('holdpoint_held_commits')).toBe(0);
    expect(present.get('holdpoint_webhook_messages', { state: 'waiting' })).toBe(0);
    expect(present.get('process_resident_memory_bytes')).toBeGreaterThan(2 ** 20);
    const began = (present.get('process_start_time_seconds') ?? 0) * 1_000;
    expect(began).toBeLessThan(Date.now());
    expect(began).toBeGreaterThan(Date.now() - 3_600_000);
    // It is alone.
    expect(present.get('holdpoint_journal_up')).toBeUndefined();
  });

  it('is for those who may read, for a token of one family as well, and for nobody without one', async () => {
    const [all, narrow] = [
      await newToken('monitor', { scopes: ['read'] }),
      await newToken('narrow', { scopes: ['read'], families: ['supplier'] }),
    ];
    const { key } = await enrolledStation(central, 'Lab');
    const statuses = await Promise.all(
      [all, narrow, undefined, 'A'.repeat(32)].map(async token => (await askMetrics(central, token)).status),
    );
    expect(statuses).toEqual([200, 200, 401, 401]);
    expect((await callWith(central, key, 'GET', '/x/metrics')).status).toBe(403);
    expect((await askMetrics(central, all)).headers.get('content-type')).toBe(
      'text/plain; version=0.0.4; charset=utf-8',
    );
  });
});

it('/x/metrics of a station that stands alone says what there is of it', async () => {
  const station = new Station({ isHere: true });
  await station.start();
  try {
    const samples = await samplesOf(station);
    expect(samples.get('holdpoint_commits_total')).toBeGreaterThan(0);
    expect(samples.get('holdpoint_held_commits')).toBeUndefined();
    expect(samples.get('holdpoint_stations_connected')).toBeUndefined();
  } finally {
    await station.stop();
  }
});
