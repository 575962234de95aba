import { expect, it } from 'vitest';
import { givenDay } from '../../../server/rules/given-day.ts';

const moment = '2026-05-04T10:15:00.000Z';

it.each([
  ['2026-05-01', '2026-05-01'],
  ['2026-06-01', '2026-06-01'],
  ['2026-05-04', moment],
  ['', moment],
  [null, moment],
  [undefined, moment],
])('of what was written down on 4 May, with the day %o: %s', (day, when) => {
  expect(givenDay(day, moment)).toBe(when);
});
