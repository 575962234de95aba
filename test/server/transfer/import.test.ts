import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importJobSchema } from '../../../shared/operations/extension-schemas.ts';
import { Station } from '../../support/station.ts';
import { ended, importFiles, jobOf, listOf, putFile, startImport } from './importing.ts';

const station = new Station();
beforeAll(() => station.start());
afterAll(() => station.stop());

const one = (step: object, source = 'test') => ({ source, steps: [{ file: 'a.csv', ...step }] });
const suppliers = (source: string) =>
  one({ family: 'supplier', key: 'no', fields: { name: 'name', primary_phone: 'phone' } }, source);
const counts = ({ created, updated, unchanged, bad }: Awaited<ReturnType<typeof importFiles>>) => [
  created,
  updated,
  unchanged,
  bad,
];

describe('an import', () => {
  const csv = 'no,name,phone\n7,Ørsted,1\n8,"B, Ltd",\n9,<i>=1+1,3\n';

  it('creates records, and changes only what differs when it is run again', async () => {
    const mapping = suppliers('again');
    const first = await importFiles(station, mapping, { 'a.csv': csv });
    expect(first).toMatchObject({
      state: 'done',
      rows_read: 3,
      rows_total: 3,
      bad_rows: [],
      missing_files: [],
    });
    expect(counts(first)).toEqual([3, 0, 0, 0]);
    expect(importJobSchema.parse(first)).toEqual(first);

    const changed = csv.replace('"B, Ltd",', '"B, Ltd",2').replace('7,Ørsted,1', '7,Ørsted,');
    const second = await importFiles(station, mapping, { 'a.csv': `${changed}10,D,4\n` });
    expect(counts(second)).toEqual([1, 2, 1, 0]);
    const list = await listOf(station, '/suppliers');
    expect(list.map(row => [row.name, row.primary_phone])).toEqual([
      ['Ørsted', null],
      ['B, Ltd', '2'],
      ['<i>=1+1', '3'],
      ['D', '4'],
    ]);
    expect(counts(await importFiles(station, mapping, { 'a.csv': `${changed}10,D,4\n` }))).toEqual([
      0, 0, 4, 0,
    ]);
  });

  it('stands in history with the caller and the file', async () => {
    const [supplier] = await listOf(station, '/suppliers');
    const entries = await listOf(station, `/x/history/supplier/${supplier?.id}`);
    expect(entries).toMatchObject([
      { user: 'HOLDPOINT_TOKEN', reason: 'import of a.csv' },
      {
        user: 'HOLDPOINT_TOKEN',
        reason: 'import of a.csv',
        changes: [{ path: 'primary_phone', old: '1', new: null }],
      },
    ]);
  });

  it('knows the keys of one source from those of another', async () => {
    expect(counts(await importFiles(station, suppliers('other'), { 'a.csv': csv }))).toEqual([3, 0, 0, 0]);
  });

  it('finds a record by a field that names it', async () => {
    const { body } = await station.post('/ncrs', { ncr_number: 'N-1', source: 'internal' });
    const { id } = (body as { data: { id: number } }).data;
    const mapping = one({
      family: 'ncr',
      match: 'ncr_number',
      fields: { ncr_number: 'no', source: 'kind', description: 'what' },
    });
    const job = await importFiles(station, mapping, {
      'a.csv': 'no,kind,what\nN-1,CUSTOMER,rust\nN-2,supplier,dent\n',
    });
    expect(counts(job)).toEqual([1, 1, 0, 0]);
    expect((await station.get(`/ncrs/${id}`)).body).toMatchObject({
      data: { source: 'customer', description: 'rust' },
    });
  });

  it('finds a part by its number, as people write it, and adds none a second time', async () => {
    const { body } = await station.post('/parts', { name: 'Bolt', identification: 'HB-8' });
    const { id } = (body as { data: { id: number } }).data;
    const fields = { identification: 'number', name: 'name' };
    const mapping = one({ family: 'part', key: 'no', match: 'identification', fields }, 'parts');
    const csv = 'no,number,name\n1,hb-8,Hex bolt\n2,HN-8,Hex nut\n';
    expect(counts(await importFiles(station, mapping, { 'a.csv': csv }))).toEqual([1, 1, 0, 0]);
    expect((await station.get(`/parts/${id}`)).body).toMatchObject({ data: { name: 'Hex bolt' } });
    expect((await listOf(station, '/parts')).filter(({ name }) => name === 'Hex bolt')).toHaveLength(1);
  });

  it('may change a few fields of records that are there, whatever new ones need', async () => {
    const full = one({ family: 'location', key: 'no', fields: { name: 'name' } }, 'few');
    await importFiles(station, full, { 'a.csv': 'no,name\n1,North\n' });
    const few = one({ family: 'location', key: 'no', fields: { is_active: 'on' } }, 'few');
    const job = await importFiles(station, few, { 'a.csv': 'no,on\n1,false\n2,true\n' });
    expect(job.bad_rows).toMatchObject([{ line: 3, message: expect.stringContaining('Name is missing') }]);
    expect(counts(await importFiles(station, few, { 'a.csv': 'no,on\n1,false\n' }))).toEqual([0, 1, 0, 0]);
    expect((await listOf(station, '/x/locations')).at(-1)).toMatchObject({ name: 'North', is_active: 0 });
  });

  it('tells which columns it left out', async () => {
    const job = await importFiles(station, suppliers('columns'), { 'a.csv': 'fax,no,name,phone,web\n' });
    expect(job).toMatchObject({
      state: 'done',
      rows_total: 0,
      unmapped_columns: { 'a.csv': ['fax', 'web'] },
    });
  });

  it('keeps its files closed to others, and removes them at its end', async () => {
    const { id } = jobOf(await station.post('/x/imports', { mapping: suppliers('files') }));
    await putFile(station, id, 'a.csv', csv);
    const folder = join(station.folder, 'imports', id);
    const files = readdirSync(folder).map(name => statSync(join(folder, name)).mode & 0o777);
    expect([statSync(folder).mode & 0o777, ...files]).toEqual([0o700, 0o600]);
    await station.post(`/x/imports/${id}/run`);
    await ended(station, id);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('references', () => {
  const mapping = {
    source: 'references',
    steps: [
      { file: 's.csv', family: 'supplier', key: 'code', fields: { name: 'name' } },
      { file: 'l.csv', family: 'location', key: 'no', fields: { name: 'name' } },
      {
        file: 'p.csv',
        family: 'part',
        key: 'sku',
        fields: { name: 'sku', supplier_id: 'supplier', parent_part_id: 'parent' },
      },
      {
        file: 'p.csv',
        family: 'inventory',
        key: 'sku',
        fields: {
          part_id: 'sku',
          batch_number: 'sku',
          opening_quantity: { value: 1 },
          opening_location_id: { column: 'place', find: 'name' },
        },
      },
    ],
  };
  const files = {
    's.csv': 'code,name\nAC/1,Acme\nBO,Bolt\n',
    'l.csv': 'no,name\n1,Shelf 1\n2,Shelf 2\n3,Shelf 2\n',
    'p.csv': 'sku,supplier,parent,place\nC,AC/1,A,Shelf 1\nA,BO,,\nB,,A,Shelf 1\n',
  };

  it('are found by key, by name, and in later rows of the same file', async () => {
    const job = await importFiles(station, mapping, files);
    expect(job.bad_rows).toEqual([]);
    const [c, a, b] = (await listOf(station, '/parts')).slice(-3);
    const [acme, bolt] = (await listOf(station, '/suppliers')).slice(-2);
    expect([c, a, b]).toMatchObject([
      { name: 'C', supplier_id: acme?.id, parent_part_id: a?.id },
      { name: 'A', supplier_id: bolt?.id, parent_part_id: null },
      { name: 'B', supplier_id: null, parent_part_id: a?.id },
    ]);
    const [lot] = (await listOf(station, '/inventory')).filter(({ part_id }) => part_id === c?.id);
    expect((await station.get(`/inventory/${lot?.id}`)).body).toMatchObject({
      data: { location: 'Shelf 1' },
    });
    expect(counts(await importFiles(station, mapping, files))).toEqual([0, 0, 11, 0]);
  });

  it('that lead nowhere, or to several, are bad rows, and nothing is written', async () => {
    const before = await listOf(station, '/parts');
    const job = await importFiles(
      station,
      { ...mapping, source: 'lost' },
      { ...files, 'p.csv': 'sku,supplier,parent,place\nC,AC/2,Z,Shelf 2\nA,,,Shelf 3\n' },
    );
    expect(job.state).toBe('failed');
    const told = job.bad_rows.map(({ file, line, column, value, message }) => [
      file,
      line,
      column,
      value,
      message,
    ]);
    const saying = (text: string) => expect.stringContaining(text);
    expect(told).toEqual([
      ['p.csv', 2, 'supplier', 'AC/2', saying('No supplier with the key "AC/2" was imported from lost.')],
      ['p.csv', 2, 'sku', 'C', saying('No part with the key "C"')],
      ['p.csv', 2, 'place', 'Shelf 2', saying('Several records')],
      ['p.csv', 3, 'place', 'Shelf 3', saying('no location whose name is "Shelf 3"')],
    ]);
    expect(await listOf(station, '/parts')).toEqual(before);
    expect(counts(job).slice(0, 3)).toEqual([0, 0, 0]);
  });
});

describe('bad rows', () => {
  const mapping = one(
    { family: 'part', key: 'no', fields: { name: 'name', unit_of_measure: 'unit', unit_type: 'type' } },
    'bad rows',
  );
  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `${from + index},P${from + index},kg,Mass\n`).join('');
  const shape = `no,name,unit,type\n${rows(0, 300)}x,"two\nlines",stone,Mass\n${rows(300, 5)}y,Y,kg,Mass,\n`;
  const rules = `no,name,unit,type\n${rows(0, 300)}x,X,kg,Volume\n${rows(300, 300)}y,Y,l,Mass\n`;

  it.each([
    ['of a wrong shape', shape, [302, 309]],
    ['that a rule refuses', rules, [302, 603]],
  ])('%s undo everything, and each is told', async (_, csv, lines) => {
    const before = await listOf(station, '/parts');
    const job = await importFiles(station, mapping, { 'a.csv': csv });
    expect(job).toMatchObject({
      state: 'failed',
      bad: 2,
      created: 0,
      message: '2 rows cannot be taken, so nothing was written.',
    });
    expect(job.bad_rows.map(({ line }) => line)).toEqual(lines);
    expect(await listOf(station, '/parts')).toEqual(before);
  });

  it('that a rule refuses name their column and value', async () => {
    const { bad_rows: faults } = await importFiles(station, mapping, { 'a.csv': rules });
    expect(faults[0]).toEqual({
      file: 'a.csv',
      line: 302,
      column: 'unit',
      value: 'kg',
      message: '"kg" is no unit of Volume. Change unit_of_measure or unit_type.',
    });
  });

  it('tell what leads nowhere together with what a rule refuses', async () => {
    const fields = {
      name: 'name',
      supplier_id: { column: 'supplier', find: 'name' },
      unit_of_measure: 'unit',
      unit_type: 'type',
    };
    const csv = 'no,name,supplier,unit,type\nz,Z,Nobody,kg,Volume\n';
    const { bad, bad_rows: faults } = await importFiles(
      station,
      one({ family: 'part', key: 'no', fields }, 'both'),
      { 'a.csv': csv },
      { dry_run: true },
    );
    expect(bad).toBe(1);
    expect(faults.map(({ line, column, value }) => [line, column, value])).toEqual([
      [2, 'supplier', 'Nobody'],
      [2, 'unit', 'kg'],
    ]);
  });

  it('are checked without writing', async () => {
    const before = await listOf(station, '/parts');
    const bad = await importFiles(station, mapping, { 'a.csv': rules }, { dry_run: true });
    expect(bad).toMatchObject({ state: 'failed', bad: 2 });
    const good = await importFiles(
      station,
      mapping,
      { 'a.csv': `no,name,unit,type\n${rows(0, 300)}` },
      { dry_run: true },
    );
    expect(good).toMatchObject({
      state: 'done',
      created: 300,
      message: 'A trial, nothing was written: 300 created, 0 updated, 0 unchanged.',
    });
    const both = await importFiles(station, mapping, { 'a.csv': rules }, { dry_run: true, skip_bad: true });
    expect(both).toMatchObject({ state: 'done', created: 600, bad: 2 });
    expect(await listOf(station, '/parts')).toEqual(before);
  });

  it('are said to be tried, not written, while a trial goes on', async () => {
    const file = { 'a.csv': `no,name,unit,type\n${rows(0, 5_000)}` };
    const id = await startImport(station, mapping, file, { dry_run: true });
    const messages = new Set<string>();
    for (;;) {
      const { state, message } = jobOf(await station.get(`/x/imports/${id}`));
      if (state !== 'running') break;
      messages.add(message);
    }
    expect([...messages]).toContain('The rows are being tried. Nothing is written.');
    expect([...messages]).not.toContain('The rows are being written.');
  });

  it('are left out, and take no other row along', async () => {
    const before = (await listOf(station, '/parts')).length;
    const job = await importFiles(station, mapping, { 'a.csv': rules }, { skip_bad: true });
    expect(job).toMatchObject({ state: 'done', created: 600, bad: 2 });
    expect(job.message).toBe(
      'Done: 600 created, 0 updated, 0 unchanged. 2 rows cannot be taken and are left out.',
    );
    const other = await importFiles(station, mapping, { 'a.csv': shape }, { skip_bad: true });
    expect(counts(other)).toEqual([0, 0, 305, 2]);
    expect((await listOf(station, '/parts')).length).toBe(before + 600);
  });

  it('are counted to the last, and the first thousand told', async () => {
    const csv = `no,name,unit,type\n${Array.from({ length: 3_000 }, (_, index) => `${index},P,stone,Mass\n`).join('')}`;
    const job = await importFiles(station, mapping, { 'a.csv': csv });
    expect([job.bad, job.bad_rows.length, job.bad_rows.at(-1)?.line]).toEqual([3_000, 1_000, 1_001]);
  });

  it('and a file that cannot be read at all leave nothing, also when bad rows are to be left out', async () => {
    const csv = `no,name,unit,type\n${rows(1_000, 300)}x,"X,kg,Mass\n`;
    const job = await importFiles(station, mapping, { 'a.csv': csv }, { skip_bad: true });
    expect(job).toMatchObject({
      state: 'failed',
      created: 0,
      bad_rows: [{ line: 302, message: expect.stringContaining('never closed') }],
    });
    expect((await listOf(station, '/parts')).filter(({ name }) => name === 'P1000')).toEqual([]);
  });
});

describe('items', () => {
  const mapping = {
    source: 'items',
    steps: [
      { file: 'p.csv', family: 'part', key: 'sku', fields: { name: 'sku' } },
      {
        file: 'orders.csv',
        family: 'order',
        key: 'no',
        fields: { order_number: 'no', po_number: 'po' },
        items: {
          items: {
            file: 'lines.csv',
            belongs_to: 'order',
            key: 'sku',
            fields: { part_id: 'sku', quantity: 'amount' },
          },
        },
      },
    ],
  };
  const files = {
    'p.csv': 'sku\nA\nB\n',
    'orders.csv': 'no,po\n501,x\n502,y\n503,\n',
    'lines.csv': 'order,sku,amount\n501,A,1\n502,A,2\n501,B,3.5\n',
  };
  const quantities = async () =>
    (await listOf(station, '/orders'))
      .slice(-3)
      .map(({ items }) => (items as { quantity: number }[]).map(item => item.quantity));

  it('of two files make one record, and are changed, not added, when they come again', async () => {
    expect(counts(await importFiles(station, mapping, files))).toEqual([5, 0, 0, 0]);
    expect(await quantities()).toEqual([[1, 3.5], [2], []]);
    const changed = { ...files, 'lines.csv': 'order,sku,amount\n503,B,9\n501,A,1\n502,A,7\n501,B,3.5\n' };
    expect(counts(await importFiles(station, mapping, changed))).toEqual([0, 2, 3, 0]);
    expect(await quantities()).toEqual([[1, 3.5], [7], [9]]);
    expect(counts(await importFiles(station, mapping, changed))).toEqual([0, 0, 5, 0]);
  });

  it('that are bad take their record along and no other', async () => {
    const bad = {
      ...files,
      'orders.csv': 'no,po\n601,x\n602,y\n603,z\n',
      'lines.csv': 'order,sku,amount\n601,A,many\n602,Z,2\n603,B,1\n',
    };
    const job = await importFiles(station, { ...mapping, source: 'bad items' }, bad, { skip_bad: true });
    expect(counts(job)).toEqual([3, 0, 0, 2]);
    expect(job.bad_rows).toMatchObject([
      { file: 'lines.csv', line: 2, column: 'amount', value: 'many' },
      { file: 'lines.csv', line: 3, column: 'sku', value: 'Z' },
    ]);
    expect((await listOf(station, '/orders')).at(-1)).toMatchObject({ order_number: '603', po_number: 'z' });
  });

  it('of receipts, from nested JSON, make lots', async () => {
    const receipts = {
      source: 'items',
      steps: [
        {
          file: 'r.json',
          family: 'receiving-inspection',
          key: 'po',
          fields: { po_number: 'po', actual_arrival_date: 'day' },
          items: {
            items: {
              from: 'lines',
              key: '$index',
              fields: {
                part_id: 'sku',
                serial_number: 'lot',
                quantity_accepted: 'ok',
                quantity_rejected: 'bad',
              },
            },
          },
        },
      ],
    };
    const content = [
      {
        po: 'PO-1',
        day: '2026-01-02',
        lines: [
          { sku: 'A', lot: 'L1', ok: 10, bad: 1 },
          { sku: 'B', lot: 'L2', ok: 5 },
        ],
      },
      { po: 'PO-2', day: '2026-01-03', lines: [{ sku: 'A', lot: 'L1', ok: 2.5 }] },
    ];
    expect(counts(await importFiles(station, receipts, { 'r.json': content }))).toEqual([2, 0, 0, 0]);
    const lots = (await listOf(station, '/inventory')).slice(-2);
    expect(lots.map(({ inventory_name, quantity }) => [inventory_name, quantity])).toEqual([
      ['A L1', 12.5],
      ['B L2', 5],
    ]);
    const again = structuredClone(content);
    Object.assign(again[0]?.lines[1] ?? {}, { ok: 6 });
    expect(counts(await importFiles(station, receipts, { 'r.json': again }))).toEqual([0, 1, 1, 0]);
    expect((await listOf(station, '/inventory')).at(-1)).toMatchObject({ quantity: 6 });
  });
});

describe('the steps of an import', () => {
  const csv = 'no,name,phone\n1,A,\n';
  const errorOf = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    return [status, (body as { message: string }).message];
  };

  it('wait for each other', async () => {
    const { id, message, state } = jobOf(await station.post('/x/imports', { mapping: suppliers('steps') }));
    expect([state, message]).toEqual(['waiting', 'Give the files a.csv, then run the import.']);
    expect(await errorOf(station.post(`/x/imports/${id}/run`))).toEqual([422, `files: ${message}`]);
    expect(await errorOf(putFile(station, id, 'b.csv', csv))).toEqual([
      422,
      'name: The mapping names no file "b.csv". It names: a.csv.',
    ]);
    await putFile(station, id, 'a.csv', 'an earlier one');
    expect(jobOf(await putFile(station, id, 'a.csv', csv)).missing_files).toEqual([]);
    jobOf(await station.post(`/x/imports/${id}/run`));
    expect(await ended(station, id)).toMatchObject({ state: 'done', created: 1 });
    for (const path of [`/x/imports/${id}/run`, `/x/imports/${id}/cancel`]) {
      expect((await station.post(path)).status).toBe(409);
    }
    expect((await putFile(station, id, 'a.csv', csv)).status).toBe(409);
    const { body } = await station.get('/x/imports');
    expect(body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id, state: 'done' })]),
    });
  });

  it("are refused where they are not an administrator's, not known, or not a file", async () => {
    const { body } = await station.post('/x/tokens', { name: 'writer', scopes: ['write'] });
    const { secret } = (body as { data: { secret: string } }).data;
    const headers = { authorization: `Bearer ${secret}` };
    expect(
      (await station.call('POST', '/x/imports', { body: { mapping: suppliers('x') }, headers })).status,
    ).toBe(403);
    expect((await station.get('/x/imports/none')).status).toBe(404);
    expect((await putFile(station, 'none', 'a.csv', csv)).status).toBe(404);
    const { id } = jobOf(await station.post('/x/imports', { mapping: suppliers('x') }));
    expect(
      (
        await station.call('PUT', `/x/imports/${id}/files/a.csv`, {
          body: 'a',
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(415);
    expect((await station.post('/x/imports', { mapping: { source: 'x' } })).status).toBe(422);
    expect((await station.post('/x/imports', {})).status).toBe(422);
    expect(jobOf(await station.post(`/x/imports/${id}/cancel`))).toMatchObject({ state: 'cancelled' });
  });

  it('may be cancelled while rows are written, and then leave nothing', async () => {
    const many = `no,name,phone\n${Array.from({ length: 40_000 }, (_, index) => `${index},N${index},\n`).join('')}`;
    const before = await station.get('/suppliers');
    const id = await startImport(station, suppliers('cancelled'), { 'a.csv': many });
    expect((await station.post(`/x/imports/${await startWaiting()}/run`)).status).toBe(409);
    while (jobOf(await station.get(`/x/imports/${id}`)).created === 0) await new Promise(setImmediate);
    // Reads go on meanwhile, and see nothing of it.
    expect((await station.get('/suppliers')).body).toEqual(before.body);
    const job = jobOf(await station.post(`/x/imports/${id}/cancel`));
    expect(job).toMatchObject({
      state: 'cancelled',
      created: 0,
      message: 'The import was cancelled. Nothing was written.',
    });
    expect((await station.get('/suppliers')).body).toEqual(before.body);
    expect((await station.post('/suppliers', { name: 'after' })).status).toBe(201);
  });

  async function startWaiting(): Promise<string> {
    const { id } = jobOf(await station.post('/x/imports', { mapping: suppliers('waiting') }));
    await putFile(station, id, 'a.csv', csv);
    return id;
  }
});
