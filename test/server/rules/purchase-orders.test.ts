import { describe, expect, it } from 'vitest';
import { standingOfOrder } from '../../../server/rules/order-standing.ts';
import type { Store } from '../../../server/store/store.ts';
import { itemsOf, type StoredRecord } from '../../../shared/contract/present.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { addPart, correct, openSite, receive } from './site.ts';

type Fields = Record<string, unknown>;

interface Ordered {
  store: Store;
  supplier: number;
  bolt: number;
  oil: number;
  order: StoredRecord;
}

/** 100 bolts and 5 kg of oil are expected from a supplier under PO-7. */
async function ordered(fields: Fields = {}): Promise<Ordered> {
  const store = await openSite();
  const { id: supplier } = await create(store, 'supplier', { name: 'Acme' });
  const bolt = await addPart(store, { name: 'Bolt' });
  const oil = await addPart(store, { name: 'Oil', unit_of_measure: 'kg' });
  const items = [
    { part_id: bolt, quantity: 100 },
    { part_id: oil, quantity: 5, unit_of_measure: 'kg' },
  ];
  const order = await create(store, 'purchase-order', {
    po_number: 'PO-7',
    supplier_id: supplier,
    items,
    ...fields,
  });
  return { store, supplier, bolt, oil, order };
}

const readsOf = (store: Store) => ({ records: store.records, sql: store.database.reader });
function standing({ store, order }: Ordered) {
  const { isReceived, isOverReceived, lines } = standingOfOrder(readsOf(store), current(store, order));
  return { isReceived, isOverReceived, lines: Object.values(lines) };
}
function current(store: Store, { family, id }: StoredRecord): StoredRecord {
  const record = store.records.get(family, id);
  if (!record) throw new Error(`There is no ${family} ${id}.`);
  return record;
}
const fieldsOf = (store: Store, receipt: number) =>
  current(store, { family: 'receiving-inspection', id: receipt } as StoredRecord).fields;

describe('a purchase order', () => {
  it.each([
    ['without a number', { po_number: null }, 'po_number'],
    ['of nobody that is known', { supplier_id: 99 }, 'supplier_id'],
    ['of nothing', { items: [{ quantity: 1 }] }, 'items.0.part_id'],
    ['of no quantity', { items: [{ part_id: 1, quantity: 0 }] }, 'items.0.quantity'],
    ['with an SSCC whose check digit is wrong', { items: [{ sscc: '106141412345678907' }] }, 'items.0.sscc'],
    ['with an SSCC that is cut', { items: [{ sscc: '10614141234567890' }] }, 'items.0.sscc'],
  ])('%s is refused on that field', async (_name, fields, path) => {
    await expect(ordered(fields)).rejects.toMatchObject({ errors: { [path]: expect.anything() } });
  });

  it.each([
    '106141412345678908',
    '(00)106141412345678908',
    ' 00106141412345678908',
    '1061 4141 2345 6789 08',
  ])('keeps the 18 digits of the SSCC %j', async sscc => {
    const { store, bolt, supplier } = await ordered();
    const items = [{ part_id: bolt, quantity: 1, sscc }];
    const order = await create(store, 'purchase-order', { po_number: 'PO-8', supplier_id: supplier, items });
    const [line = {}] = itemsOf({ position: 'order' }, order.fields.items);
    expect(line).toMatchObject({ sscc: '106141412345678908' });
  });

  it('is the only one with its number, however that is written', async () => {
    const { store, supplier } = await ordered();
    await expect(
      create(store, 'purchase-order', { po_number: ' po-7 ', supplier_id: supplier }),
    ).rejects.toMatchObject({ errors: { po_number: [expect.stringContaining('is taken')] } });
  });
});

