import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Station } from '../../../support/station.ts';
import {
  conflictsOf,
  dataOf,
  faultsOf,
  startCentral,
  startStation,
  stationsOf,
  syncOf,
  until,
  untilInStep,
} from './installation.ts';

/** Over plain HTTP the other files exchange; the walk-through has the same conflict. */
describe('central and two stations over HTTPS with a certificate that central made', () => {
  let central: Station;
  let dock: Station;
  let lab: Station;
  const all = () => [central, dock, lab];
  beforeAll(async () => {
    central = await startCentral({ HOLDPOINT_HOST: '0.0.0.0' });
    dock = await startStation(central, 'Dock');
    lab = await startStation(central, 'Lab');
  });
  afterAll(async () => {
    await Promise.all([dock, lab].map(station => station?.stop()));
    await central?.stop();
  });

  it('are in step after enrolment, with the one company of central', async () => {
    await untilInStep(central, [dock, lab]);
    const companies = await Promise.all(all().map(each => each.get('/companies')));
    expect(await syncOf(dock)).toMatchObject({ role: 'station', name: 'Dock', state: 'in_step', held: [] });
    expect(companies[1]?.body).toEqual(companies[0]?.body);
    const stations = await until(
      'seen',
      () => stationsOf(central),
      list => list.every(({ behind }) => behind === 0),
    );
    expect(stations).toMatchObject([
      { name: 'Dock', held: 0, unsent: 0, protocol: 1 },
      { name: 'Lab', held: 0, unsent: 0, protocol: 1 },
    ]);
    expect(await syncOf(central)).toMatchObject({ role: 'central', stations: 2 });
  });

  it('bring what each writes to all', async () => {
    const made: { id: number }[] = [];
    for (const [index, each] of all().entries()) {
      made.push(dataOf(await each.post('/suppliers', { name: `Supplier ${index}` })));
    }
    await untilInStep(central, [dock, lab]);
    for (const { id } of made) {
      const records = await Promise.all(all().map(each => each.get(`/x/records/supplier/${id}`)));
      expect(records.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(records.map(({ body }) => (body as { data: { fields: unknown } }).data.fields)).toEqual(
        Array(3).fill(expect.objectContaining({ name: expect.stringMatching(/^Supplier/) })),
      );
    }
    expect(new Set(made.map(({ id }) => Math.floor(id / 2 ** 20))).size).toBe(3);
  });

  it('tell central that they have sent all, without another question', async () => {
    // More than one message has is on its way when the first is answered.
    for (let n = 0; n < 5; n += 1) dataOf(await dock.post('/suppliers', { name: `Burst ${n}` }));
    await untilInStep(central, [dock, lab]);
    await Promise.all([dock, lab].map(each => each.kill()));
    await until(
      'told',
      () => syncOf(central),
      ({ stations_behind: behind }) => behind === 0,
    );
    await Promise.all([dock, lab].map(each => each.start()));
    await untilInStep(central, [dock, lab]);
  });

  it('merge what both changed of an order while central was away, and let a person decide', async () => {
    const part = dataOf<{ id: number }>(await dock.post('/parts', { name: 'Jar', identification: 'J-1' }));
    const { id, items } = dataOf<{ id: number; items: { id: number }[] }>(
      await dock.post('/orders', { po_number: 'PO-1', items: [{ part_id: part.id, quantity: 10 }] }),
    );
    const [item] = items;
    await untilInStep(central, [dock, lab]);
    await central.kill();
    dataOf(await dock.patch(`/orders/${id}`, { items: [{ id: item?.id, quantity: 12 }], notes: 'Dock' }));
    dataOf(
      await lab.patch(`/orders/${id}`, { items: [{ id: item?.id, quantity: 15 }], due_date: '2031-02-01' }),
    );
    const away = await until(
      'offline',
      () => syncOf(dock),
      ({ state }) => state === 'offline',
    );
    expect(away).toMatchObject({ unsent: 1, says: expect.stringContaining('1 change waits to be sent') });
    await central.start();
    await untilInStep(central, [dock, lab]);

    const shown = await Promise.all(all().map(each => each.get(`/x/records/order/${id}`)));
    const [atCentral, ...elsewhere] = shown.map(
      ({ body }) => (body as { data: { fields: Record<string, unknown> } }).data.fields,
    );
    expect(atCentral).toMatchObject({ notes: 'Dock', due_date: '2031-02-01' });
    expect(elsewhere).toEqual([atCentral, atCentral]);
    const [open, ...others] = await Promise.all(all().map(each => conflictsOf(each)));
    const path = `items.${item?.id}.quantity`;
    expect(open).toMatchObject([
      { family: 'order', record_id: id, path, rule: 'latest', state: 'open', outcome: null },
    ]);
    const values = open?.[0]?.values ?? [];
    expect(values.map(({ value }) => String(value)).sort()).toEqual(['12', '15']);
    expect(values.map(({ is_standing: isStanding }) => isStanding)).toEqual([true, false]);
    expect(values.map(({ station_name: name }) => name).sort()).toEqual(['Dock', 'Lab']);
    for (const list of others) expect(list.map(one => one.id)).toEqual(open?.map(one => one.id));

    const resolve = `/x/conflicts/${open?.[0]?.id}/resolve`;
    const bad = await lab.post(resolve, { value: 'many', reason: 'why' });
    expect(bad).toMatchObject({ status: 422, body: { errors: { value: [expect.any(String)] } } });
    expect(await lab.post(resolve, { value: 12 })).toMatchObject({
      status: 422,
      body: { errors: { reason: {} } },
    });
    const resolved = await lab.post(resolve, { value: 13, reason: 'The customer said so.' });
    expect(resolved).toMatchObject({ status: 200, body: { data: { id: open?.[0]?.id } } });
    await untilInStep(central, [dock, lab]);
    for (const each of all()) {
      expect(await conflictsOf(each)).toEqual([]);
      expect(await conflictsOf(each, 'closed')).toMatchObject([
        { state: 'closed', outcome: { value: 13, reason: 'The customer said so.' } },
      ]);
    }
    expect((await dock.post(resolve, { value: 12, reason: 'Late' })).status).toBe(409);
  });

  it('stays sound', async () => {
    for (const each of all()) expect(await faultsOf(each)).toEqual([]);
  });
});
