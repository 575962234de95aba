import { expect, it } from 'vitest';
import { columnFields } from '../../../../renderer/record/list/column-fields.ts';
import type { Family } from '../../../../shared/contract/define-family.ts';
import { families } from '../../../../shared/families/registry.ts';

it.each(Object.values<Family>(families).map(family => [family.name, family] as const))(
  'the columns of %s are called once each, and none is called an id',
  (_, family) => {
    const names = columnFields(family);
    const labels = names.map(name => family.fields[name]?.label ?? '');
    expect(labels.toSorted()).toEqual([...new Set(labels)].toSorted());
    expect(labels.filter(label => label.includes('(id)'))).toEqual([]);
    // What is shown unless somebody chooses is there to choose.
    expect(names).toEqual(
      expect.arrayContaining(family.columns.filter(name => family.fields[name]?.returned)),
    );
  },
);

it('of a reference and the record that it leads to the reference stays, which the list can name', () => {
  expect(columnFields(families.inventory)).toEqual(expect.arrayContaining(['part_id', 'location']));
  expect(columnFields(families['lab-result'])).toContain('inspection_id');
});
