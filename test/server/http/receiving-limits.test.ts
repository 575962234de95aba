import { afterAll, beforeAll, expect, it } from 'vitest';
import { isOf } from '../../../renderer/screens/receiving/entries.ts';
import { SCAN_LIMIT } from '../../../shared/contract/limits.ts';
import { Station } from '../../support/station.ts';
import { openWindow, type Window } from './desk-window.ts';

const GTIN = '09506000134352';
const FNC1 = '\u001d';

/** Bad input and changing orders at the dock. */
const station = new Station({ isHere: true });
let bolt = 0;

beforeAll(async () => {
  await station.start();
  bolt = await idOf('/parts', { name: 'Bolt', unit_of_measure: 'units', barcodes: [GTIN] });
});
afterAll(() => station.stop());

async function idOf(path: string, body: object): Promise<number> {
  const answer = await station.post(path, body);
  const { data, meta } = answer.body as { data: { id?: number }; meta?: { id?: number } };
  return Number(data.id ?? meta?.id);
}
const openScans = (window: Window) => window.board.entries().filter(isOf('scan'));
const pallet = (lot: string, count: number) => `]C101${GTIN}17310100${`10${lot}${FNC1}`}30${count}`;

it.each([
  ['8,000 characters', 'x'.repeat(8_000), 'refused unreadable'],
  ['8,000 digits', '1'.repeat(8_000), 'refused unreadable'],
  ['8,000 control characters', '\u0001'.repeat(8_000), 'refused unreadable'],
  ['a GS1 code of 8,000 characters', `]C110${'L'.repeat(8_000)}`, 'refused unreadable'],
  ['as many as a code has, all control characters', '\u0001'.repeat(SCAN_LIMIT), 'question unknown'],
  ['as many of GS1', `]C110${'L'.repeat(SCAN_LIMIT - 5)}`, 'refused unreadable'],
  ['control characters in a text', 'AB\u0007\u001b[2J\u0000', 'question unknown'],
  ['control characters in GS1', `]C101${GTIN}10A\u0007B`, 'refused unreadable'],
  ['Cyrillic', 'Ш-15', 'question unknown'],
  ['Japanese', '部品１２', 'question unknown'],
  ['a mark of direction', '\u202eTRAP', 'question unknown'],
  ['half a surrogate pair', 'A\ud800', 'question unknown'],
  ['a lot in another alphabet', `]C101${GTIN}10Ж1`, 'refused unreadable'],
])('%s end as a question or refused, are kept, and let the next scan through', async (_, text, verdict) => {
  const receipt = await idOf('/receiving-inspections', {});
  const window = await openWindow(station, receipt);
  await window.scan(text);
  expect(window.verdict()).toBe(verdict);
  // The server keeps it: another window shows it.
  await window.board.flush();
  const [kept] = openScans(await openWindow(station, receipt));
  expect(`${kept?.data.outcome} ${kept?.data.why}`).toBe(verdict);
  await window.scan(pallet('A', 40), 'HP:SAVE');
  expect(window.verdict()).toBe('taken');
  const { body } = await station.get(`/receiving-inspections/${receipt}`);
  expect((body as { data: { items: object[] } }).data.items).toMatchObject([{ quantity_accepted: 40 }]);
});

it('a scan is compared with the order as it is then, however often that changes while it is received', async () => {
  const order = await idOf('/x/purchase-orders', {
    po_number: 'PO-MOVES',
    items: [{ part_id: bolt, quantity: 100 }],
  });
  const receipt = await idOf('/receiving-inspections', { purchase_order_id: order });
  const window = await openWindow(station, receipt, undefined, false, { id: order, isBlind: false });
  const itemOf = async () => {
    const { body } = await station.get(`/x/purchase-orders/${order}`);
    return (body as { data: { items: { id: number }[] } }).data.items[0]?.id ?? 0;
  };
  const change = async (fields: object) => {
    const items = [{ id: await itemOf(), ...fields }];
    const answer = await station.call('PATCH', `/x/purchase-orders/${order}`, { body: { items } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  await window.scan(pallet('A', 40), pallet('B', 40));
  expect(window.verdict()).toBe('taken');
  // What stands in the line was right when it was scanned; it is asked about when it is saved.
  await change({ part_id: bolt, quantity: 50 });
  await window.scan('HP:SAVE');
  expect(window.verdict()).toBe('question over');
  await window.scan('HP:NO', 'HP:REJECT', 'HP:SAVE');
  expect(window.verdict()).toBe('taken');
  await change({ part_id: bolt, quantity: 50, is_closed: true });
  await window.scan(pallet('C', 5));
  expect(window.verdict()).toBe('question unordered');
  await change({ part_id: bolt, quantity: 50, is_closed: false });
  await window.scan(pallet('D', 5));
  expect(window.verdict()).toBe('taken');
  await change({ part_id: bolt, quantity: 50, lot_format: '##' });
  await window.scan(pallet('E', 5));
  expect(window.verdict()).toBe('question format');
});
