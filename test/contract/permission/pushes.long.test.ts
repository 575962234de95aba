import { expect, it } from 'vitest';
import { exchanged, tryAltered, tryHonest } from './pushes.ts';
import { wrong } from './walk.ts';

it('central holds what an altered station sends of somebody who may not', async () => {
  const attempts = await tryAltered(await exchanged());
  expect(wrong(attempts)).toEqual([]);
});

it('central takes what a station takes of its people', async () => {
  const attempts = await tryHonest(await exchanged());
  expect(wrong(attempts)).toEqual([]);
});
