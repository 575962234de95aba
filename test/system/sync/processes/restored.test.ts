import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BLOCK_SIZE } from '../../../../server/store/ids.ts';
import { temporaryFolder } from '../../../server/store/sqlite/temporary-folder.ts';
import { temporaryStore } from '../../../server/store/temporary-store.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import type { Station } from '../../../support/station.ts';
import {
  dataOf,
  faultsOf,
  startCentral,
  startStation,
  stationsOf,
  syncOf,
  until,
  untilInStep,
} from './installation.ts';
import { spoil } from './spoilt-record.ts';

let central: Station;
let dock: Station;
beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
});
afterAll(async () => {
  await dock?.stop();
  await central?.stop();
});

async function blocksOfDock(): Promise<number[]> {
  const [row] = await stationsOf(central);
  return row?.blocks ?? [];
}

it('a station whose block is nearly used up gets another one', async () => {
  await untilInStep(central, [dock]);
  const [block = 0] = await blocksOfDock();
  await dock.kill();
  const store = await temporaryStore({ folder: dock.folder });
  await store.gate.applyRemote(() => {
    store.ids.reserve('supplier', block * BLOCK_SIZE + BLOCK_SIZE - 2);
    return { result: undefined };
  });
  await store.close();
  await dock.start();
  const blocks = await until('given', blocksOfDock, list => list.length === 2);
  const made: number[] = [];
  for (const name of ['Last of the first', 'First of the second', 'Next']) {
    made.push(dataOf<{ id: number }>(await dock.post('/suppliers', { name })).id);
  }
  expect(made.map(id => Math.floor(id / BLOCK_SIZE))).toEqual([blocks[0], blocks[1], blocks[1]]);
  await untilInStep(central, [dock]);
});

it('a station restored from a backup gets back what it had sent, and gives no id of another', async () => {
  const folder = temporaryFolder();
  const made = await holdpoint(environmentOf(dock), 'backup', '--to', folder);
  const [file = ''] = readdirSync(folder).filter(name => name.endsWith('.db'));
  const { id } = dataOf<{ id: number }>(await dock.post('/suppliers', { name: 'After the backup' }));
  await untilInStep(central, [dock]);
  const before = await blocksOfDock();
  await dock.kill();
  expect(made.code).toBe(0);
  const restored = await holdpoint(environmentOf(dock), 'restore', join(folder, file));
  expect(restored.output).toContain('the next block that central gives');
  await dock.start();
  await untilInStep(central, [dock]);
  const blocks = await until('given', blocksOfDock, list => list.length > before.length);
  expect(dataOf(await dock.get(`/suppliers/${id}`))).toMatchObject({ name: 'After the backup' });
  const next = await until(
    'made',
    () => dock.post('/suppliers', { name: 'New' }),
    ({ status }) => status === 201,
  );
  expect(Math.floor(dataOf<{ id: number }>(next).id / BLOCK_SIZE)).toBe(blocks.at(-1));
  await untilInStep(central, [dock]);

  const { output, code } = await holdpoint(environmentOf(dock), 'verify', '--central');
  expect(output).toMatch(/^All records of \d+ families are the same as central's/);
  expect(code).toBe(0);
  for (const each of [central, dock]) expect(await faultsOf(each)).toEqual([]);
});

it('a record that is not the same as at central is noticed and named', async () => {
  const { id } = dataOf<{ id: number }>(await dock.post('/suppliers', { name: 'Rotten' }));
  await untilInStep(central, [dock]);
  await dock.kill();
  await spoil(dock.folder, id);
  await dock.start();
  const state = await until(
    'noticed',
    () => syncOf(dock),
    one => one.state === 'differs',
  );
  expect(state).toMatchObject({ digests_agree: false, says: expect.stringContaining('verify --central') });
  const { output, code } = await holdpoint(environmentOf(dock), 'verify', '--central');
  expect(output).toContain(`\nsupplier:${id}: is another one\n`);
  expect(output.match(/is another one|is missing/g)).toHaveLength(1);
  expect(code).toBe(1);
});
