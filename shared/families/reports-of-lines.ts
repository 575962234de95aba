import { isSameLotNumber } from '../contract/typed-number.ts';

type Fields = Record<string, unknown>;

/**
 * Which report each rejected line of a receipt has (interface decisions, 5.8). A report is of one line of its part and lot, first of
 * all of one that is as much; one that says no quantity is of all of them.
 */
export function reportsOfLines<Line extends Fields, Report extends object>(
  lines: readonly Line[],
  reports: readonly Report[],
): Map<Line, Report> {
  const found = new Map<Line, Report>();
  const left = new Set(reports);
  const rejected = lines.filter(line => quantityOf(line.quantity_rejected) > 0);
  const passes: ((line: Line, report: Fields) => boolean)[] = [
    (line, { quantity }) => quantity === line.quantity_rejected,
    (_line, { quantity }) => quantity != null,
    (_line, { quantity }) => quantity == null,
  ];
  for (const isOf of passes)
    for (const line of rejected.filter(each => !found.has(each))) {
      const report = [...left].find(each => isOfGoods(each, line) && isOf(line, each as Fields));
      if (!report) continue;
      found.set(line, report);
      if (quantityOf((report as Fields).quantity) > 0) left.delete(report);
    }
  return found;
}

/** Whether a report, or what is proposed for one, is of the line's part and lot. */
export function isOfGoods(report: object, line: Fields): boolean {
  const { part_id, lot_number }: Fields = { ...report };
  return part_id === line.part_id && isSameLotNumber(lot_number, line.serial_number ?? null);
}

function quantityOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
