import { sameJson } from '../../shared/contract/canonical-json.ts';
import { itemsOf } from '../../shared/contract/present.ts';
import { type Fields, mapOf, type PlannedChange } from '../store/changes.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';

/**
 * A piece is received once: the serial number of a part stands once in a receipt. In scanned ones upper and lower case tell pieces
 * apart (GS1 General Specifications, 3.5.2). A line that was undone, and one that is left as it was, is not asked: two stations that received the same
 * piece without knowing of each other both keep it.
 */
export function refuseSerialsTwice(work: UnitOfWork, change: PlannedChange): void {
  const before = mapOf(change.before?.fields.items);
  const lines = itemsOf({ position: 'order' }, mapOf(change.fields.items)).filter(isReceived);
  const taken = new Set<string>();
  const isAsked = (line: Fields & { id: number }) => {
    const old = mapOf(before[line.id]);
    const isSame = line.part_id === old.part_id && sameJson(line.serial_numbers, old.serial_numbers);
    return !isSame || !isReceived(old);
  };
  for (const line of [...lines.filter(one => !isAsked(one)), ...lines.filter(isAsked)]) {
    for (const serial of serialsOf(line)) {
      const name = `${line.part_id} ${serial.trim().normalize('NFC')}`;
      if (taken.has(name) && isAsked(line)) {
        const message = `The serial number "${serial}" stands in this receipt already, and a piece is received once. Leave it out.`;
        work.blame(change.pathOf('serial_numbers', line.id), message);
      }
      taken.add(name);
    }
  }
}

function isReceived({ quantity_accepted, quantity_rejected }: Fields): boolean {
  return Number(quantity_accepted ?? 0) > 0 || Number(quantity_rejected ?? 0) > 0;
}

function serialsOf({ serial_numbers }: Fields): string[] {
  return Array.isArray(serial_numbers) ? serial_numbers.map(String) : [];
}
