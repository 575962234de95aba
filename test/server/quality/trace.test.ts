import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyPackage } from '../../../server/quality/verify-package.ts';
import { type RecallPackage, recallPackageSchema } from '../../../shared/operations/recall-package.ts';
import { type Trace, traceSchema } from '../../../shared/operations/trace-schemas.ts';
import { idOf, recordOf } from '../../contract/golden/answers.ts';
import {
  closeShipment,
  createPart,
  createReceipt,
  day,
  receive,
  receiveInto,
} from '../../contract/golden/records.ts';
import { HOLDPOINT } from '../../support/command-line.ts';
import { Station } from '../../support/station.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';

/** The whole story of one lot, from the supplier to the customer who complains. */
const station = new Station({ isHere: true });
const story: Record<string, number> = {};

beforeAll(async () => {
  await station.start();
  const post = async (path: string, body: object) => idOf(await station.post(path, body));
  story.supplier = await post('/suppliers', { name: 'Harbour Fasteners' });
  story.customer = await post('/x/customers', { name: 'Mill & Co' });
  story.part = await createPart(station, { name: 'Bolt', unit_of_measure: 'kg' });
  story.template = await post('/x/specifications', {
    name: 'Bolt',
    is_approved: true,
    characteristics: [{ name: 'Length', dimensions: '40 mm', tolerance: '±0.5' }],
  });
  story.receipt = await createReceipt(station, { supplier_id: story.supplier, po_number: 'PO-1' });
  const line = { part_id: story.part, unit_of_measure: 'kg', quantity_accepted: 10 };
  const first = await receiveInto(station, story.receipt, {
    ...line,
    serial_number: 'A',
    quantity_rejected: 2,
  });
  const second = await receiveInto(station, story.receipt, { ...line, serial_number: 'B' });
  Object.assign(story, { lot: first.inventory, other: second.inventory });
  story.inspection = await post('/inspections', {
    entity_id: story.part,
    drawing_id: story.template,
    inventory_id: story.lot,
  });
  const { samples } = recordOf(await station.get(`/x/inspections/${story.inspection}`));
  for (const { id, results } of samples as { id: number; results: { id: number }[] }[]) {
    const measured = results.map(result => ({ id: result.id, value: 40 }));
    await station.put(`/inspections/${story.inspection}/samples/${id}`, { results: measured });
  }
  await station.put(`/inspections/${story.inspection}`, { passed: true });
  story.lab = await post('/lab-results', { batch_number: 'A', testing_id: 'T-1', lab_data: { pH: 7 } });
  story.shelf = await post('/x/locations', { name: 'Shelf' });
  await station.post(`/x/inventory/${story.lot}/moves`, { to_location_id: story.shelf });
  story.adjustment = await post('/x/adjustments', {
    inventory_id: story.lot,
    quantity: -1,
    reason: 'Counted',
  });
  story.shipment = await post('/shipments', { contact_id: story.customer });
  await post(`/shipments/${story.shipment}/items`, { part_id: story.part, serial_number: 'A', quantity: 4 });
  await closeShipment(station, story.shipment);
  await station.post(`/x/inventory/${story.lot}/lock`, { is_locked: true, reason: 'A complaint' });
  story.complaint = await post('/complaints', {
    complaint_number: 'CO-1',
    complaint_date: day(),
    part_id: story.part,
    batch_number: 'A',
    complainant_full_name: 'Jo',
  });
  story.ncr = await post('/ncrs', { ncr_number: 'NCR-1', source: 'customer', complaint_id: story.complaint });
  story.car = await post('/cars', { car_number: 'CAR-1', ncr_id: story.ncr });
});
afterAll(() => station.stop());

async function traced(path: string): Promise<Trace> {
  const answer = await station.get(path);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { data } = answer.body as { data: unknown };
  const trace = traceSchema.parse(data);
  // Nothing is answered that is not described.
  expect(trace).toEqual(data);
  return trace;
}

