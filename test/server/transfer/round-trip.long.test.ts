import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOfCell, toCell } from '../../../server/transfer/exported-record.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import { families } from '../../../shared/families/registry.ts';
import fc from '../../support/fast-check.ts';
import { Station } from '../../support/station.ts';
import { AWKWARD_TEXTS, fillEveryFamily } from './every-family.ts';
import { environmentOf, holdpoint } from './holdpoint.ts';
import { importFiles, listOf, type Row } from './importing.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-round-trip-'));
const station = new Station();
beforeAll(async () => {
  await station.start();
  await fillEveryFamily(station);
});
afterAll(async () => {
  await station.stop();
  rmSync(folder, { recursive: true });
});

// What a machine noted of itself is no other's.
const described = Object.values<Family>(families).filter(({ isByMachine }) => !isByMachine);
const names = described.map(({ name }) => name);
const exported = async (at: Station, path: string): Promise<string> => (await at.get(path)).body as string;
const everyRecord = async (at: Station): Promise<string[]> =>
  Promise.all(names.map(name => exported(at, `/x/exports/${name}`)));

/** What stands behind the lots: quantities, places and locks are worked out from all the records. */
const stock = async (at: Station): Promise<Row[]> =>
  Promise.all(
    (await listOf(at, '/inventory')).map(async ({ id }) => {
      const { body } = await at.get(`/inventory/${id}/locations`);
      const { created_at: _, updated_at: __, part: ___, ...lot } = (body as { data: Row }).data;
      return lot;
    }),
  );

describe.each(['json', 'csv'])('everything exported as %s', format => {
  const out = join(folder, format);
  const data = join(folder, `${format}-data`);
  const target = new Station({ folder: data });
  afterAll(() => target.stop());

  it('has records of every family', async () => {
    expect(
      await holdpoint(environmentOf(station), 'export', '--all', '--format', format, '--out', out),
    ).toMatchObject({ code: 0 });
    for (const { name, collections } of described) {
      const file = readFileSync(join(out, `${name}.${format === 'csv' ? 'csv' : 'jsonl'}`), 'utf8');
      expect(file.trim().split('\n').length, name).toBeGreaterThan(format === 'csv' ? 1 : 0);
      for (const collection of format === 'csv' ? Object.keys(collections) : []) {
        expect(
          readFileSync(join(out, `${name}-${collection}.csv`), 'utf8').split('\n').length,
        ).toBeGreaterThan(2);
      }
    }
  });

  it('is the same, stock included, when an empty installation has imported it', async () => {
    const run = await holdpoint({ HOLDPOINT_DATA: data }, 'import', join(out, 'mapping.json'));
    expect(run).toMatchObject({ code: 0 });
    await target.start();
    expect(await everyRecord(target)).toEqual(await everyRecord(station));
    expect(await stock(target)).toEqual(await stock(station));
    expect((await target.post('/x/rebuild')).body).toMatchObject({ data: { differences: 0 } });
  });

  it('changes nothing when it is imported again', async () => {
    const before = await everyRecord(target);
    const run = await holdpoint(environmentOf(target), 'import', join(out, 'mapping.json'));
    expect(run.output).toMatch(/Done: 0 created, 0 updated, \d+ unchanged\./);
    expect(await everyRecord(target)).toEqual(before);
  });

  it('leaves the ids free that come next', async () => {
    const order = await target.post('/orders', { items: [{ part_id: 1, quantity: 1 }] });
    const next = (await listOf(station, '/orders')).length + 1;
    expect(order).toMatchObject({
      status: 201,
      body: { data: { id: next, order_number: `OR-0-00000${next}` } },
    });
    const { items } = (order.body as { data: { items: { id: number }[] } }).data;
    expect(items[0]?.id).toBe(3);
  });

  it('is refused where its ids are those of other records', async () => {
    const other = new Station();
    await other.start();
    try {
      await other.post('/suppliers', { name: 'own' });
      const run = await holdpoint(environmentOf(other), 'import', join(out, 'mapping.json'));
      expect(run).toMatchObject({
        code: 1,
        output: expect.stringContaining('The id 1 is that of another record here'),
      });
      expect(await listOf(other, '/suppliers')).toMatchObject([{ name: 'own' }]);
    } finally {
      await other.stop();
    }
  });
});

