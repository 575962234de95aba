import { expect, it } from 'vitest';
import type { Block, Paper } from '../../../server/print/paper.ts';
import { pdfText } from './pdf-text.ts';
import { testPrinter } from './printed.ts';

const printer = testPrinter();

const table = (label: string, rows: number): Block => ({
  kind: 'table',
  columns: [{ label, share: 1 }],
  rows: Array.from({ length: rows }, (_, index) => [`${label} ${index + 1}`]),
});

const paperOf = (blocks: Block[]): Paper => ({
  language: 'en',
  company: 'Harbour',
  title: 'Recall',
  number: 'LOT-7',
  link: 'holdpoint://inventory/1',
  identity: 'inventory 1',
  printed: 'Printed by Ada',
  pageOf: '{page} of {pages}',
  replaced: '',
  at: '2026-06-01T08:00:00.000Z',
  blocks,
});

it('a heading stands on the page on which its table begins, wherever that falls', async () => {
  let broken = 0;
  // Row by row, the heading comes to the foot of the page and over it.
  for (let rows = 30; rows < 46; rows += 1) {
    const blocks = [
      table('Filler', rows),
      { kind: 'heading', text: 'Shipments' } as const,
      table('Number', 12),
    ];
    const pages = pdfText(await printer.print({ kind: 'paper', paper: paperOf(blocks) }));
    const [page] = pages.filter(text => text.includes('Shipments'));
    expect(page, `${rows} rows`).toMatch(/Shipments[\s\S]*Number 1\b/);
    if (!pages[0]?.includes('Shipments')) broken += 1;
  }
  expect(broken).toBeGreaterThan(0);
  expect(broken).toBeLessThan(16);
});

it('a heading goes with a text as with a table', async () => {
  for (let rows = 32; rows < 42; rows += 1) {
    const blocks: Block[] = [
      table('Filler', rows),
      { kind: 'heading', text: 'Remarks' },
      { kind: 'text', label: '', text: 'Said once.' },
    ];
    const pages = pdfText(await printer.print({ kind: 'paper', paper: paperOf(blocks) }));
    expect(pages.find(text => text.includes('Remarks'))).toMatch(/Remarks[\s\S]*Said once/);
  }
});

it('the last heading of all, with nothing below it, stays where it is', async () => {
  for (const rows of [34, 36, 38, 40]) {
    const pages = pdfText(
      await printer.print({
        kind: 'paper',
        paper: paperOf([table('Filler', rows), { kind: 'heading', text: 'Complaints (0)' }]),
      }),
    );
    expect(pages.at(-1)).toMatch(/Complaints \(0\)/);
    expect(pages.length).toBeLessThanOrEqual(2);
  }
});
