import {
  BinaryBitmap,
  Code128Reader,
  DataMatrixReader,
  DecodeHintType,
  HybridBinarizer,
  QRCodeReader,
  type Reader,
  RGBLuminanceSource,
} from '@zxing/library';
import { describe, expect, it } from 'vitest';
import type { Label } from '../../../server/print/labels/label.ts';
import { type LabelRequest, makeLabel } from '../../../server/print/labels/make-label.ts';
import type { Store } from '../../../server/store/store.ts';
import {
  keysOf,
  type LabelSize,
  type LabelSymbol,
  labelSizes,
  labelSymbols,
} from '../../../shared/operations/paper-operations.ts';
import { addPart, contextOf, lock, openSite, type Received, receive } from '../rules/site.ts';
import { create } from '../store/temporary-store.ts';
import { codePicture } from './code-picture.ts';
import { pdfText } from './pdf-text.ts';
import { recordIn, testPrinter } from './printed.ts';

const GTIN = '9506000134352';
const FNC1 = '\u001d';
const printer = testPrinter();

describe('the code on a label is read back', () => {
  const lots = ['LOT-7/A', 'a%"&\'()*+,-./:;<=>?', '_1_x_', '>:>;>8>0', '12345678901234567890', '0'];

  it.each(lots)('as GS1 DataMatrix and GS1-128, of the lot %s', async number => {
    const { label } = await gs1Lot(number);
    const data = `0109506000134352173112311${`0${number}`}`;
    expect(await readBack(label('datamatrix'), '100x50')).toBe(data);
    expect(await readBack(label('code128'), '102x152')).toBe(data);
    expect(label('datamatrix').code.caption).toBe(`(01)09506000134352(17)311231(10)${number}`);
  });

  it.each(['Ä-1', 'with space', 'a^b~c', '#1', '日本', 'x'.repeat(21), '|', '\\'])(
    'as the lot record where GS1 has no place for the lot number %s',
    async number => {
      const { label, lot } = await gs1Lot(number);
      for (const symbol of labelSymbols)
        expect(await readBack(label(symbol), '62x29')).toBe(`inventory:${lot}`);
    },
  );

  it.each(keysOf(labelSizes))('on a label of %s mm', async size => {
    const { label, lot } = await gs1Lot('L');
    expect(await readBack(label('qr'), size)).toBe(`inventory:${lot}`);
    expect(await readBack(label('datamatrix'), size)).toContain('10L');
  });

  it.each<[identification: string, code: (id: number) => string]>([
    ['HB-8', () => 'HB-8'],
    ['{A} [1] $5 @home >x_1', () => '{A} [1] $5 @home >x_1'],
    ['^XA~JA', id => `part:${id}`],
    ['Schraube Größe 8', id => `part:${id}`],
    [' ', id => `part:${id}`],
    ['x'.repeat(60), id => `part:${id}`],
  ])('of a part with the number %o', async (identification, code) => {
    const store = await openSite();
    const part = await addPart(store, { identification });
    for (const symbol of labelSymbols) {
      const label = labelOf(store, { kind: 'part', record: recordIn(store, 'part', part), symbol });
      expect(await readBack(label, '100x50')).toBe(code(part));
    }
  });

  it('of a location', async () => {
    const store = await openSite();
    const location = await create(store, 'location', { name: 'Shelf A-12' });
    const label = labelOf(store, { kind: 'location', record: location, symbol: 'code128' });
    expect(await readBack(label, '62x29')).toBe(`location:${location.id}`);
    expect(label.title).toBe('Shelf A-12');
  });

  it('or refused, where its bars would be too fine to be read', async () => {
    const { label } = await gs1Lot('ABCDEFGHIJKLMNOPQRST');
    await expect(readBack(label('code128'), '50x25')).rejects.toMatchObject({
      code: 'validation_failed',
      errors: { size: [expect.stringMatching(/too small to be read.*datamatrix/)] },
    });
  });
});

