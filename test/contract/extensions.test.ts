import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOURNAL_RUN } from '../support/journal-run.ts';
import { Station } from '../support/station.ts';
import { createPart, receive, stockedLot } from './golden/records.ts';

type Data = Record<string, unknown>;

/** What the interface has beside the document: facts behind a lot, proposals, idempotent writes, settings. */
const station = new Station();
beforeAll(() => station.start());
afterAll(() => station.stop());

const dataOf = (answer: { body: unknown }) => (answer.body as { data: Data }).data;

describe('what stands behind a lot', () => {
  it('is every record that adds, takes, locks and carries it', async () => {
    const { lot, part } = await stockedLot(station);
    const location = dataOf(await station.post('/x/locations', { name: 'Shelf 7' })).id;
    await station.post(`/x/inventory/${lot}/moves`, { to_location_id: location, quantity: 6 });
    await station.post(`/x/inventory/${lot}/lock`, { is_locked: true, reason: 'A leaking drum' });
    const facts = dataOf(await station.get(`/x/inventory/${lot}/facts`));
    expect(facts).toMatchObject({
      unit: 'kg',
      quantity: 10,
      locations: [
        { location_id: null, quantity: 4 },
        { location_id: location, name: 'Shelf 7', quantity: 6 },
      ],
      locks: [{ reason: 'a person locked it', family: 'inventory', id: lot }],
    });
    const quantities = (facts.facts as Data[]).map(({ family, quantity }) => [family, quantity]);
    expect(quantities).toEqual(
      expect.arrayContaining([
        ['receiving-inspection', 10],
        ['move', -6],
        ['move', 6],
      ]),
    );
    const states = await station.get('/x/inventory/states', { ids: `${lot},999999` });
    expect((states.body as { data: Data[] }).data).toEqual([
      {
        id: lot,
        expiry_date: null,
        is_expired: false,
        locks: ['a person locked it'],
        locations: [null, 'Shelf 7'],
      },
    ]);
    const unreadable = await station.get('/x/inventory/states', { ids: '12,x' });
    expect([unreadable.status, unreadable.body]).toMatchObject([
      422,
      { errors: { ids: [expect.stringContaining('12,x')] } },
    ]);
    const rest = await station.post(`/x/inventory/${lot}/moves`, {
      to_location_id: location,
      from_location_id: null,
    });
    expect([rest.status, dataOf(rest).quantity]).toEqual([201, 4]);
    expect(part).toBeGreaterThan(0);
  });
});

describe('a proposal', () => {
  it('fills in the report that a rejected quantity suggests, until somebody raised it', async () => {
    const { part } = await stockedLot(station);
    const { receipt } = await receive(station, {
      part_id: part,
      serial_number: 'BAD-1',
      quantity_accepted: 0,
      quantity_rejected: 3,
      unit_of_measure: 'kg',
    });
    const path = `/x/proposals/receiving-inspections/${receipt}`;
    const [proposal] = dataOf(await station.get(path)) as unknown as Data[];
    expect(proposal).toMatchObject({ source: 'supplier', part_id: part, lot_number: 'BAD-1', quantity: 3 });
    const raised = await station.post('/ncrs', { ...proposal, ncr_number: 'NCR-P1' });
    expect(raised.status).toBe(201);
    expect(dataOf(await station.get(path))).toEqual([]);
    const linked = await station.get('/ncrs', { receiving_inspection_id: receipt });
    expect((linked.body as { meta: Data }).meta.total).toBe(1);
  });
});

describe('an Idempotency-Key', () => {
  it('makes parallel requests one record, and refuses another body', async () => {
    const send = (name: string) =>
      station.call('POST', '/suppliers', { body: { name }, headers: { 'idempotency-key': 'same' } });
    const answers = await Promise.all(Array.from({ length: 10 }, () => send('Once')));
    const statuses = new Set(answers.map(answer => answer.status));
    expect([...statuses].filter(status => status !== 201 && status !== 409)).toEqual([]);
    const ids = new Set(answers.filter(answer => answer.status === 201).map(answer => dataOf(answer).id));
    expect(ids.size).toBe(1);
    expect((await send('Another')).status).toBe(422);
    await station.restart();
    const replay = await send('Once');
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(ids.has(dataOf(replay).id)).toBe(true);
  });
});

describe('settings', () => {
  it('have defaults, refuse a zone that is none, and keep a history', async () => {
    expect(dataOf(await station.get('/x/settings'))).toMatchObject({
      time_zone: 'UTC',
      expiry_soon_days: 30,
    });
    const wrong = await station.put('/x/settings', { time_zone: 'Mars/Olympus' });
    expect([wrong.status, Object.keys((wrong.body as { errors: Data }).errors)]).toEqual([
      422,
      ['time_zone'],
    ]);
    const answer = await station.put('/x/settings', { time_zone: 'Europe/Berlin' });
    expect(dataOf(answer)).toMatchObject({ time_zone: 'Europe/Berlin', expiry_soon_days: 30 });
    const history = dataOf(await station.get('/x/history/settings/1')) as unknown as Data[];
    // A central has the record from its first start.
    expect(history).toHaveLength(JOURNAL_RUN === undefined ? 1 : 2);
  });

  it('name what is wrong with what they say of a kind of act', async () => {
    const plain = { is_signed: true, needs_reason: false, needs_second_person: false };
    expect(dataOf(await station.get('/x/settings'))).toMatchObject({ esignature_deviations: {} });
    for (const [given, field] of [
      [[], 'esignature_deviations'],
      [{ verdikt: plain }, 'esignature_deviations.verdikt'],
      [{ verdict: { ...plain, is_signed: 'maybe' } }, 'esignature_deviations.verdict.is_signed'],
      [
        { verdict: { ...plain, is_signed: false, needs_reason: true } },
        'esignature_deviations.verdict.needs_reason',
      ],
    ] as const) {
      const wrong = await station.put('/x/settings', { esignature_deviations: given });
      expect([wrong.status, Object.keys((wrong.body as { errors: Data }).errors)]).toEqual([422, [field]]);
    }
  });
});

describe('what only an administrator may do', () => {
  it('is refused to a token that writes', async () => {
    const { secret } = dataOf(await station.post('/x/tokens', { name: 'writer', scopes: ['write'] }));
    const headers = { authorization: `Bearer ${secret}` };
    for (const [method, path] of [
      ['GET', '/x/tokens'],
      ['POST', '/x/tokens'],
      ['PUT', '/x/settings'],
      ['POST', '/x/rebuild'],
      ['POST', '/x/imports'],
    ] as const) {
      const body = method === 'GET' ? undefined : {};
      expect([path, (await station.call(method, path, { headers, body })).status]).toEqual([path, 403]);
    }
    expect((await station.call('GET', '/suppliers', { headers })).status).toBe(200);
  });
});

describe('an inspection', () => {
  it('shows its samples under /x, which the documented read does not', async () => {
    const part = await createPart(station);
    const { id } = dataOf(await station.post('/inspections', { entity_id: part, sample_size: 2 }));
    expect(dataOf(await station.get(`/inspections/${id}`))).not.toHaveProperty('samples');
    expect(dataOf(await station.get(`/x/inspections/${id}`)).samples).toHaveLength(2);
  });
});
