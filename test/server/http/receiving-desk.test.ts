import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOf } from '../../../renderer/screens/receiving/entries.ts';
import { amount, isBegun } from '../../../renderer/screens/receiving/line.ts';
import { Station } from '../../support/station.ts';
import { machineOf, openWindow, type Window } from './desk-window.ts';

const GTIN = '09506000134352';
const FNC1 = '\u001d';

/** What scans at a receipt do, over a real server that is killed in between: the desk without its screen. */
const station = new Station();
const made: Record<string, number> = {};

beforeAll(async () => {
  await station.start();
  for (const [name, body] of [
    ['bolt', { name: 'Bolt', identification: 'HB-8', unit_of_measure: 'units', barcodes: [GTIN] }],
    ['nut', { name: 'Nut', identification: 'HN-8', unit_of_measure: 'units' }],
  ] as const) {
    made[name] = await idOf('/parts', body);
  }
});
afterAll(() => station.stop());

async function idOf(path: string, body: object): Promise<number> {
  const answer = await station.post(path, body);
  const { data, meta } = answer.body as { data: { id?: number }; meta?: { id?: number } };
  return Number(data.id ?? meta?.id);
}
const newReceipt = () => idOf('/receiving-inspections', {});
const open = (...at: AfterStation) => openWindow(station, ...at);
type AfterStation = Parameters<typeof openWindow> extends [unknown, ...infer Rest] ? Rest : never;

const pallet = (lot: string, count: number, expiry = '310100') =>
  `]C101${GTIN}17${expiry}${`10${lot}${FNC1}`}30${count}`;

/** All pieces that stand in saved lines of the receipt. */
async function received(receipt: number): Promise<number> {
  const { body } = await station.get(`/receiving-inspections/${receipt}`);
  const { items } = (body as { data: { items: Record<string, unknown>[] } }).data;
  return items.reduce(
    (sum, item) => sum + Number(item.quantity_accepted) + Number(item.quantity_rejected),
    0,
  );
}

const open_ = (window: Window) => window.board.entries().filter(isOf('scan'));
const newest = (window: Window) => {
  const scan = open_(window).at(-1);
  if (!scan) throw new Error('Nothing is open.');
  return scan;
};

