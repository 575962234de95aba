import { describe, expect, it } from 'vitest';
import { rules } from '../../../server/rules/registry.ts';
import type { Rule } from '../../../server/store/unit-of-work.ts';
import { create, START, temporaryStore, update } from '../store/temporary-store.ts';
import { openSite } from './site.ts';

describe('a template (decisions, 1)', () => {
  it('gets a new revision, to be approved again, by a change after approval', async () => {
    const store = await openSite();
    const draft = await create(store, 'specification', {
      name: 'Jar',
      characteristics: [{ name: 'Height' }],
    });
    expect(draft.fields).toMatchObject({ revision: 1, is_approved: false, revision_date: '2026-06-15' });
    const change = (body: object) => update(store, 'specification', draft.id, body);
    expect((await change({ name: 'Jar 1' })).fields).toMatchObject({ revision: 1 });
    expect((await change({ is_approved: true })).fields).toMatchObject({ revision: 1, is_approved: true });
    const same = { is_approved: true, name: 'Jar 1', characteristics: [{ name: 'Height' }] };
    expect(await change(same)).toMatchObject({ version: 3, fields: { revision: 1, is_approved: true } });
    expect((await change({ characteristics: [{ name: 'Height', dimensions: '5' }] })).fields).toMatchObject({
      revision: 2,
      is_approved: false,
    });
    expect((await change({ notes: 'n' })).fields).toMatchObject({ revision: 2 });
    await change({ is_approved: true });
    expect((await change({ notes: 'm', is_approved: true })).fields).toMatchObject({
      revision: 3,
      is_approved: true,
    });
    expect((await change({ revision: 7, revision_date: '2026-01-01' })).fields).toMatchObject({
      revision: 7,
      revision_date: '2026-01-01',
      is_approved: false,
    });
  });

  it('that is a draft keeps its date cleared', async () => {
    const store = await openSite();
    const { id } = await create(store, 'specification', { name: 'Jar' });
    for (const body of [{ revision_date: null }, { notes: 'n' }]) {
      const { fields } = await update(store, 'specification', id, body);
      expect(fields.revision_date ?? null).toBeNull();
    }
  });
});

describe('what today is', () => {
  it.each([
    ['UTC', '2026-06-15'],
    ['Pacific/Kiritimati', '2026-06-16'],
    ['-13:00', '2026-06-14'],
  ])('in %s is %s', async (time_zone, today) => {
    const store = await openSite();
    await create(store, 'setting', { time_zone }, { id: 1 });
    expect((await create(store, 'car', { car_number: 'C-1' })).fields).toMatchObject({ date_opened: today });
    expect((await create(store, 'specification', {})).fields).toMatchObject({ revision_date: today });
  });

  it('needs a time zone that exists', async () => {
    const store = await openSite();
    await expect(create(store, 'setting', { time_zone: 'Mars/Base' }, { id: 1 })).rejects.toMatchObject({
      errors: { time_zone: [expect.stringContaining('Europe/Berlin')] },
    });
  });
});

describe('a corrective action request', () => {
  it('is opened by its caller today, unless said', async () => {
    const store = await openSite();
    const mine = await create(store, 'car', { car_number: 'C-1' }, { user: 'ann' });
    expect(mine.fields).toMatchObject({
      initiator_name: 'ann',
      date_opened: '2026-06-15',
      description: {},
    });
    const theirs = { car_number: 'C-2', initiator_name: 'bob', date_opened: '2026-01-31' };
    expect((await create(store, 'car', theirs)).fields).toMatchObject(theirs);
    const cleared = await update(store, 'car', mine.id, { initiator_name: null });
    expect(cleared.fields).not.toHaveProperty('initiator_name');
  });
});

