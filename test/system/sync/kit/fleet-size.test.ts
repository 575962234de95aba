import { expect, it } from 'vitest';
import { sizeOf } from './fleet-size.ts';

it.each([
  [{}, 1, 60],
  [{ HOLDPOINT_SYNC: 'full' }, 20, 2_000],
  [{ HOLDPOINT_SYNC: 'full', HOLDPOINT_SYNC_SEEDS: '5' }, 5, 2_000],
])('%j runs %i seeds of %i operations', (env, seeds, operations) => {
  const size = sizeOf(env);
  expect(new Set(size.seeds).size).toBe(seeds);
  expect(size).toMatchObject({ stations: 3, operations });
});

it('runs a seed that failed alone', () => {
  expect(sizeOf({ HOLDPOINT_SYNC: 'full', HOLDPOINT_SYNC_SEED: '20261125' }).seeds).toEqual([20_261_125]);
});
