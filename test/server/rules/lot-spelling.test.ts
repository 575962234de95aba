import { beforeEach, describe, expect, it } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { aroundLot, GroupLimits } from '../../../server/quality/around-lot.ts';
import { labResultsOf } from '../../../server/rules/certificates.ts';
import { proposedReports } from '../../../server/rules/proposals.ts';
import { shownElsewhere } from '../../../server/rules/shown-elsewhere.ts';
import { underivedFamilies } from '../../../server/store/derived-from.ts';
import type { Store } from '../../../server/store/store.ts';
import { readLocal, writeLocal } from '../../../server/store/tables.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { stockOf } from '../store/audit.ts';
import { create, temporaryStore, update } from '../store/temporary-store.ts';
import { locks, person } from './people.ts';
import { refusalOf } from './refusal.ts';
import { addPart, correct, lock, openSite, prepare, type Received, receive, ship, taken } from './site.ts';

/** One number as people write it: in another case, between blanks, and with its umlaut in two characters. */
const SPELLINGS = ['LÖ-1', 'lö-1', ' Lö-1 ', 'LO\u0308-1'];
const [FIRST = '', SECOND = '', ...OTHERS] = SPELLINGS;

let store: Store;
let part: number;
beforeEach(async () => {
  store = await openSite();
  part = await addPart(store);
});

const line = (serial_number: string, more: object = {}) => ({ part_id: part, serial_number, ...more });
const numberOf = (lot: number) => store.records.get('inventory', lot)?.fields.batch_number;

/** Lots of one number in two spellings, as a former version made them. */
async function openBoth(): Promise<[first: number, second: number]> {
  const stored = { company_id: 1, lot_unit: 'units', is_legacy: true, opening_quantity: 10, part_id: part };
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: 'before' },
    reason: null,
    work: work => [
      work.insert(families.inventory, { ...stored, batch_number: FIRST }),
      work.insert(families.inventory, { ...stored, batch_number: SECOND }),
    ],
    answer: ([first, second]) => [first?.id ?? 0, second?.id ?? 0],
  });
}

/** A template whose Lead fails with 3. */
async function template(): Promise<number> {
  const characteristics = [{ name: 'Lead', dimensions: '1', tolerance: '±1' }];
  return (await create(store, 'specification', { characteristics })).id;
}

async function measure(batch_number: string, lead = 3) {
  const lab_data = JSON.stringify({ Lead: String(lead) });
  return create(store, 'lab-result', { batch_number, specification_id: await template(), lab_data });
}

describe('a receipt line', () => {
  it('adds to the lot of its number however that is written; the lot keeps its spelling, the line its own', async () => {
    const first = await receive(store, line(FIRST));
    for (const spelling of [SECOND, ...OTHERS]) {
      const next = await receive(store, line(spelling));
      expect(next.lot).toBe(first.lot);
      const said = Object.values(store.records.get('receiving-inspection', next.receipt)?.fields.items ?? {});
      expect(said).toMatchObject([{ serial_number: spelling }]);
    }
    expect(numberOf(first.lot)).toBe(FIRST);
    expect((await receive(store, line(SECOND, { expiry_date: '2027-01-31' }))).lot).not.toBe(first.lot);
    expect((await receive(store, line('LO-1'))).lot).not.toBe(first.lot);
  });

  it('of one delivery with several spellings makes one lot', async () => {
    const items = SPELLINGS.map(spelling => ({ ...line(spelling), quantity_accepted: 1 }));
    const { fields } = await create(store, 'receiving-inspection', { items });
    const lots = Object.values(fields.items ?? {}).map(item => item.inventory_id);
    expect(new Set(lots).size).toBe(1);
  });

  it('goes to the lot of exactly its letters where two spellings stand, else to the first', async () => {
    const [first, second] = await openBoth();
    expect((await receive(store, line(SECOND))).lot).toBe(second);
    expect((await receive(store, line(FIRST))).lot).toBe(first);
    expect((await receive(store, line('LÖ-1'.normalize('NFD')))).lot).toBe(first);
    expect([numberOf(first), numberOf(second)]).toEqual([FIRST, SECOND]);
  });

  it('that is corrected to another spelling respells the lot that it alone feeds, and leaves one that others feed', async () => {
    const alone = await receive(store, line(FIRST));
    expect(await correct(store, alone, { serial_number: SECOND })).toBe(alone.lot);
    expect(numberOf(alone.lot)).toBe(SECOND);
    await receive(store, line(SECOND));
    expect(await correct(store, alone, { serial_number: FIRST })).toBe(alone.lot);
    expect(numberOf(alone.lot)).toBe(SECOND);
  });

  it('goes over to the other lot where two spellings stand and it is corrected to that one', async () => {
    const [first] = await openBoth();
    const received: Received = await receive(store, line(SECOND));
    expect(received.lot).not.toBe(first);
    expect(await correct(store, received, { serial_number: FIRST })).toBe(first);
  });
});

