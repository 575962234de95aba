import { expect, it } from 'vitest';
import { isOf } from '../../../renderer/screens/receiving/entries.ts';
import { createClient } from '../../../shared/operations/client.ts';
import { openWindow, type Window } from '../../server/http/desk-window.ts';
import { smallDisk } from './small-disk.ts';

const GTIN = '09506000134352';
const FNC1 = '\u001d';
const pallet = (lot: string, count: number) => `]C101${GTIN}17310100${`10${lot}${FNC1}`}30${count}`;

it('a disk that fills between two scans: what was taken is told, what was not stays open, and all of it is saved once there is room', async () => {
  const disk = await smallDisk();
  const { origin, token } = disk.target;
  const client = createClient({ baseUrl: origin, token, fetch });
  const idOf = async (id: string, body: object) => {
    const { data, meta } = await client.send<{ id?: number }>({ id }, { body });
    return Number(data.id ?? meta.id);
  };
  try {
    await idOf('parts.create', { name: 'Bolt', unit_of_measure: 'units', barcodes: [GTIN] });
    const receipt = await idOf('receiving-inspections.create', {});
    const received = async () => {
      const { data } = await client.read('receiving-inspection', receipt);
      return data.items.map(item => `${item.serial_number} ${item.quantity_accepted}`);
    };
    const waiting = (window: Window) =>
      window.board
        .entries()
        .filter(isOf('scan'))
        .map(({ data }) => `${data.details.lot} ${data.why}`);
    let window = await openWindow(disk.target, receipt);
    await window.scan(pallet('A', 40), 'HP:SAVE', pallet('B', 30));
    await window.board.flush();
    disk.fill(0);
    await window.scan(pallet('C', 20), pallet('D', 10));
    expect(window.verdict()).toBe('question blocked');
    expect(window.desk.line.state()).toMatchObject({
      line: { lot: 'B', accepted: '30' },
      failure: { code: 'storage_full' },
    });
    expect(window.board.fault()).toMatchObject({ code: 'storage_full' });
    expect(waiting(window)).toEqual(['C blocked', 'D blocked']);
    expect(await received()).toEqual(['A 40']);
    // The page dies as well: what the disk did not take is in the browser.
    window = await openWindow(disk.target, receipt, window);
    expect(waiting(window)).toEqual(['C blocked', 'D blocked']);
    expect(window.board.entries().filter(isOf('line'))).toMatchObject([{ data: { line: { lot: 'B' } } }]);
    disk.free();
    window = await openWindow(disk.target, receipt, window);
    await window.scan('HP:SAVE', 'HP:YES', 'HP:YES');
    await window.acts.finish();
    expect(waiting(window)).toEqual([]);
    expect((await received()).toSorted()).toEqual(['A 40', 'B 30', 'C 20', 'D 10']);
  } finally {
    await disk.close(async () => {});
  }
});
