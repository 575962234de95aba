import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentOf, holdpoint } from '../server/transfer/holdpoint.ts';
import { POSTGRES, Postgres } from '../support/postgres.ts';
import { Station } from '../support/station.ts';
import { seededRandom } from '../system/faults/seeded-random.ts';

/** The example connector as it stands in docs/examples, with a real PostgreSQL, killed amid its work. */

const CONNECTOR = join(import.meta.dirname, '../../docs/examples/erp-connector.mjs');
const ORDERS = 60;
const KILLS = 10;

const station = new Station();
const random = seededRandom(20261126);
let postgres: Postgres;
let connector: ChildProcess | undefined;
let output = '';

type Data = Record<string, unknown>;
const listOf = ({ body }: { body: unknown }) => (body as { data: Data[] }).data;
const dataOf = ({ body }: { body: unknown }) => (body as { data: Data }).data;

function begin(): void {
  const env = {
    ...process.env,
    ...postgres.env,
    HOLDPOINT_URL: station.origin,
    HOLDPOINT_TOKEN: station.token,
  };
  connector = spawn(process.execPath, [CONNECTOR], { env: { ...env, HOLDPOINT_WAIT: '1' }, stdio: 'pipe' });
  for (const stream of [connector.stdout, connector.stderr])
    stream?.on('data', text => (output += String(text)));
}

async function kill(): Promise<void> {
  if (!connector || connector.exitCode !== null) throw new Error(`The connector ended by itself.\n${output}`);
  const ended = once(connector, 'exit');
  connector.kill('SIGKILL');
  await ended;
}

/** Stock as Holdpoint and as the ERP have it, in the same words. */
async function both(): Promise<[unknown, unknown]> {
  const here = listOf(await station.get('/inventory', { per_page: 500 })).map(lot => [
    lot.id,
    lot.identification,
    lot.inventory_name,
    lot.quantity,
    lot.unit_of_measure,
    lot.cost,
    lot.value_on_hand,
  ]);
  const there = (await postgres.rows('SELECT * FROM stock ORDER BY lot_id')).map(Object.values);
  return [here, there];
}

/** `.ci/run` installs it where it is root. */
const IS_WANTED = process.env.CI !== undefined && process.getuid?.() === 0;

describe.skipIf(POSTGRES === undefined && !IS_WANTED)('the example connector', () => {
  beforeAll(async () => {
    postgres = new Postgres();
    await Promise.all([station.start(), postgres.start()]);
    for (const n of [1, 2, 3])
      await station.post('/parts', {
        name: `Part ${n}`,
        identification: `P-${n}`,
        unit_of_measure: 'kg',
        unit_type: 'Mass',
      });
  });
  afterAll(async () => {
    connector?.kill('SIGKILL');
    await station.stop();
    await postgres?.stop();
  });

  async function receive(n: number): Promise<void> {
    const item = {
      part_id: (n % 3) + 1,
      serial_number: `L-${n}`,
      quantity_accepted: n + 0.25,
      unit_of_measure: 'kg',
      cost: 1.5,
    };
    expect((await station.post('/receiving-inspections', { items: [item] })).status).toBe(201);
  }

  const order = (n: number) =>
    postgres.run(
      `INSERT INTO purchase_order (number, supplier, day, lines) VALUES ('PO-${n}', 'Supplier ${n % 4}', '2026-03-02', '[{"part": "P-${(n % 3) + 1}", "quantity": ${n + 1}}]')`,
    );

  const settled = () =>
    expect
      .poll(
        () =>
          postgres.run('SELECT count(*) FROM purchase_order WHERE holdpoint_id IS NULL AND refused IS NULL'),
        { interval: 200 },
      )
      .toBe('0\n')
      .catch(error => {
        throw new Error(`The connector said: ${output.slice(-2_000)}`, { cause: error });
      });

  it('posts each order once and keeps the stock equal, killed ten times, the server killed and restored', async () => {
    begin();
    await expect.poll(() => output).toContain('connected');
    let file = '';
    for (let n = 0; n < ORDERS; n += 1) {
      await Promise.all([order(n), receive(n)]);
      if (n === ORDERS / 4) file = String(dataOf(await station.post('/x/backups')).file);
      if (n % (ORDERS / KILLS) === 3) {
        // At some moment of its work: between a post and its note, within a transaction, while it waits.
        await new Promise(resolve => setTimeout(resolve, random.below(120)));
        await kill();
        begin();
      }
      if (n === ORDERS / 2) {
        await station.kill();
        await station.start();
      }
      if (n === (ORDERS * 3) / 4) {
        // What was received and posted since the backup is gone there: the connector notices, and posts it again.
        await station.end();
        expect(await holdpoint(environmentOf(station), 'restore', file)).toMatchObject({ code: 0 });
        await station.start();
      }
    }
    await settled();
    await expect
      .poll(async () => JSON.stringify((await both())[1]), { interval: 300 })
      .toBe(JSON.stringify((await both())[0]));
    // The stock is equal as soon as the restore is noticed; what was posted since the backup is posted again after that.
    await settled();
    const posted = listOf(await station.get('/x/purchase-orders', { per_page: 500 }));
    const noted = await postgres.rows(
      'SELECT number, holdpoint_id, refused FROM purchase_order ORDER BY holdpoint_id',
    );
    expect(posted.map(({ po_number: number, id }) => ({ number, holdpoint_id: id, refused: null }))).toEqual(
      noted,
    );
    expect(new Set(posted.map(({ po_number: number }) => number)).size).toBe(ORDERS);
    const suppliers = listOf(await station.get('/suppliers', { per_page: 500 })).map(({ name }) => name);
    expect(suppliers.sort()).toEqual(['Supplier 0', 'Supplier 1', 'Supplier 2', 'Supplier 3']);
  });

  it('notes what Holdpoint refuses, with the reason, goes on with the rest, and follows what only shows another record', async () => {
    await postgres.run(
      `INSERT INTO purchase_order (number, supplier, lines) VALUES ('PO-X', 'Supplier 0', '[{"part": "NONE", "quantity": 1}]'), ('PO-Y', 'Supplier 0', '[{"part": "P-1", "quantity": -1}]')`,
    );
    await order(1_000);
    await settled();
    const noted = await postgres.rows(
      'SELECT number, refused FROM purchase_order WHERE refused IS NOT NULL ORDER BY number',
    );
    expect(noted).toEqual([
      { number: 'PO-X', refused: 'There is no part NONE.' },
      { number: 'PO-Y', refused: expect.stringContaining('items.0.quantity') },
    ]);
    expect((await station.patch('/parts/1', { name: 'Renamed' })).status).toBe(200);
    await expect
      .poll(async () => JSON.stringify((await both())[1]), { interval: 300 })
      .toBe(JSON.stringify((await both())[0]));
    expect(JSON.stringify(await both())).toContain('Renamed');
  });
});
