import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../../shared/contract/dates.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import type {
  Attention,
  FoundRecord,
  References,
  Scan,
} from '../../../shared/operations/overview-operations.ts';
import { type Data, openSampleStation, type SampleStation } from './sample-station.ts';

let sample: SampleStation;
beforeAll(async () => {
  sample = await openSampleStation();
}, 600_000);
afterAll(() => sample.close());

const all = (name: string): StoredRecord[] => [...sample.station.store.records.all(name)];
const get = async <T>(path: string): Promise<T> => {
  const answer = await sample.call('GET', path);
  expect(answer.status, `${path}: ${answer.message}`).toBe(200);
  return answer.data;
};
const find = (text: string) => get<FoundRecord[]>(`/x/find?text=${encodeURIComponent(text)}`);
const keyOf = ({ family, id }: { family: string; id: number }) => `${family}:${id}`;
const newest = (name: string): StoredRecord => {
  const last = all(name).at(-1);
  if (!last) throw new Error(`The sample company has no ${name}.`);
  return last;
};

describe('finding', () => {
  it.each([
    ['ncr', 'ncr_number'],
    ['order', 'order_number'],
    ['shipment', 'shipment_number'],
    ['complaint', 'complaint_number'],
    ['car', 'car_number'],
    ['part', 'identification'],
    ['inventory', 'batch_number'],
    ['receiving-inspection', 'po_number'],
    ['location', 'name'],
    ['lab-result', 'testing_id'],
  ])('%s by its whole %s, in any case, exact ones first', async (name, field) => {
    const record = newest(name);
    const found = await find(String(record.fields[field]).toUpperCase());
    expect(found.map(keyOf)).toContain(record.key);
    const exact = found.filter(({ is_exact: isExact }) => isExact);
    expect(exact.map(keyOf)).toContain(record.key);
    expect(found.slice(0, exact.length)).toEqual(exact);
  });

  it('a part by its barcode, a record by family and id, and by a part of its name', async () => {
    const part = all('part').find(
      ({ fields }) => Array.isArray(fields.barcodes) && fields.barcodes.length > 0,
    );
    const [code] = (part?.fields.barcodes ?? []) as string[];
    expect((await find(code ?? '')).map(keyOf)).toContain(part?.key);
    const supplier = newest('supplier');
    expect((await find(supplier.key)).map(keyOf)).toEqual([supplier.key]);
    expect((await find(String(supplier.id))).map(keyOf)).toContain(supplier.key);
    const name = String(supplier.fields.name);
    const [first] = (await find(name.slice(0, -2))).filter(({ family }) => family === 'supplier');
    expect(first).toMatchObject({ id: supplier.id, title: name, is_exact: false });
  });

  it('within one family, and its newest without a text', async () => {
    const lots = await get<FoundRecord[]>('/x/find?family=inventory&limit=3');
    expect(lots.map(({ id }) => id)).toEqual(
      all('inventory')
        .slice(-3)
        .reverse()
        .map(({ id }) => id),
    );
    const text = encodeURIComponent(String(newest('customer').fields.name).slice(0, 4));
    const found = await get<FoundRecord[]>(`/x/find?family=customers&text=${text}`);
    expect(new Set(found.map(({ family }) => family))).toEqual(new Set(['customer']));
  });

  it('never a user: those are for administrators', async () => {
    const user = await sample.call('POST', '/x/users', { name: 'Quintilla', login: 'quintilla' });
    expect(user.status, user.message).toBe(201);
    expect(await find('quintilla')).toEqual([]);
    expect((await sample.call('GET', '/x/find?text=quintilla&family=user')).status).toBe(422);
    expect((await sample.call('POST', '/x/scan', { data: 'quintilla' })).data).toMatchObject({ matches: [] });
    expect(await get('/x/titles?refs=user:1')).toEqual([]);
  });

  it('refuses nothing to find and a family that is none', async () => {
    expect((await sample.call('GET', '/x/find')).status).toBe(422);
    expect((await sample.call('GET', '/x/find?text=a&family=nothing')).status).toBe(422);
  });
});

