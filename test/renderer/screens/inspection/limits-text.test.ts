import { expect, it } from 'vitest';
import { useLimitsText } from '../../../../renderer/screens/inspection/limits-text.ts';
import { parseLimits } from '../../../../shared/quantities/tolerance.ts';
import { drawn } from '../../support/drawn.ts';

it.each([
  ['40 mm', '±0.5', '39.5 to 40.5', '39,5 bis 40,5'],
  ['', 'min 5', '≥ 5', '≥ 5'],
  ['', '>5', '> 5', '> 5'],
  ['', 'max 0.8', '≤ 0.8', '≤ 0,8'],
  ['', '<10', '< 10', '< 10'],
  ['', '≥5, <10', '≥ 5, < 10', '≥ 5, < 10'],
  ['no cracks', '', 'no readable limits: judge by hand', 'keine lesbaren Grenzen: von Hand beurteilen'],
])('the limits of %j with %j are told as: %s', async (dimensions, tolerance, english, german) => {
  const limits = parseLimits(dimensions, tolerance);
  expect((await drawn(useLimitsText))(limits)).toBe(english);
  expect((await drawn(useLimitsText, { language: 'de' }))(limits)).toBe(german);
});
