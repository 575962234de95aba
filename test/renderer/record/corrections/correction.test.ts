import { expect, it } from 'vitest';
import { correctedValue, subjectOf } from '../../../../renderer/record/corrections/correction.ts';
import { families } from '../../../../shared/families/registry.ts';

const receipt = { items: { 20: { order: 2, part_id: 1 }, 10: { order: 1, part_id: 1 } } };
const inspection = {
  template: { characteristics: { 5: { name: 'Length' } } },
  samples: { 30: { sample_number: 4, results: { 5: { value: 1 } } } },
};

it('names a line by its place, also where ids stand in another order', () => {
  const { steps, field } = correctedValue(
    families['receiving-inspection'],
    'items.20.quantity_accepted',
    receipt,
  );
  expect(steps).toEqual([{ collection: 'items', place: 2, name: null }]);
  expect(field?.label).toBe('Quantity accepted');
});

it('names a result by its sample and by what the copy of the template calls it', () => {
  expect(correctedValue(families.inspection, 'samples.30.results.5.value', inspection).steps).toMatchObject([
    { collection: 'samples', place: 4, name: null },
    { collection: 'results', name: 'Length' },
  ]);
});

it('says of what is gone, or not read yet, only what the path says', () => {
  const gone = correctedValue(families['receiving-inspection'], 'items.99.expiry_date', receipt);
  expect(gone.steps).toEqual([{ collection: 'items', place: null, name: null }]);
  expect(correctedValue(families.inspection, 'passed', undefined)).toMatchObject({ steps: [] });
});

it.each([
  ['inspection:17', 'inspection', 17],
  ['nothing:3', undefined, undefined],
])('%s is about %s', (subject, family, id) => {
  const found = subjectOf({ subject });
  expect([found?.family.name, found?.id]).toEqual([family, id]);
});
