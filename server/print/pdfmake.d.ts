/**
 * The parts of pdfmake that are used; it ships no types. Its own entry would bring a file system and downloads, so its
 * printer is used by itself.
 */
declare module 'pdfmake/js/Printer.js' {
  import type { Writable } from 'node:stream';
  import type { PageDocument } from 'pdfmake/js/PDFDocument.js';

  interface VirtualFiles {
    existsSync(name: string): boolean;
    readFileSync(name: string): Buffer | undefined;
  }
  class Printer {
    constructor(
      fonts: Record<string, Record<string, string>>,
      files: VirtualFiles,
      urls: { resolve(url: string): void; resolved(): Promise<void> },
      isLocalFileAllowed: (path: string) => boolean,
    );
    createPdfKitDocument(definition: object, options?: object): Promise<PageDocument & Writable>;
  }
  const module: { default: typeof Printer };
  export default module;
}

declare module 'pdfmake/js/PDFDocument.js' {
  import type { Readable } from 'node:stream';

  interface FontProgram {
    hasGlyphForCodePoint(codePoint: number): boolean;
  }
  interface Font {
    font: FontProgram;
    widthOfString(text: string, size: number): number;
  }
  /** Of PDFKit, what labels are drawn with; lengths in points, from the top left. */
  export interface PageDocument extends Readable {
    provideFont(family: string, isBold: boolean, isItalic: boolean): Font;
    addPage(options: { size: [number, number]; margin: number }): this;
    registerFont(name: string, file: Buffer | undefined): this;
    font(name: string): this;
    fontSize(size: number): this;
    text(text: string, x: number, y: number, options: object): this;
    rect(x: number, y: number, width: number, height: number): this;
    fill(): this;
    fillColor(color: string): this;
    end(): void;
  }
  const module: {
    default: new (
      fonts: Record<string, Record<string, string>>,
      images: object,
      patterns: object,
      attachments: object,
      options: object,
      files: object,
    ) => PageDocument;
  };
  export default module;
}

declare module 'pdfmake/build/vfs_fonts.js' {
  /** Font files by name, each in Base64. */
  const files: Record<string, string>;
  export default files;
}
