import { expect, it } from 'vitest';
import { InOrder } from '../../../server/store/in-order.ts';

it('runs the works of one key one after the other, those of others beside them, and goes on after a failure', async () => {
  const order = new InOrder<string>();
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const a = order.run('dock', async () => {
    await first.promise;
    done.push('large');
    throw new Error('It is refused.');
  });
  const b = order.run('dock', async () => done.push('small'));
  await order.run('lab', async () => done.push('of another'));
  first.resolve();
  await expect(a).rejects.toThrow('It is refused.');
  await b;
  expect(done).toEqual(['of another', 'large', 'small']);
});
