import { describe, expect, it } from 'vitest';
import { BLOCK_SIZE } from '../../../server/store/ids.ts';
import type { Store } from '../../../server/store/store.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { audit, recordsOf } from './audit.ts';
import { create, itemIds, temporaryStore, update } from './temporary-store.ts';

const { inspection, shipment } = families;

/** As if so many ids of the block had been given already. */
function useUp(store: Store, counter: string, given: number, block = 0): void {
  store.database.run(
    'INSERT OR REPLACE INTO allocation (counter, block, next) VALUES (?, ?, ?)',
    counter,
    block,
    given + 1,
  );
}

async function createdIds(store: Store, count: number): Promise<number[]> {
  const created = Array.from({ length: count }, () => create(store, 'supplier', {}));
  return (await Promise.all(created)).map(({ id }) => id);
}

describe('ids of records', () => {
  it('count from 1 in each family, whatever other families do', async () => {
    const store = await temporaryStore();
    expect(await createdIds(store, 3)).toEqual([1, 2, 3]);
    expect((await create(store, 'part', {})).id).toBe(1);
    expect(await createdIds(store, 1)).toEqual([4]);
  });

  it('go on in the next block when one is used up, which the installation then owns', async () => {
    const store = await temporaryStore();
    useUp(store, 'supplier', BLOCK_SIZE - 3);
    expect(store.ids.owns(BLOCK_SIZE + 1)).toBe(false);
    const last = [BLOCK_SIZE - 2, BLOCK_SIZE - 1];
    expect(await createdIds(store, 5)).toEqual([...last, BLOCK_SIZE + 1, BLOCK_SIZE + 2, BLOCK_SIZE + 3]);
    expect(store.ids.owns(BLOCK_SIZE + 1)).toBe(true);
    expect(store.ids.blocks()).toEqual([0, 1]);
    useUp(store, 'supplier', BLOCK_SIZE - 2, 1);
    expect(await createdIds(store, 2)).toEqual([2 * BLOCK_SIZE - 1, 2 * BLOCK_SIZE + 1]);
    expect((await create(store, 'part', {})).id).toBe(1);
    expect(audit(store)).toEqual([]);
  });

  it('of many records of one commit do so, too, and pass over those that clients have chosen', async () => {
    const store = await temporaryStore();
    const inOneCommit = (count: number, chosen: readonly number[] = []) =>
      store.gate.commit({
        actor: { rights: BY_SERVER, user: 'tester' },
        reason: null,
        work: work => {
          const put = (id: number | null) =>
            work.create(inspection, parseInput(inspection, {}, { mode: 'create' }), id).id;
          for (const id of chosen) put(id);
          return Array.from({ length: count }, () => put(null));
        },
        answer: ids => ids,
      });
    expect(await inOneCommit(0, [4, 5])).toEqual([]);
    expect(await inOneCommit(4, [2, 8])).toEqual([1, 3, 6, 7]);
    expect(await inOneCommit(2)).toEqual([9, 10]);
    useUp(store, 'inspection', BLOCK_SIZE - 3);
    const last = [BLOCK_SIZE - 2, BLOCK_SIZE - 1];
    expect(await inOneCommit(4)).toEqual([...last, BLOCK_SIZE + 1, BLOCK_SIZE + 2]);
    expect(await inOneCommit(1)).toEqual([BLOCK_SIZE + 3]);
    expect(audit(store)).toEqual([]);
  });

  it('of items do so, too', async () => {
    const store = await temporaryStore();
    useUp(store, 'item:characteristic', BLOCK_SIZE - 2);
    const characteristics = [{ name: 'Height' }, { name: 'Width' }];
    const template = await create(store, 'specification', { characteristics });
    expect(itemIds(template, 'characteristics')).toEqual([BLOCK_SIZE - 1, BLOCK_SIZE + 1]);
  });

  it('skip those that clients chose', async () => {
    const store = await temporaryStore();
    for (const id of [2, 3, 5]) await create(store, 'lab-result', {}, { id });
    const ids = [];
    for (let index = 0; index < 4; index += 1) ids.push((await create(store, 'lab-result', {})).id);
    expect(ids).toEqual([1, 4, 6, 7]);
  });

  it.each([
    ['taken', 1],
    ['of a block that is not ours', BLOCK_SIZE + 1],
    ['the unused first of a block', BLOCK_SIZE],
    ['the unused first of our block', 0],
  ])('are refused when %s', async (_, id) => {
    const store = await temporaryStore();
    await create(store, 'lab-result', {});
    await expect(create(store, 'lab-result', {}, { id })).rejects.toMatchObject({ code: 'conflict' });
    expect(recordsOf(store)).toHaveLength(1);
  });

  it('that failed writes took leave no record and are never given twice', async () => {
    const store = await temporaryStore();
    const attempts = Array.from({ length: 40 }, (_, index) =>
      create(store, 'supplier', {}, index % 3 === 0 ? { id: BLOCK_SIZE * 9 } : {}),
    );
    const results = await Promise.allSettled(attempts);
    const ids = results.flatMap(result => (result.status === 'fulfilled' ? [result.value.id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    expect(recordsOf(store).map(({ id }) => id)).toEqual(ids);
    expect(audit(store)).toEqual([]);
  });

  it('go on after the store was opened again', async () => {
    const first = await temporaryStore();
    await createdIds(first, 2);
    await first.close();
    const second = await temporaryStore({ folder: first.database.folder });
    expect(await createdIds(second, 2)).toEqual([3, 4]);
  });
});

describe('ids after a leap', () => {
  it('are of another block each time that the same image is put back', async () => {
    const leapt = async () => {
      const store = await temporaryStore();
      await createdIds(store, 1);
      store.database.transaction(() => store.ids.leap());
      const [id = 0] = await createdIds(store, 1);
      return Math.floor(id / BLOCK_SIZE);
    };
    const blocks = await Promise.all([leapt(), leapt(), leapt()]);
    for (const block of blocks) expect(block).toBeGreaterThan(256);
    // By chance all three are the same once in four thousand million runs.
    expect(new Set(blocks).size).toBeGreaterThan(1);
  });
});

describe('numbers that the server gives', () => {
  const numberOf = (record: { fields: Record<string, unknown> }) => record.fields.shipment_number;

  it("carry the station's code and skip what people typed", async () => {
    const store = await temporaryStore();
    await create(store, 'shipment', { shipment_number: 'SH-0-000002' });
    const given = [];
    for (let index = 0; index < 3; index += 1) given.push(numberOf(await create(store, 'shipment', {})));
    expect(given).toEqual(['SH-0-000001', 'SH-0-000003', 'SH-0-000004']);
    expect((await create(store, 'order', {})).fields.order_number).toBe('OR-0-000001');
  });

  it('skip what another record of the same commit was called', async () => {
    const store = await temporaryStore();
    const input = (fields: object) => parseInput(shipment, fields, { mode: 'patch' });
    const next = await store.gate.commit({
      actor: { rights: BY_SERVER, user: 'tester' },
      reason: null,
      work: work => {
        const { id } = work.create(shipment, input({}));
        work.update(shipment, id, input({ shipment_number: 'SH-0-000002' }));
        return work.create(shipment, input({}));
      },
      answer: record => record,
    });
    expect(numberOf(next)).toBe('SH-0-000003');
  });

  it('that are typed twice are refused, on create and on update, but not to their owner', async () => {
    const store = await temporaryStore();
    const first = await create(store, 'ncr', { ncr_number: 'N-1', source: 'internal' });
    const second = await create(store, 'ncr', { ncr_number: 'N-2', source: 'internal' });
    const refused = { errors: { ncr_number: [expect.stringContaining('N-1')] } };
    await expect(create(store, 'ncr', { ncr_number: 'N-1', source: 'internal' })).rejects.toMatchObject(
      refused,
    );
    await expect(update(store, 'ncr', second.id, { ncr_number: 'N-1' })).rejects.toMatchObject(refused);
    await update(store, 'ncr', first.id, { ncr_number: 'N-1', description: 'd' });
    await update(store, 'ncr', first.id, { ncr_number: 'N-3' });
    await update(store, 'ncr', second.id, { ncr_number: 'N-1' });
  });

  // Umlauts in one character and in two.
  it.each([
    ['Ü-7', 'ü-7'],
    ['Ü-7', '  Ü-7 '],
    ['Ü-7', 'U\u0308-7'],
    ['u\u0308-7', ' Ü-7'],
  ])(
    'compare trimmed, composed and in any case: %j is %j, and each is kept as it is typed',
    async (one, other) => {
      const store = await temporaryStore();
      const first = await create(store, 'ncr', { ncr_number: one, source: 'internal' });
      const refused = { errors: { ncr_number: [expect.stringContaining('is taken')] } };
      const another = { ncr_number: other, source: 'internal' };
      await expect(create(store, 'ncr', another)).rejects.toMatchObject(refused);
      const second = await create(store, 'ncr', { ncr_number: 'V-7', source: 'internal' });
      await expect(update(store, 'ncr', second.id, { ncr_number: other })).rejects.toMatchObject(refused);
      // Its owner may write it otherwise.
      expect(first.fields.ncr_number).toBe(one);
      expect((await update(store, 'ncr', first.id, { ncr_number: other })).fields.ncr_number).toBe(other);
    },
  );
});
