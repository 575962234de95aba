import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demo } from '../../../server/cli/demo.ts';
import { fillSampleCompany, type SampleCompany } from '../../../server/demo/fill-sample-company.ts';
import { addDays } from '../../../shared/contract/dates.ts';
import type { FamilyName } from '../../../shared/families/registry.ts';
import { type Client, createClient } from '../../../shared/operations/client.ts';
import { filledFolder } from '../../support/sample-company.ts';
import { Station } from '../../support/station.ts';

const today = new Date().toISOString().slice(0, 10);
const first = new Station();
/** Of the company that a station of its own has filled for all tests that need one. */
let second: Station;
let counts: SampleCompany['counts'];
let client: Client;
let company: SampleCompany;

beforeAll(async () => {
  const filled = await filledFolder();
  counts = filled.counts;
  second = new Station({ folder: filled.folder });
  await Promise.all([first.start(), second.start()]);
  client = clientOf(first);
  company = await fillSampleCompany(client, { today });
});

afterAll(async () => {
  await first.stop();
  await second.stop();
  await rm(second.folder, { recursive: true });
});

/** At least so many of each; the answers' own totals, not what the story says it wrote. */
const minimums: Partial<Record<FamilyName, number>> = {
  supplier: 12,
  customer: 25,
  part: 30,
  'part-type': 5,
  location: 10,
  equipment: 6,
  'error-code': 8,
  specification: 7,
  'receiving-inspection': 80,
  inventory: 120,
  inspection: 45,
  'lab-result': 120,
  order: 40,
  shipment: 60,
  ncr: 15,
  car: 6,
  complaint: 10,
  adjustment: 100,
  move: 20,
};