describe('opening stock', () => {
  it('is refused as a double in any spelling', async () => {
    const lot = { part_id: part, opening_quantity: 1 };
    const { id } = await create(store, 'inventory', { ...lot, batch_number: FIRST });
    const message = `This lot is the lot record ${id} already. Change that one, or adjust its quantity.`;
    for (const batch_number of SPELLINGS)
      expect(await refusalOf(create(store, 'inventory', { ...lot, batch_number }))).toEqual({
        conflict: message,
      });
  });

  it('is not opened beside a locked lot under another spelling and expiry', async () => {
    const { lot } = await receive(store, line(FIRST));
    await lock(store, lot, true);
    const beside = { part_id: part, batch_number: SECOND, expiry_date: '2027-01-31', opening_quantity: 1 };
    expect(await refusalOf(create(store, 'inventory', beside))).toHaveProperty('conflict');
  });
});

describe('what names a lot by its number', () => {
  it('is a failed lab result, which locks it, whichever of both came first', async () => {
    const { lot } = await receive(store, line(FIRST));
    const result = await measure(SECOND);
    expect([locks(store, lot), result.fields.batch_part_id]).toEqual([['lab_failed'], part]);
    expect(result.fields.batch_number).toBe(SECOND);
    const later = await receive(store, line('lo\u0308-1', { expiry_date: '2027-01-31' }));
    expect(locks(store, later.lot)).toEqual(['lab_failed']);
    expect((await verify(store.database.folder, verifyDependencies)).findings).toEqual([]);
  });

  it('is a lab result whose number is written otherwise later, which still locks it', async () => {
    const { lot } = await receive(store, line(FIRST));
    const result = await measure(FIRST);
    await update(store, 'lab-result', result.id, { batch_number: SECOND }, { reason: 'As on the label.' });
    expect(locks(store, lot)).toContain('lab_failed');
    expect(store.records.get('lab-result', result.id)?.fields.batch_part_id).toBe(part);
  });

  it('is what waits for quality of a result of the number', async () => {
    const result = await measure(SECOND);
    await person(store, 'ann', 'inspector').update(
      'lab-result',
      result.id,
      { lab_data: '{"Lead":"1"}' },
      'Misread.',
    );
    const { lot } = await receive(store, line(FIRST));
    expect(locks(store, lot)).toEqual(['correction']);
  });

  it('is a line of a shipment, and a pick for it', async () => {
    const { lot } = await receive(store, line(FIRST, { expiry_date: '2027-01-31' }));
    await receive(store, line('OTHER', { expiry_date: '2026-12-31' }));
    const asked = line(SECOND, { quantity: 3 });
    expect(taken(await ship(store, asked))).toEqual([[[lot, 3]]]);
    const from = (await create(store, 'location', { name: 'Shelf' })).id;
    const to = (await create(store, 'location', { name: 'Out', kind: 'shipping' })).id;
    const shipment_id = await prepare(store, asked);
    const pick = { inventory_id: lot, from_location_id: from, to_location_id: to, shipment_id, quantity: 3 };
    await create(store, 'move', { inventory_id: lot, to_location_id: from, quantity: 7 });
    expect(await refusalOf(create(store, 'move', { ...pick, quantity: 4 }))).toEqual({
      conflict: expect.stringContaining('needs 3 more of it'),
    });
    expect(await refusalOf(create(store, 'move', pick))).toEqual({});
  });

  it('is a report, a complaint and a result in what stands around it, on its certificate and among what it shows', async () => {
    const { lot } = await receive(store, line(FIRST));
    const result = await measure(SECOND, 1);
    const ncr = await create(store, 'ncr', { ncr_number: 'N-1', source: 'internal', lot_number: SECOND });
    const complaint = await create(store, 'complaint', {
      complaint_number: 'C-1',
      complaint_date: '2026-06-01',
      batch_number: SECOND,
      complainant_full_name: 'Kim',
    });
    const record = store.records.get('inventory', lot);
    if (!record) throw new Error();
    const reads = { records: store.records, sql: store.database.reader, now: '2026-06-15T12:00:00.000Z' };
    const { ncrs, complaints, labResults } = aroundLot(reads, record, new GroupLimits());
    expect([ncrs, complaints, labResults].map(list => list.map(({ key }) => key))).toEqual([
      [ncr.key],
      [complaint.key],
      [result.key],
    ]);
    expect(labResultsOf(reads, record).map(({ key }) => key)).toEqual([result.key]);
    expect(shownElsewhere(reads, result.key, result, [], true).keys).toEqual([record.key]);
    const [proposal] = proposedReports(reads, complaint);
    expect(proposal).toMatchObject({ lot_number: SECOND, inventory_id: lot });
  });

  it('is the report of a rejected line, which is not proposed again', async () => {
    const { receipt } = await receive(store, line(FIRST, { quantity_rejected: 2 }));
    const record = () => store.records.get('receiving-inspection', receipt);
    const proposed = () =>
      proposedReports({ records: store.records, sql: store.database.reader }, record() ?? expect.fail());
    expect(proposed()).toHaveLength(1);
    const report = {
      ncr_number: 'N-1',
      source: 'supplier',
      part_id: part,
      lot_number: SECOND,
      receiving_inspection_id: receipt,
    };
    await create(store, 'ncr', report);
    expect(proposed()).toEqual([]);
  });
});

