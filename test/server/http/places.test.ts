import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, Station } from '../../support/station.ts';
import { Browser, PASSWORD } from '../identity/browser.ts';
import { importFiles } from '../transfer/importing.ts';

type Data = Record<string, unknown>;

/** Putting away, picking and counting over the interface, at every door. */
const station = new Station({ isHere: true });
const at: Record<string, number> = {};

beforeAll(async () => {
  await station.start();
  for (const [name, body] of [
    ['dock', { name: 'Dock', kind: 'receiving' }],
    ['shelf', { name: 'Shelf', walking_order: 2 }],
    ['cold', { name: 'Cold', storage_class: 'cool', gln: '(414)4012345000009', gln_extension: '1' }],
    ['other', { name: 'Other', storage_class: 'cool', gln: '4012345000009', gln_extension: '2' }],
    ['gate', { name: 'Gate', kind: 'shipping' }],
    ['pallet', { name: '(00)340123450000000000', kind: 'unit' }],
  ] as const) {
    const named = name === 'pallet' ? { ...body, name: '340123450000000000' } : body;
    at[name] = idOf(await station.post('/x/locations', named));
  }
  at.milk = idOf(
    await station.post('/parts', { name: 'Milk', unit_of_measure: 'units', storage_class: 'cool' }),
  );
  const line = { part_id: at.milk, serial_number: 'M-1', quantity_accepted: 20, location_id: at.dock };
  const receipt = await station.post('/receiving-inspections', { items: [line] });
  at.lot = Number((dataOf(receipt).items as Data[])[0]?.inventory_id);
});
afterAll(() => station.stop());

const dataOf = ({ body }: Pick<Answer, 'body'>) => (body as { data: Data }).data;
const listOf = ({ body }: Pick<Answer, 'body'>) => (body as { data: Data[] }).data;
const idOf = (answer: Answer) => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return Number(dataOf(answer).id);
};
const stands = async () => {
  const { locations } = dataOf(await station.get(`/x/inventory/${at.lot}/facts`)) as { locations: Data[] };
  return locations.map(({ name, quantity }) => `${name} ${quantity}`).sort();
};

it('no door carries goods to a place without what they need', async () => {
  const move = { inventory_id: at.lot, to_location_id: at.shelf };
  const errorsOf = ({ status, body }: Answer) => [status, JSON.stringify(body)];
  for (const answer of [
    await station.post(`/x/inventory/${at.lot}/moves`, { to_location_id: at.shelf }),
    await station.post('/x/moves', move),
    await station.call('POST', '/x/bulk/move', { body: { rows: [move] } }),
  ])
    expect(errorsOf(answer)).toEqual([422, expect.stringContaining('storage class cool')]);
  const step = (family: string, key: string, fields: object) => ({
    file: `${family}.csv`,
    family,
    key,
    fields,
  });
  const steps = [
    step('location', 'place', { name: 'place' }),
    step('part', 'no', { name: 'no', unit_of_measure: 'unit', storage_class: 'class' }),
    step('inventory', 'lot', { part_id: 'part', batch_number: 'lot', opening_quantity: 'much' }),
    step('move', 'lot', { inventory_id: 'lot', to_location_id: 'to' }),
  ];
  const files = {
    'location.csv': 'place\nFloor\n',
    'part.csv': 'no,unit,class\nIce,units,cool\n',
    'inventory.csv': 'lot,part,much\nI-1,Ice,5\n',
    'move.csv': 'lot,to\nI-1,Floor\n',
  };
  const job = await importFiles(station, { source: 'erp', steps }, files, { skip_bad: true });
  expect([job.created, job.bad]).toEqual([3, 1]);
  expect(JSON.stringify(job)).toContain('storage class cool');
  // A pallet takes it there no more than a person does.
  await station.post('/x/moves', { ...move, to_location_id: at.pallet, quantity: 5 });
  const carried = await station.call('PATCH', `/x/locations/${at.pallet}`, { body: { within_id: at.shelf } });
  expect(errorsOf(carried)).toEqual([422, expect.stringContaining('storage class cool')]);
  expect(await stands()).toEqual(['340123450000000000 5', 'Dock 15']);
});