describe('a label says in words', () => {
  it.each<['en' | 'de', string[]]>([
    ['en', ['Jar', 'Lot L', 'Exp. 31 Dec 2031', '10 units']],
    ['de', ['Jar', 'Los L', 'Verw. bis 31.12.2031', '10 Stück']],
  ])('what the code holds, in %s', async (language, words) => {
    const { store, lot } = await gs1Lot('L');
    const label = labelOf(store, { kind: 'lot', record: recordIn(store, 'inventory', lot), language });
    const file = await printer.print({
      kind: 'label-pdf',
      labels: [label],
      options: { size: '62x29', copies: 2 },
    });
    const pages = pdfText(file);
    expect(pages).toHaveLength(2);
    for (const page of pages) expect(page.split('\n')).toEqual(expect.arrayContaining(words));
  });

  it('that a lot is locked', async () => {
    const { store, lot } = await gs1Lot('L');
    await lock(store, lot, true);
    const label = labelOf(store, { kind: 'lot', record: recordIn(store, 'inventory', lot) });
    const pdf = await printer.print({
      kind: 'label-pdf',
      labels: [label],
      options: { size: '50x25', copies: 1 },
    });
    expect(pdfText(pdf)[0]).toContain('LOCKED');
    expect(await zplOf(label)).toMatch(
      /\^GB\d+,\d+,\d+\^FS\n\^FO\d+,\d+\^FR\^A0N,\d+,\d+\^FH_\^FDLOCKED\^FS/,
    );
  });

  it('what one line of a receipt brought', async () => {
    const { store, received } = await gs1Lot('L');
    const record = recordIn(store, 'receiving-inspection', received.receipt);
    const label = labelOf(store, { kind: 'item', record, line: received.item });
    expect(label.lines).toContain('10 EA');
    expect(label.code.data).toContain('10L');
    expect(() => labelOf(store, { kind: 'item', record })).toThrow(/line: .*It has: \d+/);
    expect(() => labelOf(store, { kind: 'item', record, line: 99 })).toThrow(/no line with the id 99/);
  });

  it('no more than there is room for, and never beyond its edge', async () => {
    const { store, lot } = await gs1Lot('L'.repeat(500), { name: 'Long name '.repeat(50) });
    const label = labelOf(store, { kind: 'lot', record: recordIn(store, 'inventory', lot), symbol: 'qr' });
    const pages = pdfText(
      await printer.print({ kind: 'label-pdf', labels: [label], options: { size: '50x25', copies: 1 } }),
    );
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(/Long name.*…/);
  });
});

