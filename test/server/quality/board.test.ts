import { afterAll, beforeAll, expect, it } from 'vitest';
import { BOARD_LIMIT, type Board } from '../../../shared/operations/board-operations.ts';
import { createPart } from '../../contract/golden/records.ts';
import { Station } from '../../support/station.ts';

const station = new Station({ isHere: true });
beforeAll(() => station.start());
afterAll(() => station.stop());

async function openColumn(query = ''): Promise<Board['columns'][number] | undefined> {
  const { body } = await station.get(`/x/boards/ncr${query}`);
  return (body as { data: Board }).data.columns.find(({ status }) => status === 'open');
}

it('counts all that is open, whole days of them included, and shows the oldest', async () => {
  const part = Number(await createPart(station));
  // Each day has more than one read of the index brings, but for the first and the last.
  const days = [
    '2026-03-01',
    ...Array(230).fill('2026-03-02'),
    ...Array(100).fill('2026-03-03'),
    '2026-03-04',
  ];
  const rows = days.map((date_opened, n) => ({
    ncr_number: `B-${n}`,
    source: n % 2 ? 'supplier' : 'internal',
    date_opened,
    ...(n % 10 === 0 && { part_id: part }),
  }));
  const { status } = await station.post('/x/bulk/ncr', { rows, mode: 'all' });
  expect(status).toBe(200);
  const all = await openColumn();
  expect(all?.total).toBe(days.length);
  expect(all?.cards.map(({ day }) => day)).toEqual(days.slice(0, BOARD_LIMIT));
  expect(new Set(all?.cards.map(({ id }) => id)).size).toBe(BOARD_LIMIT);
  expect(await openColumn(`?part_id=${part}`)).toMatchObject({ total: 34, cards: { length: 34 } });
  expect(await openColumn('?source=supplier')).toMatchObject({ total: 166, cards: { length: 166 } });
});
