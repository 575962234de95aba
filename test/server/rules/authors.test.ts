import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { type FamilyName, family as familyNamed } from '../../../shared/families/registry.ts';
import { create } from '../store/temporary-store.ts';
import { openSite } from './site.ts';

let store: Store;
let ann: number;
let bob: number;
beforeEach(async () => {
  store = await openSite();
  ann = (await create(store, 'user', { name: 'Ann Miller', login: 'ann' })).id;
  bob = (await create(store, 'user', { name: 'Bob Brown', login: 'bob' })).id;
});

/** What a signed-in user writes; without an id what a program does by its token. */
function write(
  userId: number | undefined,
  name: FamilyName,
  id: number | null,
  body: object,
): Promise<StoredRecord> {
  const family = familyNamed(name);
  const mode = id === null ? 'create' : 'patch';
  const input = parseInput(family, body, { mode });
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: 'scale', userId },
    reason: null,
    work: draft => (id === null ? draft.create(family, input) : draft.update(family, id, input)),
    answer: record => record,
  });
}

describe('a corrective action request is opened by', () => {
  it('the user, by name; a program by that of its token', async () => {
    const byUser = await write(ann, 'car', null, { car_number: 'C-1' });
    expect(byUser.fields.initiator_name).toBe('Ann Miller');
    const byProgram = await write(undefined, 'car', null, { car_number: 'C-2' });
    expect(byProgram.fields.initiator_name).toBe('scale');
    const unknown = await write(9999, 'car', null, { car_number: 'C-3' });
    expect(unknown.fields.initiator_name).toBe('scale');
    const changed = await write(bob, 'car', byUser.id, { source: 's' });
    expect(changed.fields.initiator_name).toBe('Ann Miller');
  });
});

describe('a complaint names', () => {
  const body = { complaint_number: 'C-1', complaint_date: '2026-06-01' };
  const users = ({ fields }: StoredRecord) => [
    fields.initiator_user_id,
    fields.investigator_user_id,
    fields.closed_user_id,
  ];

  it('who initiated, investigated and closed it, as long as its marks say so', async () => {
    const { id, ...made } = await write(ann, 'complaint', null, body);
    expect(users({ id, ...made })).toEqual([ann, undefined, undefined]);
    expect(made.fields.initiated_at).toBe(made.created_at);
    const looked = await write(bob, 'complaint', id, { is_investigated: true });
    expect(users(looked)).toEqual([ann, bob, undefined]);
    expect(looked.fields.investigated_at).toBe(looked.updated_at);
    const closed = await write(ann, 'complaint', id, { is_closed: true, comments: 'c' });
    expect(users(closed)).toEqual([ann, bob, ann]);
    expect([closed.fields.initiated_at, closed.fields.investigated_at, closed.fields.closed_at]).toEqual([
      made.created_at,
      looked.updated_at,
      closed.updated_at,
    ]);
    const open = await write(bob, 'complaint', id, { is_closed: false, is_investigated: false });
    expect(users(open)).toEqual([ann, undefined, undefined]);
    expect([open.fields.investigated_at, open.fields.closed_at]).toEqual([undefined, undefined]);
  });

  it('nobody, where a program did it', async () => {
    const marks = { is_investigated: true, is_closed: true };
    const { fields, created_at } = await write(undefined, 'complaint', null, { ...body, ...marks });
    expect(fields).toMatchObject({
      initiated_at: created_at,
      investigated_at: created_at,
      closed_at: created_at,
    });
    expect(Object.keys(fields).filter(name => name.endsWith('_user_id'))).toEqual([]);
  });
});

describe('a template names who approved', () => {
  const approve = (user: number | undefined, id: number, body: object = {}) =>
    write(user, 'specification', id, { is_approved: true, ...body });

  it('its revision, until the next one is approved', async () => {
    const { id, fields } = await write(ann, 'specification', null, { name: 'Jar' });
    expect(fields).not.toHaveProperty('approved_by');
    expect((await approve(ann, id)).fields).toMatchObject({ revision: 1, approved_by: ann });
    // The same approval again is no other one.
    expect((await approve(bob, id)).fields).toMatchObject({ revision: 1, approved_by: ann });
    const changed = await write(bob, 'specification', id, { name: 'Lid' });
    expect(changed.fields).toMatchObject({ revision: 2, is_approved: false });
    expect(changed.fields).not.toHaveProperty('approved_by');
    expect((await approve(bob, id)).fields).toMatchObject({ revision: 2, approved_by: bob });
    const both = await approve(ann, id, { name: 'Cap' });
    expect(both.fields).toMatchObject({ revision: 3, is_approved: true, approved_by: ann });
    const kept = await approve(bob, id, { name: 'Top', revision: 3 });
    expect(kept.fields).toMatchObject({ revision: 3, approved_by: ann });
    const byProgram = await approve(undefined, id, { name: 'Can' });
    expect(byProgram.fields).toMatchObject({ revision: 4, is_approved: true });
    expect(byProgram.fields).not.toHaveProperty('approved_by');
  });

  it('one that is made approved, and withdraws it as another revision', async () => {
    const made = await write(ann, 'specification', null, { is_approved: true, revision: 5 });
    expect(made.fields).toMatchObject({ revision: 5, approved_by: ann });
    const withdrawn = await write(bob, 'specification', made.id, { is_approved: false });
    expect(withdrawn.fields).toMatchObject({ revision: 6, is_approved: false });
    expect(withdrawn.fields).not.toHaveProperty('approved_by');
    await approve(ann, made.id, { revision: 7 });
    const same = await write(bob, 'specification', made.id, { is_approved: false, revision: 7 });
    expect(same.fields).toMatchObject({ revision: 7, is_approved: false });
    expect(same.fields).not.toHaveProperty('approved_by');
  });

  it('has the day of the change as its date, unless said', async () => {
    const revision_date = '2026-01-31';
    const { id, fields } = await write(ann, 'specification', null, { is_approved: true, revision_date });
    expect(fields.revision_date).toBe(revision_date);
    const changed = await write(ann, 'specification', id, { name: 'Jar' });
    expect(changed.fields.revision_date).toBe('2026-06-15');
    const still = await write(ann, 'specification', id, { name: 'Lid', revision_date });
    expect(still.fields.revision_date).toBe(revision_date);
    // While it waits for its approval its date stays.
    const later = await write(ann, 'specification', id, { name: 'Cap' });
    expect(later.fields).toMatchObject({ revision_date, revision: 2 });
    await write(ann, 'specification', id, { is_approved: true });
    const dated = await write(ann, 'specification', id, { name: 'Top', revision_date: '2026-02-28' });
    expect(dated.fields).toMatchObject({ revision_date: '2026-02-28', revision: 3 });
  });
});
