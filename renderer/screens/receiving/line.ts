import { isSameNumber } from '../../../shared/contract/typed-number.ts';
import type { Scan } from '../../../shared/gs1/parse-scan.ts';
import { fromMicro, toMicro } from '../../../shared/quantities/quantity.ts';
import { convert, receivingUnits } from '../../../shared/quantities/units.ts';

/** A line of a receipt while it is being entered. Texts as typed; quantities in `unit`. */
export interface Line {
  part: number | null;
  lot: string;
  expiry: string;
  accepted: string;
  rejected: string;
  unit: string | null;
  location: number | null;
  /** The pallet on which the goods came; null: no one is named. */
  sscc: string | null;
  template: number | null;
  /** Tells one line from the next, and makes its saving count once. */
  key: string;
  scanned: Scanned;
}

/** What of a line is otherwise than it was ordered; a person may take it all the same. */
export const OBJECTIONS = ['unordered', 'format', 'over'] as const;
export type Objection = (typeof OBJECTIONS)[number];

/** What of a line was scanned, so that the same goods are not counted twice. */
export interface Scanned {
  /** Labels with a count or weight that are in it, as `identityOf` has them. */
  labels: string[];
  /** Serial numbers and SSCCs that are in it. */
  serials: string[];
  /** Pieces by labels without a count since the last label with one; the last scan was such a one, or not. */
  plain: number;
  isPlainLast: boolean;
  /** What a person has said of the day that is past; only what is accepted is said of further pieces, too. */
  expired: 'accept' | 'reject' | null;
  /** What is otherwise than ordered, and taken all the same. */
  allowed: Objection[];
}

export const nothingScanned: Scanned = {
  labels: [],
  serials: [],
  plain: 0,
  isPlainLast: false,
  expired: null,
  allowed: [],
};

export function emptyLine(key: string, kept: Partial<Pick<Line, 'location'>> = {}): Line {
  return {
    part: null,
    lot: '',
    expiry: '',
    accepted: '',
    rejected: '',
    unit: null,
    location: kept.location ?? null,
    sscc: null,
    template: null,
    key,
    scanned: nothingScanned,
  };
}

/** What a label says about a line. */
export interface Label {
  part: number | null;
  unit: string | null;
  lot: string | null;
  expiry: string | null;
  quantity: number | null;
  /** The net weight, which is the quantity where the line is counted in a unit of weight. */
  weight: { value: number; unit: string } | null;
  /** What names this one piece, or this one logistic unit, and no other. */
  serial: string | null;
  /** The pallet or case that it stands on. */
  sscc?: string | null;
  /** How much it is somebody counts: the label names the goods alone. */
  isToCount?: boolean;
}

/** Whether something stands in it that would be lost. */
export function isBegun(line: Line): boolean {
  return line.part !== null || line.lot !== '' || line.accepted !== '' || line.rejected !== '';
}

/** Whether it can be saved: what, and how much of it. */
export function isComplete(line: Line): boolean {
  return line.part !== null && amount(line.accepted) + amount(line.rejected) > 0;
}

/** Whether none of it is accepted. */
export function isRejected(line: Line): boolean {
  return amount(line.rejected) > 0 && amount(line.accepted) === 0;
}

/** Whether a label is about the same goods, so that a further scan of it is a further piece. */
export function isSameGoods(line: Line, label: Label): boolean {
  const isSamePart = label.part === null || label.part === line.part;
  const isSameLot = label.lot === null || line.lot === '' || isSameNumber(label.lot, line.lot);
  const isSameExpiry = label.expiry === null || line.expiry === '' || label.expiry === line.expiry;
  return line.part !== null && isSamePart && isSameLot && isSameExpiry;
}

/**
 * The line with what a label says. Each scan of a label that names its part is one more piece, or as many as it says;
 * a second code of the same label, with the lot alone, is none.
 */
