import { sameJson } from '../../shared/contract/canonical-json.ts';
import { itemsOf } from '../../shared/contract/present.ts';
import { foldNumber } from '../../shared/contract/typed-number.ts';
import { type Fields, mapOf, type PlannedChange } from '../store/changes.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';

/** What of a line comes once, and as people know it. */
type Once = [name: string, shown: string];

/**
 * A piece is received once: the serial number of a part stands once in a receipt. Upper and lower case tell pieces apart, as
 * on their labels (GS1 General Specifications, AI 21). What of a lot stands on a pallet is accepted once and rejected once:
 * two windows that scan its label before either saves would receive it twice.
 */
export function refuseGoodsTwice(work: UnitOfWork, change: PlannedChange): void {
  refuseTwice(work, change, 'serial_numbers', piecesOf, serial => {
    return `The serial number "${serial}" stands in this receipt already, and a piece is received once. Leave it out.`;
  });
  refuseTwice(work, change, 'sscc', palletOf, sscc => {
    return `The pallet ${sscc} with goods of this lot stands in this receipt already, and is received once. Correct that line, or leave this one out.`;
  });
}

/**
 * A line that was undone is not asked, nor one that stays as it was: two stations that received the same goods without
 * knowing of each other both keep them.
 */
function refuseTwice(
  work: UnitOfWork,
  change: PlannedChange,
  member: string,
  onceOf: (line: Fields) => Once[],
  messageOf: (shown: string) => string,
): void {
  const before = mapOf(change.before?.fields.items);
  const lines = itemsOf({ position: 'order' }, mapOf(change.fields.items));
  const isAsked = (line: Fields & { id: number }) => !sameJson(onceOf(line), onceOf(mapOf(before[line.id])));
  const asked = new Set(lines.filter(isAsked));
  const taken = new Set<string>();
  for (const line of [...lines.filter(each => !asked.has(each)), ...asked]) {
    for (const [name, shown] of onceOf(line)) {
      if (taken.has(name) && asked.has(line)) work.blame(change.pathOf(member, line.id), messageOf(shown));
      taken.add(name);
    }
  }
}

function piecesOf(line: Fields): Once[] {
  const { part_id: part, serial_numbers: serials } = line;
  if (!Array.isArray(serials) || sidesOf(line).length === 0) return [];
  return serials.map(serial => [`${part} ${String(serial).trim().normalize('NFC')}`, String(serial)]);
}

function palletOf(line: Fields): Once[] {
  const { part_id: part, serial_number: lot, expiry_date: expiry, unit_of_measure: unit, sscc } = line;
  if (typeof sscc !== 'string') return [];
  const goods = JSON.stringify([sscc, part, foldNumber(String(lot ?? '')), expiry ?? null, unit ?? null]);
  return sidesOf(line).map(side => [`${side} ${goods}`, sscc]);
}

/** Whether goods came with it, and which. */
function sidesOf(line: Fields): string[] {
  return ['quantity_accepted', 'quantity_rejected'].filter(side => Number(line[side] ?? 0) > 0);
}
