import { expect, it } from 'vitest';
import { readGoods } from '../../../../renderer/screens/floor/read-goods.ts';
import type { Client } from '../../../../shared/operations/client.ts';

type Match = { family: string; id: number };
/** A server that knows these records by the code. */
const knowing = (...matches: Match[]) =>
  ({ call: async () => ({ data: { matches } }) }) as unknown as Pick<Client, 'call'>;
const read = (text: string, ...matches: Match[]) => readGoods(knowing(...matches), text, '2026-06-15');
const GTIN = '09506000134352';

it('tells lots with what their label counts, places, pallets, and what is none of them', async () => {
  const lot = { family: 'inventory', id: 7 };
  const place = { family: 'location', id: 3 };
  expect(await read(`]C101${GTIN}10L-1\u001d3012`, lot, { family: 'part', id: 1 })).toEqual({
    kind: 'lot',
    lots: [7],
    quantity: 12,
  });
  expect(await read('L-1', lot)).toEqual({ kind: 'lot', lots: [7], quantity: null });
  expect(await read('A-01', place)).toEqual({ kind: 'place', id: 3 });
  expect(await read('A-01', place, { ...place, id: 4 })).toEqual({ kind: 'several-places' });
  expect(await read('(00)340123450000000000')).toEqual({ kind: 'new-unit', sscc: '340123450000000000' });
  expect(await read(GTIN, { family: 'part', id: 1 })).toEqual({ kind: 'part' });
  expect(await read('nobody knows')).toEqual({ kind: 'other' });
  expect(await read(']C10109506000134353')).toMatchObject({ kind: 'unreadable' });
});