describe('the sample company', () => {
  it.each(Object.entries(minimums))('has at least, of %s: %i', async (name, minimum) => {
    const { meta } = await client.list(name as FamilyName, { per_page: 1 });
    expect(meta.total).toBeGreaterThanOrEqual(minimum);
    expect(company.counts[name as FamilyName]).toBe(meta.total);
  });

  it('has lots near expiry, expired lots, and no stock below nothing', async () => {
    const lots = await lotsOf(client);
    expect(lots.every(({ quantity }) => quantity >= 0)).toBe(true);
    const stocked = lots.filter(({ quantity }) => quantity > 0);
    const near = stocked.filter(
      ({ expiry }) => expiry !== null && expiry >= today && expiry <= addDays(today, 30),
    );
    expect(near.length).toBeGreaterThanOrEqual(3);
    expect(stocked.filter(({ expiry }) => expiry !== null && expiry < today).length).toBeGreaterThanOrEqual(
      2,
    );
    const { data } = await client.list('inventory', { per_page: 500 });
    expect(
      data.filter(lot => lot.is_expiry_soon === '1' && near.some(({ id }) => id === lot.id)).length,
    ).toBe(near.length);
  });

  it('has stock locked by quarantine, by a failed and an open inspection, by a lab result and by a person', async () => {
    const lots = new Map((await lotsOf(client)).map(lot => [lot.id, lot]));
    const isStockedAndLocked = (id: unknown) => {
      const lot = lots.get(Number(id));
      return lot?.isLocked === true && lot.quantity > 0;
    };
    const receipts = wholes(first, 'receiving-inspection');
    const quarantined = receipts
      .filter(({ is_quarantined }) => is_quarantined === true)
      .flatMap(({ items }) => Object.values(items as object));
    expect(
      quarantined.filter(({ inventory_id }) => isStockedAndLocked(inventory_id)).length,
    ).toBeGreaterThanOrEqual(3);

    const inspections = wholes(first, 'inspection');
    for (const verdict of [false, undefined]) {
      const lotIds = inspections
        .filter(({ passed }) => passed === verdict)
        .map(({ inventory_id }) => inventory_id);
      expect(lotIds.filter(isStockedAndLocked).length).toBeGreaterThanOrEqual(2);
    }

    const failed = wholes(first, 'lab-result').filter(
      ({ failed_measurements }) => failed_measurements !== undefined,
    );
    expect(failed.length).toBe(4);
    const batches = new Set(failed.map(({ batch_number }) => batch_number));
    const ofBatches = [...lots.values()].filter(({ number }) => batches.has(number));
    expect(ofBatches.length).toBe(4);
    expect(ofBatches.every(({ isLocked }) => isLocked)).toBe(true);

    const byPerson = wholes(first, 'inventory').filter(
      ({ is_locked_by_person }) => is_locked_by_person === true,
    );
    expect(byPerson.length).toBe(1);
  });

  it('has inspections of every outcome, one against its measurements, and a bottle whose neck grows', async () => {
    const { data } = await client.list('inspection', { per_page: 500 });
    expect(data.filter(({ passed }) => passed === true).length).toBeGreaterThanOrEqual(35);
    expect(data.filter(({ passed }) => passed === false).length).toBeGreaterThanOrEqual(3);
    expect(data.filter(({ is_against_measurements }) => is_against_measurements === true).length).toBe(1);
    // What waits for an inspector has its samples, and for a part that is measured by fives the plan asks for no more.
    const sizes = wholes(first, 'inspection')
      .filter(({ passed }) => typeof passed !== 'boolean')
      .map(({ samples }) => Object.keys(samples as Samples).length);
    expect(sizes.length).toBeGreaterThanOrEqual(4);
    expect(sizes).toEqual(sizes.map(() => 5));
    const part_id = company.idOf('part:PK-3120');
    const { data: sampling } = await client.call('x.sampling.read', { query: { part_id, lot_size: 1_300 } });
    expect(sampling.plan).toMatchObject({ n: 5 });
    const neck = company.idOf('characteristic:DW-3020/Neck outer diameter');
    const ofBottle = wholes(first, 'inspection').filter(
      ({ drawing_id }) => drawing_id === company.idOf('template:DW-3020'),
    );
    const means = ofBottle.map(({ samples }) =>
      mean(Object.values(samples as Samples).flatMap(({ results }) => results[neck]?.value ?? [])),
    );
    expect(means.length).toBe(11);
    expect(means.at(-1)).toBeGreaterThan((means[0] ?? 0) + 0.25);
    expect(
      means.filter((value, index) => index > 0 && value > (means[index - 1] ?? 0)).length,
    ).toBeGreaterThanOrEqual(8);
  });

  it('has lab results over the months, some below the limit of quantification', async () => {
    const { data } = await client.list('lab-result', { per_page: 500 });
    expect(
      data.filter(result => Object.keys(result.lab_data_qualified ?? {}).length > 0).length,
    ).toBeGreaterThanOrEqual(20);
    const months = new Set(data.map(({ testing_date }) => testing_date?.slice(0, 7)));
    expect(months.size).toBeGreaterThanOrEqual(8);
  });

  it('has shipped most of its shipments, each with the lots that it took', async () => {
    const shipments = wholes(first, 'shipment');
    const closed = shipments.filter(({ actual_ship_date }) => actual_ship_date !== undefined);
    expect(closed.length).toBeGreaterThanOrEqual(50);
    expect(shipments.length - closed.length).toBeGreaterThanOrEqual(4);
    for (const { items } of closed) {
      for (const { quantity, taken } of Object.values(items as Items)) {
        expect(taken.reduce((sum, { quantity: part }) => sum + part, 0)).toBe(quantity);
      }
    }
  });

  it('has reports in every state, from every source, linked to what they came from', async () => {
    const reports = wholes(first, 'ncr');
    const seen = (field: string) => new Set(reports.map(report => report[field]));
    expect(seen('status')).toEqual(new Set(['open', 'in_review', 'closed']));
    expect(seen('source')).toEqual(new Set(['supplier', 'internal', 'customer']));
    const links = ['receiving_inspection_id', 'inspection_id', 'lab_result_id', 'complaint_id'];
    for (const link of links) expect(reports.some(report => typeof report[link] === 'number')).toBe(true);
  });

  it('has parts that are sampled normally, tightened, reduced, and not any more', async () => {
    const { data } = await client.call('x.sampling.list');
    const stateOf = (part: string) => {
      const row = data.rows.find(({ part_id }) => part_id === company.idOf(`part:${part}`));
      return row?.is_discontinued ? 'discontinued' : row?.severity;
    };
    expect(['PK-3110', 'PK-3410', 'PK-3420', 'PK-3430'].map(stateOf)).toEqual([
      'normal',
      'reduced',
      'tightened',
      'discontinued',
    ]);
  });

  it('was inspected, and its lots carried, over the months', async () => {
    const { data } = await client.call('x.trends.characteristics', {
      query: { part_id: company.idOf('part:PK-3020'), characteristic: 'Neck outer diameter' },
    });
    const days = data.points.map(({ at }) => at);
    expect(days).toEqual(days.toSorted());
    expect(new Set(days.map(day => day.slice(0, 7))).size).toBeGreaterThanOrEqual(8);
    const moved = wholes(first, 'move').map(({ move_date }) => move_date);
    expect(moved.every(day => String(day) < today)).toBe(true);
    expect(new Set(moved.map(day => String(day).slice(0, 7))).size).toBeGreaterThanOrEqual(5);
  });

  it('has history with reasons', async () => {
    const { data } = await client.call('x.history.list', {
      params: { family: 'shipment', id: company.idOf('shipment:14+5') },
    });
    expect(data.some(({ reason }) => reason !== null)).toBe(true);
  });

  it('is the same on another station on the same day', () => {
    expect(counts).toEqual(company.counts);
    const names: FamilyName[] = ['company', ...(Object.keys(minimums) as FamilyName[])];
    for (const name of names) {
      const here = timeless(first, name);
      expect(here, name).not.toEqual([]);
      expect(timeless(second, name), name).toEqual(here);
    }
  });
});