describe('at the desk', () => {
  it('what is scanned before the window knows what was left is taken once', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    const started = one.acts.start([], () => true, null);
    await one.scan(GTIN);
    await started;
    expect(one.desk.line.state().line.accepted).toBe('1');
    expect(open_(one)).toEqual([]);
  });

  it('a scan that is refused or asks stays until it is settled, over other scans and in other windows', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    await one.scan(pallet('A', 40), ']C10109506000134353');
    expect(one.verdict()).toBe('refused unreadable');
    await one.scan(pallet('OLD', 9, '200101'), pallet('B', 30));
    expect(one.verdict()).toBe('taken');
    await one.board.flush();
    expect(await received(receipt)).toBe(40);
    const two = await open(receipt);
    expect(open_(two).map(({ data }) => data.why)).toEqual(['unreadable', 'expired']);
    // The line of the other window is its own.
    expect(isBegun(two.desk.line.state().line)).toBe(false);
    await two.scan('HP:YES');
    await one.acts.follow([], () => true);
    expect(open_(one).map(({ data }) => data.why)).toEqual(['unreadable']);
    expect(two.desk.line.state().line).toMatchObject({ lot: 'OLD', accepted: '9' });
  });

  it('what a window of the machine has left unread is taken once by those that go on', async () => {
    const receipt = await newReceipt();
    const gone = await open(receipt);
    const one = await open(receipt, gone);
    const two = await open(receipt, gone);
    const data = { outcome: 'question', why: 'waiting', details: {}, answers: {}, slot: 'gone' } as const;
    const machine = machineOf(one);
    const left = {
      kind: 'scan',
      text: pallet('A', 40),
      at: new Date().toISOString(),
      ...data,
      machine,
    } as const;
    one.board.put([{ key: 'left', data: left }], true);
    await one.board.flush();
    await two.acts.follow([], () => true);
    expect(open_(two).map(({ data }) => data.why)).toEqual(['waiting']);
    const isAlive = (slot: string) => slot !== 'gone';
    await Promise.all([one, two].map(({ acts }) => acts.follow([], isAlive)));
    for (const window of [one, two, one]) await window.acts.follow([], isAlive);
    expect([one, two].map(open_)).toEqual([[], []]);
    await one.acts.finish();
    await two.acts.finish();
    expect(await received(receipt)).toBe(40);
  });

  it('the second code of a label whose first one was not taken is not given to the goods before it', async () => {
    for (const first of [pallet('OLD', 9, '200101'), ']C10109506000134353', 'UNKNOWN-1']) {
      const one = await open(await newReceipt());
      await one.scan('HN-8', first, `]C110B${FNC1}3038`);
      expect(one.verdict(), first).toBe('question part');
      expect(one.desk.line.state().line, first).toMatchObject({
        part: made.nut,
        lot: '',
        accepted: '1',
      });
    }
  });

  it('the line that a scan begins is seen while the one before it is being saved', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    const seen = () => {
      const { line, next } = one.desk.line.state();
      return [line.lot, next?.lot];
    };
    await one.scan(pallet('A', 40));
    const { promise, resolve } = Promise.withResolvers<void>();
    one.delay.until = promise;
    const done = one.scan(pallet('B', 30));
    await expect.poll(seen).toEqual(['A', 'B']);
    expect(await received(receipt)).toBe(0);
    resolve();
    await done;
    expect(seen()).toEqual(['B', undefined]);
    // What the server does not take stays, and what came after it waits.
    await idOf('/receiving-inspections', {
      items: [{ part_id: made.bolt, serial_number: 'D', quantity_accepted: 1, expiry_date: '2030-01-01' }],
    });
    await one.scan(pallet('D', 5), pallet('C', 20));
    expect([seen(), one.verdict()]).toEqual([['D', undefined], 'question blocked']);
  });

  it('nothing that grows with what was received is asked for between two lines', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    await one.scan(pallet('A1', 40));
    await one.board.flush();
    one.asked.length = 0;
    await one.scan(pallet('A2', 30));
    await one.board.flush();
    expect([...new Set(one.asked)].toSorted()).toEqual([
      'GET /inventory',
      'GET /parts/N',
      'POST /receiving-inspections/N/items',
      'POST /x/scan',
      'PUT /x/receiving-inspections/N/scans',
    ]);
  });

  it('a receipt of an order asks about what was not ordered and what is more, with all that was saved by now', async () => {
    const order = await idOf('/x/purchase-orders', {
      po_number: 'PO-DESK',
      items: [{ part_id: made.bolt, quantity: 60, lot_format: '@' }],
    });
    const receipt = await idOf('/receiving-inspections', { po_number: 'po-desk' });
    const one = await open(receipt, undefined, false, { id: order, isBlind: false });
    await one.scan(pallet('A', 40), pallet('B', 20), 'HN-8');
    expect(one.verdict()).toBe('question unordered');
    await one.scan('HP:NO', 'HP:SAVE');
    expect(await received(receipt)).toBe(60);
    await one.scan(pallet('C', 1));
    expect(one.verdict()).toBe('question over');
    expect(newest(one).data.details).toMatchObject({ open: 0 });
    await one.scan('HP:YES', pallet('17', 1));
    expect(one.verdict()).toBe('question format');
    await one.board.flush();
    // Another window knows what was said.
    const two = await open(receipt, one, false, { id: order, isBlind: false });
    await two.scan('HP:YES');
    expect(two.verdict()).toBe('question over');
    await two.scan('HP:YES', 'HP:SAVE');
    expect(open_(two)).toEqual([]);
    expect(await received(receipt)).toBe(62);
    const { body } = await station.get(`/x/purchase-orders/${order}`);
    expect((body as { data: object }).data).toMatchObject({
      is_over_received: true,
      items: [{ quantity_received: 62, quantity_open: 0 }],
    });
  });

  it('a typed or grown line of an order is asked about as a scan is, once', async () => {
    const items = [
      { part_id: made.bolt, quantity: 5, lot_format: '@' },
      { part_id: made.bolt, quantity: 5 },
    ];
    const order = await idOf('/x/purchase-orders', { po_number: 'PO-TYPED', items });
    const receipt = await idOf('/receiving-inspections', { purchase_order_id: order });
    const one = await open(receipt, undefined, false, { id: order, isBlind: false });
    await one.acts.choosePart(made.bolt ?? 0);
    one.acts.setLine({ ...one.desk.line.state().line, accepted: '11' });
    expect(await one.acts.save()).toBeNull();
    expect(one.desk.line.state().question).toMatchObject({ why: 'over', open: 10 });
    await one.acts.confirmLine(false);
    expect(await received(receipt)).toBe(0);
    await one.scan('HP:SAVE');
    expect(one.verdict()).toBe('question over');
    await one.scan('HP:REJECT', 'HP:SAVE');
    expect(one.desk.line.state().line.part).toBeNull();
    expect(await received(receipt)).toBe(11);
    await one.acts.choosePart(made.nut ?? 0);
    one.acts.setLine({ ...one.desk.line.state().line, accepted: '3' });
    await one.scan('HP:SAVE');
    expect(one.verdict()).toBe('question unordered');
    await one.scan('HP:YES');
    expect(await received(receipt)).toBe(14);
    const { body } = await station.get(`/x/purchase-orders/${order}`);
    expect((body as { data: object }).data).toMatchObject({
      items: [{ quantity_open: 5 }, { quantity_open: 5 }],
    });
  });

  it('one yes is about all scans of a part that ask the same, and HP:REJECT answers them too', async () => {
    const order = await idOf('/x/purchase-orders', {
      po_number: 'PO-SAME',
      items: [{ part_id: made.bolt, quantity: 10, unit_of_measure: 'EA' }],
    });
    const receipt = await idOf('/receiving-inspections', { purchase_order_id: order });
    const one = await open(receipt, undefined, false, { id: order, isBlind: false });
    await one.scan(pallet('A', 11), pallet('B', 12), pallet('A', 13), 'HN-8');
    expect(open_(one).map(({ data }) => data.why)).toHaveLength(4);
    await one.scan('HP:REJECT');
    expect(one.desk.line.state().line).toMatchObject({ part: made.nut, accepted: '', rejected: '1' });
    await one.scan('HP:YES', 'HP:SAVE');
    expect(open_(one)).toEqual([]);
    expect(await received(receipt)).toBe(37);
  });

  it('a pallet that was announced with several goods says them, and takes none of them for all', async () => {
    const sscc = '340123450000000017';
    const items = [
      { part_id: made.bolt, quantity: 40, serial_number: 'L-1', sscc },
      { part_id: made.nut, quantity: 20, serial_number: 'L-2', sscc },
      { part_id: made.nut, quantity: 5, serial_number: 'L-2', sscc },
    ];
    const order = await idOf('/x/purchase-orders', { po_number: 'PO-MIXED', items });
    const receipt = await idOf('/receiving-inspections', { purchase_order_id: order });
    for (const isBlind of [false, true]) {
      const one = await open(receipt, undefined, false, { id: order, isBlind });
      await one.scan(`]C100${sscc}`);
      expect(one.verdict()).toBe('refused mixed');
      expect(one.desk.line.state().verdict?.details.message).toBe(
        isBlind ? 'Bolt L-1, Nut L-2' : 'Bolt L-1 × 40, Nut L-2 × 25',
      );
      await one.scan('HP:LEAVE');
      expect(open_(one)).toEqual([]);
    }
    expect(await received(receipt)).toBe(0);
  });

  it('an announced pallet that is asked about is taken as it was announced', async () => {
    const sscc = '106141412345678908';
    const line = { part_id: made.bolt, quantity: 40, serial_number: 'L-1', expiry_date: '2020-01-31', sscc };
    const order = await idOf('/x/purchase-orders', { po_number: 'PO-SSCC', items: [line] });
    const receipt = await idOf('/receiving-inspections', { purchase_order_id: order });
    const one = await open(receipt, undefined, false, { id: order, isBlind: false });
    await one.scan(`]C100${sscc}`);
    expect(one.verdict()).toBe('question expired');
    await one.scan('HP:REJECT');
    expect(one.desk.line.state().line).toMatchObject({
      part: made.bolt,
      unit: 'EA',
      lot: 'L-1',
      expiry: '2020-01-31',
      accepted: '',
      rejected: '40',
    });
  });

  it('an answer is to what was asked before it, though the next label comes before it is read', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    await one.scan(pallet('OLD', 9, '200101'), 'HP:LEAVE', pallet('A', 40));
    expect(one.desk.line.state().line).toMatchObject({ lot: 'A', accepted: '40' });
    await one.scan(pallet('OLD', 9, '200101'), 'HP:YES', pallet('B', 30), 'HP:SAVE');
    expect(open_(one)).toEqual([]);
    expect(await received(receipt)).toBe(79);
  });

  it('two windows that settle one scan at once take it once', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    await one.scan(pallet('OLD', 9, '200101'));
    await one.board.flush();
    const two = await open(receipt);
    const [mine, theirs] = [newest(one), newest(two)];
    await Promise.all([
      one.acts.answer(mine, { expired: 'accept' }),
      two.acts.answer(theirs, { expired: 'accept' }),
    ]);
    const pieces = [one, two].map(({ desk }) => amount(desk.line.state().line.accepted));
    expect(pieces.sort()).toEqual([0, 9]);
    expect([one.verdict(), two.verdict()].sort()).toEqual(['refused settled', 'taken']);
  });

  it('the line and what is open are there again after a crash and a kill', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    await one.scan(pallet('A', 40), pallet('OLD', 9, '200101'));
    await station.kill();
    // While the server is away, scans wait in their order.
    await one.scan('HB-8', pallet('B', 5));
    expect(one.verdict()).toBe('question away');
    await station.restart();
    const again = await open(receipt, one);
    await again.acts.follow([], () => true);
    expect(again.desk.line.state().line).toMatchObject({ lot: 'B', accepted: '5' });
    expect(open_(again).map(({ data }) => data.why)).toEqual(['expired']);
    await again.acts.finish();
    expect(await received(receipt)).toBe(46);
  });

  it('what waits for the line before it follows once that is settled', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    one.acts.setLine({ ...one.desk.line.state().line, part: made.bolt ?? 0 });
    await one.scan('HN-8');
    expect(one.verdict()).toBe('question blocked');
    one.acts.setLine({ ...one.desk.line.state().line, accepted: '3' });
    await one.acts.save();
    expect(one.desk.line.state().line).toMatchObject({ part: made.nut, accepted: '1' });
    expect(open_(one)).toEqual([]);
  });

  it('a label without a part waits for the code that names it', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    await one.scan(`]C110LOT-A${FNC1}3040`);
    expect(one.verdict()).toBe('question part');
    await one.scan(GTIN);
    expect(one.desk.line.state().line).toMatchObject({ part: made.bolt, lot: 'LOT-A', accepted: '40' });
    expect(open_(one)).toEqual([]);
    await one.desk.undoLast();
    expect(isBegun(one.desk.line.state().line)).toBe(false);
    expect(open_(one).map(({ data }) => data.why)).toEqual(['part']);
  });

  it('a closed receipt takes nothing, and what was scanned moves to the one that it belongs to', async () => {
    const [closed, right] = [await newReceipt(), await newReceipt()];
    const one = await open(closed, undefined, true);
    await one.scan(pallet('A', 40));
    expect(one.verdict()).toBe('refused closed');
    await one.acts.moveTo(newest(one), right);
    expect(open_(one)).toEqual([]);
    const two = await open(right);
    await two.scan('HP:YES');
    await two.acts.finish();
    expect([await received(closed), await received(right)]).toEqual([0, 40]);
  });

  it('undoing a scan that has saved a line leaves nothing of it, and its label may come again', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    await one.scan(pallet('A', 40), 'HP:SAVE');
    await one.desk.undoLast();
    await one.desk.undoLast();
    expect(await received(receipt)).toBe(0);
    await one.scan(pallet('A', 40));
    expect(one.verdict()).toBe('taken');
  });

  it('the serial numbers of pieces stand in their line, and one that came already is refused at every machine', async () => {
    const receipt = await newReceipt();
    const piece = (serial: string) => `]d201${GTIN}10S-1${FNC1}21${serial}`;
    const items = async () => {
      const answer = await station.get(`/x/records/receiving-inspection/${receipt}`);
      const { items = {} } = (answer.body as { data: { fields: { items?: Record<string, object> } } }).data
        .fields;
      return Object.entries(items).map(([id, item]) => ({ id: Number(id), ...item }));
    };
    const one = await open(receipt);
    await one.scan(piece('7'), piece('8'), piece('8'));
    expect(one.verdict()).toBe('refused serial');
    await one.acts.leaveOut(newest(one), 'Twice');
    await one.scan('HP:SAVE');
    expect(await items()).toMatchObject([{ quantity_accepted: 2, serial_numbers: ['7', '8'] }]);
    // Another machine has no board of this one, but the lines.
    await station.put(`/x/receiving-inspections/${receipt}/scans`, {
      entries: one.board.entries().map(({ key }) => ({ key, data: null })),
      expects: [],
    });
    const two = await open(receipt, undefined, false, null, await items());
    await two.scan(piece('7'));
    expect(two.verdict()).toBe('refused serial');
    expect(await received(receipt)).toBe(2);
  });

  it('a piece that was undone may come again at once', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    const piece = `]d201${GTIN}10S-2${FNC1}217`;
    await one.scan(piece, 'HP:SAVE');
    await one.desk.undoLast();
    await one.desk.undoLast();
    await one.scan(piece, 'HP:SAVE');
    expect([one.verdict(), await received(receipt)]).toEqual(['taken', 1]);
  });

  it('what comes after goods that were rejected is judged as its own, and asked about as every scan', async () => {
    const items = [{ part_id: made.bolt, quantity: 40, unit_of_measure: 'EA' }];
    const order = await idOf('/x/purchase-orders', { po_number: 'PO-REJECTED', items });
    const receipt = await idOf('/receiving-inspections', { purchase_order_id: order });
    const one = await open(receipt, undefined, false, { id: order, isBlind: false });
    const line = () => one.desk.line.state().line;
    await one.scan(pallet('OLD', 40, '200101'), 'HP:REJECT', pallet('OLD', 41, '200101'));
    expect([one.verdict(), line().rejected]).toEqual(['question expired', '40']);
    await one.scan('HP:YES');
    expect([one.verdict(), line().rejected]).toEqual(['question over', '40']);
    await one.scan('HP:YES');
    expect(line()).toMatchObject({ lot: 'OLD', accepted: '41', rejected: '' });
    // So it is where the line was rejected as a whole.
    await one.scan('HP:SAVE', 'HB-8', 'HP:YES', 'HP:REJECT', 'HB-8');
    expect([one.verdict(), line().rejected]).toEqual(['question over', '1']);
    expect(await received(receipt)).toBe(81);
  });

  it('what a second code says is expired is rejected with the piece of the first', async () => {
    const one = await open(await newReceipt());
    await one.scan('HB-8', `]C117200101${`10OLD${FNC1}`}`);
    expect(one.verdict()).toBe('question expired');
    await one.scan('HP:REJECT');
    expect(one.desk.line.state().line).toMatchObject({ lot: 'OLD', accepted: '', rejected: '1' });
  });

  it.each([
    ['a code that no part carries', 'UNKNOWN-1', 'unknown'],
    ['a label without a part', `]C110B${FNC1}3038`, 'part'],
    ['the same label again', pallet('A', 40), 'again'],
    ['a misread label', ']C10109506000134353', 'unreadable'],
  ])('HP:REJECT after %s rejects no other goods', async (_name, scan, why) => {
    const one = await open(await newReceipt());
    await one.scan(pallet('A', 40), ...(why === 'part' ? ['UNKNOWN-1', scan] : [scan]));
    expect(one.verdict()).toMatch(why);
    await one.scan('HP:REJECT');
    expect(one.verdict()).toBe('refused asked');
    expect(one.desk.line.state().line).toMatchObject({ lot: 'A', accepted: '40', rejected: '' });
    // Once that is settled, it is about the line again; a second time it takes nothing back.
    await one.scan(...(why === 'part' ? ['HP:LEAVE', 'HP:LEAVE'] : ['HP:LEAVE']), 'HP:REJECT');
    expect(one.desk.line.state().line).toMatchObject({ accepted: '', rejected: '40' });
    await one.scan('HP:REJECT');
    expect(one.verdict()).toBe('refused rejected');
    expect(one.desk.line.state().line).toMatchObject({ accepted: '', rejected: '40' });
  });

  it('one scan that is rejected by its button takes no other one with it', async () => {
    const items = [{ part_id: made.nut, quantity: 1 }];
    const order = await idOf('/x/purchase-orders', { po_number: 'PO-BUTTON', items });
    const receipt = await idOf('/receiving-inspections', { purchase_order_id: order });
    const one = await open(receipt, undefined, false, { id: order, isBlind: false });
    await one.scan(pallet('A', 40), pallet('B', 30));
    await one.acts.answer(newest(one), { rejects: true, allowed: ['unordered'] });
    expect(one.desk.line.state().line).toMatchObject({ lot: 'B', rejected: '30' });
    expect(open_(one).map(({ data }) => data.details.lot)).toEqual(['A']);
  });

  it('HP:NCR saves no goods that are accepted', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    await one.scan(pallet('A', 40), 'HP:NCR');
    expect(await received(receipt)).toBe(0);
    await one.scan('HP:REJECT', 'HP:NCR');
    expect(await received(receipt)).toBe(40);
  });

  it.each([
    [
      'answered by its button',
      async (one: Window) => one.acts.answer(newest(one), { expired: 'accept' }),
      49,
    ],
    ['saved by the button', async (one: Window) => one.acts.save(), 40],
    [
      'typed over',
      async (one: Window) => one.acts.setLine({ ...one.desk.line.state().line, accepted: '41' }),
      41,
    ],
  ])(
    'a scan that was %s since is not undone: its goods would stand twice, or nowhere',
    async (_name, act, total) => {
      const receipt = await newReceipt();
      const one = await open(receipt);
      await one.scan(pallet('A', 40), ...(total === 49 ? [pallet('OLD', 9, '200101')] : []));
      await act(one);
      const told = [await one.desk.undoLast(), one.verdict()];
      await one.acts.finish();
      expect([...told, await received(receipt)]).toEqual([false, 'refused changed', total]);
    },
  );

  it('goods whose report was raised are not undone, nor those of a receipt that is closed, nor what the server does not hear', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    await one.scan(pallet('A', 40), 'HP:REJECT', 'HP:NCR');
    expect([await one.desk.undoLast(), one.verdict()]).toEqual([false, 'refused reported']);
    await one.scan(pallet('B', 30), 'HP:SAVE');
    await station.kill();
    try {
      expect([await one.desk.undoLast(), one.verdict()]).toEqual([false, 'refused failed']);
    } finally {
      await station.restart();
    }
    one.close();
    expect([await one.desk.undoLast(), one.verdict()]).toEqual([false, 'refused closed']);
    expect(await received(receipt)).toBe(70);
  });

  it('a line that is on its way is rejected by nobody: it would be received twice', async () => {
    const receipt = await newReceipt();
    const one = await open(receipt);
    await one.scan(pallet('A', 40));
    const { promise, resolve } = Promise.withResolvers<void>();
    one.delay.until = promise;
    const saving = one.scan('HP:SAVE');
    await expect
      .poll(() => one.asked.at(-1), { timeout: 20_000 })
      .toBe('POST /receiving-inspections/N/items');
    await station.kill();
    resolve();
    await saving;
    await one.scan('HP:REJECT').finally(() => station.restart());
    expect(one.verdict()).toBe('refused sending');
    await one.acts.finish();
    expect(await received(receipt)).toBe(40);
  });

  it.each([
    ['HP:SAVE', 'no-line'],
    ['HP:REJECT', 'no-line'],
    ['HP:YES', 'no-question'],
    ['HP:LEAVE', 'no-question'],
  ])('%s with nothing to do is refused', async (code, why) => {
    const one = await open(await newReceipt());
    await one.scan(code);
    expect(one.verdict()).toBe(`refused ${why}`);
    expect(open_(one)).toEqual([]);
  });
});
