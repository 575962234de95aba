import { afterAll, beforeAll, expect, it } from 'vitest';
import { importFiles } from '../server/transfer/importing.ts';
import { type Answer, Station } from '../support/station.ts';

/** Opening stock has a lot number and keeps it, whichever door a write comes by: interface decisions, 5.2. */
const station = new Station({ isHere: true });
beforeAll(() => station.start());
afterAll(() => station.stop());

const MISSING = 'The lot number is missing. Give the number of the lot.';
const faultsOf = ({ status, body }: Answer) => ({ status, errors: (body as { errors?: object }).errors });
const idOf = ({ body }: Answer) => (body as { data: { id: number } }).data.id;

let part: number;
let lot: number;
beforeAll(async () => {
  part = idOf(await station.post('/parts', { name: 'Jar', identification: 'J-1', unit_of_measure: 'kg' }));
  lot = idOf(await station.post('/x/inventory', { part_id: part, batch_number: 'L', opening_quantity: 5 }));
});

it.each([
  ['PUT', null],
  ['PUT', ''],
  ['PATCH', null],
  ['PATCH', '  '],
] as const)('%s of %j is refused', async (method, batch_number) => {
  const answer = await station.call(method, `/x/inventory/${lot}`, { body: { batch_number } });
  expect(faultsOf(answer)).toMatchObject({ status: 422, errors: { batch_number: [MISSING] } });
});

it('so is one by its other name', async () => {
  const answer = await station.call('PUT', `/x/inventory/${lot}`, { body: { serial_number: '' } });
  expect(faultsOf(answer)).toMatchObject({ status: 422, errors: { serial_number: [MISSING] } });
});

it.each(['all', 'each'])('so is a row of many, written %s', async mode => {
  const rows = [{ id: lot, batch_number: null }];
  const answer = await station.call('PUT', '/x/bulk/inventory', { body: { mode, rows } });
  const said = JSON.stringify(answer.body);
  expect(said).toContain(MISSING);
  expect(said).not.toContain('"outcome":"changed"');
});

it('so is a row of an import', async () => {
  const fields = {
    part_id: { column: 'part', find: 'identification' },
    batch_number: 'batch',
    opening_quantity: 'quantity',
  };
  const mapping = { source: 'old', steps: [{ file: 'a.csv', family: 'inventory', key: 'no', fields }] };
  const csv = (batch: string) => `no,part,batch,quantity\n1,J-1,${batch},3\n`;
  expect(await importFiles(station, mapping, { 'a.csv': csv('I-1') })).toMatchObject({ created: 1, bad: 0 });
  const cleared = await importFiles(station, mapping, { 'a.csv': csv('') });
  expect(cleared).toMatchObject({
    state: 'failed',
    bad: 1,
    bad_rows: [{ column: 'batch', message: MISSING }],
  });
});

it('the lot has its number still', async () => {
  const { body } = await station.get(`/x/history/inventory/${lot}`);
  expect((body as { data: object[] }).data).toHaveLength(1);
});