describe('holdpoint demo', () => {
  const quiet = { clock: () => new Date(), isTerminal: false, signal: new AbortController().signal };

  it('refuses an installation that has records', async () => {
    const refused = demo(client, { ...quiet, isForced: false, write: () => undefined });
    await expect(refused).rejects.toThrow(/already has records; use another data folder: HOLDPOINT_DATA=/);
  });

  it('ends when it is cancelled, and says how far it came', async () => {
    const cancel = new AbortController();
    let output = '';
    const cancelled = demo(client, {
      ...quiet,
      isForced: true,
      signal: cancel.signal,
      write: text => {
        output += text;
        if (text.startsWith('100 of')) cancel.abort(new Error('Cancelled.'));
      },
    });
    await expect(cancelled).rejects.toThrow('Cancelled.');
    expect(output).toMatch(/Cancelled after 100 of \d+ steps/);
  });

  it('adds a second sample company beside the first when it is forced', async () => {
    let output = '';
    await demo(clientOf(second), {
      ...quiet,
      isForced: true,
      write: text => {
        output += text;
      },
    });
    expect(output).toMatch(/143 {2}Lab results/);
    const { meta } = await clientOf(second).list('ncr');
    expect(meta.total).toBe(2 * Number(company.counts.ncr));
  }, 600_000);
});

type Fields = Record<string, unknown>;
type Samples = Record<string, { results: Record<string, { value?: number }> }>;
type Items = Record<string, { quantity: number; taken: { quantity: number }[] }>;

function clientOf(station: Station): Client {
  return createClient({ baseUrl: station.origin, token: station.token });
}

async function idsOf(of: Client, name: FamilyName): Promise<number[]> {
  const { data, meta } = await of.list(name, { per_page: 500 });
  expect(data.length).toBe(meta.total);
  return data.map(record => Number((record as { id: unknown }).id));
}

/** The stored fields of every record of a family, from the file. */
function wholes(of: Station, name: FamilyName): Fields[] {
  const database = new DatabaseSync(join(of.folder, 'holdpoint.db'), { readOnly: true });
  try {
    const documents = database.prepare(
      'SELECT document FROM holdpoint__records__0 WHERE f_family = ? ORDER BY f_id',
    );
    return documents.all(name).map(({ document }) => JSON.parse(String(document)).fields);
  } finally {
    database.close();
  }
}

async function lotsOf(of: Client) {
  const lots = [];
  for (const id of await idsOf(of, 'inventory')) {
    const { data } = await of.read('inventory', id);
    const { quantity, is_locked, nearest_expiry_date, batch_number } = data;
    lots.push({
      id,
      quantity: Number(quantity),
      isLocked: is_locked === true,
      expiry: nearest_expiry_date,
      number: batch_number,
    });
  }
  return lots;
}

/** Every stored field but the moments of writing. */
function timeless(of: Station, name: FamilyName): unknown {
  const text = JSON.stringify(wholes(of, name), (key, value) => (key.endsWith('_at') ? undefined : value));
  return JSON.parse(text);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
