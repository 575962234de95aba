import { inflateSync } from 'node:zlib';

/**
 * The text of each page of a PDF as PDFKit writes it, in the order of drawing. Words of one text follow each other, texts
 * have a line each. By the tables in the file that turn glyphs into characters, so it is what a reader copies.
 */
export function pdfText(file: Uint8Array): string[] {
  const objects = objectsOf(Buffer.from(file).toString('latin1'));
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b/.test(head));
  return pages.map(({ head }) => {
    const content = objects.get(numberIn(head, 'Contents'))?.stream ?? '';
    return piecesOf(content, fontsOf(resourcesOf(head, objects), objects)).join('');
  });
}

/** What is drawn on each page, unpacked. */
export function contentOf(file: Uint8Array): string[] {
  const objects = objectsOf(Buffer.from(file).toString('latin1'));
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b/.test(head));
  return pages.map(({ head }) => objects.get(numberIn(head, 'Contents'))?.stream ?? '');
}

interface PdfObject {
  head: string;
  /** Unpacked. */
  stream: string;
}

function objectsOf(text: string): Map<number, PdfObject> {
  const objects = new Map<number, PdfObject>();
  for (const [whole, number, body = ''] of text.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = '', packed] = body.split(/\nstream\n/);
    const bytes =
      packed === undefined ? undefined : Buffer.from(packed.replace(/\nendstream$/, ''), 'latin1');
    const isPacked = /FlateDecode/.test(head);
    const stream = bytes ? (isPacked ? inflateSync(bytes) : bytes).toString('latin1') : '';
    objects.set(Number(number), { head: bytes ? head : whole, stream });
  }
  return objects;
}

function numberIn(text: string, name: string): number {
  return Number(new RegExp(`/${name} \\[?(\\d+) 0 R`).exec(text)?.[1]);
}

function resourcesOf(page: string, objects: ReadonlyMap<number, PdfObject>): string {
  return objects.get(numberIn(page, 'Resources'))?.head ?? page;
}

function fontsOf(
  resources: string,
  objects: ReadonlyMap<number, PdfObject>,
): Map<string, Map<number, string>> {
  const fonts = /\/Font <<([\s\S]*?)>>/.exec(resources)?.[1] ?? '';
  return new Map(
    [...fonts.matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, name = '', number]) => {
      const font = objects.get(Number(number))?.head ?? '';
      return [name, charactersOf(objects.get(numberIn(font, 'ToUnicode'))?.stream ?? '')];
    }),
  );
}

/** The ranges of a ToUnicode table, of which each has a list of characters. */
function charactersOf(table: string): Map<number, string> {
  const characters = new Map<number, string>();
  for (const [, first = '', list = ''] of table.matchAll(/<(\w+)> <\w+> \[([^\]]*)\]/g)) {
    for (const [index, [, hex = '']] of [...list.matchAll(/<([^>]*)>/g)].entries()) {
      const units = hex.match(/\w{4}/g)?.map(unit => Number.parseInt(unit, 16)) ?? [];
      characters.set(Number.parseInt(first, 16) + index, String.fromCharCode(...units));
    }
  }
  return characters;
}

function piecesOf(content: string, fonts: ReadonlyMap<string, ReadonlyMap<number, string>>): string[] {
  let font: ReadonlyMap<number, string> | undefined;
  const pieces: string[] = [];
  for (const [, name, shown] of content.matchAll(/\/(\w+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (name !== undefined) font = fonts.get(name);
    const glyphs = [...(shown ?? '').matchAll(/<(\w*)>/g)].flatMap(
      ([, hex = '']) => hex.match(/\w{4}/g) ?? [],
    );
    if (shown === undefined) continue;
    const piece = glyphs.map(glyph => font?.get(Number.parseInt(glyph, 16)) ?? '?').join('');
    pieces.push(/[ /\u200B-]$/.test(piece) ? piece : `${piece}\n`);
  }
  return pieces;
}
