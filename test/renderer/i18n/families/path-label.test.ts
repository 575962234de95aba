import { expect, it } from 'vitest';
import { pathLabel } from '../../../../renderer/i18n/families/path-label.ts';

it.each([
  ['complaint_date', 'Complaint date', null],
  ['items.0.part_id', 'Part', 1],
  ['items.11.quantity', 'Quantity', 12],
  ['items.2', 'items', 3],
  ['samples.1.results.4.value', 'Value', 2],
  ['lab_data.pH', 'pH', null],
])('%s is told as %s, entry %s', (path, label, place) => {
  expect(pathLabel(path)).toEqual({ label, place });
});
