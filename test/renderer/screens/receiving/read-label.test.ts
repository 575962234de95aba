import { expect, it } from 'vitest';
import { readLabel } from '../../../../renderer/screens/receiving/read-label.ts';

const TODAY = '2026-01-15';

/** What names no goods is read without asking the server. */
it('a code that cannot be read stops with its reason', async () => {
  expect(await readLabel(']C10109506000134353', TODAY)).toMatchObject({
    kind: 'unreadable',
    scan: { reason: 'checkDigit' },
  });
});

it('a second code of a label, without its part, says the rest', async () => {
  expect(await readLabel(']C11531010010LOT-A', TODAY)).toEqual({
    kind: 'label',
    label: { part: null, unit: null, lot: 'LOT-A', expiry: null, quantity: null, weight: null },
    bestBefore: '2031-01-31',
  });
});
