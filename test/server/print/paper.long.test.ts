import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import { families } from '../../../shared/families/registry.ts';
import { keysOf, languages, paperDocuments } from '../../../shared/operations/paper-operations.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { create, update } from '../store/temporary-store.ts';
import { paperSite } from './paper-site.ts';
import { pdfText } from './pdf-text.ts';
import { paperOf, testPrinter } from './printed.ts';

const printer = testPrinter();

describe('a document as PDF', () => {
  it.each(keysOf(paperDocuments))('%s says what it is in both languages', async document => {
    const site = await paperSite();
    const titles: string[] = [];
    for (const language of languages) {
      const paper = paperOf(site, document, { language });
      const [page = ''] = pdfText(await printer.print({ kind: 'paper', paper }));
      const key = String(paper.identity.split(' ')[0]);
      for (const text of ['Ours', paper.title, paper.number, key, 'Ada', 'Europe/Berlin']) {
        expect(page).toContain(text);
      }
      expect(page).toMatch(language === 'en' ? /Page 1 of [12]/ : /Seite 1 von [12]/);
      expect(page).toContain(language === 'en' ? '15 Jun 2026, 14:00' : '15.06.2026, 14:00');
      titles.push(paper.title);
    }
    expect(titles[0]).not.toBe(titles[1]);
  });

  it('of a receipt has each line accepted and rejected', async () => {
    const site = await paperSite();
    const paper = paperOf(site, 'receipt', { language: 'de' });
    const [page = ''] = pdfText(await printer.print({ kind: 'paper', paper }));
    for (const text of [
      'Harbour Fasteners',
      'PO-1001',
      'LOT-7/A',
      '1.480,5',
      '20',
      '31.12.2031',
      'Shelf A-12',
    ]) {
      expect(page).toContain(text);
    }
    expect(page).toContain('Es wurde mehr angenommen als bestellt.');
    expect(page).toContain('Film torn on one.');
  });

  it('of an inspection says in words what lies outside, what is missing and what is against the verdict', async () => {
    const site = await paperSite();
    const paper = paperOf(site, 'inspection-report');
    const [page = ''] = pdfText(await printer.print({ kind: 'paper', paper }));
    const lines = page.split('\n');
    expect(lines[lines.indexOf('40.75') + 1]).toBe('too high');
    expect(lines[lines.indexOf('39.1') + 1]).toBe('too low');
    expect(lines).toEqual(expect.arrayContaining(['missing', 'failed', 'Passed']));
    expect(page).toContain('39.5 – 40.5 (40 mm ±0.5)');
    expect(page).toContain('judged by hand');
    expect(page).toContain('8 of 12 results measured, 3 not within limits');
    expect(page).toContain('The verdict goes against the measurements.');
    expect(page).toContain('gauge does not enter');
  });

  it('of a packing list has the lots that were taken, and the address', async () => {
    const site = await paperSite();
    const [page = ''] = pdfText(
      await printer.print({ kind: 'paper', paper: paperOf(site, 'packing-list', { language: 'de' }) }),
    );
    for (const text of ['Hafenstraße 12', '20457 Hamburg', 'OR-5', 'LOT-7/A', '1.200 Stück']) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain('Noch nicht versandt');
  });

  it('is the same, byte for byte, at the same moment', async () => {
    const site = await paperSite();
    const print = (now?: string) =>
      printer.print({ kind: 'paper', paper: paperOf(site, 'ncr', now === undefined ? {} : { now }) });
    const [first, again, later] = [await print(), await print(), await print('2026-06-15T12:01:00.000Z')];
    expect(Buffer.compare(first, again)).toBe(0);
    expect(Buffer.compare(first, later)).not.toBe(0);
  });

  it('shows who signed, with what meaning, and what of it the record has left behind', async () => {
    const site = await paperSite();
    const user = await create(site.store, 'user', { name: 'Ada Lovelace', login: 'ada' });
    await update(site.store, 'setting', 1, { is_esignature_required: true });
    const signedAs = (changes: object, reason: string) =>
      site.store.gate.commit({
        actor: { rights: { kind: 'person', roles: ['quality'] }, user: 'ada', userId: user.id },
        reason,
        signing: { signer: { id: user.id, name: 'Ada Lovelace' }, reason },
        work: work => {
          return work.update(families.ncr, site.ncr.id, parseInput(families.ncr, changes, { mode: 'patch' }));
        },
        answer: record => record,
      });
    await signedAs({ quantity: 19 }, 'counted again');
    const record = await signedAs({ status: 'closed' }, 'done');
    const [page = ''] = pdfText(
      await printer.print({ kind: 'paper', paper: paperOf(site, 'ncr', { record }) }),
    );
    const lines = page.slice(page.indexOf('Signatures')).split('\n');
    const place = lines.indexOf('counted again');
    expect(lines.slice(place - 2, place + 1)).toEqual(['Ada Lovelace (ada)', 'Change', 'counted again']);
    expect(lines.join(' ')).toMatch(
      /\d{2}:\d{2}:\d{2} GMT\+02:00 changed since it was signed, in version 2 .*Ada Lovelace \(ada\) Closing done .* valid/,
    );
  });
});

