import { expect, it } from 'vitest';
import { byWork } from '../../../../renderer/screens/home/by-work.ts';

const matters = [
  { kind: 'receipts_open' },
  { kind: 'inspections_open' },
  { kind: 'ncrs_open' },
  { kind: 'cars_open', overdue: 2 },
  { kind: 'lots_locked' },
  { kind: 'backup' },
] as const;

it.each([
  ['viewer', 'dock'],
  ['operator', 'dock'],
  ['inspector', 'inspection'],
  ['quality', 'quality'],
  ['administrator', 'system'],
] as const)('for the role %s work begins with %s, and nothing is left out', (role, first) => {
  const works = byWork(matters, role);
  expect(works[0]?.[0]).toBe(first);
  expect(works.flatMap(([, found]) => found)).toHaveLength(matters.length);
});

it('what is late stands before the rest of its work', () => {
  const quality = byWork(matters, 'quality')[0]?.[1];
  expect(quality?.map(({ kind }) => kind)).toEqual(['cars_open', 'ncrs_open']);
});
