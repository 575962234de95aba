import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import {
  expectCreated,
  expectInvalid,
  expectPage,
  expectRecord,
  expectStatus,
  idOf,
  metaOf,
  recordOf,
} from './answers.ts';
import { createErrorCode } from './extension.ts';
import { createPart, UNKNOWN_ID, unique } from './records.ts';
import { complaint } from './shapes.ts';

const station = new Station({ isHere: true });
let part: number;
let errorCode: number;

beforeAll(async () => {
  await station.start();
  part = await createPart(station);
  errorCode = await createErrorCode(station, 'Leaking');
});
afterAll(() => station.stop());

const required = () => ({ complaint_number: unique('C'), complaint_date: '2026-05-06' });

const full = () => ({
  ...required(),
  part_id: part,
  error_code_id: errorCode,
  received_by: 'Rae',
  received_via: 'telephone',
  strain_name: 'Fuggle',
  batch_number: 'LOT-1',
  store_info: 'Leeds, till 2',
  comments: 'Lid was open',
  complainant_full_name: 'Kim Doe',
  complainant_address: '2 Low Street',
  complainant_phone: '555 0102',
  complainant_email: 'kim@home.example',
  complainant_fax: '555 0103',
});

describe('complaints (4.13)', () => {
  it('are created with every field, initiated now', async () => {
    const body = full();
    const data = expectCreated(await station.post('/complaints', body), complaint, '/complaints/{id}');
    expect(data).toMatchObject({
      ...body,
      investigator_user_id: null,
      investigated_at: null,
      closed_user_id: null,
      closed_at: null,
    });
  });

  it('are created from number and date; absent values are null', async () => {
    const data = recordOf(await station.post('/complaints', required()));
    expect(data).toMatchObject({ part_id: null, error_code_id: null, comments: null, complainant_fax: null });
  });

  it('require number and date on create and PUT, not on PATCH', async () => {
    const id = idOf(await station.post('/complaints', full()));
    expectInvalid(await station.post('/complaints', {}), 'complaint_number', 'complaint_date');
    expectInvalid(
      await station.put(`/complaints/${id}`, { comments: 'x' }),
      'complaint_number',
      'complaint_date',
    );
    const patched = await station.patch(`/complaints/${id}`, { comments: 'Replaced' });
    expect(expectRecord(patched, complaint)).toMatchObject({ comments: 'Replaced', received_by: 'Rae' });
  });

  it('are read and updated', async () => {
    const body = full();
    const id = idOf(await station.post('/complaints', body));
    const read = expectRecord(await station.get(`/complaints/${id}`), complaint);
    const change = { ...required(), comments: null };
    const updated = expectRecord(await station.put(`/complaints/${id}`, change), complaint);
    expect(updated).toEqual({ ...read, ...change, updated_at: updated.updated_at });
  });

  it.each([
    ['is_investigated', 'investigated_at'],
    ['is_closed', 'closed_at'],
  ])('%s sets %s', async (mark, moment) => {
    const id = idOf(await station.post('/complaints', required()));
    const data = expectRecord(await station.patch(`/complaints/${id}`, { [mark]: true }), complaint);
    expect(data[moment]).toMatch(/^\d{4}-/);
  });

  it('do not take response-only fields', async () => {
    const answer = await station.post('/complaints', { ...required(), closed_at: '2026-01-01 00:00:00' });
    expectStatus(answer, 201);
    expect(recordOf(answer)).toMatchObject({ closed_at: null });
  });

  it.each([
    ['part_id', UNKNOWN_ID],
    ['error_code_id', UNKNOWN_ID],
    ['complaint_date', '2026-02-30'],
    ['complaint_date', null],
    ['complaint_number', ''],
    ['comments', ['x']],
  ])('refuse %s %j', async (name, value) => {
    expectInvalid(await station.post('/complaints', { ...required(), [name]: value }), name);
  });

  it('refuse a number that is taken on this station', async () => {
    const body = required();
    await station.post('/complaints', body);
    expectInvalid(await station.post('/complaints', body), 'complaint_number');
  });

  it('are listed', async () => {
    const newest = recordOf(await station.post('/complaints', full()));
    const total = Number(metaOf(await station.get('/complaints')).total);
    const page = await station.get('/complaints', { page: total, per_page: 1 });
    expect(
      expectPage(page, complaint, { current_page: total, from: total, to: total, total, per_page: 1 }),
    ).toEqual([newest]);
  });
});