describe('an export that was changed', () => {
  const steps = (file: string, family: string) => ({
    source: '',
    steps: [{ format: 'holdpoint', file, family }],
  });
  const ownMapping = async (file: string, family: string) => {
    const { headers } = await station.get(`/x/exports/${family}`);
    return { ...steps(file, family), source: headers.get('holdpoint-station') ?? '' };
  };

  it('changes the records, by the rules', async () => {
    const csv = await exported(station, '/x/exports/supplier?format=csv');
    const changed = csv.replace('S0,', 'Acme,').concat('"",New one,,,,,,,,,\r\n');
    const job = await importFiles(station, await ownMapping('s.csv', 'supplier'), { 's.csv': changed });
    expect(job).toMatchObject({ state: 'done', created: 1, updated: 1, unchanged: AWKWARD_TEXTS.length - 1 });
    const list = await listOf(station, '/suppliers');
    expect([list[0]?.name, list.at(-1)?.name]).toEqual(['Acme', 'New one']);
  });

  it('cannot change what the rules forbid, nor facts that are never changed', async () => {
    const shipments = (await exported(station, '/x/exports/shipment')).replace(
      '"quantity":9.25',
      '"quantity":1',
    );
    const closed = await importFiles(station, await ownMapping('s.jsonl', 'shipment'), {
      's.jsonl': shipments,
    });
    expect(closed.bad_rows).toMatchObject([
      { line: 2, message: expect.stringContaining('The shipment is closed') },
    ]);
    const adjustments = (await exported(station, '/x/exports/adjustment')).replace('-0.5', '-0.25');
    const fact = await importFiles(station, await ownMapping('a.jsonl', 'adjustment'), {
      'a.jsonl': adjustments,
    });
    expect(fact.bad_rows).toMatchObject([{ line: 1, message: expect.stringContaining('never changed') }]);
  });

  it('is checked: ids, values, items', async () => {
    const lines = [
      { id: 'x', name: 'a' },
      { id: 900, is_closed: 'perhaps' },
      { id: 901, items: 5 },
      { id: 902, items: [{ quantity: 1 }] },
      { id: 903, items: [{ id: 77, part_id: 999, quantity: 1 }] },
      { id: 904 },
      { id: 904 },
    ];
    const content = lines.map(line => JSON.stringify(line)).join('\n');
    const mapping = await ownMapping('o.jsonl', 'order');
    const shape = await importFiles(station, mapping, { 'o.jsonl': content });
    expect(shape.bad_rows.map(({ line, column }) => [line, column])).toEqual([
      [1, 'id'],
      [2, 'is_closed'],
      [3, 'items'],
      [7, 'id'],
    ]);
    const rules = await importFiles(station, mapping, { 'o.jsonl': content }, { skip_bad: true });
    expect(rules.bad_rows.slice(4)).toMatchObject([
      { line: 4, message: expect.stringContaining('each of its items needs its id') },
      { line: 5, column: 'items.77.part_id', message: expect.stringContaining('no part with the id 999') },
    ]);
    expect(rules).toMatchObject({ created: 1, bad: 6 });
  });
});

describe('the cells of CSV', () => {
  it('come back as the texts that they were, whatever those are', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(...AWKWARD_TEXTS), fc.string(), fc.stringMatching(/^'{0,3}[=+\-@\t\r]?.?$/)),
        text => {
          expect(textOfCell(toCell(text))).toBe(text);
        },
      ),
    );
    expect(textOfCell(toCell(null))).toBeNull();
  });

  it('are never a formula to a spreadsheet', async () => {
    const csv = await exported(station, '/x/exports/supplier?format=csv');
    expect(csv).not.toMatch(/(^|,|\n)("?[=+\-@\t]|"\r)/);
    expect(csv).toContain(",'=cmd|'/C calc'!A0,");
  });

  it('have a byte order mark when asked', async () => {
    const bytes = async (bom: boolean) => {
      const headers = { authorization: `Bearer ${station.token}` };
      const response = await fetch(`${station.origin}/api/v2/x/exports/company?format=csv&bom=${bom}`, {
        headers,
      });
      return [...new Uint8Array(await response.arrayBuffer()).slice(0, 3)];
    };
    expect(await bytes(true)).toEqual([0xef, 0xbb, 0xbf]);
    expect(await bytes(false)).toEqual([...Buffer.from('id,')]);
  });
});

describe('an export', () => {
  it.each([
    ['/x/exports/vendor', 404],
    ['/x/exports/supplier?format=xml', 422],
    ['/x/exports/supplier?format=csv&items=items', 422],
    ['/x/exports/order?items=items', 422],
    ['/x/exports/order?format=csv&items=constructor', 422],
  ])('at %s is refused with %i', async (path, status) => {
    expect((await station.get(path)).status).toBe(status);
  });

  it('names its file and type', async () => {
    const { headers } = await station.get('/x/exports/orders?format=csv&items=items');
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe('attachment; filename="order-items.csv"');
  });
});
