import { expect, it } from 'vitest';
import { characteristicsOf } from '../../../../renderer/screens/inspection/grid-model.ts';
import { useAskedText, useLimitsText } from '../../../../renderer/screens/inspection/limits-text.ts';
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

it.each([
  ['%', '<= 2.0', '≤ 2 %'],
  ['g/ml', '0.910-0.935', '0.91 to 0.935 g/ml'],
  ['40 mm', '±0.5', '40 mm ±0.5: 39.5 to 40.5'],
  ['', '20-28', '20-28: 20 to 28'],
  ['no cracks', '', 'no cracks: no readable limits: judge by hand'],
])('what %j with %j asks for is told once, as: %s', async (dimensions, tolerance, english) => {
  const [characteristic] = characteristicsOf({ characteristics: [{ id: 1, dimensions, tolerance }] });
  expect(characteristic && (await drawn(useAskedText))(characteristic)).toBe(english);
});

it('what is said where no limits can be read is the caller’s', async () => {
  const asked = { asked: '', limits: null, unit: null };
  expect((await drawn(() => useAskedText('none')))(asked)).toBe('none');
});