describe('the trace of a lot', () => {
  it('tells where it came from, what was found, to whom it went, and what came of it', async () => {
    const trace = await traced(`/x/trace/inventory/${story.lot}`);
    const { supplier, customer, receipt, lot, other, inspection, lab, shelf, adjustment } = story;
    expect(trace.subject).toEqual({ family: 'inventory', id: lot, title: 'Bolt A' });
    expect(trace.lots).toMatchObject([
      {
        id: lot,
        unit: 'kg',
        opening: 0,
        received: 10,
        shipped: 4,
        adjusted: -1,
        on_hand: 5,
        locks: [{ lock: 'person' }],
      },
    ]);
    expect(trace.suppliers).toEqual([{ id: supplier, name: 'Harbour Fasteners', receipts: 1 }]);
    expect(trace.receipts).toMatchObject([
      { id: receipt, po_number: 'PO-1', quantity_accepted: 10, quantity_rejected: 2, lot_number: 'A' },
    ]);
    expect(trace.inspections).toMatchObject([
      { id: inspection, passed: true, is_against_measurements: false, template: 'Bolt' },
    ]);
    expect(trace.inspections[0]?.finalised_at).not.toBeNull();
    expect(trace.lab_results).toMatchObject([{ id: lab, is_by_lot_number: true, failed_measurements: [] }]);
    expect(trace.locks).toMatchObject([{ is_locked: true, reason: 'A complaint' }]);
    expect(trace.moves).toMatchObject([{ to_location_id: shelf, to: 'Shelf', quantity: 10, unit: 'kg' }]);
    expect(trace.adjustments).toMatchObject([{ id: adjustment, quantity: -1, reason: 'Counted' }]);
    expect(trace.shipments).toMatchObject([
      { id: story.shipment, customer_id: customer, quantity: 4, date: day() },
    ]);
    expect(trace.customers).toEqual([
      { id: customer, name: 'Mill & Co', shipments: 1, quantities: [{ unit: 'kg', quantity: 4 }] },
    ]);
    expect(trace.complaints).toMatchObject([{ id: story.complaint, complainant: 'Jo' }]);
    expect(trace.ncrs).toMatchObject([{ id: story.ncr, ncr_number: 'NCR-1', status: 'open' }]);
    expect(trace.cars).toMatchObject([{ id: story.car, ncr_id: story.ncr }]);
    expect(trace.related_lots).toMatchObject([{ id: other, batch_number: 'B', receipt_id: receipt }]);
    expect(trace.left_out).toEqual([]);
    const { events } = trace;
    // In the order of the work, also where only the day is stored: the shipment's stands after what came before it that day.
    expect(events.map(({ kind }) => kind)).toEqual([
      'received',
      'inspection',
      'inspected',
      'lab_result',
      'moved',
      'adjusted',
      'shipped',
      'locked',
      'complaint',
      'ncr',
      'car',
    ]);
    expect(events.map(({ recorded_at }) => recorded_at)).toEqual(
      events.map(({ recorded_at }) => recorded_at).toSorted(),
    );
    expect(events.find(({ kind }) => kind === 'shipped')?.at).toBe(day());
  });

  it('of a part sums its lots by unit, and keeps what belongs to each apart', async () => {
    const trace = await traced(`/x/trace/parts/${story.part}`);
    expect(trace.lots.map(({ id }) => id)).toEqual([story.lot, story.other]);
    expect(trace.totals).toEqual([
      { unit: 'kg', opening: 0, received: 20, shipped: 4, adjusted: -1, on_hand: 15 },
    ]);
    expect(trace.receipts.map(({ inventory_id }) => inventory_id)).toEqual([story.lot, story.other]);
    expect(trace.complaints.map(({ inventory_id }) => inventory_id)).toEqual([story.lot]);
  });

  it('of nothing is 404', async () => {
    for (const path of [
      '/x/trace/inventory/999999',
      '/x/trace/parts/999999',
      '/x/recall/parts/999999/package',
    ])
      expect([path, (await station.get(path)).status]).toEqual([path, 404]);
  });
});

describe('a report that names only the lot number', () => {
  it('is about the lot of that number, unless it names another part', async () => {
    const report = { source: 'internal', lot_number: 'B' };
    const named = idOf(await station.post('/ncrs', { ...report, ncr_number: 'NCR-7', part_id: story.part }));
    const other = await createPart(station);
    await station.post('/ncrs', { ...report, ncr_number: 'NCR-8', part_id: other, status: 'closed' });
    const { ncrs } = await traced(`/x/trace/inventory/${story.other}`);
    expect(ncrs.map(({ id }) => id)).toEqual([named]);
  });
});

