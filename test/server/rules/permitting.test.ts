import { describe, expect, it } from 'vitest';
import { inputOf } from '../../../server/rules/input-of.ts';
import type { Store } from '../../../server/store/store.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import { audit } from '../store/audit.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { correctionsOf, imported, locks, person, program } from './people.ts';
import { addPart, openSite, receive } from './site.ts';

const WHY = 'read it again';
const QUALITY = { kind: 'person', roles: ['quality'] } as const;

async function addLot(store: Store): Promise<number> {
  return (await receive(store, { part_id: await addPart(store) })).lot;
}

/** A lot of a receipt whose line has an expiry and something rejected. */
async function delivered(store: Store) {
  const part_id = await addPart(store);
  return receive(store, { part_id, expiry_date: '2026-07-01', quantity_rejected: 5 });
}

const later = (item: number) => ({ items: [{ id: item, expiry_date: '2026-08-01' }] });

/** An inspection of a lot, by a template with one height of 10 ± 1, of which nothing is measured. */
async function inspection(store: Store, isApproved = true): Promise<{ record: StoredRecord; lot: number }> {
  const { lot } = await receive(store, { part_id: await addPart(store) });
  const characteristics = [{ name: 'Height', dimensions: '10', tolerance: '±1' }];
  const template = await create(store, 'specification', { is_approved: isApproved, characteristics });
  const record = await create(store, 'inspection', { inventory_id: lot, drawing_id: template.id });
  return { record, lot };
}

function height(record: StoredRecord, value: number | null): Record<string, unknown> {
  const [sample = 0] = itemIds(record, 'samples');
  const results = Object(Object(record.fields.samples)[sample]).results;
  return { samples: [{ id: sample, results: [{ id: Number(Object.keys(results)[0]), value }] }] };
}

