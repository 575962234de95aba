import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sampling, SamplingStates } from '../../../shared/operations/sampling-operations.ts';
import { samplingSchema } from '../../../shared/operations/sampling-operations.ts';
import { idOf } from '../../contract/golden/answers.ts';
import { createPart, createReceipt, receiveInto, unique } from '../../contract/golden/records.ts';
import { Station } from '../../support/station.ts';

const station = new Station({ isHere: true });
beforeAll(() => station.start());
afterAll(() => station.stop());

const post = async (path: string, body: object) => idOf(await station.post(path, body));

async function sampling(query: Record<string, string | number>): Promise<Sampling> {
  const answer = await station.get('/x/sampling', { lot_size: 1000, ...query });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { data } = answer.body as { data: unknown };
  const parsed = samplingSchema.parse(data);
  expect(parsed).toEqual(data);
  return parsed;
}

/** A lot of 1,000 from the supplier, with its verdict. */
async function judged(
  part: number,
  supplier: number,
  passed: boolean,
  further: object = {},
): Promise<number> {
  const receipt = await createReceipt(station, { supplier_id: supplier });
  const line = { part_id: part, serial_number: unique('S'), quantity_accepted: 1_000 };
  const { inventory } = await receiveInto(station, receipt, line);
  return post('/inspections', { entity_id: part, inventory_id: inventory, passed, ...further });
}

describe('a sampling plan', () => {
  it("is by the call's level and AQL, else the part's, else II and 1", async () => {
    const part = await createPart(station);
    // ISO 2859-1:1999, tables 1 and 2-A: 1,000 at II is J, 80 with Ac 2 at 1.0.
    expect(await sampling({ part_id: part })).toMatchObject({
      level_from: 'default',
      aql_from: 'default',
      plan: { letter: 'J', n: 80, ac: 2, re: 3, severity: 'normal', is_whole_lot: false },
      history: [],
    });
    await station.patch(`/parts/${part}`, { sampling_level: 'I', sampling_aql: '2.5' });
    expect(await sampling({ part_id: part })).toMatchObject({
      level_from: 'part',
      aql_from: 'part',
      plan: { letter: 'G', n: 32, ac: 2, re: 3 },
    });
    expect((await sampling({ part_id: part, level: 'II', aql: '1' })).plan).toMatchObject({ n: 80, ac: 2 });
    expect((await sampling({ part_id: part, lot_size: 20 })).plan.steps.length).toBeGreaterThan(1);
  });

  it('refuses what the tables do not have, by name', async () => {
    const part = await createPart(station);
    for (const [query, field] of [
      [{ part_id: part }, 'lot_size'],
      [{ part_id: part, lot_size: 0 }, 'lot_size'],
      [{ part_id: part, lot_size: 5, level: 'IV' }, 'level'],
      [{ part_id: part, lot_size: 5, aql: '0.9' }, 'aql'],
      [{ lot_size: 5 }, 'part_id'],
    ] as const) {
      const { status, body } = await station.get('/x/sampling', query);
      expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([422, [field]]);
    }
    expect((await station.get('/x/sampling', { part_id: 999_999, lot_size: 5 })).status).toBe(404);
  });
});

describe('the severity', () => {
  it('follows the lots of this supplier, resubmitted ones not counted, and says why', async () => {
    const [part, good, bad] = [
      await createPart(station),
      await post('/suppliers', { name: 'Good' }),
      await post('/suppliers', { name: 'Bad' }),
    ];
    await judged(part, bad, false);
    await judged(part, bad, false, { is_resubmitted: true });
    await judged(part, good, true);
    expect((await sampling({ part_id: part, supplier_id: bad })).state.severity).toBe('normal');
    const last = await judged(part, bad, false);
    const tightened = await sampling({ part_id: part, supplier_id: bad });
    expect(tightened.state).toMatchObject({
      severity: 'tightened',
      steps: [{ rule: 'start' }, { rule: 'twoOfFiveRejected', clause: '9.3.1', at: 2, lots: [0, 2] }],
    });
    expect(tightened.history.map(({ id }) => id)[2]).toBe(last);
    expect(tightened.history.map(({ severity }) => severity)).toEqual(['normal', 'normal', 'normal']);
    // Table 2-B: J at 1.0 is 80 with Ac 1.
    expect(tightened.plan).toMatchObject({ severity: 'tightened', n: 80, ac: 1, re: 2 });
    expect((await sampling({ part_id: part, supplier_id: good })).state.severity).toBe('normal');
    for (let lot = 0; lot < 5; lot++) await judged(part, bad, true);
    expect((await sampling({ part_id: part, supplier_id: bad })).state.severity).toBe('normal');
  });

  it('is reduced by a score of 30 and a recorded approval, which can be withdrawn', async () => {
    const part = await createPart(station);
    const supplier = await post('/suppliers', { name: 'Steady' });
    await station.patch(`/parts/${part}`, { supplier_id: supplier });
    for (let lot = 0; lot < 10; lot++) await judged(part, supplier, true);
    const possible = await sampling({ part_id: part });
    expect(possible.state).toMatchObject({
      severity: 'normal',
      is_reduced_possible: true,
      switching_score: 30,
    });
    const approval = { part_id: part, supplier_id: supplier, is_allowed: true, reason: 'Two good years' };
    const approved = await station.post('/x/sampling/reduced', approval);
    expect([approved.status, approved.headers.get('location')]).toEqual([
      201,
      `/api/v2/x/sampling-rulings/${idOf(approved)}`,
    ]);
    expect((await sampling({ part_id: part })).plan).toMatchObject({ severity: 'reduced', n: 32 });
    const history = (await station.get(`/x/history/sampling-ruling/${idOf(approved)}`)).body as {
      data: { reason: string }[];
    };
    expect(history.data[0]?.reason).toBe('Two good years');
    await station.post('/x/sampling/reduced', { ...approval, is_allowed: false, reason: 'A new machine' });
    expect((await sampling({ part_id: part })).state.severity).toBe('normal');
    const refused = await station.post('/x/sampling/reduced', { part_id: 999_999, is_allowed: true });
    expect([refused.status, Object.keys((refused.body as { errors: object }).errors)]).toEqual([
      422,
      ['part_id', 'reason'],
    ]);
  });
});

it('says of every part and supplier how strictly it is sampled, what waits for a person first', async () => {
  const supplier = await post('/suppliers', { name: 'Of the states' });
  const [fine, bad] = [await createPart(station), await createPart(station)];
  await judged(fine, supplier, true);
  for (let lot = 0; lot < 7; lot += 1) await judged(bad, supplier, false);
  const { body } = await station.get('/x/sampling/states');
  const { rows } = (body as { data: SamplingStates }).data;
  const ours = rows.filter(row => row.supplier_id === supplier);
  expect(ours).toMatchObject([
    { part_id: bad, supplier: 'Of the states', severity: 'tightened', is_discontinued: true, lots: 7 },
    { part_id: fine, severity: 'normal', is_discontinued: false, switching_score: 3, lots: 1 },
  ]);
  const { history } = await sampling({ part_id: bad, supplier_id: supplier });
  // Tables 2-A and 2-B: 1,000 at II is J; at 1.0 that is 80 with Ac 2, and with Ac 1 when tightened.
  expect(history.map(({ severity, n, ac, lot_size }) => [severity, n, ac, lot_size])).toEqual([
    ...Array.from({ length: 2 }, () => ['normal', 80, 2, 1_000]),
    ...Array.from({ length: 5 }, () => ['tightened', 80, 1, 1_000]),
  ]);
});
