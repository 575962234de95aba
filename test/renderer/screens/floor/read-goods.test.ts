import { expect, it } from 'vitest';
import { readGoods } from '../../../../renderer/screens/floor/read-goods.ts';
import type { Client } from '../../../../shared/operations/client.ts';

type Match = { family: string; id: number; title?: string; subtitle?: string };
/** A server that knows these records by the code. */
const knowing = (...matches: Match[]) =>
  ({ call: async () => ({ data: { matches } }) }) as unknown as Pick<Client, 'call'>;
const read = (text: string, ...matches: Match[]) => readGoods(knowing(...matches), words, text, '2026-06-15');
const words = {
  title: (_family: string, _id: number, title: string) => title,
  subtitle: (_family: string, text: string | null) => text,
};
const GTIN = '09506000134352';

it('tells lots with what their label counts, places, pallets, and what is none of them', async () => {
  const lot = { family: 'inventory', id: 7 };
  const place = { family: 'location', id: 3 };
  expect(await read(`]C101${GTIN}10L-1\u001d3012`, lot, { family: 'part', id: 1 })).toMatchObject({
    kind: 'lot',
    lots: [7],
    quantity: 12,
  });
  expect(await read('L-1', lot)).toMatchObject({ kind: 'lot', lots: [7], quantity: null });
  expect(await read('A-01', place)).toMatchObject({ kind: 'place', id: 3 });
  expect(await read('A-01', place, { ...place, id: 4 })).toMatchObject({ kind: 'several-places' });
  expect(await read('(00)340123450000000000')).toMatchObject({
    kind: 'new-unit',
    sscc: '340123450000000000',
  });
  expect(await read(GTIN, { family: 'part', id: 1 })).toMatchObject({ kind: 'part' });
  expect(await read('nobody knows')).toMatchObject({ kind: 'other' });
  expect(await read(']C10109506000134353')).toMatchObject({ kind: 'unreadable' });
});

it('calls goods as people do, and shows a raw code to nobody', async () => {
  const lot = { family: 'inventory', id: 7, title: 'L-1', subtitle: 'Jar · blue · 2027-01-31' };
  const label = `]C101${GTIN}10L-1\u001d3012`;
  expect(await read(label, lot)).toMatchObject({ name: 'Jar · blue · L-1 · 2027-01-31 · 12', text: label });
  expect(await read('A-01', { family: 'location', id: 3, title: 'A-01' })).toMatchObject({ name: 'A-01' });
  expect(await read(label)).toMatchObject({ kind: 'other', name: `${GTIN} · L-1` });
});