it('proposes, carries and finds by the labels of places', async () => {
  const waiting = async () =>
    listOf(await station.get('/x/putaway')).filter(({ inventory_id: lot }) => lot === at.lot);
  expect(await waiting()).toMatchObject([
    {
      inventory_id: at.lot,
      location: 'Dock',
      quantity: 15,
      unit: 'units',
      proposal: { location: 'Cold', why: 'empty' },
    },
  ]);
  expect(dataOf(await station.get(`/x/inventory/${at.lot}/places`))).toMatchObject({
    part: 'Milk',
    stands: [
      { location: 'Dock', quantity: 15 },
      { location: '340123450000000000', within: null, quantity: 5 },
    ],
    proposals: [{ location: 'Cold' }, { location: 'Other' }],
  });
  const scanned = async (data: string) =>
    (dataOf(await station.post('/x/scan', { data })) as { matches: Data[] }).matches.map(({ id }) => id);
  expect(await scanned(']C141440123450000092541')).toEqual([at.cold]);
  expect(await scanned('(414)4012345000009(254)2')).toEqual([at.other]);
  expect(await scanned('41440123450000092543')).toEqual([]);
  expect((await scanned('4144012345000009')).toSorted()).toEqual([at.cold, at.other]);
  expect(await scanned('(00)340123450000000000')).toEqual([at.pallet]);
  const forPallet = async (id: number | undefined) => {
    const { status, body } = await station.get(`/x/locations/${id}/proposals`);
    return [status, ...((body as { data?: Data[] }).data ?? []).map(({ location }) => location)];
  };
  expect(await forPallet(at.pallet)).toEqual([200, 'Cold', 'Other']);
  // Nothing stands there: nothing says what it needs.
  expect(await forPallet(at.gate)).toEqual([200]);
  expect(await forPallet(99_999)).toEqual([404]);
  const placed = await station.call('PATCH', `/x/locations/${at.pallet}`, { body: { within_id: at.cold } });
  expect(placed.status).toBe(200);
  await station.post(`/x/inventory/${at.lot}/moves`, { from_location_id: at.dock, to_location_id: at.cold });
  expect(await waiting()).toEqual([]);
  const [state] = listOf(await station.get('/x/inventory/states', { ids: String(at.lot) }));
  expect(state).toMatchObject({ locations: ['Cold', 'Cold · 340123450000000000'].toSorted() });
  // Not where it stands already.
  expect(await forPallet(at.pallet)).toEqual([200, 'Other']);
  expect(listOf(await station.get(`/x/locations/${at.cold}/contents`))).toMatchObject([
    { location: 'Cold', within: null, quantity: 15 },
    { location: '340123450000000000', within: 'Cold', quantity: 5 },
  ]);
  // The documented place of the lot stays a name.
  expect(dataOf(await station.get(`/inventory/${at.lot}`))).toMatchObject({
    location: 'Cold',
    location_list: 'Cold, 340123450000000000',
    location_id: String(at.cold),
  });
});

describe('a pick list', () => {
  it('is by the way, says what was picked, and what is short', async () => {
    const items = [{ part_id: at.milk, quantity: 25 }];
    const id = idOf(await station.post('/shipments', { items })) || 0;
    const list = async () => dataOf(await station.get(`/x/shipments/${id}/picks`));
    expect(await list()).toMatchObject({
      is_open: true,
      staging: [{ id: at.gate, name: 'Gate' }],
      to_pick: [
        { batch_number: 'M-1', location: 'Cold', within: null, quantity: 15 },
        { location: '340123450000000000', within: 'Cold', quantity: 5 },
      ],
      picked: [],
      short: [{ part: 'Milk', quantity: 5 }],
    });
    const pick = { shipment_id: id, from_location_id: at.cold, to_location_id: at.gate, quantity: 15 };
    const key = { 'idempotency-key': 'one-pick-of-milk' };
    for (const _ of [1, 2]) {
      const again = await station.call('POST', `/x/inventory/${at.lot}/moves`, { body: pick, headers: key });
      expect(again.status).toBe(201);
    }
    expect(await list()).toMatchObject({
      to_pick: [{ location: '340123450000000000', quantity: 5 }],
      picked: [{ location: 'Gate', quantity: 15 }],
    });
    const [{ id: item } = { id: 0 }] = dataOf(await station.get(`/shipments/${id}`)).items as {
      id: number;
    }[];
    await station.put(`/shipments/${id}`, { items: [{ id: item, quantity: 10 }] });
    expect(await list()).toMatchObject({
      to_pick: [],
      picked: [{ quantity: 10 }],
      too_much: [{ location: 'Gate', quantity: 5 }],
    });
    const day = new Date().toISOString().slice(0, 10);
    expect((await station.put(`/shipments/${id}`, { actual_ship_date: day })).status).toBe(200);
    expect(await list()).toMatchObject({ is_open: false, to_pick: [], picked: [] });
    expect(await stands()).toEqual(['340123450000000000 5', 'Gate 5']);
  });
});

