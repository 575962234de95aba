import { beforeEach, describe, expect, it } from 'vitest';
import { inputOf } from '../../../server/rules/input-of.ts';
import type { Store } from '../../../server/store/store.ts';
import type { UnitOfWork } from '../../../server/store/unit-of-work.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import { create, itemIds } from '../store/temporary-store.ts';
import { imported, locks, person, program } from './people.ts';
import { refusalOf } from './refusal.ts';
import { addPart, openSite, receive } from './site.ts';

const WHY = 'read it again';
const QUALITY = { kind: 'person', roles: ['quality'] } as const;
const another = {
  forbidden:
    'What failed is taken back by another person than the one who measured. Ask somebody else with the role quality.',
};

let store: Store;
let lot: number;
beforeEach(async () => {
  store = await openSite();
  lot = (await receive(store, { part_id: await addPart(store) })).lot;
});

/** An inspection of the lot by an approved template of one height, of which nothing is measured. */
async function inspection(): Promise<StoredRecord> {
  const characteristics = [{ name: 'Height', dimensions: '10', tolerance: '±1' }];
  const { id } = await create(store, 'specification', { is_approved: true, characteristics });
  return create(store, 'inspection', { inventory_id: lot, drawing_id: id });
}

function height(record: StoredRecord, value: number): Record<string, unknown> {
  const [sample = 0] = itemIds(record, 'samples');
  const results = Object(Object(record.fields.samples)[sample]).results;
  return { samples: [{ id: sample, results: [{ id: Number(Object.keys(results)[0]), value }] }] };
}

/** Several changes of one person of quality in one commit. */
function together(user: string, work: (work: UnitOfWork) => StoredRecord): Promise<StoredRecord> {
  return store.gate.commit({ actor: { user, rights: QUALITY }, reason: WHY, work, answer: record => record });
}

/** Somebody of quality accepts what waits of the record; why not. */
function accepting(subject: string, user: string): Promise<Record<string, string>> {
  const [waiting] = store.records
    .findBy('correction', 'subject', subject)
    .filter(({ fields }) => fields.status === 'awaiting');
  if (!waiting) throw new Error(`Nothing of ${subject} waits.`);
  const fields = { ...waiting.fields, status: 'accepted' };
  return refusalOf(together(user, work => work.set(families.correction, waiting.id, fields)));
}

const passed = (record: StoredRecord) =>
  program(store, 'administrator').update('inspection', record.id, { passed: true }, WHY);

describe('what a program took from failed to passed', () => {
  it('is not accepted by who said that it failed, together with other things and long before', async () => {
    const record = await inspection();
    const supplier = await create(store, 'supplier', { name: 'Acme' });
    await together('ada', work => {
      work.update(families.supplier, supplier.id, inputOf({ name: 'Acne' }));
      return work.update(families.inspection, record.id, inputOf({ passed: false }));
    });
    const ilse = person(store, 'ilse', 'inspector');
    await ilse.update('inspection', record.id, height(record, 20));
    await ilse.update('inspection', record.id, height(record, 10), WHY);
    await passed(record);
    expect(await accepting(record.key, 'ada')).toEqual(another);
    expect(locks(store, lot)).toEqual(['correction']);
    expect(await accepting(record.key, 'quinn')).toEqual({});
    expect(locks(store, lot)).toEqual([]);
  });

  it('is accepted by who said so of another inspection only', async () => {
    const [record, other] = [await inspection(), await inspection()];
    await person(store, 'ada', 'quality').update('inspection', record.id, { passed: false });
    await together('quinn', work => {
      work.update(families.inspection, record.id, inputOf({ inspection_date: '2026-06-01' }));
      return work.update(families.inspection, other.id, inputOf({ passed: false }));
    });
    await passed(record);
    expect(await accepting(record.key, 'ada')).toEqual(another);
    expect(await accepting(record.key, 'quinn')).toEqual({});
  });

  it('is not accepted by an author of the import that did so', async () => {
    const record = await inspection();
    await person(store, 'ilse', 'inspector').update('inspection', record.id, { passed: false });
    await imported(store, 'administrator').update('inspection', record.id, { passed: true }, WHY);
    expect(await accepting(record.key, 'importer')).toEqual(another);
    expect(await accepting(record.key, 'quinn')).toEqual({});
  });

  it('is taken back by anybody who may say that it failed', async () => {
    const record = await inspection();
    const ada = person(store, 'ada', 'quality');
    await ada.update('inspection', record.id, { ...height(record, 20), passed: false });
    await passed(record);
    expect(await ada.refusal('inspection', record.id, { passed: false }, WHY)).toEqual({});
    expect(locks(store, lot)).toEqual(['inspection_failed']);
  });
});

it('what nobody measured is accepted by who wrote the record', async () => {
  const quinn = person(store, 'quinn', 'quality');
  const items = [{ part_id: 1, quantity_accepted: 1, expiry_date: '2026-07-01' }];
  const receipt = await quinn.create('receiving-inspection', { items });
  const [id] = itemIds(receipt, 'items');
  const later = { items: [{ id, expiry_date: '2026-08-01' }] };
  await program(store, 'inspector').update('receiving-inspection', receipt.id, later);
  expect(await accepting(receipt.key, 'quinn')).toEqual({});
});
