import { describe, expect, it, onTestFinished } from 'vitest';
import { createAttention } from '../../../../server/search/attention.ts';
import type { Store } from '../../../../server/store/store.ts';
import { isConflict } from '../../../../server/sync/protocol/siblings.ts';
import { resolutionInput } from '../../../../server/sync/resolution-input.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { addPart, close, prepare, receive, taken } from '../../rules/site.ts';
import { stockOf } from '../../store/audit.ts';
import { create, itemIds, update } from '../../store/temporary-store.ts';
import { areSame, employ, type Fleet, faultsOf, fleet, type Peer, writePast } from './fleet.ts';

interface Site extends Fleet {
  a: Peer;
  b: Peer;
  part: number;
  lot: number;
  /** Open, with one line of 50. */
  shipment: number;
  line: number;
}

/** A central and two stations with 100 of a part in stock. */
async function site(): Promise<Site> {
  const made = await fleet(2);
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  const { store } = made.central;
  await create(store, 'company', { name: 'Ours' });
  await employ(store, 'tester');
  const part = await addPart(store);
  const { lot } = await receive(store, { part_id: part, quantity_accepted: 100 });
  const shipment = await prepare(store, { part_id: part, quantity: 50 });
  await made.settle();
  const [line = 0] = itemIds(shipmentIn(store, shipment), 'items');
  return { ...made, a, b, part, lot, shipment, line };
}

function shipmentIn(store: Store, id: number) {
  const record = store.records.get('shipment', id);
  if (!record) throw new Error();
  return record;
}

const change = ({ shipment }: Site, store: Store, fields: object, options = {}) =>
  update(store, 'shipment', shipment, fields, options);

/** The shipments that a person is shown because their lines differ from what was taken. */
function shownAt(store: Store): number[] {
  const attention = createAttention({
    store,
    clock: () => new Date('2026-06-15T12:00:00.000Z'),
    outside: () => [],
    onFault: error => {
      throw error;
    },
  });
  onTestFinished(() => attention.close());
  const group = attention.read().find(({ kind }) => kind === 'shipments_differ');
  return group?.items.map(({ id }) => id) ?? [];
}

/** What stations wrote of the goods for the line, where they contradict each other. */
function goodsInConflict({ shipment, line }: Site, store: Store) {
  const written = shipmentIn(store, shipment).writers[`items.${line}.taken`];
  return Array.isArray(written) && isConflict(written) ? written : [];
}

/** As a person decides the conflict. */
function choose(at: Site, store: Store, place: number) {
  const path = `items.${at.line}.taken`;
  const siblings = goodsInConflict(at, store);
  const record = shipmentIn(store, at.shipment);
  const value = siblings[place]?.value ?? null;
  const input = resolutionInput(families.shipment, record, { path, siblings }, value);
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: 'It went.',
    work: work => work.resolve(families.shipment, at.shipment, path, input),
    answer: () => undefined,
  });
}

async function everywhere(at: Site, shown: number[]) {
  expect(areSame(at.stores())).toBe(true);
  for (const store of at.stores()) {
    expect(shownAt(store)).toEqual(shown);
    expect(await faultsOf(store)).toEqual([]);
  }
  expect(at.central.exchange.reader().heldCommits.all()).toEqual([]);
}

