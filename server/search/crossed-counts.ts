import { isCrossed } from '../rules/crossed-counts.ts';
import type { Committed } from '../store/commit.ts';
import { keyOf } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { BackgroundWatch } from './background-watch.ts';

/** Places whose stock was corrected by counts that knew nothing of each other: they are counted again (decisions/0130). */
export function crossedCounts({ records }: Pick<Store, 'records'>, onFault: (error: unknown) => void) {
  const placeOf = (count: unknown): string[] => {
    const place = records.get('stock-count', Number(count))?.fields.location_id;
    return typeof place === 'number' ? [keyOf('location', place)] : [];
  };
  const watch = new BackgroundWatch({
    candidates: function* () {
      const places = new Set<string>();
      for (const { id } of records.all('stock-count')) {
        for (const place of placeOf(id)) {
          if (!places.has(place)) yield place;
          places.add(place);
        }
      }
    },
    isSo: key => {
      const place = records.getByKey(key);
      return place !== undefined && isCrossed(records, place.id);
    },
    onFault,
  });
  function follow({ records: changed }: Committed): void {
    if (!watch.isStarted) return;
    const counts = changed.flatMap(({ family, id }) => {
      if (family === 'stock-count') return id;
      return family === 'adjustment' ? (records.get(family, id)?.fields.stock_count_id ?? []) : [];
    });
    watch.lookAgain(counts.flatMap(placeOf));
  }
  return { watch, follow };
}
