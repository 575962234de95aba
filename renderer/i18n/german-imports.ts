import type { Saying } from './german-remedies.ts';

/** What an import says of itself while it runs and at its end: `server/transfer/imports.ts`, `server/transfer/run-import.ts`. */
export const germanImports: readonly Saying[] = [
  [
    /^(.+) cannot be read any more: it was moved, changed or deleted\. Choose it again\.$/s,
    (_, file) =>
      `${file} ist nicht mehr lesbar: verschoben, geändert oder gelöscht. Wählen Sie die Datei neu.`,
  ],
  [/^The rows are being checked\.$/, 'Die Zeilen werden geprüft.'],
  [
    /^The rows are being tried\. Nothing is written\.$/,
    'Die Zeilen werden probiert. Nichts wird geschrieben.',
  ],
  [/^The rows are being written\.$/, 'Die Zeilen werden geschrieben.'],
  [
    /^1 row cannot be taken, so nothing was written\.$/,
    '1 Zeile kann nicht übernommen werden, deshalb wurde nichts geschrieben.',
  ],
  [
    /^(\d+) rows cannot be taken, so nothing was written\.$/,
    (_, rows) => `${rows} Zeilen können nicht übernommen werden, deshalb wurde nichts geschrieben.`,
  ],
];