describe('a receipt', () => {
  it('counts against the order with its number, and says whose it is', async () => {
    const site = await ordered();
    const { receipt } = await receive(site.store, { part_id: site.bolt }, { po_number: 'po-7 ' });
    expect(fieldsOf(site.store, receipt)).toMatchObject({
      purchase_order_id: site.order.id,
      supplier_id: site.supplier,
      po_number: 'po-7 ',
    });
    expect(standing(site).lines).toEqual([
      { quantity_received: 10, quantity_open: 90 },
      { quantity_received: 0, quantity_open: 5 },
    ]);
  });

  it('that names the order alone gets its number and supplier', async () => {
    const site = await ordered();
    const { receipt } = await receive(
      site.store,
      { part_id: site.bolt },
      { purchase_order_id: site.order.id },
    );
    expect(fieldsOf(site.store, receipt)).toMatchObject({ po_number: 'PO-7', supplier_id: site.supplier });
  });

  it('from another supplier with the same number counts against nothing', async () => {
    const site = await ordered();
    const { id: other } = await create(site.store, 'supplier', { name: 'Other' });
    const { receipt } = await receive(
      site.store,
      { part_id: site.bolt },
      { po_number: 'PO-7', supplier_id: other },
    );
    expect(fieldsOf(site.store, receipt).purchase_order_id).toBeUndefined();
    await expect(
      update(site.store, 'receiving-inspection', receipt, { purchase_order_id: site.order.id }),
    ).rejects.toMatchObject({ errors: { purchase_order_id: [expect.stringContaining('PO-7')] } });
  });

  it('follows its number when that is corrected', async () => {
    const site = await ordered();
    const { store } = site;
    const { receipt } = await receive(store, { part_id: site.bolt }, { po_number: 'PO-8' });
    expect(fieldsOf(store, receipt).purchase_order_id).toBeUndefined();
    await update(store, 'receiving-inspection', receipt, { po_number: 'PO-7' });
    expect(fieldsOf(store, receipt).purchase_order_id).toBe(site.order.id);
    await update(store, 'receiving-inspection', receipt, { po_number: 'PO-9' });
    expect(fieldsOf(store, receipt).purchase_order_id).toBeUndefined();
    expect(standing(site).lines[0]).toEqual({ quantity_received: 0, quantity_open: 100 });
  });

  it('has the number of the order that it names, and two that differ are refused', async () => {
    const site = await ordered();
    const { store, supplier } = site;
    const other = await create(store, 'purchase-order', { po_number: 'PO-9', supplier_id: supplier });
    const both = { purchase_order_id: other.id, po_number: 'PO-7' };
    const refusal = { errors: { po_number: [expect.stringContaining('PO-9')] } };
    await expect(receive(store, { part_id: site.bolt }, both)).rejects.toMatchObject(refusal);
    const { receipt } = await receive(store, { part_id: site.bolt }, { po_number: 'PO-7' });
    await expect(
      update(store, 'receiving-inspection', receipt, { ...both, po_number: 'PO-8' }),
    ).rejects.toMatchObject(refusal);
    await update(store, 'receiving-inspection', receipt, { purchase_order_id: other.id });
    expect(fieldsOf(store, receipt)).toMatchObject({ purchase_order_id: other.id, po_number: 'PO-9' });
    await update(store, 'receiving-inspection', receipt, { po_number: ' po-9' });
    expect(fieldsOf(store, receipt)).toMatchObject({ purchase_order_id: other.id, po_number: ' po-9' });
  });

  it("leaves its order with another supplier's goods; without a supplier it stays, and none is put in", async () => {
    const site = await ordered();
    const { store } = site;
    const { id: other } = await create(store, 'supplier', { name: 'Other' });
    const { receipt } = await receive(store, { part_id: site.bolt }, { po_number: 'PO-7' });
    await update(store, 'receiving-inspection', receipt, { supplier_id: null });
    expect(fieldsOf(store, receipt).supplier_id).toBeUndefined();
    expect(fieldsOf(store, receipt).purchase_order_id).toBe(site.order.id);
    await update(store, 'receiving-inspection', receipt, { supplier_id: other });
    expect(fieldsOf(store, receipt)).toMatchObject({ supplier_id: other, po_number: 'PO-7' });
    expect(fieldsOf(store, receipt).purchase_order_id).toBeUndefined();
  });

  it('is taken away from its order together with the number, and stays away', async () => {
    const site = await ordered();
    const { store } = site;
    const { receipt } = await receive(store, { part_id: site.bolt }, { po_number: 'PO-7' });
    const before = fieldsOf(store, receipt);
    for (const rest of [{}, { supplier_id: null }, { po_number: ' PO-7' }])
      await expect(
        update(store, 'receiving-inspection', receipt, { purchase_order_id: null, ...rest }),
      ).rejects.toMatchObject({ errors: { purchase_order_id: [expect.stringContaining('po_number')] } });
    expect(fieldsOf(store, receipt)).toEqual(before);
    await update(store, 'receiving-inspection', receipt, { purchase_order_id: null, po_number: null });
    await update(store, 'receiving-inspection', receipt, { notes: 'Of nobody.' });
    expect(fieldsOf(store, receipt).purchase_order_id).toBeUndefined();
    expect(standing(site).lines[0]).toEqual({ quantity_received: 0, quantity_open: 100 });
  });

  it('that came before its order counts as soon as the order is known, and names it with its next change', async () => {
    const store = await openSite();
    const { id: supplier } = await create(store, 'supplier', { name: 'Acme' });
    const { id: other } = await create(store, 'supplier', { name: 'Other' });
    const bolt = await addPart(store);
    const mine = await receive(store, { part_id: bolt }, { po_number: 'PO-7' });
    await receive(store, { part_id: bolt }, { po_number: 'PO-7', supplier_id: other });
    const order = await create(store, 'purchase-order', {
      po_number: 'PO-7',
      supplier_id: supplier,
      items: [{ part_id: bolt, quantity: 10 }],
    });
    const site = { store, order, supplier, bolt, oil: 0 };
    expect(standing(site)).toMatchObject({ isReceived: true, isOverReceived: false });
    const before = fieldsOf(store, mine.receipt);
    await update(store, 'receiving-inspection', mine.receipt, { po_number: before.po_number });
    expect(fieldsOf(store, mine.receipt)).toEqual(before);
    await update(store, 'receiving-inspection', mine.receipt, { notes: 'Two pallets.' });
    expect(fieldsOf(store, mine.receipt)).toMatchObject({
      purchase_order_id: order.id,
      supplier_id: supplier,
    });
    expect(standing(site)).toMatchObject({ isReceived: true, isOverReceived: false });
  });
});

