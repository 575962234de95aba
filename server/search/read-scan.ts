import type { StoredRecord } from '../../shared/contract/present.ts';
import { parseScan } from '../../shared/gs1/parse-scan.ts';
import type { Scan } from '../../shared/operations/overview-operations.ts';
import { type FindReads, withCode } from './find-records.ts';
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
 * location, or the number of a receipt, an order, a shipment and the like. Of a GS1 code the lot of its item, then the
 * item. `today` (`YYYY-MM-DD`) decides the century of its dates.
 */
export function readScan(reads: FindReads, scanned: Scanned, today: string): Scan {
  const link = linkIn(scanned.data);
  const linked = link && reads.records.get(link.family.name, link.id);
  const found = linked ? [linked] : meant(reads, scanned, today);
  return {
    kind: kindOf(found),
    matches: found.map(record => titled(reads.records, record)),
  };
}

export function kindOf([first]: readonly { family: string }[]): Scan['kind'] {
  return first ? (kinds[first.family] ?? 'record') : 'unknown';
}

/** A code that was learned as it stands is that of its part, whatever else can be read into it. */
function meant(reads: FindReads, { data, symbology }: Scanned, today: string): StoredRecord[] {
  const whole = byCode(reads, [data]);
  if (whole.length > 0) return whole;
  const isApart = symbology?.startsWith(']') && !data.startsWith(']');
  const scan = parseScan(isApart ? `${symbology}${data}` : data, today);
  switch (scan.kind) {
    case 'plain':
    case 'unreadable':
      return byCode(reads, [scan.text]);
    case 'gtin':
      return byCode(reads, [scan.text, ...formsOf(scan.gtin)]);
    case 'gs1': {
      const { gtin, lot, sscc, orderNumber, serial, gln, glnExtension } = scan;
      if (gln !== null && gtin === null) return placesOf(reads, gln, glnExtension);
      const parts =
        gtin === null ? [] : byCode(reads, formsOf(gtin)).filter(({ family }) => family === 'part');
      const lots = lot === null ? [] : byCode(reads, [lot]).filter(({ family }) => family === 'inventory');
      const ofPart = lots.filter(
        ({ fields }) => gtin === null || parts.some(({ id }) => id === fields.part_id),
      );
      const named = [...ofPart, ...parts];
      return named.length > 0 ? named : byCode(reads, [sscc ?? [], orderNumber ?? [], serial ?? []].flat());
    }
  }
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