describe('text that people typed', () => {
  const odd: [name: string, text: string, shown: string][] = [
    ['of a word without end', 'W'.repeat(9_000), 'W'.repeat(20)],
    ['from right to left', 'lot שלום end', 'lot \uFFFD'],
    ['with emoji', 'ok 👨‍👩‍👧 and 👍🏽 done', 'ok \uFFFD and \uFFFD done'],
    ['of another script', '螺栓 M8', '\uFFFD\uFFFD M8'],
    ['with marks on marks', `a${'\u0301'.repeat(2_000)}b`, 'b'],
    ['with control characters', 'a\u0000\u0007b\ud800c\u202Ed', 'a  b cd'],
    ['that looks like code', '<b>{page}</b> %s \\n (1) Tj', '<b>{page}</b> %s \\n (1) Tj'],
    ['in Greek and Cyrillic', 'Ωμέγα Жук ≥ µ ±', 'Ωμέγα Жук ≥ µ ±'],
  ];

  it.each(odd)('%s stays on the page', async (_name, text, shown) => {
    const site = await paperSite();
    const ncr = await update(site.store, 'ncr', site.ncr.id, {
      description: text,
      lot_number: text.slice(0, 500),
    });
    const file = await printer.print({ kind: 'paper', paper: paperOf(site, 'ncr', { record: ncr }) });
    const words = pdfText(file).join('\n').replaceAll('\u200B', '');
    // Where a line may break, the file has pieces.
    expect(words.replaceAll(/\s/g, '')).toContain(shown.replaceAll(/\s/g, ''));
    const isReplaced = shown.includes('\uFFFD') || text.includes('\ud800');
    expect(words.includes('characters that this font does not have')).toBe(shown.includes('\uFFFD'));
    expect(isReplaced || !words.includes('\uFFFD')).toBe(true);
  });

  it('that would fill hundreds of pages is refused', async () => {
    const site = await paperSite();
    const description = 'x\n'.repeat(4_500);
    const ncr = await update(site.store, 'ncr', site.ncr.id, { description });
    expect(() => paperOf(site, 'ncr', { record: ncr })).toThrow(/lines, more than 4000/);
  });
});

describe('a document that is too long', () => {
  it('is refused before it is laid out, naming the way out', async () => {
    const site = await paperSite();
    const characteristics = Array.from({ length: 100 }, (_, index) => ({
      name: `C${index}`,
      tolerance: 'min 5',
    }));
    const template = await create(site.store, 'specification', { name: 'Long', characteristics });
    const record = await create(site.store, 'inspection', { drawing_id: template.id, sample_size: 100 });
    expect(() => paperOf(site, 'inspection-report', { record })).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message: expect.stringMatching(/13400 cells.*\/x\/exports\/inspection/),
      }),
    );
  });

  it('is refused by its pages where they cannot be foreseen', async () => {
    const paper = paperOf(await paperSite(), 'ncr');
    const blocks = [{ kind: 'text' as const, label: '', text: 'x\n'.repeat(13_000) }];
    await expect(printer.print({ kind: 'paper', paper: { ...paper, blocks } })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/pages, more than 200/),
    });
  });
});

const hasPoppler = (() => {
  try {
    execFileSync('pdftoppm', ['-v'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
})();

describe.skipIf(!hasPoppler)('as a picture (needs pdftoppm of poppler-utils)', () => {
  it.each(keysOf(paperDocuments))('%s has ink within its margins only', async document => {
    const folder = temporaryFolder();
    const site = await paperSite({ partName: 'Wide '.repeat(40), lotNumber: 'L'.repeat(120) });
    const file = join(folder, 'paper');
    writeFileSync(`${file}.pdf`, await printer.print({ kind: 'paper', paper: paperOf(site, document) }));
    execFileSync('pdftoppm', ['-r', '36', '-gray', '-f', '1', '-l', '1', '-singlefile', `${file}.pdf`, file]);
    const { width, height, dark } = pictureOf(readFileSync(`${file}.pgm`));
    expect([width, height]).toEqual([298, 421]);
    expect(dark.length).toBeGreaterThan(500);
    // 40 points at 36 dots an inch, and half a dot of blur.
    expect(dark.filter(({ x }) => x < 19 || x > width - 19)).toEqual([]);
  });
});

function pictureOf(file: Buffer): { width: number; height: number; dark: { x: number; y: number }[] } {
  const [head = '', width = '', height = ''] =
    /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 60)) ?? [];
  const [columns, rows] = [Number(width), Number(height)];
  const dark: { x: number; y: number }[] = [];
  for (let index = 0; index < columns * rows; index += 1) {
    if ((file[head.length + index] ?? 255) < 160)
      dark.push({ x: index % columns, y: Math.floor(index / columns) });
  }
  return { width: columns, height: rows, dark };
}