describe('how an order stands', () => {
  it('adds up over receipts, in the unit of its line; what was rejected is still expected', async () => {
    const site = await ordered();
    const { store, bolt, oil } = site;
    const of = { purchase_order_id: site.order.id };
    await receive(store, { part_id: bolt, quantity_accepted: 60, quantity_rejected: 40 }, of);
    await receive(store, { part_id: oil, quantity_accepted: 1500, unit_of_measure: 'grams' }, of);
    await receive(store, { part_id: oil, quantity_accepted: 0.1, unit_of_measure: 'kg' }, of);
    await receive(store, { part_id: oil, quantity_accepted: 0.2, unit_of_measure: 'kg' }, of);
    expect(standing(site)).toEqual({
      isReceived: false,
      isOverReceived: false,
      lines: [
        { quantity_received: 60, quantity_open: 40 },
        { quantity_received: 1.8, quantity_open: 3.2 },
      ],
    });
  });

  it('is received when every line is, over when one is more, and follows corrections', async () => {
    const site = await ordered();
    const { store, bolt, oil } = site;
    const of = { purchase_order_id: site.order.id };
    const bolts = await receive(store, { part_id: bolt, quantity_accepted: 100 }, of);
    expect(standing(site)).toMatchObject({ isReceived: false });
    await receive(store, { part_id: oil, quantity_accepted: 5, unit_of_measure: 'kg' }, of);
    expect(standing(site)).toMatchObject({ isReceived: true, isOverReceived: false });
    await correct(store, bolts, { quantity_accepted: 101 });
    expect(standing(site)).toMatchObject({ isReceived: true, isOverReceived: true });
    expect(standing(site).lines[0]).toEqual({ quantity_received: 101, quantity_open: 0 });
  });

  it('expects nothing more of a line that is given up, and is received without it', async () => {
    const site = await ordered();
    const { store, bolt, order } = site;
    const of = { purchase_order_id: order.id };
    await receive(store, { part_id: bolt, quantity_accepted: 100 }, of);
    const [, oil = 0] = itemIds(order, 'items');
    await update(store, 'purchase-order', order.id, { items: [{ id: oil, is_closed: true }] });
    expect(standing(site)).toMatchObject({ isReceived: true, isOverReceived: false });
    expect(standing(site).lines[1]).toEqual({ quantity_received: 0, quantity_open: 0 });
    await update(store, 'purchase-order', order.id, { items: [{ id: oil, is_closed: false }] });
    expect(standing(site).lines[1]).toEqual({ quantity_received: 0, quantity_open: 5 });
  });

  it('counts no units that do not compare, and then it is not received', async () => {
    const site = await ordered();
    await receive(
      site.store,
      { part_id: site.oil, quantity_accepted: 5, unit_of_measure: 'l' },
      { purchase_order_id: site.order.id },
    );
    expect(standing(site).lines[1]).toEqual({ quantity_received: 0, quantity_open: 5 });
  });

  it('counts each line of a part with what compares with its unit', async () => {
    const { bolt, ...site } = await ordered({ items: [] });
    const { store } = site;
    await update(store, 'purchase-order', site.order.id, {
      items: [
        { part_id: bolt, quantity: 2, unit_of_measure: 'kg' },
        { part_id: bolt, quantity: 5, unit_of_measure: 'EA' },
      ],
    });
    const of = { purchase_order_id: site.order.id };
    await receive(store, { part_id: bolt, quantity_accepted: 5, unit_of_measure: 'EA' }, of);
    expect(standing({ bolt, ...site }).lines[1]).toEqual({ quantity_received: 5, quantity_open: 0 });
    await receive(store, { part_id: bolt, quantity_accepted: 3, unit_of_measure: 'kg' }, of);
    expect(standing({ bolt, ...site })).toMatchObject({ isReceived: true, isOverReceived: true });
  });

  it('is received exactly when nothing of its lines is open, however their units round', async () => {
    const site = await ordered({ items: [] });
    const { store, oil } = site;
    const units = ['kg', 'lb', 'Oz'];
    await update(store, 'purchase-order', site.order.id, {
      items: units.map(unit_of_measure => ({ part_id: oil, quantity: 1, unit_of_measure })),
    });
    for (const unit_of_measure of units) {
      expect(standing(site).isReceived).toBe(false);
      await receive(
        store,
        { part_id: oil, quantity_accepted: 1, unit_of_measure },
        { purchase_order_id: site.order.id },
      );
    }
    expect(standing(site)).toEqual({
      isReceived: true,
      isOverReceived: false,
      lines: units.map(() => ({ quantity_received: 1, quantity_open: 0 })),
    });
  });

  it('is said in its answer and nowhere stored; closing it ends what is open', async () => {
    const site = await ordered();
    const { store, order } = site;
    await receive(store, { part_id: site.bolt }, { purchase_order_id: order.id });
    expect(current(store, order).version).toBe(1);
    await update(store, 'purchase-order', order.id, { is_closed: true });
    expect(standing(site).lines).toEqual([
      { quantity_received: 10, quantity_open: 0 },
      { quantity_received: 0, quantity_open: 0 },
    ]);
  });
});
