import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrol, newCode } from '../../../server/enrolment/enrolled.ts';
import { LaterStation } from '../../../server/sync/exchange/later-station.ts';
import { earlierProgram } from '../../../support/earlier-program.ts';
import { type Answer, Station } from '../../../support/station.ts';
import {
  dataOf,
  faultsOf,
  startStation,
  supplierAt,
  syncOf,
  untilInStep,
} from '../processes/installation.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-earlier-'));
const shedFolder = join(folder, 'shed');
const EARLIER = { program: earlierProgram(folder) };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Entry {
  unknown: string[];
  changes: { path: string }[];
}

const recordOf = (station: Station, key: string) =>
  station.get(`/x/records/${key}`).then(answer => dataOf<{ fields: Record<string, unknown> }>(answer).fields);

const customersAt = async (station: Station) =>
  dataOf<{ name: string }[]>(await station.get('/x/customers')).map(({ name }) => name);

describe('two stations of this version exchange through a central of an earlier one, beside an earlier station', () => {
  let central: Station;
  let dock: Station;
  let lab: Station;
  let shed: Station;
  let [supplier, order, part]: [number, number, number] = [0, 0, 0];

  beforeAll(async () => {
    central = new Station({ role: 'central', ...EARLIER });
    await central.start();
    dock = await startStation(central, 'Dock');
    lab = await startStation(central, 'Lab');
    shed = await startStation(central, 'Shed', { ...EARLIER, folder: shedFolder });
    supplier = await supplierAt(dock, 'Acme');
    dataOf(await dock.put(`/suppliers/${supplier}`, { notes: 'Closed in August.' }));
    part = dataOf<{ id: number }>(await dock.post('/parts', { name: 'Jar', unit_of_measure: 'units' })).id;
    const items = [{ part_id: part, quantity: 3 }];
    order = dataOf<{ id: number }>(await dock.post('/orders', { order_number: 'O-1', items })).id;
    dataOf(await dock.post('/x/customers', { name: 'Corner shop' }));
    await untilInStep(central, [dock, lab, shed]);
  });

  afterAll(async () => {
    await Promise.all([dock, lab].map(station => station?.stop()));
  });

  it('nothing is lost on the way', async () => {
    for (const key of [`supplier/${supplier}`, `order/${order}`]) {
      const fields = await Promise.all([dock, lab, central, shed].map(each => recordOf(each, key)));
      expect(new Set(fields.map(each => JSON.stringify(each))).size).toBe(1);
    }
    expect(await recordOf(lab, `supplier/${supplier}`)).toMatchObject({ notes: 'Closed in August.' });
    expect(dataOf(await lab.get(`/orders/${order}`))).toMatchObject({ items: [{ quantity: 3 }] });
    expect(await customersAt(lab)).toEqual(['Corner shop']);
  });

  it('the earlier ones show nothing of it among what they know, and say that they have it', async () => {
    for (const each of [central, shed]) {
      expect(dataOf(await each.get(`/orders/${order}`))).not.toHaveProperty('items');
      expect((await each.get('/x/customers')).status).toBe(404);
      expect(await syncOf(each)).toMatchObject({ unknown_families: [{ family: 'customer', records: 1 }] });
      const history: Entry[] = dataOf(await each.get(`/x/history/supplier/${supplier}`));
      expect(history.map(({ unknown }) => unknown)).toEqual([[], ['notes']]);
      expect(await faultsOf(each)).toEqual([]);
    }
    expect(await syncOf(dock)).toMatchObject({ unknown_families: [] });
  });

  it('what an earlier one changes leaves the rest as it was', async () => {
    dataOf(await shed.put(`/orders/${order}`, { po_number: 'PO-7' }));
    dataOf(await central.put(`/suppliers/${supplier}`, { name: 'Acme and sons' }));
    const [item] = dataOf<{ items: { id: number }[] }>(await lab.get(`/orders/${order}`)).items;
    dataOf(await lab.put(`/orders/${order}`, { items: [{ id: item?.id, quantity: 4 }] }));
    await untilInStep(central, [dock, lab, shed]);
    expect(dataOf(await dock.get(`/orders/${order}`))).toMatchObject({
      po_number: 'PO-7',
      items: [{ quantity: 4 }],
    });
    expect(await recordOf(dock, `supplier/${supplier}`)).toMatchObject({
      name: 'Acme and sons',
      notes: 'Closed in August.',
    });
  });

  it('an earlier one that is updated shows all of it at once, without its central', async () => {
    await Promise.all([shed, central].map(each => each.stop()));
    const updated = new Station({ folder: shedFolder });
    try {
      await updated.start();
      expect(await customersAt(updated)).toEqual(['Corner shop']);
      expect(dataOf(await updated.get('/x/customers', { keyword: 'Corner shop' }))).toHaveLength(1);
      expect(dataOf(await updated.get(`/orders/${order}`))).toMatchObject({ items: [{ quantity: 4 }] });
      const id = dataOf<{ id: number }[]>(await updated.get('/x/customers'))[0]?.id;
      expect(dataOf(await updated.get(`/x/history/customer/${id}`))).toMatchObject([{ unknown: [] }]);
      expect(await syncOf(updated)).toMatchObject({ unknown_families: [] });
      expect(await faultsOf(updated)).toEqual([]);
    } finally {
      await updated.stop();
    }
  });
});