describe('a shipment that one station closes while another one changes its lines', () => {
  it.each([
    ['adds one', (s: Site) => ({ items: [{ part_id: s.part, quantity: 7 }] })],
    ['changes a quantity', (s: Site) => ({ items: [{ id: s.line, quantity: 57 }] })],
    ['wants nothing of it', (s: Site) => ({ items: [{ id: s.line, quantity: 0 }] })],
    ['names a lot', (s: Site) => ({ items: [{ id: s.line, serial_number: 'M' }] })],
  ])('and %s: shown everywhere, whichever arrives first', async (_, edit) => {
    for (const isClosedFirst of [true, false]) {
      const at = await site();
      await close(at.a.store, at.shipment);
      await change(at, at.b.store, edit(at));
      for (const peer of isClosedFirst ? [at.a, at.b] : [at.b, at.a]) await peer.settle();
      await at.settle();
      await everywhere(at, [at.shipment]);
      expect(stockOf(at.central.store)).toEqual([`${at.lot}@0 50000000`]);
    }
  });

  it('and changes another part of it: merged, and nobody is asked', async () => {
    const at = await site();
    await close(at.a.store, at.shipment);
    await change(at, at.b.store, { notes: 'Ring first.' });
    await at.settle();
    await everywhere(at, []);
    expect(shipmentIn(at.central.store, at.shipment).fields.notes).toBe('Ring first.');
  });

  it('ends once the line says again what was taken, with a reason', async () => {
    const at = await site();
    await close(at.a.store, at.shipment);
    await change(at, at.b.store, {
      items: [
        { id: at.line, quantity: 57 },
        { part_id: at.part, quantity: 7 },
      ],
    });
    await at.settle();
    const [, added = 0] = itemIds(shipmentIn(at.b.store, at.shipment), 'items');
    const put = (items: object[], options = {}) => change(at, at.b.store, { items }, options);
    const reason = { reason: 'It did not go.' };
    await expect(put([{ id: at.line, quantity: 50 }])).rejects.toThrow();
    await expect(put([{ id: at.line, quantity: 51 }], reason)).rejects.toThrow('The shipment is closed');
    await expect(put([{ id: at.line, quantity: 50, order: 9 }], reason)).rejects.toThrow('is closed');
    await put([{ id: at.line, quantity: 50 }], reason);
    await at.settle();
    await everywhere(at, [at.shipment]);
    await put([{ id: added, quantity: 0 }], reason);
    await at.settle();
    await everywhere(at, []);
    await expect(put([{ id: added, quantity: 1 }], reason)).rejects.toThrow('The shipment is closed');
  });

  it('ends once the shipment is taken back; shipped again it takes what the lines say', async () => {
    const at = await site();
    await close(at.a.store, at.shipment);
    await change(at, at.b.store, { items: [{ part_id: at.part, quantity: 7 }] });
    await at.settle();
    await change(at, at.a.store, { actual_ship_date: null }, { reason: 'Seven more went.' });
    await at.settle();
    await everywhere(at, []);
    expect(taken(await close(at.b.store, at.shipment))).toEqual([[[at.lot, 50]], [[at.lot, 7]]]);
    await at.settle();
    await everywhere(at, []);
    expect(stockOf(at.central.store)).toEqual([`${at.lot}@0 43000000`]);
  });

  it('and closes it with them as well: what stands as taken is one closing, and the stock is taken once', async () => {
    for (const isChangedFirst of [true, false]) {
      const at = await site();
      await change(at, at.b.store, {
        items: [
          { id: at.line, quantity: 57 },
          { part_id: at.part, quantity: 7 },
        ],
      });
      for (const { store } of [at.a, at.b]) await close(store, at.shipment);
      for (const peer of isChangedFirst ? [at.b, at.a] : [at.a, at.b]) await peer.settle();
      await at.settle();
      const { store } = at.central;
      // The later closing's word on the line of both stands, the earlier one's beside it as a conflict.
      const record = shipmentIn(store, at.shipment);
      expect(Object.keys(record.writers).filter(path => Array.isArray(record.writers[path]))).toContain(
        `items.${at.line}.taken`,
      );
      expect(taken(record)).toEqual([[[at.lot, isChangedFirst ? 50 : 57]], [[at.lot, 7]]]);
      await everywhere(at, isChangedFirst ? [at.shipment] : []);
      expect(stockOf(store)).toEqual([`${at.lot}@0 ${isChangedFirst ? 43 : 36}000000`]);
    }
  });

  it('and closes it with them: nobody chooses what was taken line by line, who takes the shipment back ends the conflict', async () => {
    const at = await site();
    await change(at, at.b.store, { items: [{ id: at.line, quantity: 57 }] });
    for (const { store } of [at.a, at.b]) await close(store, at.shipment);
    await at.settle();
    expect(goodsInConflict(at, at.a.store)).toHaveLength(2);
    await expect(choose(at, at.a.store, 1)).rejects.toThrow('Clear actual_ship_date first, with a reason.');
    await change(at, at.a.store, { actual_ship_date: null }, { reason: 'Not sure.' });
    await at.settle();
    await everywhere(at, []);
    for (const store of at.stores()) expect(goodsInConflict(at, store)).toEqual([]);
    expect(stockOf(at.central.store)).toEqual([`${at.lot}@0 100000000`]);
  });

  it('and takes it back while another one ships it again: of an open shipment nothing is chosen as taken', async () => {
    const at = await site();
    await close(at.a.store, at.shipment);
    await at.settle();
    const reason = { reason: 'Not sure.' };
    await change(at, at.a.store, { actual_ship_date: null }, reason);
    await change(at, at.b.store, { actual_ship_date: null }, reason);
    await change(at, at.b.store, { items: [{ id: at.line, quantity: 57 }] });
    await close(at.b.store, at.shipment);
    await at.settle();
    const { store } = at.central;
    const place = goodsInConflict(at, store).findIndex(({ value }) => Array.isArray(value));
    expect(shipmentIn(store, at.shipment).fields.actual_ship_date ?? null).toBeNull();
    await expect(choose(at, store, place)).rejects.toThrow('The shipment is open');
    await choose(at, store, 1 - place);
    await at.settle();
    for (const each of at.stores()) expect(goodsInConflict(at, each)).toEqual([]);
    expect(stockOf(store)).toEqual([`${at.lot}@0 100000000`]);
  });

  it('of version 0.1.0, which kept no lines: what nothing was taken for is shown', async () => {
    for (const isChanged of [false, true]) {
      const at = await site();
      const { creator } = shipmentIn(at.a.store, at.shipment);
      const line = `items.${at.line}`;
      const closed = {
        actual_ship_date: '2026-06-15',
        [`${line}.taken`]: [{ inventory_id: at.lot, location_id: null, quantity: 50 }],
        [`${line}.is_inventory_calculated`]: true,
        [`${line}.shipped_date`]: '2026-06-15T00:00:00.000Z',
      };
      await writePast(at.a, `shipment:${at.shipment}`, closed, [creator]);
      if (isChanged) await change(at, at.b.store, { items: [{ part_id: at.part, quantity: 7 }] });
      await at.settle();
      await everywhere(at, isChanged ? [at.shipment] : []);
    }
  });

  it('keeps its word at a station that is put back', async () => {
    const at = await site();
    const before = await at.b.copy();
    await close(at.a.store, at.shipment);
    await change(at, at.b.store, { items: [{ id: at.line, quantity: 57 }] });
    await at.settle();
    await at.b.putBack(before);
    await at.settle();
    await everywhere(at, [at.shipment]);
  });
});
