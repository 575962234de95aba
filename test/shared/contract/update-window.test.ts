import { afterAll, beforeAll, expect, it } from 'vitest';
import { isUpdatedByCentral, parseMachinePolicy } from '../../../shared/contract/machine-policy.ts';
import { isInWindow } from '../../../shared/contract/update-window.ts';

/** The time zone of the machine, as its system says it. */
const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Vienna';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const at = (window: string | undefined, moment: string) => isInWindow(window, new Date(moment));

it('a window begins with its first minute and ends before its last, by the clock of the machine', () => {
  // Two hours ahead of UTC.
  expect(at('12:00-13:30', '2026-06-15T09:59:59.999Z')).toBe(false);
  expect(at('12:00-13:30', '2026-06-15T10:00:00.000Z')).toBe(true);
  expect(at('12:00-13:30', '2026-06-15T11:29:59.999Z')).toBe(true);
  expect(at('12:00-13:30', '2026-06-15T11:30:00.000Z')).toBe(false);
  // One hour in winter.
  expect(at('12:00-13:30', '2026-01-15T11:00:00.000Z')).toBe(true);
  expect(at('12:00-13:30', '2026-01-15T10:30:00.000Z')).toBe(false);
});

it('a window goes over midnight', () => {
  const open = (local: string) => at('22:00-05:00', `2026-06-15T${local}:00+02:00`);
  expect(['21:59', '22:00', '23:59', '00:00', '04:59', '05:00', '12:00'].map(open)).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  // To the end of a day, and from its beginning on.
  expect(at('23:00-00:00', '2026-06-15T23:59:59+02:00')).toBe(true);
  expect(at('23:00-00:00', '2026-06-16T00:00:00+02:00')).toBe(false);
  expect(at('00:00-01:00', '2026-06-16T00:00:00+02:00')).toBe(true);
});

it('in the nights in which clocks are changed it goes by what they show', () => {
  // 02:00 is followed by 03:00.
  expect(at('02:00-03:00', '2026-03-29T00:59:59Z')).toBe(false);
  expect(at('02:00-03:00', '2026-03-29T01:00:00Z')).toBe(false);
  expect(at('01:30-03:30', '2026-03-29T01:00:00Z')).toBe(true);
  // 02:59 is followed by 02:00.
  expect(at('02:00-03:00', '2026-10-25T00:30:00Z')).toBe(true);
  expect(at('02:00-03:00', '2026-10-25T01:30:00Z')).toBe(true);
  expect(at('02:00-03:00', '2026-10-25T02:00:00Z')).toBe(false);
});

it('none is always open', () => {
  expect(at(undefined, '2026-06-15T12:00:00Z')).toBe(true);
});

it.each(['22-05', '22:00–05:00', '24:00-05:00', '22:00-05:60', '22:00-22:00', '22:00-05:00 ', 22])(
  'the policy does not take %j',
  value => {
    const { settings, faults } = parseMachinePolicy({ update_window: value });
    expect([settings, faults]).toEqual([
      {},
      [expect.stringMatching(/^update_window=.* cannot be used\. .*22:00-05:00/)],
    ]);
  },
);

it('macOS installs what it was given at any end of the app: with hours for it, the app gives it nothing', () => {
  const hours = { update_window: '22:00-05:00' };
  expect(isUpdatedByCentral({}, 'darwin')).toBe(true);
  expect(isUpdatedByCentral(hours, 'darwin')).toBe(false);
  expect(isUpdatedByCentral(hours, 'win32')).toBe(true);
  expect(isUpdatedByCentral({ ...hours, updates: 'off' }, 'linux')).toBe(false);
});
