import { expect, it } from 'vitest';
import { PushQueue } from '../../../../server/sync/central/push-queue.ts';

it('takes the pushes of a station one after the other, two at most, and those of another beside them', async () => {
  const queue = new PushQueue();
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const push = (station: number, name: string, until?: Promise<void>) =>
    queue.inTurn(station, async () => {
      seen.push(`begins ${name}`);
      await until;
      seen.push(`ends ${name}`);
      return name;
    });
  const one = push(1, 'one', first.promise);
  const two = push(1, 'two');
  await expect(push(1, 'three')).rejects.toMatchObject({ code: 'conflict' });
  expect(await push(2, 'other')).toBe('other');
  expect(seen).toEqual(['begins one', 'begins other', 'ends other']);
  first.resolve();
  expect(await Promise.all([one, two])).toEqual(['one', 'two']);
  expect(seen.slice(3)).toEqual(['ends one', 'begins two', 'ends two']);
  expect(await push(1, 'four')).toBe('four');
});

it('goes on after one that failed', async () => {
  const queue = new PushQueue();
  const failing = queue.inTurn(1, () => Promise.reject(new Error('full')));
  const next = queue.inTurn(1, async () => 'taken');
  await expect(failing).rejects.toThrow('full');
  expect(await next).toBe('taken');
});
