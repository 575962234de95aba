import { describe, expect, it } from 'vitest';
import { sign, signaturesOf } from '../../../server/rules/signing.ts';
import type { Store } from '../../../server/store/store.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { type FamilyName, family as familyNamed } from '../../../shared/families/registry.ts';
import { create, update } from '../store/temporary-store.ts';
import { openSite } from './site.ts';

/** Changes a record and signs it, as one commit. */
function signed(store: Store, name: FamilyName, id: number, body: object): Promise<StoredRecord> {
  const family = familyNamed(name);
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: 'ann' },
    reason: 'agreed',
    work: draft => {
      const before = draft.get(name, id);
      const record = draft.update(family, id, parseInput(family, body, { mode: 'patch' }));
      sign(draft, before, record, { userId: 7, userName: 'Ann', reason: 'seen' });
      return record;
    },
    answer: record => record,
  });
}

const meanings = (store: Store, record: StoredRecord) =>
  signaturesOf(store.records, record).map(({ meaning }) => meaning);

async function site(): Promise<Store> {
  const store = await openSite();
  await create(store, 'user', { name: 'Ann', login: 'ann' }, { id: 7 });
  return store;
}

describe('a signature', () => {
  it('is bound to the record as its commit leaves it, and superseded by any change', async () => {
    const store = await site();
    const { id } = await create(store, 'ncr', { ncr_number: 'N-1', source: 'internal' });
    const record = await signed(store, 'ncr', id, { lot_number: 'L' });
    const [only, ...none] = signaturesOf(store.records, record);
    expect(only).toEqual({
      id: expect.any(Number),
      user_id: 7,
      user_name: 'Ann',
      at: record.updated_at,
      meaning: 'change',
      reason: 'seen',
      version: 2,
      state: record.state,
      is_superseded: false,
    });
    expect(none).toEqual([]);
    const later = await update(store, 'ncr', id, { lot_number: 'M' });
    expect(signaturesOf(store.records, later)).toEqual([{ ...only, is_superseded: true }]);
  });

  it.each<[string, FamilyName, object, object, object]>([
    [
      'a report',
      'ncr',
      { ncr_number: 'N-1', source: 'internal' },
      { status: 'in_review' },
      { status: 'closed' },
    ],
    [
      'a complaint',
      'complaint',
      { complaint_number: 'C-1', complaint_date: '2026-06-01' },
      { is_closed: false, comments: 'c' },
      { is_closed: true },
    ],
    ['an inspection that passed', 'inspection', {}, { sample_size: 2 }, { passed: true }],
    ['an inspection that failed', 'inspection', {}, { sample_size: 2 }, { passed: false }],
    ['a request', 'car', { car_number: 'C-1' }, { source: 's' }, { date_closed: '2026-06-15' }],
  ])('closes %s, once', async (_, name, body, change, closing) => {
    const store = await site();
    const { id } = await create(store, name, body);
    await signed(store, name, id, change);
    await signed(store, name, id, closing);
    const record = await signed(store, name, id, name === 'inspection' ? { sample_size: 3 } : changed(name));
    expect(meanings(store, record)).toEqual(['change', 'closing', 'change']);
  });
});

function changed(name: FamilyName): object {
  return name === 'ncr' ? { lot_number: 'L' } : name === 'car' ? { source: 't' } : { comments: 'd' };
}
