import type { NcrFigures, StockValue, SupplierFigures } from '../../shared/operations/figure-schemas.ts';
import type { SamplingStates } from '../../shared/operations/sampling-operations.ts';
import { todayOf } from '../rules/site.ts';
import { lastSequence } from '../store/history.ts';
import { yieldingToEventLoop } from '../store/yield-to-event-loop.ts';
import type { FigureContext, TraceReads } from './around-lot.ts';
import { ncrFigures } from './ncr-figures.ts';
import { samplingStates } from './sampling-states.ts';
import { singleFlight } from './single-flight.ts';
import { stockValue } from './stock-value.ts';
import { supplierFigures } from './supplier-figures.ts';

export interface Figures {
  stockValue(months: number): Promise<StockValue>;
  ncrs(): Promise<NcrFigures>;
  sampling(): Promise<SamplingStates>;
  suppliers(months: number): Promise<SupplierFigures>;
}

/** Figures over all records, worked out in short stretches between other work, and kept until the next commit or day. */
export function createFigures(reading: () => TraceReads): Figures {
  const inTurn = singleFlight(() => {
    const { sql, records, now } = reading();
    // Ages and expiry change with the day, without any commit.
    return `${lastSequence(sql)} ${todayOf(records, now)}`;
  });
  const figure = <Answer>(name: string, work: (context: FigureContext) => Promise<Answer>) =>
    inTurn(name, () => work({ reads: reading(), yieldToEventLoop: yieldingToEventLoop() }));
  return {
    stockValue: months => figure(`stock-value ${months}`, context => stockValue(context, months)),
    ncrs: () => figure('ncrs', ncrFigures),
    sampling: () => figure('sampling', samplingStates),
    suppliers: months => figure(`suppliers ${months}`, context => supplierFigures(context, months)),
  };
}
