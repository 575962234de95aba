import { expect, it } from 'vitest';
import { type Lookups, readLabel } from '../../../../renderer/screens/receiving/read-label.ts';

/** Fails where the server is asked. */
const asksNobody: Lookups = {
  call: () => Promise.reject(new Error('The server was asked.')),
  read: () => Promise.reject(new Error('The server was asked.')),
};
const TODAY = '2026-01-15';

/** What names no goods is read without asking the server. */
it('a code that cannot be read stops with its reason', async () => {
  expect(await readLabel(asksNobody, ']C10109506000134353', TODAY)).toMatchObject({
    kind: 'unreadable',
    scan: { reason: 'checkDigit' },
  });
});

it('a second code of a label, without its part, says the rest', async () => {
  expect(await readLabel(asksNobody, ']C11531010010LOT-A', TODAY)).toEqual({
    kind: 'label',
    label: { part: null, unit: null, lot: 'LOT-A', expiry: null, quantity: null, weight: null, serial: null },
    bestBefore: '2031-01-31',
  });
});

it.each([
  // Whole, and cut, and with another digit.
  '010950600013435310LOT-A',
  '0109506000134353',
  '00106141412345678',
  '001061414123456789',
  '4006381333932',
])(
  '%j without a symbology is a misread number where nothing is known by it, and no code to be learned',
  async text => {
    const knowsNothing = {
      ...asksNobody,
      call: async () => ({ data: { serial_number: null, matches: [] } }),
    } as unknown as Lookups;
    expect(await readLabel(knowsNothing, text, TODAY)).toMatchObject({ kind: 'broken' });
  },
);

it.each(['HB-8', '4006381333931', '12-3456', '1234567'])('%j can be learned', async text => {
  const knowsNothing = {
    ...asksNobody,
    call: async () => ({ data: { serial_number: null, matches: [] } }),
  } as unknown as Lookups;
  expect(await readLabel(knowsNothing, text, TODAY)).toMatchObject({ kind: 'unknown' });
});

/** Knows one piece, and the lots in which it stands. */
function knowing(serial: string, ...lots: number[]): Lookups {
  const matches = lots.map(id => ({ family: 'inventory', id }));
  const records = {
    inventory: { part_id: 3, batch_number: 'L-1', nearest_expiry_date: null },
    part: { unit_of_measure: 'units' },
  };
  return {
    call: async () => ({ data: { kind: 'lot', serial_number: serial, matches } }),
    read: async (family: keyof typeof records) => ({ data: records[family] }),
  } as unknown as Lookups;
}

it('the bare number of a piece is that piece, so that it counts once', async () => {
  expect(await readLabel(knowing('SN-7', 5), 'SN-7', TODAY)).toMatchObject({
    kind: 'label',
    label: { part: 3, lot: 'L-1', quantity: null, serial: 'SN-7' },
  });
});

it('a number that pieces of several lots have is asked about', async () => {
  expect(await readLabel(knowing('7', 5, 6), '7', TODAY)).toMatchObject({ kind: 'unknown', code: '7' });
});