describe('a person', () => {
  it('who gives no reason is told which value wants one', async () => {
    const store = await openSite();
    const { receipt, item } = await delivered(store);
    const refusal = await person(store, 'quinn', 'quality').refusal(
      'receiving-inspection',
      receipt,
      later(item),
      ' ',
    );
    expect(Object.keys(refusal)).toEqual(['reason']);
    expect(refusal.reason).toContain('Expiry date');
    expect(correctionsOf(store, `receiving-inspection:${receipt}`)).toEqual([]);
  });

  it('who gives one has it kept with what stood before', async () => {
    const store = await openSite();
    const { receipt, item, lot } = await delivered(store);
    await person(store, 'quinn', 'quality').update('receiving-inspection', receipt, later(item), WHY);
    expect(correctionsOf(store, `receiving-inspection:${receipt}`)).toMatchObject([
      {
        path: `items.${item}.expiry_date`,
        old_value: '2026-07-01',
        new_value: '2026-08-01',
        author: 'quinn',
        reason: WHY,
        status: 'recorded',
      },
    ]);
    expect(locks(store, lot)).toEqual([]);
    expect(audit(store)).toEqual([]);
  });

  it('without the role is told which one, and whose', async () => {
    const store = await openSite();
    const { receipt } = await receive(store, { part_id: await addPart(store) }, { is_quarantined: true });
    const refusal = await person(store, 'olga', 'operator').refusal(
      'receiving-inspection',
      receipt,
      { is_quarantined: false },
      WHY,
    );
    expect(refusal.forbidden).toMatch(/Quarantined.*quality.*operator/);
  });

  it('is told what is missing for the record as a whole, and what nobody may', async () => {
    const store = await openSite();
    const nobody = person(store, 'nora');
    await expect(nobody.create('supplier', { name: 'Acme' })).rejects.toThrow(
      'To create suppliers needs the role operator. Yours: none. Ask somebody who has it.',
    );
    const vera = person(store, 'vera', 'viewer', 'inspector');
    expect(await vera.refusal('company', 1, { name: 'Acne' })).toEqual({
      forbidden:
        'To change companies needs the role quality. Yours: viewer, inspector. Ask somebody who has it.',
    });
    const { lot } = await receive(store, { part_id: await addPart(store) });
    const place = await create(store, 'location', { name: 'A' });
    const move = await create(store, 'move', { inventory_id: lot, to_location_id: place.id });
    const all = person(store, 'ada', 'administrator');
    expect(await all.refusal('move', move.id, { reason: 'other' }, WHY)).toEqual({
      forbidden: 'To change moves is for nobody: the server does it by itself.',
    });
    await expect(all.create('correction', {})).rejects.toThrow(
      'To create corrections is for nobody: the server does it by itself.',
    );
  });

  it('makes a record with no value that needs a higher role', async () => {
    const store = await openSite();
    const olga = person(store, 'olga', 'operator');
    const report = { ncr_number: 'N-1', source: 'internal' };
    await expect(olga.create('ncr', { ...report, disposition: 'use-as-is' }, WHY)).rejects.toThrow(
      'Disposition, each change: needs the role quality. Yours: operator. Ask somebody who has it.',
    );
    await expect(olga.create('ncr', { ...report, status: 'closed' })).rejects.toThrow(
      'Status, to anything but open: needs the role quality.',
    );
    await expect(olga.create('part', { name: 'Jar', sampling_aql: '1' })).rejects.toThrow(
      'Sampling AQL, each change: needs the role quality.',
    );
    const { fields } = await olga.create('ncr', { ...report, status: 'open', lot_number: 'L' });
    expect(fields).toMatchObject({ status: 'open', lot_number: 'L' });
  });

  it('is told which of several values want a reason, each once, and of six the first five', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const received_date = '2026-06-14T08:00:00.000Z';
    const line = {
      part_id,
      quantity_accepted: 2,
      quantity_rejected: 1,
      expiry_date: '2026-07-01',
      received_date,
    };
    const receipt = await create(store, 'receiving-inspection', {
      serial_number: 'D-1',
      actual_arrival_date: '2026-06-14',
      items: [line, { ...line, serial_number: 'L' }],
    });
    const [first = 0, second = 0] = itemIds(receipt, 'items');
    const quinn = person(store, 'quinn', 'quality');
    const refusal = (body: object) => quinn.refusal('receiving-inspection', receipt.id, { ...body });
    const two = [first, second].map(id => ({ id, quantity_rejected: 2 }));
    expect(await refusal({ items: two })).toEqual({
      reason:
        'What was saved changes with a reason only (Quantity rejected). Give it as "reason"; it is kept in history.',
    });
    const other = {
      quantity_accepted: 1,
      quantity_rejected: 2,
      expiry_date: '2026-06-30',
      serial_number: 'M',
    };
    const many = {
      serial_number: 'D-2',
      actual_arrival_date: '2026-06-13',
      items: [{ id: second, ...other }],
    };
    const { reason = '' } = await refusal(many);
    expect(reason).toMatch(
      /\(Lot number, Actual arrival date, Quantity accepted, Quantity rejected, Expiry date\)/,
    );
  });

  it('gives a reason for an amount that was set back to nothing, and for what was measured as nothing', async () => {
    const store = await openSite();
    const { receipt, item } = await receive(store, { part_id: await addPart(store) });
    const olga = person(store, 'olga', 'operator');
    const accepted = (quantity_accepted: number) => ({ items: [{ id: item, quantity_accepted }] });
    await olga.update('receiving-inspection', receipt, accepted(0), WHY);
    expect(await olga.refusal('receiving-inspection', receipt, accepted(5))).toHaveProperty('reason');
    const template = await create(store, 'specification', { characteristics: [{ name: 'Height' }] });
    const [id = 0] = itemIds(template, 'characteristics');
    const ilse = person(store, 'ilse', 'inspector');
    const samples = [{ results: [{ id, value: 0 }] }];
    const record = await ilse.create('inspection', { drawing_id: template.id, samples });
    expect(await ilse.refusal('inspection', record.id, height(record, 10))).toHaveProperty('reason');
  });

  it('who corrects several values at once leaves a correction of each, with its own before and after', async () => {
    const store = await openSite();
    const { receipt, item } = await delivered(store);
    const olga = person(store, 'olga', 'operator');
    const body = { items: [{ id: item, quantity_accepted: 9, expiry_date: '2026-08-01' }] };
    await olga.update('receiving-inspection', receipt, body, WHY);
    const found = correctionsOf(store, `receiving-inspection:${receipt}`);
    expect(
      found.map(({ path, old_value, new_value, status }) => [path, old_value, new_value, status]).sort(),
    ).toEqual([
      [`items.${item}.expiry_date`, '2026-07-01', '2026-08-01', 'awaiting'],
      [`items.${item}.quantity_accepted`, 10, 9, 'recorded'],
    ]);
  });

  it('enters an amount for the first time without a reason, but not a second time', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const olga = person(store, 'olga', 'operator');
    const receipt = await olga.create('receiving-inspection', { items: [{ part_id }] });
    const [item = 0] = itemIds(receipt, 'items');
    const amounts = (quantity_accepted: number) => ({ items: [{ id: item, quantity_accepted }] });
    expect(await olga.refusal('receiving-inspection', receipt.id, amounts(5))).toEqual({});
    expect(await olga.refusal('receiving-inspection', receipt.id, amounts(6))).toHaveProperty('reason');
    expect(correctionsOf(store, receipt.key)).toEqual([]);
  });

  it('who may not is refused a change of what has no rules, and not what changes nothing', async () => {
    const store = await openSite();
    const { id } = await create(store, 'supplier', { name: 'Acme' });
    const vera = person(store, 'vera', 'viewer');
    expect(await vera.refusal('supplier', id, { name: 'Acme' })).toEqual({});
    expect((await vera.refusal('supplier', id, { name: 'Bolt' })).forbidden).toMatch(/role operator.*viewer/);
    expect(await person(store, 'olga', 'operator').refusal('supplier', id, { name: 'Bolt' })).toEqual({});
    const { id: found } = await create(store, 'adjustment', {
      inventory_id: await addLot(store),
      quantity: 1,
      reason: 'found',
    });
    const { forbidden } = await person(store, 'ada', 'administrator').refusal('adjustment', found, {
      reason: 'lost',
    });
    expect(forbidden).toMatch(/for nobody/);
  });

  it('who sends back what was read changes nothing', async () => {
    const store = await openSite();
    const { receipt, item } = await delivered(store);
    const before = store.records.get('receiving-inspection', receipt);
    const same = { items: [{ id: item, expiry_date: '2026-07-01', quantity_rejected: 5 }] };
    await person(store, 'vera', 'viewer').update('receiving-inspection', receipt, same);
    expect(store.records.get('receiving-inspection', receipt)?.version).toBe(before?.version);
  });
});

