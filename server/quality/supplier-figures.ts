import { itemsOf } from '../../shared/contract/present.ts';
import type { SupplierFigures } from '../../shared/operations/figure-schemas.ts';
import { sum } from '../../shared/quantities/quantity.ts';
import { todayOf } from '../rules/site.ts';
import type { FigureContext } from './around-lot.ts';
import { monthsUpTo } from './months.ts';
import { numberOf, textOf } from './trace-lot.ts';

interface Line {
  accepted: number;
  rejected: number;
  unit: string | null;
}

interface Delivered {
  receipts: number;
  lines: Line[];
  lots: Set<number>;
}

/**
 * What suppliers delivered since the first day of a month, by the day of arrival. Each line counts the same in the
 * accepted share: kilograms and pieces have no sum.
 */
export async function supplierFigures(
  { reads, yieldToEventLoop }: FigureContext,
  months: number,
): Promise<SupplierFigures> {
  const { records } = reads;
  const from = `${monthsUpTo(todayOf(records, reads.now), months)[0]}-01`;
  const suppliers = new Map<number | null, Delivered>();
  for (const receipt of records.all('receiving-inspection')) {
    await yieldToEventLoop();
    const { fields, created_at } = receipt;
    if ((textOf(fields.actual_arrival_date) ?? created_at.slice(0, 10)) < from) continue;
    const id = numberOf(fields.supplier_id);
    const delivered = suppliers.get(id) ?? { receipts: 0, lines: [], lots: new Set() };
    suppliers.set(id, delivered);
    delivered.receipts += 1;
    for (const item of itemsOf({ position: 'order' }, fields.items)) {
      const accepted = numberOf(item.quantity_accepted) ?? 0;
      const rejected = numberOf(item.quantity_rejected) ?? 0;
      if (typeof item.inventory_id === 'number') delivered.lots.add(item.inventory_id);
      if (accepted + rejected > 0) {
        delivered.lines.push({ accepted, rejected, unit: textOf(item.unit_of_measure) });
      }
    }
  }
  const rows: SupplierFigures['suppliers'] = [];
  for (const [id, { receipts, lines, lots }] of suppliers) {
    const verdicts = { inspected: 0, failed: 0 };
    for (const lot of lots) {
      await yieldToEventLoop();
      const given = records.findBy('inspection', 'inventory_id', lot).map(({ fields }) => fields.passed);
      if (given.some(passed => typeof passed === 'boolean')) verdicts.inspected += 1;
      if (given.includes(false)) verdicts.failed += 1;
    }
    rows.push({
      supplier_id: id,
      supplier: id === null ? null : textOf(records.get('supplier', id)?.fields.name),
      receipts,
      lines: lines.length,
      lines_with_rejects: lines.filter(({ rejected }) => rejected > 0).length,
      accepted_share: meanShare(lines),
      by_unit: [...Map.groupBy(lines, ({ unit }) => unit)].map(([unit, of]) => ({
        unit,
        accepted: sum(of.map(({ accepted }) => accepted)),
        rejected: sum(of.map(({ rejected }) => rejected)),
      })),
      lots_inspected: verdicts.inspected,
      lots_failed: verdicts.failed,
    });
  }
  rows.sort(
    (a, b) =>
      (a.accepted_share ?? 2) - (b.accepted_share ?? 2) || (a.supplier_id ?? 0) - (b.supplier_id ?? 0),
  );
  return { as_of: reads.now, from, suppliers: rows };
}

function meanShare(lines: readonly Line[]): number | null {
  if (lines.length === 0) return null;
  const shares = lines.reduce((total, { accepted, rejected }) => total + accepted / (accepted + rejected), 0);
  return shares / lines.length;
}