describe('ZPL', () => {
  it('has the code in the commands of the printer, FNC1 in each as the command wants it', async () => {
    const { label, lot } = await gs1Lot('A>_1');
    const data = '01095060001343521731123110';
    expect(await zplOf(label('datamatrix'))).toMatch(`,200,0,0,6,_,1^FD_1${data}A>__1^FS`);
    expect(await zplOf(label('code128'))).toMatch(`,N,N,N,N^FD>;>8${data}>6A>0_1^FS`);
    expect(await zplOf(label('qr'))).toMatch(new RegExp(`\\^BQN,2,\\d+,M\\^FDMA,inventory:${lot}\\^FS`));
  });

  it.each([
    ['^XZ^XA^FDowned^FS', '~JA', '_5EXZ'],
    ['\r\n^XA\u0000', 'a_b\\&c', '\u200D^\u202E~'],
    ['日本 Größe', '😀^', '﹋'],
  ])('takes text for text: %o', async (name, identification, locationName) => {
    const store = await openSite();
    const location = await create(store, 'location', { name: locationName });
    const part = await addPart(store, { name, identification });
    const { lot } = await receive(store, {
      part_id: part,
      serial_number: '^FS^XZ',
      location_id: location.id,
    });
    const label = labelOf(store, { kind: 'lot', record: recordIn(store, 'inventory', lot) });
    const zpl = await zplOf(label, 3);
    const commands = [...zpl.matchAll(/[\^~][A-Z@][A-Z0-9@]/g)].map(String);
    const known = ['^XA', '^CI', '^PW', '^LL', '^LH', '^FO', '^A0', '^FH', '^FD', '^FS', '^BX', '^PQ', '^XZ'];
    expect(commands.filter(command => !known.includes(command))).toEqual([]);
    for (const once of ['^XA', '^XZ', '^PQ'])
      expect(commands.filter(command => command === once)).toHaveLength(1);
    expect(zpl.match(/[\^~]/g)).toHaveLength(commands.length);
    expect(zpl).toContain('^CI28\n');
    expect(zpl).toContain('^PQ3\n');
    const shown = [...zpl.matchAll(/\^FH_\^FD(.*?)\^FS/g)].map(([, text = '']) => decoded(text));
    expect(shown).toContain('Lot ^FS^XZ');
  });

  it('counts in the dots of the printer', async () => {
    const { label } = await gs1Lot('L');
    const at300 = Buffer.from(
      await printer.print({
        kind: 'label-zpl',
        labels: [label('datamatrix')],
        options: { size: '100x50', copies: 1, dpi: 300 },
      }),
    ).toString();
    expect(at300).toContain('^PW1181\n^LL591');
    expect(await zplOf(label('datamatrix'))).toContain('^PW799\n^LL400');
  });
});

/** What the printer prints for a field with `^FH_`. */
function decoded(field: string): string {
  return field.replaceAll(/_([0-9A-F]{2})/g, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

async function zplOf(label: Label, copies = 1): Promise<string> {
  const options = { size: '100x50', copies, dpi: 203 } as const;
  return Buffer.from(await printer.print({ kind: 'label-zpl', labels: [label], options })).toString();
}

interface LotLabel {
  store: Store;
  received: Received;
  lot: number;
  label: (symbol: LabelSymbol) => Label;
}

/** Ten of a lot whose part has a GTIN. */
async function gs1Lot(number: string, part: Record<string, unknown> = {}): Promise<LotLabel> {
  const store = await openSite();
  const id = await addPart(store, { barcodes: ['no GTIN', GTIN], ...part });
  const line = { part_id: id, serial_number: number, expiry_date: '2031-12-31', unit_of_measure: 'EA' };
  const received = await receive(store, line);
  const record = recordIn(store, 'inventory', received.lot);
  return {
    store,
    received,
    lot: received.lot,
    label: symbol => labelOf(store, { kind: 'lot', record, symbol }),
  };
}

function labelOf(
  store: Store,
  request: Pick<LabelRequest, 'kind' | 'record'> & Partial<LabelRequest>,
): Label {
  return makeLabel(contextOf(store), { symbol: 'datamatrix', language: 'en', line: undefined, ...request });
}

const readers: Record<LabelSymbol, () => Reader> = {
  datamatrix: () => new DataMatrixReader(),
  qr: () => new QRCodeReader(),
  code128: () => new Code128Reader(),
};

/** What a scanner reads of the printed label; of a GS1 code without the FNC1 that says that it is one. */
async function readBack(label: Label, size: LabelSize): Promise<string> {
  const file = await printer.print({ kind: 'label-pdf', labels: [label], options: { size, copies: 1 } });
  const { width, height, luminance } = codePicture(file);
  const bitmap = new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(luminance, width, height)));
  const { symbol, isGs1 } = label.code;
  const hints = new Map<DecodeHintType, unknown>([
    [DecodeHintType.TRY_HARDER, true],
    ...(isGs1 ? [[DecodeHintType.ASSUME_GS1, true] as const] : []),
  ]);
  const text = readers[symbol]().decode(bitmap, hints).getText();
  if (!isGs1) return text;
  const prefix = [FNC1, ']C1'].find(known => text.startsWith(known)) ?? 'no FNC1: ';
  return text.slice(prefix.length);
}
