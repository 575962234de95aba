import { expect, it } from 'vitest';
import { asScanned } from '../../../../../renderer/ui/scan/camera/as-scanned.ts';
import { createSight } from '../../../../../renderer/ui/scan/camera/sight.ts';

it('a code is a scan at its second look, once for as long as it is held, and again after it was away', () => {
  const { see } = createSight();
  const found = (codes: string[], ...at: number[]) => at.map(each => see(codes, each).join());
  expect(found(['A'], 0, 100, 200, 2_100)).toEqual(['', 'A', '', '']);
  // A shaking hand, and another label beside it.
  expect(found([], 2_200, 3_900)).toEqual(['', '']);
  expect(found(['A', 'B'], 4_000, 4_100)).toEqual(['', 'B']);
  expect(found([], 6_200)).toEqual(['']);
  expect(found(['A'], 6_300, 6_400)).toEqual(['', 'A']);
});

it('what is misread once, or twice with a while in between, is no scan', () => {
  const { see } = createSight();
  expect([see(['X'], 0), see(['A'], 100), see(['A'], 200), see(['X'], 1_500)]).toEqual([[], [], ['A'], []]);
});

it('a number with a check digit says so, so that one that is misread is no code of a part', () => {
  expect(asScanned('4006381333931', 'ean_13')).toBe(']E04006381333931');
  expect(asScanned('0109506000134352', 'data_matrix')).toBe('0109506000134352');
});