describe('a count', () => {
  it('is answered blind until it is finished, and posted by quality alone', async () => {
    const count = idOf(await station.post('/x/stock-counts', { location_id: at.cold }));
    const read = async () =>
      dataOf(await station.get(`/x/stock-counts/${count}`)) as { standing: string; items: Data[] };
    const write = (body: object) => station.call('PATCH', `/x/stock-counts/${count}`, { body });
    await write({
      items: [{ inventory_id: at.lot, quantity_counted: 4, quantity_expected: 4, is_posted: true }],
    });
    const [item] = (await read()).items;
    expect(item).toMatchObject({ quantity_counted: 4, quantity_difference: null, unit_of_measure: 'units' });
    expect(JSON.stringify(await station.get('/x/stock-counts'))).not.toContain('quantity_expected');
    await write({ is_finished: true });
    expect(await read()).toMatchObject({ standing: 'recounting', items: [{ quantity_difference: null }] });
    await write({ items: [{ id: item?.id, quantity_recounted: 4, reason: 'lost' }], is_finished: true });
    expect(await read()).toMatchObject({ standing: 'differs', items: [{ quantity_difference: -1 }] });
    const operator = await personOf('operator');
    const refused = await operator.post(`/x/stock-counts/${count}/post`, {});
    expect([refused?.status, JSON.stringify(refused?.body)]).toEqual([
      403,
      expect.stringContaining('quality'),
    ]);
    expect((await station.call('POST', `/x/stock-counts/${count}/post`, { body: {} })).status).toBe(200);
    expect(await read()).toMatchObject({ standing: 'posted' });
    const { body } = await station.get('/x/adjustments', { inventory_id: String(at.lot) });
    expect((body as { data: Data[] }).data).toMatchObject([
      { quantity: -1, stock_count_id: count, location_id: at.pallet },
    ]);
    expect((await station.call('POST', `/x/stock-counts/${count}/post`, { body: {} })).status).toBe(409);
  });
});

async function personOf(role: string): Promise<Browser> {
  const login = `a-${role}`;
  await station.post('/x/users', {
    name: role,
    login,
    password: PASSWORD,
    roles: [role],
    is_password_temporary: false,
  });
  const browser = new Browser(station.origin);
  await browser.signIn(login);
  return browser;
}

it('no door carries what is locked past its cage without a reason', async () => {
  const line = { part_id: at.milk, serial_number: 'BAD', quantity_accepted: 9, location_id: at.cold };
  const receipt = await station.post('/receiving-inspections', { is_quarantined: true, items: [line] });
  const lot = Number((dataOf(receipt).items as Data[])[0]?.inventory_id);
  await station.post('/x/locations', { name: 'Cage', kind: 'quarantine', storage_class: 'cool' });
  const move = { inventory_id: lot, from_location_id: at.cold, to_location_id: at.other, quantity: 1 };
  const doors = (reason?: string) => [
    () => station.post(`/x/inventory/${lot}/moves`, { ...move, reason }),
    () => station.post('/x/moves', { ...move, reason }),
    () => station.call('POST', '/x/bulk/move', { body: { rows: [move], reason } }),
  ];
  for (const door of doors()) {
    const { status, body } = await door();
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('Put it apart (Cage)')]);
  }
  for (const door of doors('The cage is full')) expect((await door()).status).toBeLessThan(300);
});
