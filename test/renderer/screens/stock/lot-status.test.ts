import { expect, it } from 'vitest';
import { statusOf } from '../../../../renderer/screens/stock/lot-status.tsx';

it.each<[locks: string[], isExpired: boolean, locations: string[], isSoon: boolean, status: string]>([
  [[], false, ['A'], false, 'free'],
  [[], false, ['A'], true, 'expiring'],
  [[], true, ['A'], true, 'expired'],
  [['an inspection of it failed'], true, ['A'], true, 'locked'],
  // What is not there ships in no case.
  [[], false, [], false, 'empty'],
  [['an inspection of it failed'], true, [], true, 'empty'],
])('locks %j, expired %s, at %j, soon %s: %s', (locks, isExpired, locations, isSoon, status) => {
  const state = { locks, is_expired: isExpired, locations } as Parameters<typeof statusOf>[0];
  expect(statusOf(state, isSoon)).toBe(status);
});
