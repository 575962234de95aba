import { expect, it } from 'vitest';
import { create } from '../store/temporary-store.ts';
import { paperSite } from './paper-site.ts';
import { pdfText } from './pdf-text.ts';
import { paperOf, testPrinter } from './printed.ts';

const printer = testPrinter();

it('a recall says whom to call, what went to them, and where it came from', async () => {
  const site = await paperSite();
  for (const document of ['recall', 'part-recall'] as const) {
    const pages = pdfText(await printer.print({ kind: 'paper', paper: paperOf(site, document) }));
    const text = pages.join('\n');
    for (const said of [
      'Customers to call (1)',
      'Nordwerk GmbH',
      'Jan Brandt',
      '+49 40 555 0147',
      '1,200 EA',
      'Shipments (1)',
      'Harbour Fasteners',
      'PO-1001',
      'LOT-7/A',
      'Hex bolt M8',
      'NCR-26-004',
      'CAR-9',
      'T-77',
    ]) {
      expect(text, document).toContain(said);
    }
  }
});

it('a recall in German names its tables in German', async () => {
  const site = await paperSite();
  const pages = pdfText(
    await printer.print({ kind: 'paper', paper: paperOf(site, 'recall', { language: 'de' }) }),
  );
  for (const said of ['Rückruf', 'Anzurufende Kunden (1)', 'Wareneingänge (1)', 'Reklamationen (0)']) {
    expect(pages.join('\n')).toContain(said);
  }
});

it('what was left out, by the trace or by the paper, is said', async () => {
  const site = await paperSite();
  const { recall: trace } = site.traces;
  const [shipment] = trace?.shipments ?? [];
  if (!trace || !shipment) throw new Error('The site has no shipment.');
  const long = {
    ...trace,
    shipments: Array.from({ length: 301 }, () => shipment),
    left_out: [{ group: 'inspections', shown: 500, total: 612 }],
  };
  const file = await printer.print({ kind: 'paper', paper: paperOf(site, 'recall', { trace: long }) });
  const text = pdfText(file).join(' ').replaceAll('\n', ' ');
  expect(text).toMatch(/Inspections: 500\s+of\s+612\s+stand\s+here/);
  expect(text).toMatch(/Shipments: 300\s+of\s+301\s+stand\s+here/);
});

it('a locked lot says so', async () => {
  const site = await paperSite();
  const { id } = await create(site.store, 'customer', { name: 'Nobody' });
  const { recall: trace } = site.traces;
  const [lot] = trace?.lots ?? [];
  if (!trace || !lot) throw new Error('The site has no lot.');
  const locked = { ...lot, locks: [{ lock: 'person', reason: 'Held back.', family: 'customer', id }] };
  const paper = paperOf(site, 'recall', { trace: { ...trace, lots: [locked] } });
  expect(paper.blocks).toContainEqual({ kind: 'notice', tone: 'wrong', text: 'LOCKED: Held back.' });
  const ours = {
    ...lot,
    locks: [{ lock: 'inspection_failed', reason: 'an inspection of it failed', family: 'customer', id }],
  };
  const german = paperOf(site, 'recall', { trace: { ...trace, lots: [ours] }, language: 'de' });
  const text = 'GESPERRT: eine Prüfung ist nicht bestanden';
  expect(german.blocks).toContainEqual({ kind: 'notice', tone: 'wrong', text });
});

it('the pieces that have numbers of their own are named, all of them', async () => {
  const site = await paperSite();
  const { recall: trace } = site.traces;
  const [receipt] = trace?.receipts ?? [];
  if (!trace || !receipt) throw new Error('The site has no receipt.');
  const serial_numbers = Array.from({ length: 30 }, (_, index) => `SN-${index + 1}`);
  const pieces = { ...trace, receipts: [{ ...receipt, serial_numbers }] };
  const file = await printer.print({ kind: 'paper', paper: paperOf(site, 'recall', { trace: pieces }) });
  const text = pdfText(file).join(' ').replace(/\s+/g, ' ');
  expect(text).toContain('Serial numbers (30)');
  for (const serial of serial_numbers) expect(text).toContain(serial);
  const without = pdfText(await printer.print({ kind: 'paper', paper: paperOf(site, 'recall') }));
  expect(without.join(' ')).not.toContain('Serial numbers');
});