it('what the server does by itself is nobody’s correction', async () => {
  const store = await openSite();
  const { receipt, item, lot } = await delivered(store);
  await update(store, 'receiving-inspection', receipt, later(item));
  expect(correctionsOf(store, `receiving-inspection:${receipt}`)).toEqual([]);
  expect(locks(store, lot)).toEqual([]);
});

describe('what waits for quality', () => {
  it.each([
    ['of a program', (store: Store) => program(store, 'inspector'), undefined],
    ['of an import, with whatever reason', (store: Store) => imported(store, 'administrator'), WHY],
    ['of an operator with a reason', (store: Store) => person(store, 'olga', 'operator'), WHY],
  ])('%s locks its lot', async (_, who, reason) => {
    const store = await openSite();
    const { receipt, item, lot } = await delivered(store);
    await who(store).update('receiving-inspection', receipt, later(item), reason);
    expect(locks(store, lot)).toEqual(['correction']);
  });

  it('waits no more once the value is taken back, and by no other value', async () => {
    const store = await openSite();
    const { receipt, item, lot } = await delivered(store);
    const robot = program(store, 'inspector');
    const expire = (expiry_date: string) =>
      robot.update('receiving-inspection', receipt, { items: [{ id: item, expiry_date }] });
    await expire('2026-08-01');
    await expire('2026-07-02');
    expect(locks(store, lot)).toEqual(['correction']);
    await expire('2026-07-01');
    expect(locks(store, lot)).toEqual([]);
    const found = correctionsOf(store, `receiving-inspection:${receipt}`);
    expect(found.map(({ old_value, status }) => [old_value, status])).toEqual([
      ['2026-07-01', 'recorded'],
      ['2026-08-01', 'recorded'],
      ['2026-07-02', 'recorded'],
    ]);
  });

  it('frees once quality has it accepted, which nobody below may', async () => {
    const store = await openSite();
    const { receipt, item, lot } = await delivered(store);
    await program(store, 'inspector').update('receiving-inspection', receipt, later(item));
    const [waiting] = store.records.findBy('correction', 'subject', `receiving-inspection:${receipt}`);
    const accept = (user: string, role: 'inspector' | 'quality') =>
      store.gate.commit({
        actor: { user, rights: { kind: 'person', roles: [role] } },
        reason: WHY,
        work: work =>
          work.set(families.correction, waiting?.id ?? 0, { ...waiting?.fields, status: 'accepted' }),
        answer: record => record,
      });
    await expect(accept('ilse', 'inspector')).rejects.toMatchObject({ code: 'forbidden' });
    expect(locks(store, lot)).toEqual(['correction']);
    await accept('quinn', 'quality');
    expect(locks(store, lot)).toEqual([]);
  });
});