describe('an earlier version and a later one exchange through this one', () => {
  let central: Station;
  let shed: Station;
  let later: LaterStation;
  let id = 0;
  let ask: (path: string, body: object) => Promise<Answer>;
  const set = (path: string, value: unknown) => ({ path, old: null, new: value, over: [] });

  beforeAll(async () => {
    central = new Station({ role: 'central' });
    await central.start();
    shed = await startStation(central, 'Shed', EARLIER);
    later = new LaterStation(async request => dataOf<object>(await ask('/x/sync/exchange', request)));
    const code = await newCode(central, 'Later');
    const { key, block } = dataOf<{ key: string; block: number }>(
      await enrol(central, { code, station: later.station }),
    );
    ask = (path, body) => central.call('POST', path, { body, headers: { authorization: `Bearer ${key}` } });
    id = block * 2 ** 20 + 1;
  });

  afterAll(async () => {
    await shed?.stop();
    await central?.stop();
  });

  it('both ways, whatever the later one adds: members, fields, collections, families', async () => {
    const mine = await supplierAt(shed, 'Of the shed');
    await untilInStep(central, [shed]);
    const certificate = { kind: 'ISO', pages: { 3: { of: 4 } } };
    // `notes` the earlier one alone does not know, the rest neither.
    const changes = [
      set('name', 'Acme'),
      set('notes', 'Closed in August.'),
      set('rating', { z: 1, a: null }),
      set(`certificates.${id + 6}`, certificate),
    ];
    expect(
      await later.push(
        {
          commit_id: `made-${later.station}`,
          witness: [null],
          entries: [{ subject: `supplier:${id}`, why: 7, changes }],
        },
        { entries: [{ subject: `gauge:${id}`, changes: [set('name', 5)] }] },
      ),
    ).toBeNull();
    await untilInStep(central, [shed]);
    const fields = {
      name: 'Acme',
      notes: 'Closed in August.',
      rating: { z: 1, a: null },
      certificates: { [id + 6]: certificate },
    };
    for (const each of [central, shed]) {
      expect(await recordOf(each, `supplier/${id}`)).toMatchObject(fields);
      expect((await syncOf(each)).unknown_families).toEqual([{ family: 'gauge', records: 1 }]);
    }
    const unknownAt = async (each: Station) =>
      dataOf<Entry[]>(await each.get(`/x/history/supplier/${id}`)).flatMap(({ unknown }) => unknown);
    const further = ['witness', 'why', 'rating', `certificates.${id + 6}`];
    expect((await unknownAt(central)).toSorted()).toEqual(further.toSorted());
    expect((await unknownAt(shed)).toSorted()).toEqual([...further, 'notes'].toSorted());

    dataOf(await shed.put(`/suppliers/${id}`, { name: 'Acme and sons' }));
    await untilInStep(central, [shed]);
    const { entries } = await later.pull();
    const own = entries.flatMap(({ commit }) => (commit.chain === later.chain ? commit : []));
    expect(own).toEqual(later.sent);
    const others = entries.filter(({ commit }) => commit.chain !== later.chain);
    expect(others.some(({ commit }) => commit.entries[0]?.subject === `supplier:${mine}`)).toBe(true);
    expect(others.at(-1)?.commit.entries).toMatchObject([
      { subject: `supplier:${id}`, changes: [{ path: 'name', new: 'Acme and sons' }] },
    ]);
    for (const each of [central, shed])
      expect(await recordOf(each, `supplier/${id}`)).toMatchObject({ ...fields, name: 'Acme and sons' });
  });

  it('an operation and a kind of message that only the later one knows are refused by name, and all else goes on', async () => {
    const { to } = await later.pull();
    const before = (await syncOf(central)).sequence;
    expect((await ask('/x/sync/witness', { to })).status).toBe(404);
    const asking = { request: 'r', station: later.station, protocol: 1, cursor: to };
    expect(await ask('/x/sync/exchange', { ...asking, kind: 'witness', of: [1] })).toMatchObject({
      status: 422,
      body: { errors: { kind: [expect.any(String)] } },
    });
    // What it adds to a message that is known is left aside.
    expect(
      await ask('/x/sync/exchange', { ...asking, kind: 'pull', limit: 5, witness: { of: [1] } }),
    ).toMatchObject({
      status: 200,
    });
    expect((await syncOf(central)).sequence).toBe(before);
    expect(
      await later.push({ entries: [{ subject: `supplier:${id + 1}`, changes: [set('name', 'After it')] }] }),
    ).toBeNull();
    await untilInStep(central, [shed]);
    expect(await recordOf(shed, `supplier/${id + 1}`)).toMatchObject({ name: 'After it' });
    for (const each of [central, shed]) expect(await faultsOf(each)).toEqual([]);
  });
});
