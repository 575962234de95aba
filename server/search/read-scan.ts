import type { StoredRecord } from '../../shared/contract/present.ts';
import { parseScan } from '../../shared/gs1/parse-scan.ts';
import type { Scan } from '../../shared/operations/overview-operations.ts';
import { type FindReads, lotsWithSerial, withCode } from './find-records.ts';
import { linkIn, titled } from './titles.ts';

export interface Scanned {
  data: string;
  /** `]C1` and the like, where the scanner says it apart from the data. */
  symbology?: string | null | undefined;
}

const MATCHES = 20;

const kinds: Partial<Record<string, Scan['kind']>> = { part: 'part', inventory: 'lot', location: 'location' };

/**
 * What a scanned code means here: a label of our own, else the barcode or number of a part, a lot number, the name of a
 * location, or the number of a receipt, an order, a shipment and the like; else the lot of the piece with this serial number.
 * Of a GS1 code the lot of its item, by its number or that of the piece, then the item. `today` (`YYYY-MM-DD`) decides the century of its dates.
 */
export function readScan(reads: FindReads, scanned: Scanned, today: string): Scan {
  const link = linkIn(scanned.data);
  const linked = link && reads.records.get(link.family.name, link.id);
  const { found, piece }: Meant = linked ? { found: [linked], piece: null } : meant(reads, scanned, today);
  return {
    kind: kindOf(found),
    serial_number: piece,
    matches: found.map(record => titled(reads.records, record)),
  };
}

export function kindOf([first]: readonly { family: string }[]): Scan['kind'] {
  return first ? (kinds[first.family] ?? 'record') : 'unknown';
}

interface Meant {
  found: StoredRecord[];
  /** The serial number by which lots were found. */
  piece: string | null;
}

/** A code that was learned as it stands is that of its part, whatever else can be read into it. */
function meant(reads: FindReads, { data, symbology }: Scanned, today: string): Meant {
  const named = (found: StoredRecord[]): Meant => ({ found, piece: null });
  const whole = byCode(reads, [data]);
  if (whole.length > 0) return named(whole);
  const isApart = symbology?.startsWith(']') && !data.startsWith(']');
  const scan = parseScan(isApart ? `${symbology}${data}` : data, today);
  switch (scan.kind) {
    case 'plain':
    case 'unreadable': {
      const found = byCode(reads, [scan.text]);
      return found.length > 0 ? named(found) : ofPiece(reads, scan.text);
    }
    case 'gtin': {
      const found = byCode(reads, [scan.text, ...formsOf(scan.gtin)]);
      return found.length > 0 ? named(found) : ofPiece(reads, scan.text);
    }
    case 'gs1': {
      const { gtin, lot, sscc, orderNumber, serial, gln, glnExtension } = scan;
      if (gln !== null && gtin === null) return named(placesOf(reads, gln, glnExtension));
      const parts =
        gtin === null ? [] : byCode(reads, formsOf(gtin)).filter(({ family }) => family === 'part');
      const lots = lot === null ? [] : byCode(reads, [lot]).filter(({ family }) => family === 'inventory');
      const ofPart = lots.filter(
        ({ fields }) => gtin === null || parts.some(({ id }) => id === fields.part_id),
      );
      if (lot === null && serial !== null) {
        const { found, piece } = ofPiece(reads, serial);
        const lots = found.filter(
          ({ fields }) => gtin === null || parts.some(({ id }) => id === fields.part_id),
        );
        if (lots.length > 0) return { found: [...lots, ...parts], piece };
      }
      const goods = [...ofPart, ...parts];
      return named(
        goods.length > 0 ? goods : byCode(reads, [sscc ?? [], orderNumber ?? [], serial ?? []].flat()),
      );
    }
  }
}

function ofPiece(reads: FindReads, serial: string): Meant {
  const found = lotsWithSerial(reads, serial, MATCHES);
  return { found, piece: found.length > 0 ? serial : null };
}

/** The place that a label with a location number hangs at; where no extension is read, all places of the number. */
function placesOf(reads: FindReads, gln: string, extension: string | null): StoredRecord[] {
  const places = byCode(reads, [gln]).filter(({ family }) => family === 'location');
  const meant = places.filter(({ fields }) => (fields.gln_extension ?? null) === extension);
  return meant.length > 0 || extension !== null ? meant : places;
}

/** What a scanner at the dock reads first of all is a part's code; a lot's number comes next. */
function byCode(reads: FindReads, codes: readonly string[]): StoredRecord[] {
  const found = new Map(
    codes.flatMap(code => withCode(reads, code, MATCHES)).map(record => [record.key, record]),
  );
  const order = ['part', 'inventory', 'location'];
  const placeOf = (family: string) => (order.includes(family) ? order.indexOf(family) : order.length);
  return [...found.values()].sort((a, b) => placeOf(a.family) - placeOf(b.family));
}

/** A GTIN of 14 digits and its shorter forms, as EAN-13, UPC-A and EAN-8 print it. */
function formsOf(gtin: string): string[] {
  return [14, 13, 12, 8].flatMap(length => {
    const rest = gtin.slice(14 - length);
    return Number(gtin.slice(0, 14 - length)) === 0 ? rest : [];
  });
}
