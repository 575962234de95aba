import type { Readable } from 'node:stream';
import printer from 'pdfmake/js/Printer.js';
import { AppError } from '../../shared/contract/errors.ts';
import { fontFiles, fontStyles, printable } from './fonts.ts';
import { layOut } from './layout.ts';
import { MOST_PAGES, type Paper } from './paper.ts';

/**
 * The PDF of a document; the same document gives the same bytes.
 * @throws AppError `conflict` when it has more than `MOST_PAGES`
 */
export async function renderPaper(paper: Paper): Promise<Buffer> {
  const Printer = printer.default;
  const page = new Printer(fontStyles, fontFiles, noDownloads, () => false);
  const { footer, ...definition } = layOut(paper, printable) as {
    footer: (page: number, pages: number) => object;
  };
  const document = await page.createPdfKitDocument({
    ...definition,
    // Told the number of pages after the layout and before the drawing.
    footer: (number: number, pages: number) => {
      if (pages > MOST_PAGES) throw tooLong(pages);
      return footer(number, pages);
    },
  });
  return bytesOf(document, () => document.end());
}

/** What a stream gives until its end. */
export async function bytesOf(stream: Readable, end: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const all = (async () => {
    for await (const chunk of stream) chunks.push(chunk);
  })();
  end();
  await all;
  return Buffer.concat(chunks);
}

const noDownloads = { resolve: () => {}, resolved: async () => {} };

function tooLong(pages: number): AppError {
  return new AppError(
    'conflict',
    `The document would have ${pages} pages, more than ${MOST_PAGES}. Print less at once, or export the record instead.`,
  );
}
