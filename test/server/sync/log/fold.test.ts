import { describe, expect, it } from 'vitest';
import { applyChanges, diffFields } from '../../../../server/store/changes.ts';
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
        for (const [field, { input, output }] of Object.entries(fields)) {
          const isTaken = [input, output].some(schema => schema.safeParse({ 5: {} }).success);
          expect({ name, field, isTaken }).toEqual({ name, field, isTaken: false });
        }
      }
    },
  );
});
