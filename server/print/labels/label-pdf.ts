import type { LabelSize } from '../../../shared/operations/paper-operations.ts';
import { FONT, fontFiles, fontStyles, openDocument, printable } from '../fonts.ts';
import { bytesOf } from '../render-paper.ts';
import type { TextRow } from './fit-text.ts';
import type { Label } from './label.ts';
import { type Box, labelLayout, labelRows } from './label-layout.ts';
import { moduleIn, symbolOf } from './symbol.ts';

export interface LabelPdfOptions {
  size: LabelSize;
  copies: number;
}

/** Points in a millimetre. */
const MM = 72 / 25.4;

type Page = ReturnType<typeof openDocument>;

/** Labels as PDF, a page each: all copies of the first, then those of the next. */
export async function labelPdf(labels: readonly Label[], { size, copies }: LabelPdfOptions): Promise<Buffer> {
  const [first] = labels;
  if (!first) throw new Error('There is no label to draw.');
  const info = {
    Producer: 'Holdpoint',
    Creator: 'Holdpoint',
    Title: printable(first.title),
    CreationDate: new Date(first.at),
  };
  const page = openDocument({ info });
  const { normal, bold } = fontStyles[FONT];
  page.registerFont('normal', fontFiles.readFileSync(normal));
  page.registerFont('bold', fontFiles.readFileSync(bold));
  const fonts = { normal: page.provideFont(FONT, false, false), bold: page.provideFont(FONT, true, false) };
  const measure = (text: string, height: number, isBold: boolean) =>
    fonts[isBold ? 'bold' : 'normal'].widthOfString(text, height);
  for (const label of labels) drawLabel(page, label, { size, copies }, measure);
  return bytesOf(page, () => page.end());
}

function drawLabel(
  page: Page,
  said: Label,
  { size, copies }: LabelPdfOptions,
  measure: (text: string, height: number, isBold: boolean) => number,
): void {
  const label = printableLabel(said);
  const layout = labelLayout(size, label.code.symbol);
  const symbol = symbolOf(said.code);
  const module = moduleIn(symbol, said.code, layout.code, size);
  const rows = labelRows(label, layout.text, measure);
  const captionSize = Math.min(
    layout.caption.height * 0.9,
    (layout.caption.height * layout.caption.width) /
      Math.max(1, measure(label.code.caption, layout.caption.height, false)),
  );

  const write = (text: string, box: { x: number; y: number }, height: number, isBold: boolean) =>
    page
      .font(isBold ? 'bold' : 'normal')
      .fontSize(height * MM)
      .text(text, box.x * MM, box.y * MM, { lineBreak: false });
  const fill = (box: Box) => page.rect(box.x * MM, box.y * MM, box.width * MM, box.height * MM).fill();

  const drawRow = (row: TextRow) => {
    const place = { x: layout.text.x, y: layout.text.y + row.top };
    if (row.isInverse) {
      fill({ ...place, width: measure(row.text, row.size, row.isBold) + 1.6, height: row.size * 1.15 });
      page.fillColor('white');
      write(row.text, { x: place.x + 0.8, y: place.y }, row.size, row.isBold);
    } else {
      page.fillColor('black');
      write(row.text, place, row.size, row.isBold);
    }
  };

  for (let copy = 0; copy < copies; copy += 1) {
    page.addPage({ size: [layout.width * MM, layout.height * MM], margin: 0 });
    const width = symbol.width * module;
    const left = layout.code.x + (layout.code.width - width) / 2;
    const isLinear = label.code.symbol === 'code128';
    const scaleY = isLinear ? layout.code.height : module;
    page.fillColor('black');
    for (const dark of symbol.dark) {
      page.rect(
        (left + dark.x * module) * MM,
        (layout.code.y + dark.y * scaleY) * MM,
        dark.width * module * MM,
        dark.height * scaleY * MM,
      );
    }
    page.fill();
    for (const row of rows) drawRow(row);
    page.fillColor('black');
    write(label.code.caption, layout.caption, captionSize, false);
  }
}

function printableLabel(label: Label): Label {
  const { title, lines, warning } = label;
  return {
    ...label,
    title: printable(title),
    lines: lines.map(printable),
    warning: warning === null ? null : printable(warning),
  };
}
