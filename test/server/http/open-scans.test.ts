import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';

const station = new Station();
let receipt: number;
let other: number;

interface Entry {
  key: string;
  data: unknown;
  by: string | null;
}

const path = (id: number) => `/x/receiving-inspections/${id}/scans`;
const list = async (id = receipt) => {
  const { body } = await station.get(path(id));
  return (body as { data: Entry[] }).data.map(({ key, data }) => [key, data]);
};
const put = (entries: unknown[], expects: string[] = [], id = receipt) =>
  station.put(path(id), { entries, expects });

beforeAll(async () => {
  await station.start();
  [receipt = 0, other = 0] = await Promise.all(
    ['PO-1', 'PO-2'].map(async po_number => {
      const { body } = await station.post('/receiving-inspections', { po_number });
      const { data, meta } = body as { data: { id?: number }; meta?: { id: number } };
      return Number(data.id ?? meta?.id);
    }),
  );
});
afterAll(() => station.stop());

describe('what was scanned and is in no line yet', () => {
  it('is there again after a kill, in the order of scanning, whoever looks', async () => {
    await put([{ key: 'a', data: { text: 'first' } }]);
    await put([{ key: 'b', data: { text: 'second' } }]);
    await put([{ key: 'a', data: { text: 'first, answered' } }]);
    await station.kill();
    await station.restart();
    expect(await list()).toEqual([
      ['a', { text: 'first, answered' }],
      ['b', { text: 'second' }],
    ]);
    expect(await list(other)).toEqual([]);
  });

  it('is settled once: the second of two is told, and changes nothing', async () => {
    const settle = (line: string) =>
      put(
        [
          { key: 'b', data: null },
          { key: line, data: {} },
        ],
        ['b'],
      );
    const answers = await Promise.all([settle('line 1'), settle('line 2')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const keys = (await list()).map(([key]) => key);
    expect(keys).toHaveLength(2);
    expect(keys).not.toContain('b');
  });

  it('moves to another receipt, and stands in one of the two', async () => {
    expect((await put([{ key: 'a', data: { text: 'moved' }, moves_to: other }], ['a'])).status).toBe(200);
    expect((await list()).map(([key]) => key)).not.toContain('a');
    expect(await list(other)).toEqual([['a', { text: 'moved' }]]);
    expect((await put([{ key: 'c', data: 1, moves_to: 999_999 }])).status).toBe(404);
  });

  it('makes room for nothing, and has a limit', async () => {
    const many = (from: number) =>
      put(Array.from({ length: 200 }, (_, index) => ({ key: `many ${from + index}`, data: index })));
    for (let from = 0; from < 4_800; from += 200) expect((await many(from)).status).toBe(200);
    const before = (await list()).length;
    expect((await many(4_800)).status).toBe(413);
    expect(await list()).toHaveLength(before);
    expect((await put([{ key: 'long', data: 'x'.repeat(100_001) }])).status).toBe(413);
    expect((await station.get(path(999_999))).status).toBe(404);
  });
});
