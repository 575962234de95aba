import { expect, it } from 'vitest';
import { OpenBodies } from '../../../server/http/open-bodies.ts';

it('eight bodies of a station are read at once, of others as many; a further one when one is done', async () => {
  const bodies = new OpenBodies();
  const open = Array.from({ length: 8 }, () => Promise.withResolvers<string>());
  const reads = open.map(({ promise }) => bodies.within(1, () => promise));
  let isRead = false;
  const further = () =>
    bodies.within(1, async () => {
      isRead = true;
      return 'ninth';
    });
  await expect(further()).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(isRead).toBe(false);
  expect(await bodies.within(2, async () => 'other')).toBe('other');
  open[0]?.reject(new Error('broken off'));
  await expect(reads[0]).rejects.toThrow('broken off');
  expect(await further()).toBe('ninth');
  expect(await further()).toBe('ninth');
  for (const one of open.slice(1)) one.resolve('read');
  expect(await Promise.all(reads.slice(1))).toEqual(Array(7).fill('read'));
});
