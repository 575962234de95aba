import type { LabelResolution } from '../../../shared/contract/label-printers.ts';
import type { LabelSize } from '../../../shared/operations/paper-operations.ts';
import type { Label, LabelCode } from './label.ts';
import { type Box, labelLayout, labelRows } from './label-layout.ts';
import { type BarcodeSymbol, moduleIn, symbolOf } from './symbol.ts';

export interface LabelZplOptions {
  size: LabelSize;
  copies: number;
  dpi: LabelResolution;
}

/**
 * Labels in ZPL II (Zebra: Programming Guide), for a printer with its built-in font. Lengths are dots. The printer draws
 * the codes itself: sharper than a picture, and a tenth of its size.
 */
export function labelZpl(label: Label, { size, copies, dpi }: LabelZplOptions): string {
  const layout = labelLayout(size, label.code.symbol);
  const dots = (millimetres: number) => Math.round((millimetres * dpi) / 25.4);
  const rows = labelRows(label, layout.text, widthOf).flatMap(row => {
    const [x, y] = [dots(layout.text.x), dots(layout.text.y + row.top)];
    const height = dots(row.size);
    const text = `^A0N,${height},${height}^FH_^FD${fieldText(row.text)}^FS`;
    if (!row.isInverse) return [`^FO${x},${y}${text}`];
    const width = dots(widthOf(row.text, row.size));
    const box = `^FO${x},${y}^GB${width},${Math.round(height * 1.15)},${Math.round(height * 1.15)}^FS`;
    return [box, `^FO${x + dots(0.8)},${y}^FR${text}`];
  });
  const caption = dots(layout.caption.height);
  return [
    '^XA',
    '^CI28',
    `^PW${dots(layout.width)}`,
    `^LL${dots(layout.height)}`,
    '^LH0,0',
    ...rows,
    codeField(label.code, layout.code, size, dpi),
    `^FO${dots(layout.caption.x)},${dots(layout.caption.y)}^A0N,${caption},${caption}^FH_^FD${fieldText(label.code.caption)}^FS`,
    `^PQ${copies}`,
    '^XZ',
    '',
  ].join('\n');
}

/** Of the built-in font 0, in its height: most letters are narrower, characters of East Asia as wide as high. */
function widthOf(text: string, size: number): number {
  return [...text].reduce((sum, character) => sum + (character > '\u10FF' ? 1 : 0.6), 0) * size;
}

/**
 * Text of a field, of which nothing can be taken for a command: what begins one (`^`, `~`), the mark of the escapes
 * themselves, and control characters stand as `_` and hexadecimal bytes.
 */
export function fieldText(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replaceAll(/[\^~_\\]/g, character => `_${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The data is plain (`label-code.ts`): only what each code gives a meaning of its own is escaped. */
function codeField(code: LabelCode, box: Box, size: LabelSize, dpi: LabelResolution): string {
  const symbol = symbolOf(code);
  const module = moduleDots(symbol, code, box, size, dpi);
  const dots = (millimetres: number) => Math.round((millimetres * dpi) / 25.4);
  const x = dots(box.x + box.width / 2) - Math.round(((symbol.width - 2 * symbol.quiet) * module) / 2);
  const quiet = code.symbol === 'code128' ? 0 : symbol.quiet * module;
  const place = `^FO${x},${dots(box.y) + quiet}`;
  switch (code.symbol) {
    case 'code128':
      return `^BY${module}${place}^BCN,${dots(box.height)},N,N,N,N^FD${code128Data(code)}^FS`;
    case 'qr':
      return `${place}^BQN,2,${Math.min(10, module)},M^FDMA,${code.data}^FS`;
    case 'datamatrix': {
      // `_` begins an escape of the field; `_1` is FNC1.
      const data = code.data.replaceAll('_', '__');
      return `${place}^BXN,${module},200,0,0,6,_,1^FD${code.isGs1 ? '_1' : ''}${data}^FS`;
    }
  }
}

/** `>` begins what chooses a subset: `>:` starts with B, `>;` with C, `>8` is FNC1, `>6` goes to B, `>0` is `>` itself. */
function code128Data({ isGs1, data }: LabelCode): string {
  const inSubsetB = (text: string) => text.replaceAll('>', '>0');
  if (!isGs1) return `>:${inSubsetB(data)}`;
  // The digits of (01), (17) and the identifier 10, two to a symbol; what follows is text.
  const digits = data.slice(16, 18) === '17' ? 26 : 18;
  return `>;>8${data.slice(0, digits)}>6${inSubsetB(data.slice(digits))}`;
}

/** A printer prints whole dots. */
function moduleDots(
  symbol: BarcodeSymbol,
  code: LabelCode,
  box: Box,
  size: LabelSize,
  dpi: LabelResolution,
): number {
  const module = moduleIn(symbol, code, box, size);
  return Math.max(1, Math.floor((module * dpi) / 25.4));
}
