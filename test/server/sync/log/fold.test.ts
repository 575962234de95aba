import { describe, expect, it } from 'vitest';
import { applyChanges, diffFields, OwnCopies } from '../../../../server/store/changes.ts';
import { foldEffects, foldingEntry, withState } from '../../../../server/sync/log/fold.ts';
import type { Collection } from '../../../../shared/contract/define-family.ts';
import { families } from '../../../../shared/families/registry.ts';

const [ADDED, CHANGED] = ['2026-11-22T08:00:00.000Z', '2026-11-22T09:00:00.000Z'];
const times = { created_at: ADDED, updated_at: ADDED };

function collectionsIn(of: { collections: Record<string, Collection> }): Collection[] {
  return Object.values(of.collections).flatMap(one => [one, ...collectionsIn(one)]);
}

describe('records fold by the form of paths and values alone', () => {
  it('gives an added item, and those within it, their times', () => {
    const item = { kind: 'ISO', pages: { 3: { of: 4 } }, list: [{ 5: {} }], empty: {}, odd: { 3: 'x' } };
    const fields = applyChanges({}, [{ path: 'certificates.7', new: item }], ADDED);
    expect(fields).toEqual({
      certificates: { 7: { ...item, ...times, pages: { 3: { of: 4, ...times } } } },
    });
    const changes = [
      { path: 'certificates.7.pages.3.of', new: 5 },
      { path: 'certificates.8', new: {} },
      { path: 'certificates.7.kind', new: null },
    ];
    const { kind: _, ...rest } = item;
    const changed = { created_at: ADDED, updated_at: CHANGED };
    expect(applyChanges(fields, changes, CHANGED)).toEqual({
      certificates: {
        7: { ...rest, ...changed, pages: { 3: { of: 5, ...changed } } },
        8: { created_at: CHANGED, updated_at: CHANGED },
      },
    });
  });

  it('finds what differs in a collection that no version described, item by item', () => {
    const before = { certificates: { 7: { kind: 'ISO', pages: { 3: { of: 4 } } }, 8: {} } };
    const after = { certificates: { 7: { kind: 'ISO', pages: { 3: { of: 5 } } }, 8: {} } };
    expect(diffFields(families.supplier, before, after)).toEqual([
      { path: 'certificates.7.pages.3.of', old: 4, new: 5 },
    ]);
  });

  // Else an earlier version would take the value for a collection, and give what is in it times.
  it.each(Object.values(families))(
    '$name: no field of an item takes what has the form of a collection',
    family => {
      for (const { name, fields } of collectionsIn(family)) {
        for (const [field, { schemas }] of Object.entries(fields)) {
          const { input, output } = schemas();
          const isTaken = [input, output].some(schema => schema.safeParse({ 5: {} }).success);
          expect({ name, field, isTaken }).toEqual({ name, field, isTaken: false });
        }
      }
    },
  );
});

it('a commit of many records is folded in steps', () => {
  const effects = Array.from({ length: 1_200 }, (_, n) => ({
    subject: `supplier:${n + 1}`,
    isNew: true,
    paths: [{ path: 'name', value: `S ${n}` }],
  }));
  const commit = { ...AUTHORED, entries: [] };
  const decisions = [{ commit_id: commit.commit_id, outcome: 'applied' as const, reason: null, effects }];
  const folded: string[] = [];
  const decided = { get: () => undefined, fold: ({ subject }: { subject: string }) => folded.push(subject) };
  const steps = foldingEntry({ sequence: 1, commit, decisions, hash: '' }, decided, () => undefined);
  const done: number[] = [];
  for (const _ of steps) done.push(folded.length);
  expect(done).toEqual([499, 999]);
  expect(folded).toEqual(effects.map(({ subject }) => subject));
});

const AUTHORED = {
  ...{ chain: 'a.0', number: 1, commit_id: 'c', at: ADDED, clock_offset: null, user: 'ann', reason: null },
  ...{ previous_hash: '', hash: '' },
};

describe('thousands of decisions of one record', () => {
  const commit = { commit_id: 'c', chain: 'a.0', at: ADDED, user: 'ann' };
  const by = { commit, outcome: 'applied' as const, sequence: 1 };
  const effect = (path: string, value: unknown) => ({
    subject: 'supplier:1',
    isNew: false,
    paths: [{ path, value }],
  });
  const first = foldEffects(undefined, { ...effect('name', 'S'), isNew: true }, by);

  it('are folded into one copy, and the hash of the fields is worked out at the end', () => {
    const own = new OwnCopies();
    const second = foldEffects(first, effect('later', 1), by, own);
    const third = foldEffects(second, effect('later', 2), by, own);
    expect(third.fields).toBe(second.fields);
    expect(third.writers).toBe(second.writers);
    const alone = foldEffects(foldEffects(first, effect('later', 1), by), effect('later', 2), by);
    expect(third).not.toEqual(alone);
    expect(withState(third)).toEqual(alone);
    expect(withState(alone)).toBe(alone);
  });

  it('leave the record as it was that they begin with', () => {
    foldEffects(first, effect('name', 'Other'), by, new OwnCopies());
    expect(first).toMatchObject({ fields: { name: 'S' }, writers: {} });
  });

  it('keep a path that would be what an object stands on', () => {
    const { writers } = foldEffects(first, effect('__proto__', 5), by);
    expect(Object.entries(writers)).toEqual([['__proto__', 'c']]);
  });
});
