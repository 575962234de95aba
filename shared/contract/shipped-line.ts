import { sum } from '../quantities/quantity.ts';
import { isSameLotNumber } from './typed-number.ts';

/** What a line of a shipment asks for. */
export interface ShippedLine {
  part_id: number;
  /** Null: any lot of the part. */
  serial_number: string | null;
  /** In the unit of the part. */
  quantity: number;
}

/** What a closing took from one place of a lot. */
export interface Taken {
  inventory_id: number;
  location_id: number | null;
  /** In the unit of the lot. */
  quantity: number;
  /** How much of which line that is, as the closing read the line; not there where version 0.1.0 closed. */
  line?: ShippedLine;
}

/** What a closed shipment's item took, as stored. */
export function takenOf(stored: unknown): Taken[] {
  return Array.isArray(stored) ? stored : [];
}

/**
 * The line that a closing took the goods for, whatever the item says since. Null: nothing was taken; undefined: version
 * 0.1.0 took it, which kept the lots only.
 */
export function shippedLineOf(item: Record<string, unknown>): ShippedLine | null | undefined {
  const lines = takenOf(item.taken).map(({ line }) => line);
  const [first] = lines;
  if (lines.length === 0) return null;
  if (first === undefined) return undefined;
  return { ...first, quantity: sum(lines.map(line => line?.quantity ?? 0)) };
}

/**
 * Whether an item of a closed shipment asks for something else than was taken for it: one station closed the shipment
 * while another one changed its lines.
 */
export function differsFromTaken(item: Record<string, unknown>): boolean {
  const shipped = shippedLineOf(item);
  if (shipped === undefined) return false;
  const asked = Number(item.quantity ?? 0);
  if (shipped === null) return asked !== 0;
  return (
    item.part_id !== shipped.part_id ||
    !isSameLotNumber(lotNumberOf(item.serial_number), lotNumberOf(shipped.serial_number)) ||
    asked !== shipped.quantity
  );
}

/** The lot that the `serial_number` of an item asks for; null: any lot of the part. */
export function lotNumberOf(number: unknown): string | null {
  return typeof number === 'string' && number !== '' ? number : null;
}
