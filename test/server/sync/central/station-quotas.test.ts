import { expect, it } from 'vitest';
import { HELD_LIMIT, quotasOf, StationQuotas } from '../../../../server/sync/central/station-quotas.ts';

const MB = 1024 * 1024;

function quotas(dayMB = 100) {
  let now = 0;
  return {
    quotas: new StationQuotas(quotasOf(dayMB), HELD_LIMIT, () => now),
    wait: (ms: number) => (now += ms),
  };
}

it('gives each station its own, says when it is used up, and gives again as much as the time that went by', () => {
  const { quotas: of, wait } = quotas();
  of.take(1, { commits: 500, bytes: 99 * MB });
  of.take(1, { commits: 500, bytes: 16 * MB });
  // 15 MB more than there were, and a hundredth of a day's to go on with: 16 of 100 in a day.
  expect(() => of.take(1, { commits: 1, bytes: 1 })).toThrow(
    expect.objectContaining({
      code: 'too_many_requests',
      headers: { 'Retry-After': String(0.16 * 86_400) },
      message: expect.stringContaining('Central takes 100 MB a day from one station'),
    }),
  );
  expect(of.metBy(1)).toEqual({ of: 'bytes', left: 0.16 * 86_400_000 });
  of.take(2, { commits: 500, bytes: 99 * MB });
  expect(of.metBy(2)).toBeUndefined();
  wait(0.16 * 86_400_000 - 1);
  expect(of.metBy(1)).toMatchObject({ of: 'bytes' });
  wait(1);
  expect(of.metBy(1)).toBeUndefined();
  of.take(1, { commits: 1, bytes: MB + 1 });
  expect(() => of.take(1, { bytes: 1 })).toThrow('Central takes 100 MB a day');
});

it('keeps no more for later than there was at the beginning', () => {
  const { quotas: of, wait } = quotas();
  wait(10 * 86_400_000);
  for (let block = 0; block < 16; block += 1) of.take(1, { blocks: 1 });
  expect(() => of.take(1, { blocks: 1 })).toThrow('16 blocks of ids a day');
  wait(86_400_000 / 16);
  of.take(1, { blocks: 1 });
  expect(() => of.take(1, { blocks: 1 })).toThrow('16 blocks of ids a day');
});

it('counts nothing of what it refuses, and one kind for itself', () => {
  const { quotas: of } = quotas();
  of.take(1, { commits: 120_000 });
  expect(() => of.take(1, { commits: 1, bytes: 99 * MB })).toThrow('120,000 commits a minute');
  of.take(1, { bytes: 99 * MB });
  of.take(1, { messages: 2_999 });
  of.take(1, { messages: 1 });
  expect(() => of.take(1, { messages: 1 })).toThrow('3,000 messages a minute');
});

it('asks for decisions before it takes more, where too many changes are held, or they are too large', () => {
  const { quotas: of, wait } = quotas();
  const { commits, size } = HELD_LIMIT;
  of.checkHeld(1, { commits: commits - 1, size: size - 1 });
  expect(() => of.checkHeld(1, { commits, size: 0 })).toThrow('wait for a decision at central');
  expect(of.metBy(1)).toEqual({ of: 'held', left: 60_000 });
  expect(() => of.checkHeld(2, { commits: 1, size })).toThrow('wait for a decision at central');
  wait(60_000);
  expect(of.metBy(1)).toBeUndefined();
});
