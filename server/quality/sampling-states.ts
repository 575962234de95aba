import { recordTitle } from '../../shared/families/record-title.ts';
import { families } from '../../shared/families/registry.ts';
import type { SamplingStates } from '../../shared/operations/sampling-operations.ts';
import {
  inOrder,
  judgedLot,
  rulingsOn,
  type SamplingEntry,
  severityOver,
} from '../rules/sampling-history.ts';
import { newestRecords } from '../store/newest.ts';
import type { FigureContext } from './around-lot.ts';
import { samplingRule } from './sampling.ts';
import { numberOf, textOf } from './trace-lot.ts';

/** Inspections that are looked through: the newest. */
const LOOK_BACK = 3_000;
/** Of each part and supplier, as many as a plan looks back at. */
const PER_PAIR = 300;

/** How strictly the next lot of each part from each supplier is sampled; what waits for somebody comes first. */
export async function samplingStates({ reads, yieldToEventLoop }: FigureContext): Promise<SamplingStates> {
  const { records } = reads;
  const { newest, total } = newestRecords(records, families.inspection, {}, LOOK_BACK);
  const pairs = new Map<string, { part: number; supplier: number | null; entries: SamplingEntry[] }>();
  for (const inspection of newest) {
    await yieldToEventLoop();
    const judged = judgedLot(reads, inspection);
    const part = numberOf(inspection.fields.entity_id);
    if (!judged || part === null) continue;
    const key = `${part} ${judged.supplier}`;
    const pair = pairs.get(key) ?? { part, supplier: judged.supplier, entries: [] };
    pairs.set(key, pair);
    pair.entries.push(judged.entry);
  }
  const rows: SamplingStates['rows'] = [];
  for (const { part, supplier, entries } of pairs.values()) {
    await yieldToEventLoop();
    const record = records.get('part', part);
    if (!record) continue;
    const rule = samplingRule({ level: undefined, aql: undefined }, record);
    const lots = inOrder([...entries.slice(-PER_PAIR), ...rulingsOn(reads, part, supplier)]);
    const { state } = severityOver(lots, rule.level, rule.aql);
    rows.push({
      part_id: part,
      part: recordTitle(families.part, record),
      supplier_id: supplier,
      supplier: supplier === null ? null : textOf(records.get('supplier', supplier)?.fields.name),
      severity: state.severity,
      is_discontinued: state.isDiscontinued,
      is_reduced_possible: state.isReducedPossible,
      switching_score: state.switchingScore,
      lots: entries.length,
      newest_at: lots.at(-1)?.at ?? reads.now,
    });
  }
  return {
    as_of: reads.now,
    rows: rows.sort((a, b) => urgency(a) - urgency(b) || (a.newest_at < b.newest_at ? 1 : -1)),
    inspections_total: total,
    inspections_read: newest.length,
  };
}

function urgency(row: SamplingStates['rows'][number]): number {
  if (row.is_discontinued) return 0;
  if (row.is_reduced_possible) return 1;
  return { tightened: 2, normal: 3, reduced: 4 }[row.severity];
}
