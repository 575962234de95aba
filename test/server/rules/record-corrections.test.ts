import { expect, it } from 'vitest';
import { inputOf } from '../../../server/rules/input-of.ts';
import { addCorrections } from '../../../server/rules/record-corrections.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { LISTED_CORRECTIONS } from '../../../shared/families/record-corrections.ts';
import { families } from '../../../shared/families/registry.ts';
import { create } from '../store/temporary-store.ts';
import { person } from './people.ts';
import { addPart, openSite } from './site.ts';

it('the answer of a part lists what was replaced, oldest first, and counts it', async () => {
  const store = await openSite();
  const part = await create(store, 'part', { name: 'Jar', sampling_aql: '1' });
  const quinn = person(store, 'quinn', 'quality');
  expect(addCorrections({}, store, families.part, part)).toEqual({ corrections_count: 0, corrections: [] });
  for (const aql of ['2.5', '4'])
    await quinn.update('part', part.id, { sampling_aql: aql }, 'customer asked');
  await addPart(store, { sampling_aql: '1' });
  expect(addCorrections({}, store, families.part, part)).toEqual({
    corrections_count: 2,
    corrections: [
      ['1', '2.5'],
      ['2.5', '4'],
    ].map(([old_value, new_value]) => ({
      id: expect.any(Number),
      path: 'sampling_aql',
      old_value,
      new_value,
      author: 'quinn',
      at: expect.stringMatching(/^2026-06-15T/),
      reason: 'customer asked',
      status: 'recorded',
    })),
  });
});

it('an answer lists as many as fit, and still counts them all', async () => {
  const store = await openSite();
  const part = await create(store, 'part', { name: 'Jar' });
  await store.gate.commit({
    actor: { user: 'quinn', rights: BY_SERVER },
    reason: null,
    work: work => {
      for (let path = 0; path <= LISTED_CORRECTIONS; path++)
        work.create(
          families.correction,
          inputOf({ subject: part.key, path: `f${path}`, status: 'recorded', at: work.at }),
        );
      return null;
    },
    answer: () => null,
  });
  const { corrections_count: count, corrections } = addCorrections({}, store, families.part, part);
  expect(count).toBe(LISTED_CORRECTIONS + 1);
  expect(corrections).toHaveLength(LISTED_CORRECTIONS);
  expect(corrections).toMatchObject({ 0: { path: 'f0' } });
});

it('the answer of a family whose records keep none says nothing of them', async () => {
  const store = await openSite();
  const place = await create(store, 'location', { name: 'Dock' });
  expect(addCorrections({}, store, families.location, place)).toEqual({});
});