describe('a recall package', () => {
  const made = async () =>
    (await station.get(`/x/recall/inventory/${story.lot}/package`)).body as RecallPackage;

  it('holds every record concerned, and proves itself', async () => {
    const found = await made();
    expect(recallPackageSchema.parse(found)).toEqual(found);
    const keys = found.records.content.map(({ key }) => key);
    const { lot, supplier, customer, template, shipment, ncr, car, lab, complaint } = story;
    expect(keys).toEqual(
      expect.arrayContaining([
        `inventory:${lot}`,
        `part:${story.part}`,
        `supplier:${supplier}`,
        `customer:${customer}`,
        `specification:${template}`,
        `shipment:${shipment}`,
        `ncr:${ncr}`,
        `car:${car}`,
        `lab-result:${lab}`,
        `complaint:${complaint}`,
      ]),
    );
    expect(verifyPackage(JSON.stringify(found))).toMatchObject({
      faults: 0,
      notes: [expect.stringMatching(/^Signed by installation \S+, key SHA-256 [0-9a-f]{64}\.$/)],
      records: keys.length,
    });
  });

  it.each<[string, (found: RecallPackage) => void, string]>([
    [
      'a value of a record',
      ({ records }) => Object.assign(records.content[0]?.fields ?? {}, { batch_number: 'Z' }),
      'The fields of a record',
    ],
    [
      'who wrote a commit',
      ({ history }) => Object.assign(history.content[1] ?? {}, { user: 'nobody' }),
      'A commit is not what its hash says',
    ],
    ['a commit left out', ({ history }) => void history.content.splice(2, 1), 'entries and says'],
    [
      'a record left out',
      ({ records }) => void records.content.shift(),
      'names a lot whose record is not there',
    ],
    [
      'a sum of the summary',
      ({ trace }) => Object.assign(trace.content.lots[0] ?? {}, { shipped: 0 }),
      'A section is not what its hash says',
    ],
    [
      'the name of its maker',
      found => Object.assign(found, { made_by: 'another' }),
      'The package is not what its hash says',
    ],
  ])('shows %s that was changed', async (_what, change, finding) => {
    const found = await made();
    change(found);
    const { faults, findings } = verifyPackage(JSON.stringify(found));
    expect(faults).toBeGreaterThan(0);
    expect(findings.map(({ what }) => what).join('\n')).toContain(finding);
  });

  it('is whole also while its records change', async () => {
    const writing = Array.from({ length: 20 }, (_, n) =>
      station.post(`/x/inventory/${story.lot}/lock`, { is_locked: n % 2 === 0, reason: `Change ${n}` }),
    );
    const packages = await Promise.all(Array.from({ length: 5 }, made));
    for (const each of packages) expect(verifyPackage(JSON.stringify(each)).findings).toEqual([]);
    expect(new Set((await Promise.all(writing)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('is checked on the command line, without a data folder', async () => {
    const folder = temporaryFolder();
    const [good, bad] = [join(folder, 'good.json'), join(folder, 'bad.JSON')];
    const text = JSON.stringify(await made());
    await writeFile(good, text);
    await writeFile(bad, text.replace('Harbour Fasteners', 'Another supplier'));
    const run = (file: string) =>
      promisify(execFile)(process.execPath, [HOLDPOINT, 'verify', file], {
        env: { ...process.env, HOLDPOINT_DATA: join(folder, 'none') },
      });
    expect((await run(good)).stdout).toMatch(
      /^Nothing is wrong with .*good\.json: \d+ records and \d+ commits/,
    );
    const refused = await run(bad).catch((error: { code: number; stdout: string }) => error);
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^1\. The package is not what its hash says/),
    });
    await writeFile(good, '{"format": "other"}');
    await expect(run(good)).rejects.toMatchObject({ stderr: expect.stringContaining('no recall package') });
    expect(await readFile(bad, 'utf8')).toContain('Another supplier');
  });
});

it('names the pieces that came with numbers of their own, and their export has them', async () => {
  const { receipt, inventory } = await receive(station, {
    part_id: story.part,
    unit_of_measure: 'kg',
    quantity_accepted: 2,
    serial_numbers: ['SN-1', 'SN-2'],
  });
  const trace = traceSchema.parse(recordOf(await station.get(`/x/trace/inventory/${inventory}`)));
  expect(trace.receipts).toMatchObject([{ id: receipt, serial_numbers: ['SN-1', 'SN-2'] }]);
  const csv = await station.get('/x/exports/receiving-inspection', { format: 'csv', items: 'items' });
  expect(csv.body).toContain('"[""SN-1"",""SN-2""]"');
});

describe('a proposal', () => {
  const proposed = async (path: string) =>
    ((await station.get(`/x/proposals/${path}`)).body as { data: Record<string, unknown>[] }).data;

  it('of a lot, a failing lab result and a report is filled in and linked, until somebody raised it', async () => {
    const [ofLot] = await proposed(`inventory/${story.other}`);
    expect(ofLot).toMatchObject({ part_id: story.part, lot_number: 'B', inventory_id: story.other });
    const raised = idOf(await station.post('/ncrs', { ...ofLot, ncr_number: 'NCR-2' }));
    expect(await proposed(`inventory/${story.other}`)).toEqual([]);
    const [car] = await proposed(`ncr/${raised}`);
    expect(car).toMatchObject({ ncr_id: raised, description: { lot_number: 'B' } });
    expect((await station.post('/cars', { ...car, car_number: 'CAR-2' })).status).toBe(201);
    expect(await proposed(`ncr/${raised}`)).toEqual([]);
    const failing = idOf(
      await station.post('/lab-results', {
        specification_id: story.template,
        inventory_id: story.other,
        lab_data: { Length: 50 },
      }),
    );
    const [ofResult] = await proposed(`lab-result/${failing}`);
    expect(ofResult).toMatchObject({
      lab_result_id: failing,
      inventory_id: story.other,
      source: 'supplier',
      quantity: 10,
    });
    expect(ofResult?.description).toContain('Length 50');
  });

  it('of a complaint names the lot that its number names, and its cause', async () => {
    const cause = idOf(await station.post('/x/error-codes', { name: 'Rust' }));
    const complaint = idOf(
      await station.post('/complaints', {
        complaint_number: 'CO-2',
        complaint_date: day(),
        batch_number: 'B',
        error_code_id: cause,
        comments: 'Rusty',
      }),
    );
    const [proposal] = await proposed(`complaint/${complaint}`);
    expect(proposal).toMatchObject({ source: 'customer', inventory_id: story.other, error_code_id: cause });
    expect((await station.post('/ncrs', { ...proposal, ncr_number: 'NCR-3' })).status).toBe(201);
  });

  it('of a failed inspection says what was measured of how many, from whom the goods came, and how much of them there is', async () => {
    const opened = await station.post('/inspections', {
      entity_id: story.part,
      drawing_id: story.template,
      inventory_id: story.other,
      sample_size: 5,
    });
    const inspection = idOf(opened);
    const { samples } = recordOf(await station.get(`/x/inspections/${inspection}`));
    for (const { id, results } of (samples as { id: number; results: { id: number }[] }[]).slice(0, 2)) {
      const measured = results.map(result => ({ id: result.id, value: 50 }));
      await station.put(`/inspections/${inspection}/samples/${id}`, { results: measured });
    }
    await station.put(`/inspections/${inspection}`, { passed: false });
    const [proposal] = await proposed(`inspection/${inspection}`);
    expect(proposal).toMatchObject({
      source: 'supplier',
      quantity: 10,
      description: `Inspection ${inspection} (Bolt) failed: 2 of 2 measured samples outside their limits; 5 were to be measured.`,
    });
    const { inspections } = await traced(`/x/trace/inventory/${story.other}`);
    expect(inspections).toMatchObject([{ samples: 5, measured_samples: 2, failed_samples: 2 }]);
    expect((await station.post('/ncrs', { ...proposal, ncr_number: 'NCR-5' })).status).toBe(201);
  });

  it('of goods of our own is about ourselves', async () => {
    const own = idOf(
      await station.post('/x/inventory', { part_id: story.part, batch_number: 'Own', lot_unit: 'kg' }),
    );
    const failing = idOf(
      await station.post('/lab-results', {
        specification_id: story.template,
        inventory_id: own,
        lab_data: { Length: 50 },
      }),
    );
    expect(await proposed(`lab-result/${failing}`)).toMatchObject([{ source: 'internal', quantity: null }]);
  });

  it('of records with long texts is one that can be raised', async () => {
    const long = 'x'.repeat(10_000);
    const part = idOf(await station.post('/parts', { name: long, unit_of_measure: 'units' }));
    const receipt = idOf(
      await station.post('/receiving-inspections', {
        po_number: long,
        items: [{ part_id: part, quantity_accepted: 1, quantity_rejected: 2 }],
      }),
    );
    const [proposal] = await proposed(`receiving-inspection/${receipt}`);
    expect(proposal?.description).toHaveLength(10_000);
    expect((await station.post('/ncrs', { ...proposal, ncr_number: 'NCR-4' })).status).toBe(201);
  });
});
