import { sameJson } from '../../shared/contract/canonical-json.ts';
import { itemsOf } from '../../shared/contract/present.ts';
import { type Fields, mapOf, type PlannedChange } from '../store/changes.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';

/**
 * A piece is received once: the serial number of a part stands once in a receipt. Upper and lower case tell pieces apart, as
 * on their labels (GS1 General Specifications, AI 21). A line that was undone is not asked, nor one that stays as it was: two
 * stations that received the same piece without knowing of each other both keep it.
 */
export function refuseSerialsTwice(work: UnitOfWork, change: PlannedChange): void {
  const before = mapOf(change.before?.fields.items);
  const named = itemsOf({ position: 'order' }, mapOf(change.fields.items)).filter(hasPieces);
  const isAsked = (line: Fields & { id: number }) => {
    const old = mapOf(before[line.id]);
    const isSame = line.part_id === old.part_id && sameJson(line.serial_numbers, old.serial_numbers);
    return !isSame || !hasPieces(old);
  };
  const asked = new Set(named.filter(isAsked));
  const taken = new Set<string>();
  for (const line of [...named.filter(each => !asked.has(each)), ...asked]) {
    for (const serial of serialsOf(line)) {
      const name = `${line.part_id} ${serial.trim().normalize('NFC')}`;
      if (taken.has(name) && asked.has(line)) {
        const message = `The serial number "${serial}" stands in this receipt already, and a piece is received once. Leave it out.`;
        work.blame(change.pathOf('serial_numbers', line.id), message);
      }
      taken.add(name);
    }
  }
}

/** Whether pieces came with it that have numbers of their own. */
function hasPieces(line: Fields): boolean {
  const { quantity_accepted, quantity_rejected } = line;
  return serialsOf(line).length > 0 && Number(quantity_accepted ?? 0) + Number(quantity_rejected ?? 0) > 0;
}

function serialsOf({ serial_numbers }: Fields): string[] {
  return Array.isArray(serial_numbers) ? serial_numbers.map(String) : [];
}