describe('a complaint', () => {
  it('tells when it was initiated, investigated and closed by its marks', async () => {
    const store = await openSite();
    const body = { complaint_number: 'C-1', complaint_date: '2026-06-01' };
    const { id, fields } = await create(store, 'complaint', { ...body, is_investigated: true });
    expect(fields.initiated_at).toBe(fields.investigated_at);
    expect(String(fields.initiated_at) > START).toBe(true);
    expect(fields).not.toHaveProperty('closed_at');
    const closed = await update(store, 'complaint', id, { is_closed: true });
    expect(closed.fields).toMatchObject({
      initiated_at: fields.initiated_at,
      investigated_at: fields.investigated_at,
      closed_at: closed.updated_at,
    });
    const still = await update(store, 'complaint', id, { is_closed: true, comments: 'c' });
    expect(still.fields.closed_at).toBe(closed.fields.closed_at);
    const reopened = await update(store, 'complaint', id, { is_closed: false });
    expect(reopened.fields).not.toHaveProperty('closed_at');
    const again = await update(store, 'complaint', id, { is_closed: true });
    expect(again.fields.closed_at).toBe(again.updated_at);
  });
});

describe('a part', () => {
  it('has a unit of its unit type, whichever of the two changes', async () => {
    const store = await openSite();
    const { id } = await create(store, 'part', { unit_type: 'Mass', unit_of_measure: 'kg' });
    const refused = { errors: { unit_of_measure: [expect.stringContaining('Volume')] } };
    await expect(update(store, 'part', id, { unit_type: 'Volume' })).rejects.toMatchObject(refused);
    await expect(create(store, 'part', { unit_type: 'Volume', unit_of_measure: 'm' })).rejects.toMatchObject(
      refused,
    );
    await update(store, 'part', id, { unit_type: 'Volume', unit_of_measure: 'l' });
    await update(store, 'part', id, { unit_type: null, unit_of_measure: 'units' });
  });

  it('may have a unit type without a unit', async () => {
    const store = await openSite();
    const { id } = await create(store, 'part', { unit_type: 'Mass' });
    await update(store, 'part', id, { unit_type: 'Volume' });
    await update(store, 'part', id, { unit_of_measure: 'l' });
    const { fields } = await update(store, 'part', id, { unit_of_measure: null, unit_type: 'Length' });
    expect([fields.unit_type, fields.unit_of_measure ?? null]).toEqual(['Length', null]);
  });

  it('is of the first company unless said, and of none once that is taken back', async () => {
    const store = await openSite();
    const { id: second } = await create(store, 'company', { name: 'Theirs' });
    expect((await create(store, 'part', { company_id: second })).fields.company_id).toBe(second);
    const { id, fields } = await create(store, 'part', {});
    expect(fields.company_id).toBe(1);
    const cleared = await update(store, 'part', id, { company_id: null });
    expect(cleared.fields.company_id ?? null).toBeNull();
    expect((await update(store, 'part', id, { name: 'Jar' })).fields.company_id ?? null).toBeNull();
  });

  it('may have parents that a merge made each other’s parents', async () => {
    let isMerged = false;
    const judge: Rule = (work, change) => isMerged && rules['part-units']?.(work, change);
    const store = await temporaryStore({ rules: { ...rules, 'part-units': judge } });
    const { id: first } = await create(store, 'part', {});
    const { id: second } = await create(store, 'part', { parent_part_id: first });
    await update(store, 'part', first, { parent_part_id: second });
    isMerged = true;
    await create(store, 'company', { name: 'Ours' });
    const { fields } = await create(store, 'part', { parent_part_id: second });
    expect(fields.parent_part_id).toBe(second);
    await expect(update(store, 'part', first, { name: 'Jar' })).rejects.toMatchObject({
      errors: { parent_part_id: [expect.any(String)] },
    });
    await update(store, 'part', first, { parent_part_id: null });
  });

  it('is not its own parent', async () => {
    const store = await openSite();
    const { id } = await create(store, 'part', {});
    await expect(update(store, 'part', id, { parent_part_id: id })).rejects.toMatchObject({
      errors: { parent_part_id: [expect.any(String)] },
    });
  });
});
