import type { NcrFigures, StockValue, SupplierFigures } from '../../shared/figure-schemas.ts';
import { todayOf } from '../rules/site.ts';
import { lastSequence } from '../store/history.ts';
import type { TraceReads } from './around-lot.ts';
import { type Breathe, breathing } from './breathe.ts';
import { ncrFigures } from './ncr-figures.ts';
import { stockValue } from './stock-value.ts';
import { supplierFigures } from './supplier-figures.ts';

export interface Figures {
  stockValue(months: number): Promise<StockValue>;
  ncrs(): Promise<NcrFigures>;
  suppliers(months: number): Promise<SupplierFigures>;
}

export interface FigureContext {
  reads: TraceReads;
  breathe: Breathe;
}

/**
 * Figures over all records. One is worked out in short stretches between other work, once for everybody who asks
 * meanwhile, and kept until the next commit or day.
 */
export function createFigures(reading: () => TraceReads): Figures {
  const kept = new Map<string, { state: string; answer: Promise<unknown> }>();
  const figure = <Answer>(
    name: string,
    work: (context: FigureContext) => Promise<Answer>,
  ): Promise<Answer> => {
    const reads = reading();
    // Ages and expiry change with the day, without any commit.
    const state = `${lastSequence(reads.sql)} ${todayOf(reads.records, reads.now)}`;
    const known = kept.get(name);
    if (known?.state === state) return known.answer as Promise<Answer>;
    const answer = work({ reads, breathe: breathing() });
    kept.set(name, { state, answer });
    answer.catch(() => kept.delete(name));
    return answer;
  };
  return {
    stockValue: months => figure(`stock-value ${months}`, context => stockValue(context, months)),
    ncrs: () => figure('ncrs', ncrFigures),
    suppliers: months => figure(`suppliers ${months}`, context => supplierFigures(context, months)),
  };
}