it('both lots that a former version made stay as they are, and what speaks of the number speaks of both', async () => {
  const [first, second] = await openBoth();
  await measure(SECOND);
  expect([locks(store, first), locks(store, second)]).toEqual([['lab_failed'], ['lab_failed']]);
  expect([numberOf(first), numberOf(second)]).toEqual([FIRST, SECOND]);
  expect(stockOf(store)).toEqual([`${first}@0 10000000`, `${second}@0 10000000`]);
});

it('what a former version worked out of a number letter by letter is worked out anew at the start', async () => {
  const { lot } = await receive(store, line(FIRST));
  const { key } = await measure(SECOND);
  const { folder } = store.database;
  // As it stood: the number as it was typed, and a note that says nothing of how numbers are compared.
  const note = JSON.parse(readLocal(store.database, 'derived_from') ?? '{}');
  const former = Object.fromEntries(
    Object.entries<string>(note).map(([name, text]) => [name, text.replace(/"numbers":\[[^\]]*\],/, '')]),
  );
  await store.gate.applyRemote(() => {
    store.database.run('UPDATE lot_fact SET batch = ? WHERE source = ?', 'LÖ-1', key);
    writeLocal(store.database, 'derived_from', JSON.stringify(former));
    return { result: null };
  });
  expect(underivedFamilies(store.database)).toContain('inventory');
  expect(locks(store, lot)).toEqual([]);
  await store.close();
  store = await temporaryStore({ folder });
  expect(locks(store, lot)).toEqual(['lab_failed']);
  expect((await verify(folder, verifyDependencies)).findings).toEqual([]);
});