/** Every reference of every record, read from the records themselves. */
function everyReference(): { from: StoredRecord; field: string; target: string }[] {
  return Object.values<Family>(families).flatMap(family =>
    all(family.name).flatMap(from => {
      const own = Object.entries(family.fields).flatMap(([field, { reference }]) => {
        const target = reference === 'entity' ? from.fields.entity_type : reference;
        const id = from.fields[field];
        return target && typeof id === 'number' ? [{ from, field, target: `${target}:${id}` }] : [];
      });
      const ofItems = Object.entries(family.collections).flatMap(([name, { fields }]) =>
        Object.values((from.fields[name] ?? {}) as Record<string, Data>).flatMap(item => [
          ...Object.entries(fields).flatMap(([field, { reference }]) =>
            reference && typeof item[field] === 'number'
              ? [{ from, field: `${name}.${field}`, target: `${reference}:${item[field]}` }]
              : [],
          ),
          ...((item.taken ?? []) as Data[]).map(({ inventory_id: lot }) => ({
            from,
            field: `${name}.taken`,
            target: `inventory:${lot}`,
          })),
        ]),
      );
      return [...own, ...ofItems];
    }),
  );
}

describe('references', () => {
  it('are those of every record, in both directions', async () => {
    const expected = everyReference();
    expect(expected.length).toBeGreaterThan(1_000);
    for (const family of Object.values<Family>(families)) {
      if (family.name === 'setting') continue;
      const records = all(family.name);
      for (const record of [records[0], records[Math.floor(records.length / 2)], records.at(-1)]) {
        if (!record) continue;
        const answer = await get<References>(`/x/references/${family.name}/${record.id}`);
        const out = new Set(
          expected.filter(one => one.from.key === record.key).map(one => `${one.field} ${one.target}`),
        );
        expect(new Set(answer.out.map(one => `${one.field} ${keyOf(one)}`)), record.key).toEqual(out);
        expect(answer.out.every(({ title }) => title !== null)).toBe(true);

        const into = new Map<string, Set<number>>();
        for (const { from, field, target } of expected) {
          if (target !== record.key) continue;
          const way = `${from.family}.${field}`;
          into.set(way, (into.get(way) ?? new Set()).add(from.id));
        }
        const byId = answer.in.filter(({ field }) => field !== 'batch_number');
        expect(
          Object.fromEntries(byId.map(one => [`${one.family}.${one.field}`, one.total])),
          record.key,
        ).toEqual(Object.fromEntries([...into].map(([way, ids]) => [way, ids.size])));
        for (const one of byId) {
          const ids = [...(into.get(`${one.family}.${one.field}`) ?? [])].sort((a, b) => b - a);
          expect(one.records.map(({ id }) => id)).toEqual(ids.slice(0, 10));
        }
      }
    }
  });

  it('are read page by page, and follow a line that is taken to another part', async () => {
    const part = all('part').find(
      ({ id }) =>
        everyReference().filter(one => one.target === `part:${id}` && one.from.family === 'order').length > 3,
    );
    const path = `/x/references/part/${part?.id}?family=orders&field=items.part_id&per_page=2`;
    const first = await sample.call('GET', path);
    const second = await sample.call('GET', `${path}&page=2`);
    const idsOf = (answer: { data: References }) => answer.data.in[0]?.records.map(({ id }) => id) ?? [];
    const ids = [...idsOf(first), ...idsOf(second)];
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    expect(ids.length).toBe(4);
    expect(first.meta.total).toBeGreaterThan(3);

    const order = sample.station.store.records.get('order', ids[0] ?? 0);
    const items = Object.entries(order?.fields.items as Record<string, Data>);
    const other = newest('part').id === part?.id ? (all('part')[0]?.id ?? 0) : newest('part').id;
    for (const [item, { part_id: old }] of items) {
      if (old !== part?.id) continue;
      const changed = await sample.call('PUT', `/orders/${order?.id}/items/${item}`, { part_id: other });
      expect(changed.status, changed.message).toBe(200);
    }
    const after = await sample.call('GET', path);
    expect(after.meta.total).toBe(Number(first.meta.total) - 1);
    expect(idsOf(after)).not.toContain(order?.id);
  });

  it('refuses half a way, and a field that refers to something else', async () => {
    const path = `/x/references/part/${newest('part').id}`;
    expect((await sample.call('GET', `${path}?field=part_id`)).status).toBe(422);
    expect((await sample.call('GET', `${path}?field=customer_id&family=order`)).status).toBe(422);
    expect((await sample.call('GET', '/x/references/part/999999')).status).toBe(404);
  });
});

