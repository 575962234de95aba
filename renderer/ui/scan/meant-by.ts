import type { Scan } from '../../../shared/operations/overview-operations.ts';

/** The one record that is opened by a scan; undefined: a person says which. A lot's own label names its part as well. */
export function meantBy({ kind, matches }: Scan): Scan['matches'][number] | undefined {
  const lots = matches.filter(({ family }) => family === 'inventory');
  const isLabel =
    kind === 'lot' && matches.every(({ family }) => family === 'inventory' || family === 'part');
  const meant = isLabel ? lots : matches;
  return meant.length === 1 ? meant[0] : undefined;
}
