import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import {
  expectCreated,
  expectInvalid,
  expectPage,
  expectRecord,
  idOf,
  metaOf,
  recordOf,
  recordsOf,
} from './answers.ts';
import { wholeRecord } from './extension.ts';
import { createPart, UNKNOWN_ID, unique } from './records.ts';
import { ncr } from './shapes.ts';

const station = new Station({ isHere: true });
let part: number;

beforeAll(async () => {
  await station.start();
  part = await createPart(station);
});
afterAll(() => station.stop());

async function createNcr(fields: Record<string, unknown> = {}): Promise<number> {
  return idOf(await station.post('/ncrs', { ncr_number: unique('NCR'), source: 'internal', ...fields }));
}

describe('non-conformance reports (4.5)', () => {
  const report = () => ({
    ncr_number: unique('NCR'),
    source: 'supplier',
    lot_number: 'LOT-7',
    quantity: 12,
    description: 'Seal broken',
    immediate_action: 'Set aside',
    is_root_cause_determined: true,
    has_incomplete_action_items: false,
    has_unread_notes: true,
  });

  it('are created with every field; part_id as text; id and status are additive', async () => {
    const body = report();
    const answer = await station.post('/ncrs', { ...body, part_id: String(part) });
    const data = expectCreated(answer, ncr, '/ncrs/{id}', 'id');
    expect(data).toMatchObject({ ...body, part_id: part, status: 'open', id: expect.any(Number) });
  });

  it('are created from number and source; absent values are null', async () => {
    const answer = await station.post('/ncrs', { ncr_number: unique('NCR'), source: 'internal' });
    expect(expectCreated(answer, ncr, '/ncrs/{id}', 'id')).toMatchObject({
      lot_number: null,
      quantity: null,
      description: null,
      immediate_action: null,
      part_id: null,
    });
  });

  it('are read with their id in data and meta', async () => {
    const id = await createNcr({ part_id: part });
    expect(expectRecord(await station.get(`/ncrs/${id}`), ncr, 'id')).toMatchObject({ id, part_id: part });
  });

  it('are updated; part_id as int', async () => {
    const body = report();
    const id = idOf(await station.post('/ncrs', body));
    const change = { part_id: part, source: 'Customer', quantity: 2.5, has_unread_notes: 0 };
    const data = expectRecord(await station.put(`/ncrs/${id}`, change), ncr, 'id');
    expect(data).toMatchObject({ ...body, ...change, source: 'customer', has_unread_notes: false });
    expect(recordOf(await station.get(`/ncrs/${id}`))).toEqual(data);
  });

  it.each(['Internal', 'CUSTOMER', 'supplier'])('read the source %s in lower case', async source => {
    const id = await createNcr({ source });
    expect(recordOf(await station.get(`/ncrs/${id}`))).toMatchObject({ source: source.toLowerCase() });
  });

  it('require number and source', async () => {
    expectInvalid(await station.post('/ncrs', {}), 'ncr_number', 'source');
    expectInvalid(await station.post('/ncrs', { ncr_number: null, source: 'internal' }), 'ncr_number');
  });

  it.each([
    ['source', 'neighbour'],
    ['part_id', UNKNOWN_ID],
    ['part_id', String(UNKNOWN_ID)],
    ['part_id', 'jar'],
    ['quantity', 'many'],
    ['quantity', 0.1234567],
    ['is_root_cause_determined', 'maybe'],
    ['status', 'lost'],
  ])('refuse %s %j', async (name, value) => {
    expectInvalid(
      await station.post('/ncrs', { ncr_number: unique('NCR'), source: 'internal', [name]: value }),
      name,
    );
  });

  it('refuse a number that is taken on this station', async () => {
    const number = unique('NCR');
    await createNcr({ ncr_number: number });
    expectInvalid(await station.post('/ncrs', { ncr_number: number, source: 'internal' }), 'ncr_number');
    const other = await createNcr();
    expectInvalid(await station.put(`/ncrs/${other}`, { ncr_number: number }), 'ncr_number');
    expect((await station.put(`/ncrs/${other}`, { description: 'same number' })).status).toBe(200);
  });

  it('need no e-signature while the settings are off, and never keep or return one', async () => {
    const id = await createNcr();
    const signed = { description: 'd', esignature_password: 'hunter2', esignature_reason: 'approved' };
    const data = expectRecord(await station.put(`/ncrs/${id}`, signed), ncr, 'id');
    expect(data).toMatchObject({ description: 'd' });
    expect(await wholeRecord(station, 'ncr', id)).not.toHaveProperty('esignature_password');
  });
});

describe('the list of NCRs (4.5)', () => {
  it('is paged', async () => {
    await createNcr();
    await createNcr();
    const total = Number(metaOf(await station.get('/ncrs')).total);
    const page = await station.get('/ncrs', { page: 2, per_page: 1 });
    expectPage(page, ncr, { current_page: 2, from: 2, to: 2, total, per_page: 1 });
  });

  it('filters by status, where an unknown one finds nothing', async () => {
    const inReview = await createNcr();
    const closed = await createNcr();
    await station.put(`/ncrs/${inReview}`, { status: 'in_review' });
    await station.put(`/ncrs/${closed}`, { status: 'closed' });
    const idsOf = async (status: string) => recordsOf(await station.get('/ncrs', { status })).map(r => r.id);
    expect(await idsOf('in_review')).toEqual([inReview]);
    expect(await idsOf('closed')).toEqual([closed]);
    expect(await idsOf('open')).not.toContain(closed);
    expectPage(await station.get('/ncrs', { status: 'lost' }), ncr, { from: 0, to: 0, total: 0 });
  });

  it('filters by source, in any case', async () => {
    const id = await createNcr({ source: 'customer' });
    for (const source of ['customer', 'Customer']) {
      const found = expectPage(await station.get('/ncrs', { source, per_page: 500 }), ncr);
      expect(found.map(record => record.id)).toContain(id);
      expect(new Set(found.map(record => record.source))).toEqual(new Set(['customer']));
    }
  });

  it.each([
    ['WRINKLED', true],
    ['rinkle', true],
    ['wr', true],
    ['ri', false],
    ['100%', true],
    ['1%0', false],
    ['label_', false],
  ])('keyword %j is literal text: found %j', async (keyword, isFound) => {
    const id = await createNcr({ description: `Wrinkled labels on 100% of them` });
    const found = expectPage(await station.get('/ncrs', { keyword, per_page: 500 }), ncr);
    expect(found.map(record => record.id).includes(id)).toBe(isFound);
  });

  it('combines its filters', async () => {
    const wanted = await createNcr({ source: 'customer', description: 'quince one', status: 'closed' });
    await createNcr({ source: 'supplier', description: 'quince two', status: 'closed' });
    await createNcr({ source: 'customer', description: 'quince three' });
    const query = { keyword: 'quince', source: 'customer', status: 'closed' };
    const found = expectPage(await station.get('/ncrs', query), ncr, { total: 1 });
    expect(found.map(record => record.id)).toEqual([wanted]);
  });
});