describe('what needs attention', () => {
  const read = async () => {
    for (;;) {
      const groups = await get<Attention>('/x/attention');
      if (groups.every(({ is_complete: isComplete }) => isComplete)) {
        return new Map(groups.map(group => [group.kind, group]));
      }
    }
  };

  it('is what the records say', async () => {
    const groups = await read();
    const { today } = sample;
    const isOpen = (name: string, test: (fields: Data) => boolean) =>
      all(name).filter(({ fields }) => test(fields)).length;
    const reported = new Set(all('ncr').map(({ fields }) => fields.inspection_id));
    expect(groups.get('receipts_open')?.total).toBe(
      isOpen('receiving-inspection', f => f.is_closed !== true),
    );
    expect(groups.get('inspections_open')?.total).toBe(
      isOpen('inspection', f => typeof f.passed !== 'boolean'),
    );
    const failed = all('inspection').filter(({ id, fields }) => fields.passed === false && !reported.has(id));
    expect(groups.get('inspections_failed')?.total).toBe(failed.length);
    expect(groups.get('ncrs_open')?.total).toBe(isOpen('ncr', f => f.status !== 'closed'));
    expect(groups.get('cars_open')?.total).toBe(isOpen('car', f => !f.date_closed));
    expect(groups.get('complaints_open')?.total).toBe(isOpen('complaint', f => f.is_closed !== true));
    // Each once: those that are due are none of the others.
    expect(groups.get('shipments_open')?.total).toBe(
      isOpen('shipment', f => !f.actual_ship_date && !(String(f.requested_ship_date) <= today)),
    );
    expect(groups.get('shipments_open')?.overdue).toBeNull();
    expect(groups.get('shipments_due')?.total).toBe(
      isOpen(
        'shipment',
        f =>
          !f.actual_ship_date &&
          f.requested_ship_date !== undefined &&
          String(f.requested_ship_date) <= today,
      ),
    );

    const lots = await Promise.all(all('inventory').map(({ id }) => get<Data>(`/inventory/${id}`)));
    const stocked = lots.filter(({ quantity }) => Number(quantity) > 0);
    const expiring = stocked.filter(
      ({ nearest_expiry_date: day }) =>
        day !== null && String(day) >= today && String(day) <= addDays(today, 30),
    );
    const expired = stocked.filter(({ nearest_expiry_date: day }) => day !== null && String(day) < today);
    const locked = stocked.filter(({ is_locked: isLocked }) => isLocked);
    for (const [kind, some] of [
      ['lots_expiring', expiring],
      ['lots_expired', expired],
      ['lots_locked', locked],
    ] as const) {
      expect(some.length, kind).toBeGreaterThan(0);
      expect(groups.get(kind)?.total, kind).toBe(some.length);
    }
    expect(groups.get('lots_locked')?.items[0]?.subtitle).toMatch(/lock|inspection|quarantined|result|batch/);
    const days = groups.get('lots_expiring')?.items.map(({ date }) => date) ?? [];
    expect(days).toEqual(days.toSorted());
    expect(groups.get('stock_negative')?.total).toBe(0);
    expect(groups.get('corrections_awaiting')?.total).toBe(
      all('correction').filter(({ fields }) => fields.status === 'awaiting').length,
    );
    expect(groups.get('conflicts_open')?.total).toBe(0);
    expect(groups.get('backup')?.says).toContain('There is no backup yet.');
    for (const { total, items } of groups.values())
      expect(items.length).toBeLessThanOrEqual(Math.min(10, total));
  });

  it('changes with the next commit: a report closed, a part that runs low and is filled up', async () => {
    const before = await read();
    const report = all('ncr').find(({ fields }) => fields.status !== 'closed');
    await sample.call('PATCH', `/ncrs/${report?.id}`, { status: 'closed' });
    const part = await sample.call('POST', '/parts', {
      name: 'Low',
      identification: 'LOW-1',
      reorder_point: 5,
      unit_of_measure: 'kg',
      unit_type: 'Mass',
    });
    const { id } = part.data as { id: number };
    const low = await read();
    expect(low.get('ncrs_open')?.total).toBe(Number(before.get('ncrs_open')?.total) - 1);
    expect(low.get('parts_low')?.total).toBe(Number(before.get('parts_low')?.total) + 1);
    const lot = await sample.call('POST', '/x/inventory', {
      part_id: id,
      batch_number: 'LOW-A',
      opening_quantity: 6_000,
      lot_unit: 'g',
      expiry_date: addDays(sample.today, -1),
    });
    expect(lot.status, lot.message).toBe(201);
    const filled = await read();
    expect(filled.get('parts_low')?.total).toBe(before.get('parts_low')?.total);
    expect(filled.get('lots_expired')?.total).toBe(Number(before.get('lots_expired')?.total) + 1);
    const { id: lotId } = lot.data as { id: number };
    await sample.call('POST', '/x/adjustments', { inventory_id: lotId, quantity: -2_000, reason: 'Spilt' });
    expect((await read()).get('parts_low')?.total).toBe(low.get('parts_low')?.total);
    await sample.call('POST', '/x/adjustments', { inventory_id: lotId, quantity: -4_000, reason: 'Spilt' });
    expect((await read()).get('lots_expired')?.total).toBe(before.get('lots_expired')?.total);
  });
});