describe('a verdict', () => {
  it('from failed to passed is for another person of quality than the one who measured', async () => {
    const store = await openSite();
    const { record, lot } = await inspection(store);
    const ada = person(store, 'ada', 'quality');
    await ada.update('inspection', record.id, height(record, 20));
    await ada.update('inspection', record.id, { passed: false });
    const pass = { passed: true };
    expect(await ada.refusal('inspection', record.id, pass, WHY)).toHaveProperty('forbidden');
    const ilse = person(store, 'ilse', 'inspector');
    expect(await ilse.refusal('inspection', record.id, pass, WHY)).toHaveProperty('forbidden');
    const quinn = person(store, 'quinn', 'quality');
    expect(await quinn.refusal('inspection', record.id, pass)).toHaveProperty('reason');
    expect(locks(store, lot)).toEqual(['inspection_failed']);
    await quinn.update('inspection', record.id, pass, WHY);
    expect(locks(store, lot)).toEqual([]);
    expect(correctionsOf(store, record.key)).toMatchObject([
      { path: 'passed', old_value: false, new_value: true, author: 'quinn', reason: WHY, status: 'recorded' },
    ]);
  });

  it('that failed by somebody else’s word, or by values that stand no more, is not for who gave those', async () => {
    const store = await openSite();
    const { record } = await inspection(store);
    const [ada, quinn] = [person(store, 'ada', 'quality'), person(store, 'quinn', 'quality')];
    await quinn.update('inspection', record.id, height(record, 20));
    await ada.update('inspection', record.id, { passed: false });
    // Ada gave the verdict, Quinn measured.
    for (const one of [ada, quinn])
      expect(await one.refusal('inspection', record.id, { passed: true }, WHY)).toEqual({
        forbidden:
          'What failed is taken back by another person than the one who measured. Ask somebody else with the role quality.',
      });
    const ilse = person(store, 'ilse', 'inspector');
    await ilse.update('inspection', record.id, height(record, 10), WHY);
    expect(await ada.refusal('inspection', record.id, { passed: null }, WHY)).toHaveProperty('forbidden');
    expect(await quinn.refusal('inspection', record.id, { passed: null }, WHY)).toEqual({});
  });

  it('that a program took from failed to passed is accepted by another person than the one who measured', async () => {
    const store = await openSite();
    const { record, lot } = await inspection(store);
    const ada = person(store, 'ada', 'quality');
    const ilse = person(store, 'ilse', 'inspector');
    await ada.update('inspection', record.id, height(record, 20));
    await ilse.update('inspection', record.id, { passed: false });
    await program(store, 'administrator').update('inspection', record.id, { passed: true }, WHY);
    const [waiting] = store.records
      .findBy('correction', 'subject', record.key)
      .filter(({ fields }) => fields.status === 'awaiting');
    const accept = (user: string) =>
      store.gate.commit({
        actor: { user, rights: { kind: 'person', roles: ['quality'] } },
        reason: WHY,
        work: work =>
          work.set(families.correction, waiting?.id ?? 0, { ...waiting?.fields, status: 'accepted' }),
        answer: done => done,
      });
    for (const user of ['ada', 'ilse'])
      await expect(accept(user)).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('measured'),
      });
    expect(locks(store, lot)).toEqual(['correction']);
    await accept('quinn');
    expect(locks(store, lot)).toEqual([]);
  });

  it('is not taken back by who measured under a former login', async () => {
    const store = await openSite();
    const { record } = await inspection(store);
    const user = await create(store, 'user', { login: 'ada', name: 'Ada', roles: ['quality'] });
    await person(store, 'ada', 'quality').update('inspection', record.id, { passed: false });
    await update(store, 'user', user.id, { login: 'ada.lovelace' });
    const actor = { user: 'ada.lovelace', userId: user.id, rights: QUALITY };
    const pass = store.gate.commit({
      actor,
      reason: WHY,
      work: work => work.update(families.inspection, record.id, inputOf({ passed: true })),
      answer: done => done,
    });
    await expect(pass).rejects.toMatchObject({ code: 'forbidden' });
  });

  it.each([
    ['before its samples are measured', true, null],
    ['against what was measured', true, 20],
    ['by a template that is a draft', false, 10],
  ])('%s is a word that frees nothing, and by quality with a reason does', async (_, isApproved, value) => {
    const store = await openSite();
    for (const role of ['inspector', 'quality'] as const) {
      const { record, lot } = await inspection(store, isApproved);
      if (value !== null)
        await person(store, 'ilse', 'inspector').update('inspection', record.id, height(record, value));
      await person(store, role, role).update('inspection', record.id, { passed: true }, WHY);
      expect(locks(store, lot)).toEqual(role === 'quality' ? [] : ['correction']);
    }
  });

  it('that a program takes back which measured itself frees nothing: it is nobody else', async () => {
    const store = await openSite();
    const { record, lot } = await inspection(store);
    const robot = program(store, 'administrator');
    await robot.update('inspection', record.id, { ...height(record, 20), passed: false });
    await robot.update('inspection', record.id, height(record, 10), WHY);
    await robot.update('inspection', record.id, { passed: true }, WHY);
    expect(locks(store, lot)).toEqual(['correction']);
  });

  it('that is measured by an approved template frees by the word of an inspector', async () => {
    const store = await openSite();
    const { record, lot } = await inspection(store);
    const ilse = person(store, 'ilse', 'inspector');
    await ilse.update('inspection', record.id, { ...height(record, 10), passed: true });
    expect(locks(store, lot)).toEqual([]);
    expect(correctionsOf(store, record.key)).toEqual([]);
  });
});
