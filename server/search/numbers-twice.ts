import { familyOf } from '../../shared/families/registry.ts';
import type { Committed } from '../store/commit.ts';
import { numberedAs } from '../store/numbered.ts';
import type { Store } from '../store/store.ts';
import { BackgroundWatch } from './background-watch.ts';
import { shownFamilies } from './titles.ts';

/**
 * Records whose number another record has as well: two stations typed it without having seen each other's (interface
 * decisions, 4), or a former version, which compared them letter by letter, took both.
 */
export function numbersTwice(
  { records, database }: Pick<Store, 'records' | 'database'>,
  onFault: (error: unknown) => void,
) {
  const watch: BackgroundWatch = new BackgroundWatch({
    candidates: function* () {
      for (const family of shownFamilies) {
        if (family.unique.length > 0) for (const { key } of records.all(family.name)) yield key;
      }
    },
    isSo: key => {
      const record = records.getByKey(key);
      const family = record && familyOf(record.family);
      if (!record || !family) return false;
      return family.unique.some(name => {
        const value = record.fields[name];
        if (typeof value !== 'string' || value === '') return false;
        const same = numberedAs(database.reader, records, family, name, value);
        const others = same.filter(other => other.key !== key);
        // Those that came first were looked at when they were alone.
        watch.lookAgain(others.flatMap(other => (watch.has(other.key) ? [] : [other.key])));
        return others.length > 0;
      });
    },
    onFault,
  });
  /** A changed number also frees the record that had the same one. */
  function follow({ records: changed }: Committed): void {
    const keys = changed.flatMap(({ family, key }) => (familyOf(family)?.unique.length ? [key] : []));
    if (keys.length > 0) watch.lookAgain([...keys, ...watch.found()]);
  }
  return { watch, follow };
}