describe('titles', () => {
  it('are those of the records, in the order asked for, without unknown ones', async () => {
    const [supplier, lot, receipt] = [newest('supplier'), newest('inventory'), newest('inspection')];
    const titles = await get<Data[]>(`/x/titles?refs=${supplier.key},part:999999,${lot.key},${receipt.key}`);
    expect(titles.map(({ title }) => title)).toEqual([
      supplier.fields.name,
      lot.fields.batch_number,
      `Inspection ${receipt.id}`,
    ]);
    const part = sample.station.store.records.get('part', Number(lot.fields.part_id));
    expect(titles[1]?.subtitle).toContain(part?.fields.name);
    expect((await sample.call('GET', '/x/titles?refs=supplier')).status).toBe(422);
    const many = Array.from({ length: 201 }, (_, index) => `part:${index + 1}`).join(',');
    expect((await sample.call('GET', `/x/titles?refs=${many}`)).status).toBe(422);
  });
});

describe('a scan', () => {
  const scan = async (data: string): Promise<Scan> => (await sample.call('POST', '/x/scan', { data })).data;

  it('means a part, a lot, a location, a record by its number or our own label', async () => {
    const [lot, location, shipment] = [newest('inventory'), newest('location'), newest('shipment')];
    expect(await scan(String(lot.fields.batch_number))).toMatchObject({ kind: 'lot' });
    expect(await scan(String(location.fields.name))).toMatchObject({
      kind: 'location',
      matches: [{ id: location.id }],
    });
    expect(await scan(String(shipment.fields.shipment_number))).toMatchObject({
      kind: 'record',
      matches: [{ family: 'shipment', id: shipment.id }],
    });
    expect(await scan(`holdpoint://inventory/${lot.id}`)).toMatchObject({
      kind: 'lot',
      matches: [{ id: lot.id }],
    });
    expect(await scan(lot.key)).toMatchObject({ kind: 'lot', matches: [{ id: lot.id }] });
    expect(await scan('\u001d no such code <script>')).toEqual({
      kind: 'unknown',
      serial_number: null,
      matches: [],
    });
    expect((await sample.call('POST', '/x/scan', { data: '' })).status).toBe(422);
  });

  it('knows a code once it is learned, for one part only', async () => {
    const [first, second] = all('part');
    const learn = (id: unknown, code: string) => sample.call('POST', `/x/parts/${id}/barcodes`, { code });
    expect(await scan('Box-4711')).toMatchObject({ kind: 'unknown' });
    expect((await learn(first?.id, ' Box-4711 ')).status).toBe(200);
    const version = sample.station.store.records.get('part', first?.id ?? 0)?.version;
    expect((await learn(first?.id, 'box-4711')).status).toBe(200);
    expect(sample.station.store.records.get('part', first?.id ?? 0)?.version).toBe(version);
    expect(await scan('BOX-4711')).toMatchObject({ kind: 'part', matches: [{ id: first?.id }] });
    const refused = await learn(second?.id, 'Box-4711');
    expect(refused.status).toBe(409);
    expect(refused.message).toContain(String(first?.fields.name));
    expect((await learn(999_999, 'X')).status).toBe(404);
    expect((await learn(first?.id, '')).status).toBe(422);
  });
});
