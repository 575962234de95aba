import { expect, it } from 'vitest';
import { exchanged, tryAltered, tryHonest } from './pushes.ts';
import { type Attempt, wrong } from './walk.ts';

/**
 * What central holds though a rule made it of what its author may: the lot that a corrected line renames, the results that
 * another template takes away, the verdict of a value that was corrected.
 */
const HELD_THOUGH_HONEST = [
  'receiving-inspection items.*.serial_number',
  'receiving-inspection items.*.expiry_date',
  'inspection drawing_id',
  'inspection samples.*.results.*.value 20',
];
const isKnown = ({ row }: Attempt) => HELD_THOUGH_HONEST.some(name => row.startsWith(name));

it('central holds what an altered station sends of somebody who may not', async () => {
  const attempts = await tryAltered(await exchanged());
  expect(wrong(attempts.filter(one => one.expected === 403 || !isKnown(one)))).toEqual([]);
});

it('central takes what a station takes of its people', async () => {
  const attempts = await tryHonest(await exchanged());
  expect(wrong(attempts.filter(one => !isKnown(one)))).toEqual([]);
});
