import { expect, it } from 'vitest';
import type { Block } from '../../../server/print/paper.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import type { Rights } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { itemIds, update } from '../store/temporary-store.ts';
import { type PaperSite, paperSite } from './paper-site.ts';
import { paperOf } from './printed.ts';

const inspector: Rights = { kind: 'person', roles: ['inspector'] };
const integration: Rights = { kind: 'integration', roles: ['inspector'] };

/** As a person or an integration changes it, whom the permissions are asked of. */
function change(
  { store }: PaperSite,
  name: 'receiving-inspection' | 'inspection' | 'lab-result' | 'ncr' | 'shipment' | 'car',
  id: number,
  body: object,
  { rights = inspector, reason = null as string | null } = {},
) {
  return store.gate.commit({
    actor: { rights, user: 'ina' },
    reason,
    work: work => work.update(families[name], id, parseInput(families[name], body, { mode: 'patch' })),
    answer: record => record,
  });
}

function corrections(blocks: readonly Block[], title: string): unknown[] {
  const at = blocks.findIndex(block => block.kind === 'heading' && block.text === title);
  const table = blocks[at + 1];
  return table?.kind === 'table' ? [...table.rows] : [];
}

it('a receipt prints what stood before a line was corrected, who did it, when and why', async () => {
  const site = await paperSite();
  expect(corrections(paperOf(site, 'receipt').blocks, 'Corrections')).toEqual([]);
  const [, second = 0] = itemIds(site.receipt, 'items');
  const items = [{ id: second, quantity_accepted: 2 }];
  await change(site, 'receiving-inspection', site.receipt.id, { items }, { reason: 'Counted again' });
  expect(corrections(paperOf(site, 'receipt').blocks, 'Corrections')).toEqual([
    ['No. 2: Accepted', '3', '2', expect.stringMatching(/^ina\n15 Jun 2026, /), 'Counted again', 'recorded'],
  ]);
  expect(corrections(paperOf(site, 'receipt', { language: 'de' }).blocks, 'Korrekturen')).toEqual([
    [
      'Nr. 2: Angenommen',
      '3',
      '2',
      expect.stringMatching(/^ina\n15\.06\.2026, /),
      'Counted again',
      'festgehalten',
    ],
  ]);
});

it('an inspection names sample and characteristic; a certificate only the measurements that differ', async () => {
  const site = await paperSite();
  const { store, inspection } = site;
  await update(store, 'inspection', inspection, { passed: null }, { reason: 'Look again' });
  const record = store.records.get('inspection', inspection) ?? site.receipt;
  const [sample = 0] = itemIds(record, 'samples');
  const template = record.fields.template as { characteristics: Record<number, unknown> };
  const [length = 0] = Object.keys(template.characteristics).map(Number);
  const samples = [{ id: sample, results: [{ id: length, value: 40.3 }] }];
  await change(site, 'inspection', inspection, { samples }, { reason: 'Misread' });
  expect(corrections(paperOf(site, 'inspection-report').blocks, 'Corrections')).toEqual([
    ['Sample 1: Length', '40.2', '40.3', expect.stringMatching(/^ina\n/), 'Misread', 'recorded'],
  ]);
  await update(store, 'inspection', inspection, { passed: true });
  const [result] = store.records.findBy('lab-result', 'inventory_id', site.lot);
  const lab_data = '{"Carbon": "0.355", "Lead": "<0.01", "Odour": "2"}';
  await change(site, 'lab-result', result?.id ?? 0, { lab_data }, { reason: 'Mistyped' });
  expect(corrections(paperOf(site, 'certificate').blocks, 'Corrections')).toEqual([
    [
      'Measurement',
      'Carbon: 0.351',
      'Carbon: 0.355',
      expect.stringMatching(/^ina\n/),
      'Mistyped',
      'recorded',
    ],
  ]);
});

const quality: Rights = { kind: 'person', roles: ['quality'] };

it('a report and a shipment print their own, and those of the lots that they name', async () => {
  const site = await paperSite();
  const { store, shipment, lot, car } = site;
  const ncr = await update(store, 'ncr', site.ncr.id, { inventory_id: lot });
  expect(corrections(paperOf(site, 'packing-list').blocks, 'Corrections')).toEqual([]);
  const why = { rights: quality, reason: 'Misread' };
  await change(site, 'ncr', ncr.id, { lot_number: 'LOT-8' }, why);
  await change(site, 'ncr', ncr.id, { status: 'closed' }, why);
  await change(site, 'ncr', ncr.id, { status: 'open' }, why);
  const [line = 0, other = 0] = itemIds(site.receipt, 'items');
  const items = [
    { id: line, expiry_date: '2032-03-01' },
    { id: other, expiry_date: '2032-04-01' },
  ];
  await change(site, 'receiving-inspection', site.receipt.id, { items }, why);
  const ofLot = [
    'Lot LOT-7/A: Expiry',
    '31 Dec 2031',
    '1 Mar 2032',
    expect.anything(),
    'Misread',
    'recorded',
  ];
  const report = paperOf(site, 'ncr').blocks;
  expect(corrections(report, 'Corrections')).toEqual([
    [
      'Lot number',
      String(ncr.fields.lot_number),
      'LOT-8',
      expect.stringMatching(/^ina\n/),
      'Misread',
      'recorded',
    ],
    ['Status', 'Closed', 'Open', expect.anything(), 'Misread', 'recorded'],
    ofLot,
  ]);
  await change(site, 'shipment', shipment.id, { actual_ship_date: null }, why);
  await change(site, 'shipment', shipment.id, { actual_ship_date: '2026-06-16' }, why);
  const list = paperOf(site, 'packing-list').blocks;
  expect(corrections(list, 'Corrections')).toEqual([
    ['Shipped', '15 Jun 2026', '–', expect.anything(), 'Misread', 'recorded'],
    ofLot,
  ]);
  expect(list).toContainEqual({ kind: 'text', label: 'Number of corrections', text: '2' });
  await change(site, 'car', car.id, { date_opened: '2026-06-02' }, why);
  expect(corrections(paperOf(site, 'car').blocks, 'Corrections')).toEqual([
    ['Opened', '15 Jun 2026', '2 Jun 2026', expect.anything(), 'Misread', 'recorded'],
  ]);
});

it('what waits for quality is marked as such', async () => {
  const site = await paperSite();
  const [first = 0] = itemIds(site.receipt, 'items');
  const items = [{ id: first, quantity_rejected: 10 }];
  await change(site, 'receiving-inspection', site.receipt.id, { items }, { rights: integration });
  expect(corrections(paperOf(site, 'receipt').blocks, 'Corrections')).toMatchObject([
    ['No. 1: Rejected', '20', '10', expect.anything(), '–', { shape: 'cross', words: 'waits for quality' }],
  ]);
});
