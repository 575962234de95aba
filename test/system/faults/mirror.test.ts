import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listOperations } from '../../../shared/operations/operations.ts';
import { environmentOf, holdpoint } from '../../server/transfer/holdpoint.ts';
import { filledFolder } from '../../support/sample-company.ts';
import { Station } from '../../support/station.ts';
import { seededRandom } from './seeded-random.ts';

/** A connector's copy, while it is killed and the server is restored, is equal in every field of every answer. */

/** `HOLDPOINT_MIRROR_CHANGES=5000` makes it long. */
const CHANGES = Number(process.env.HOLDPOINT_MIRROR_CHANGES ?? 150);
const KILLS = 10;
const LONG_MS = 120_000 + CHANGES * 100;

type Data = Record<string, unknown>;
const random = seededRandom(20261127);
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-mirror-'));
const copy = join(folder, 'copy.db');
let station: Station;
let mirror: ChildProcess | undefined;
let output = '';

/** The fullest single read of each family that records are told of. */
const paths: Record<string, string> = {};
for (const { kind, family, method, path } of listOperations())
  if (
    kind === 'read' &&
    method === 'GET' &&
    family &&
    !family.operations.isAdministrative &&
    !family.isByMachine
  )
    paths[family.name] = path.replace('/{id}', '');

beforeAll(async () => {
  station = new Station({ folder: (await filledFolder()).folder });
  await station.start();
});
afterAll(async () => {
  mirror?.kill('SIGKILL');
  await station.stop();
  rmSync(station.folder, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

function begin(): void {
  const program = join(import.meta.dirname, 'mirror-program.ts');
  mirror = spawn(process.execPath, [program, copy, station.origin], {
    env: { ...process.env, NODE_NO_WARNINGS: '1', TOKEN: station.token, PATHS: JSON.stringify(paths) },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  mirror.stderr?.on('data', text => {
    output += String(text);
  });
}

async function kill(): Promise<void> {
  if (!mirror || mirror.exitCode !== null) throw new Error(`The connector ended by itself.\n${output}`);
  const ended = once(mirror, 'exit');
  mirror.kill('SIGKILL');
  await ended;
}

const listOf = ({ body }: { body: unknown }) => (body as { data: Data[] }).data;
const dataOf = ({ body }: { body: unknown }) => (body as { data: Data }).data;

/** Something that people do; some of it shows in the answers of many other records. */
async function change(n: number): Promise<void> {
  // Handling units are called by their number.
  const isNamed = ({ name }: Data) => !/^\d{18}$/.test(String(name));
  const pick = async (path: string) =>
    Number(random.pick(listOf(await station.get(path, { per_page: 100 })).filter(isNamed)).id);
  const moves = [
    () => station.post('/suppliers', { name: `Supplier ${n}` }),
    async () =>
      station.patch(`/suppliers/${await pick('/suppliers')}`, { notes: `Note ${n}`, name: `Named ${n}` }),
    async () => station.patch(`/parts/${await pick('/parts')}`, { name: `Part ${n}` }),
    async () => station.patch(`/x/customers/${await pick('/x/customers')}`, { city: `City ${n}` }),
    async () => station.patch(`/x/locations/${await pick('/x/locations')}`, { name: `Place ${n}` }),
    async () =>
      station.post('/orders', {
        po_number: `M-${n}`,
        customer_id: await pick('/x/customers'),
        notes: 'as mirrored',
      }),
    async () => {
      const order = await pick('/orders');
      return station.post(`/orders/${order}/items`, {
        order_id: order,
        part_id: await pick('/parts'),
        quantity: 1 + random.below(9),
        serial_number: `S-${n}`,
      });
    },
    async () =>
      station.post('/receiving-inspections', {
        supplier_id: await pick('/suppliers'),
        items: [{ part_id: await pick('/parts'), serial_number: `R-${n}`, quantity_accepted: 3 }],
      }),
    async () =>
      station.post('/ncrs', {
        ncr_number: `M-${n}`,
        source: 'internal',
        part_id: await pick('/parts'),
        description: `Of ${n}`,
      }),
    async () =>
      station.patch(`/ncrs/${listOf(await station.get('/ncrs'))[0]?.id}`, { immediate_action: `Do ${n}` }),
  ];
  const { status, body } = await random.pick(moves)();
  expect(status, JSON.stringify(body)).toBeLessThan(300);
}

/** Records that differ, or that only one of the two has. */
async function differences(): Promise<unknown[]> {
  const sql = new DatabaseSync(copy, { readOnly: true });
  const found: unknown[] = [];
  let compared = 0;
  for (const [family, path] of Object.entries(paths)) {
    const kept = new Map(
      sql
        .prepare('SELECT id, answer FROM record WHERE family = ?')
        .all(family)
        .map(({ id, answer }) => [Number(id), JSON.parse(String(answer)) as unknown]),
    );
    for (const id of idsOf(family)) {
      const answer = dataOf(await station.get(`${path}/${id}`));
      compared += 1;
      const mine = kept.get(id);
      kept.delete(id);
      if (JSON.stringify(mine) !== JSON.stringify(answer)) found.push({ family, id, mine, answer });
    }
    found.push(...[...kept.keys()].map(id => ({ family, id, answer: null })));
  }
  sql.close();
  expect(compared).toBeGreaterThan(400);
  return found;
}

/** All ids that the server's own file has. */
function idsOf(family: string): number[] {
  const sql = new DatabaseSync(join(station.folder, 'holdpoint.db'), { readOnly: true });
  try {
    const rows = sql.prepare('SELECT f_id AS id FROM holdpoint__records__0 WHERE f_family = ? ORDER BY 1');
    return rows.all(family).map(({ id }) => Number(id));
  } finally {
    sql.close();
  }
}

const placeOf = () => {
  const sql = new DatabaseSync(copy, { readOnly: true });
  try {
    return sql.prepare('SELECT cursor, resets FROM place').get() ?? {};
  } finally {
    sql.close();
  }
};

it('is equal after ten kills and two restores', { timeout: LONG_MS }, async () => {
  begin();
  let file = '';
  const every = Math.floor(CHANGES / KILLS);
  for (let n = 1; n <= CHANGES; n += 1) {
    await change(n);
    if (n % every === 0) {
      await kill();
      begin();
    }
    if (n === every * 2 || n === every * 6) file = String(dataOf(await station.post('/x/backups')).file);
    if (n === every * 4 || n === every * 8) {
      await station.end();
      expect(await holdpoint(environmentOf(station), 'restore', file)).toMatchObject({ code: 0 });
      await station.start();
    }
  }
  const end = async () =>
    String(((await station.get('/x/changes')).body as { meta: { cursor: string } }).meta.cursor);
  await expect.poll(() => placeOf().cursor, { timeout: LONG_MS / 2, interval: 200 }).toBe(await end());
  expect(output).toBe('');
  expect(placeOf().resets).toBeGreaterThanOrEqual(2);
  expect(await differences()).toEqual([]);
});
