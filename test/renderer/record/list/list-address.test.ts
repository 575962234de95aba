import { describe, expect, it } from 'vitest';
import {
  changedAddress,
  conditionName,
  conditionsIn,
  filterableIn,
  nextSort,
  ownConditionsIn,
  sortable,
  wayOf,
} from '../../../../renderer/record/list/list-address.ts';
import { families } from '../../../../shared/families/registry.ts';

const { part } = families;

describe('conditions in an address', () => {
  it('are read with their comparison, and nothing else is', () => {
    const address = new URLSearchParams(
      'page=2&filter[name]=a&filter[due_date][gte]=2026-01-31&filter=x&filter[]=y&filter[a][b][c]=z',
    );
    expect(conditionsIn(address)).toEqual([
      { name: 'filter[name]', field: 'name', operator: 'eq', value: 'a' },
      { name: 'filter[due_date][gte]', field: 'due_date', operator: 'gte', value: '2026-01-31' },
    ]);
  });

  it('have the names that they are read by', () => {
    const names = [conditionName('name', 'eq'), conditionName('name', 'contains')];
    const address = changedAddress(new URLSearchParams('page=2'), {
      [names[0] ?? '']: 'a',
      [names[1] ?? '']: 'b',
      page: '',
    });
    expect(conditionsIn(address).map(({ name }) => name)).toEqual(names);
    expect(address.get('page')).toBeNull();
  });

  it('are offered for what the list can be narrowed by and the screen has not settled', () => {
    const offered = [...filterableIn(part, ['name']).keys()];
    for (const name of ['identification', ...Object.keys(part.filters)]) expect(offered).toContain(name);
    for (const name of ['id', 'name']) expect(offered).not.toContain(name);
  });

  it("are read of the family's own filters by their own names", () => {
    const address = new URLSearchParams('supplier_id=7&name=a&filter[name]=b&page=2');
    expect(ownConditionsIn(part, address)).toEqual([
      { name: 'supplier_id', field: 'supplier_id', operator: 'eq', value: '7' },
    ]);
  });
});

describe('the order of a list', () => {
  it('goes up, down and back', () => {
    expect(['', 'name', '-name', 'id'].map(sort => nextSort(sort, 'name'))).toEqual([
      'name',
      '-name',
      '',
      'name',
    ]);
  });

  it('is told of its first field', () => {
    expect(wayOf('-due_date,name', 'due_date')).toBe('descending');
    expect(wayOf('-due_date,name', 'name')).toBeUndefined();
    expect(wayOf('', 'name')).toBeUndefined();
  });

  it('is by no reference, whose ids nobody knows, and by nothing without an index', () => {
    expect(sortable(part, 'identification')).toBe(true);
    expect(sortable(part, 'supplier_id')).toBe(false);
    expect(sortable(part, 'density')).toBe(false);
  });
});