export function withLabel(line: Line, label: Label, rejects = false): Line {
  const part = label.part ?? line.part;
  const unit =
    line.unit ?? label.unit ?? (part === null ? null : receivingUnitOf(label.weight?.unit ?? null));
  const pieces = label.quantity ?? weightIn(unit, label.weight) ?? (label.part === null ? 0 : 1);
  const column = rejects ? 'rejected' : 'accepted';
  return {
    ...line,
    part,
    unit,
    lot: label.lot ?? line.lot,
    expiry: label.expiry ?? line.expiry,
    sscc: label.sscc ?? line.sscc,
    [column]: pieces === 0 ? line[column] : String(roundToMicro(amount(line[column]) + pieces)),
  };
}

/** As many pieces less: they are counted by another label. */
export function withFewer(line: Line, pieces: number): Line {
  const column = isRejected(line) ? 'rejected' : 'accepted';
  const left = roundToMicro(amount(line[column]) - pieces);
  return { ...line, [column]: left > 0 ? String(left) : '' };
}

/** All of it is rejected. What is scanned later is no more of it, and no second code of its label. */
export function withRejection(line: Line): Line {
  const rejected = String(roundToMicro(amount(line.accepted) + amount(line.rejected)));
  return { ...line, accepted: '', rejected, scanned: { ...line.scanned, plain: 0, isPlainLast: false } };
}

/** As the interface takes it: `POST /receiving-inspections/{id}/items`. */
export function bodyOf(line: Line): Record<string, unknown> {
  const pieces = line.scanned.serials.map(nameOfSerial).filter(serial => serial !== line.sscc);
  return {
    part_id: line.part,
    serial_number: line.lot || null,
    expiry_date: line.expiry || null,
    quantity_accepted: amount(line.accepted),
    quantity_rejected: amount(line.rejected),
    unit_of_measure: line.unit,
    location_id: line.location,
    drawing_id: line.template,
    ...(line.sscc !== null && { sscc: line.sscc }),
    ...(pieces.length > 0 && { serial_numbers: pieces }),
  };
}

/** A serial number without the part, which tells one maker's from another's. */
export function nameOfSerial(serial: string): string {
  return serial.slice(serial.indexOf(' ') + 1);
}

/** What names the pieces and the pallet of a saved line, as `Scanned.serials` has it. */
export function serialsIn(item: Record<string, unknown>): string[] {
  return shownSerials(item).map(serial => `${item.part_id} ${serial}`);
}

export function shownSerials({ serial_numbers, sscc }: Record<string, unknown>): string[] {
  const pieces = Array.isArray(serial_numbers) ? serial_numbers.map(String) : [];
  return typeof sscc === 'string' ? [...pieces, sscc] : pieces;
}

/** The numbers on a label. Best-before is not expiry: it is shown, and no lot expires by it. */
export function labelOf(scan: Scan): Omit<Label, 'part' | 'unit'> {
  if (scan.kind !== 'gs1') return { lot: null, expiry: null, quantity: null, weight: null, serial: null };
  return {
    lot: scan.lot,
    expiry: scan.expiry,
    quantity: scan.variableCount ?? scan.count,
    weight: scan.netWeight,
    serial: scan.serial ?? scan.sscc,
    ...(scan.sscc !== null && { sscc: scan.sscc }),
  };
}

/** Null where the unit is none of weight: pieces are not kilograms. */
function weightIn(unit: string | null, weight: Label['weight']): number | null {
  const converted = unit && weight && convert(toMicro(weight.value), weight.unit, unit);
  return converted ? fromMicro(converted.quantity) : null;
}

/** The unit that receipts use for a part's: the lists of the interface differ (`units` is `EA`, `g` is `grams`). */
export function receivingUnitOf(partUnit: string | null): string | null {
  const known: Record<string, string> = { units: 'EA', g: 'grams', oz: 'Oz' };
  const unit = partUnit === null ? null : (known[partUnit] ?? partUnit);
  return receivingUnits.find(each => each === unit) ?? null;
}

export function amount(text: string): number {
  const value = Number(text.replace(',', '.'));
  return Number.isFinite(value) ? value : 0;
}

function roundToMicro(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
