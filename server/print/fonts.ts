import encoded from 'pdfmake/build/vfs_fonts.js';
import pdfDocument, { type PageDocument } from 'pdfmake/js/PDFDocument.js';
import { printableBy } from './printable.ts';

/** Roboto (Apache License 2.0) as pdfmake brings it: a module, so that a bundle has it without further files. */
const files = new Map(Object.entries(encoded).map(([name, text]) => [name, Buffer.from(text, 'base64')]));

export const FONT = 'Roboto';

export const fontStyles = {
  [FONT]: { normal: 'Roboto-Regular.ttf', bold: 'Roboto-Medium.ttf', italics: 'Roboto-Italic.ttf' },
};

/** All the files that the printer can read. */
export const fontFiles = {
  existsSync: (name: string) => files.has(name),
  readFileSync: (name: string) => files.get(name),
};

/** An empty PDF, to draw in and to measure with. */
export function openDocument(options: object): PageDocument {
  const Document = pdfDocument.default;
  const all = { font: null, autoFirstPage: false, ...options };
  return new Document(fontStyles, {}, {}, {}, all, fontFiles);
}

/** Text with what the font lacks replaced. */
export const printable = printableBy(openDocument({}).provideFont(FONT, false, false).font);
