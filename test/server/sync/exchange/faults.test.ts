import { expect, it, onTestFinished } from 'vitest';
import { create } from '../../store/temporary-store.ts';
import { fleet } from './fleet.ts';

it('a failure is counted, and still is when it is over', async () => {
  const { stations } = await fleet(1, { backoff: () => 10 });
  const [a] = stations;
  if (!a) throw new Error();
  const { carry } = a;
  let isAway = true;
  a.carry = async request => {
    if (isAway) throw new TypeError('There is no network.');
    return carry(request);
  };
  expect(a.engine.state()).toMatchObject({ faults: 0, fault: undefined });
  a.engine.start();
  onTestFinished(() => a.engine.close());
  await expect.poll(() => a.engine.state().faults).toBeGreaterThan(1);
  expect(a.engine.state().fault).toBeInstanceOf(TypeError);
  isAway = false;
  await create(a.store, 'supplier', { name: 'Acme' });
  a.engine.notify();
  await expect.poll(() => a.engine.state()).toMatchObject({ fault: undefined, unsent: 0 });
  const { faults } = a.engine.state();
  expect(faults).toBeGreaterThan(1);
  a.engine.notify();
  await expect.poll(() => a.engine.state().is_caught_up).toBe(true);
  expect(a.engine.state().faults).toBe(faults);
});
