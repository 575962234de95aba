import { daysBetween } from '../../shared/contract/dates.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { NcrFigures } from '../../shared/operations/figure-schemas.ts';
import { todayOf } from '../rules/site.ts';
import { receiptsOf } from '../store/lots.ts';
import type { FigureContext } from './around-lot.ts';
import { idIn, type TraceReads } from './around-lot.ts';
import { monthOf, monthsUpTo } from './months.ts';
import { numberOf, textOf } from './trace-lot.ts';

/** Open reports by days since they were raised. */
const AGES: readonly [from: number, to: number | null][] = [
  [0, 7],
  [8, 30],
  [31, 90],
  [91, null],
];

/** Non-conformance reports by where they stand, where they come from, what caused them, and how old they are. */
export async function ncrFigures({ reads, yieldToEventLoop }: FigureContext): Promise<NcrFigures> {
  const { records } = reads;
  const today = todayOf(records, reads.now);
  const status = new Map<string, number>();
  const [source, cause, supplier] = [
    new Tally<string>(),
    new Tally<number | null>(),
    new Tally<number | null>(),
  ];
  const ages = new Map(AGES.map(age => [age, 0]));
  const raised = new Map(monthsUpTo(today, 12).map(month => [month, 0]));
  let total = 0;
  let open = 0;
  for (const report of records.all('ncr')) {
    await yieldToEventLoop();
    const { fields } = report;
    const isOpen = fields.status !== 'closed';
    total += 1;
    if (isOpen) open += 1;
    const stand = textOf(fields.status) ?? 'open';
    status.set(stand, (status.get(stand) ?? 0) + 1);
    source.add(textOf(fields.source) ?? 'internal', isOpen);
    cause.add(causeOf(reads, report), isOpen);
    supplier.add(supplierOf(reads, report), isOpen);
    const day = textOf(fields.date_opened) ?? report.created_at.slice(0, 10);
    const month = monthOf(day);
    if (raised.has(month)) raised.set(month, (raised.get(month) ?? 0) + 1);
    if (!isOpen) continue;
    const days = Math.max(0, daysBetween(day, today));
    const age = AGES.find(([from, to]) => days >= from && (to === null || days <= to));
    if (age) ages.set(age, (ages.get(age) ?? 0) + 1);
  }
  const nameOf = (family: string, id: number | null) =>
    id === null ? null : textOf(records.get(family, id)?.fields.name);
  return {
    as_of: reads.now,
    total,
    open,
    by_status: ['open', 'in_review', 'closed'].map(name => ({ status: name, count: status.get(name) ?? 0 })),
    by_source: source.rows().map(({ key, ...counts }) => ({ source: key, ...counts })),
    by_cause: cause.rows().map(({ key, ...counts }) => ({
      error_code_id: key,
      cause: nameOf('error-code', key),
      ...counts,
    })),
    by_supplier: supplier.rows().map(({ key, ...counts }) => ({
      supplier_id: key,
      supplier: nameOf('supplier', key),
      ...counts,
    })),
    by_age: AGES.map(age => ({ from_days: age[0], to_days: age[1], count: ages.get(age) ?? 0 })),
    by_month: [...raised].map(([month, count]) => ({ month, raised: count })),
  };
}

class Tally<Key> {
  readonly #counts = new Map<Key, { count: number; open: number }>();

  add(key: Key, isOpen: boolean): void {
    const { count, open } = this.#counts.get(key) ?? { count: 0, open: 0 };
    this.#counts.set(key, { count: count + 1, open: open + (isOpen ? 1 : 0) });
  }

  /** Most first. */
  rows(): { key: Key; count: number; open: number }[] {
    return [...this.#counts].map(([key, counts]) => ({ key, ...counts })).sort((a, b) => b.count - a.count);
  }
}

function causeOf({ records }: TraceReads, { fields }: StoredRecord): number | null {
  const complaint =
    typeof fields.complaint_id === 'number' ? records.get('complaint', fields.complaint_id) : undefined;
  return numberOf(fields.error_code_id) ?? numberOf(complaint?.fields.error_code_id);
}

/** Of the receipt that raised it, else of the receipt that brought its lot, else whom the part is bought from. */
export function supplierOf({ records, sql }: TraceReads, { fields }: StoredRecord): number | null {
  const [first] = typeof fields.inventory_id === 'number' ? receiptsOf(sql, fields.inventory_id) : [];
  const receipt = numberOf(fields.receiving_inspection_id) ?? (first === undefined ? null : idIn(first));
  const ofReceipt =
    receipt === null ? null : numberOf(records.get('receiving-inspection', receipt)?.fields.supplier_id);
  if (ofReceipt !== null || typeof fields.part_id !== 'number') return ofReceipt;
  return numberOf(records.get('part', fields.part_id)?.fields.supplier_id);
}
