import { exactMean } from './exact-mean.ts';

/** What stands for a lot on a chart: the mean of its samples' values, or the first of them. */
export const lotValueChoices = ['mean', 'first'] as const;
export type LotValueChoice = (typeof lotValueChoices)[number];

export interface LotValue<Lot> {
  readonly lot: Lot;
  /** Null is a gap: nothing was measured. */
  readonly value: number | null;
  /** How many values the lot has. */
  readonly n: number;
}

/** One value for each lot, in the order given. RangeError for a value that is not finite. */
export function lotValues<Lot>(
  lots: readonly { readonly lot: Lot; readonly values: readonly (number | null)[] }[],
  choice: LotValueChoice,
): LotValue<Lot>[] {
  return lots.map(({ lot, values }) => {
    const measured = values.filter(value => value !== null);
    const [first] = measured;
    if (first === undefined) return { lot, value: null, n: 0 };
    return { lot, value: choice === 'first' ? first : exactMean(measured), n: measured.length };
  });
}
