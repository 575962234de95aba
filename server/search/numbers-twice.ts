import type { Family } from '../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { kindOf } from '../../shared/families/places.ts';
import { families, familyOf } from '../../shared/families/registry.ts';
import type { Committed } from '../store/commit.ts';
import { sourcesOf } from '../store/lots.ts';
import { numberedAs } from '../store/numbered.ts';
import type { Store } from '../store/store.ts';
import { BackgroundWatch } from './background-watch.ts';
import { shownFamilies } from './titles.ts';

/** What makes one lot of goods beside its number (interface decisions, 5.2). */
const ONE_LOT = ['part_id', 'expiry_date', 'lot_unit'];
/** Families whose numbers are compared otherwise than by `unique`. */
const OTHERWISE = new Set(['inventory', 'location']);

/**
 * Records whose number another record has as well: two stations typed it without having seen each other's (interface
 * decisions, 4), or a former version, which compared them letter by letter, took both. Lots that would be one (5.2) but for how their
 * number is written are among them, and handling units of one SSCC.
 */
export function numbersTwice(
  { records, database }: Pick<Store, 'records' | 'database'>,
  onFault: (error: unknown) => void,
) {
  const watch: BackgroundWatch = new BackgroundWatch({
    candidates: function* () {
      for (const family of shownFamilies) {
        if (isNumbered(family)) for (const { key } of records.all(family.name)) yield key;
      }
    },
    isSo: key => {
      const record = records.getByKey(key);
      const family = record && familyOf(record.family);
      if (!record || !family) return false;
      if (record.family === 'inventory') return noting(spelledOtherwise(record));
      if (record.family === 'location') return noting(sameUnits(record));
      return family.unique.some(name => {
        const value = record.fields[name];
        if (typeof value !== 'string' || value === '') return false;
        const same = numberedAs(database.reader, records, family, name, value);
        return noting(same.filter(other => other.key !== key));
      });
    },
    onFault,
  });
  /** Whether there are others. Those that came first were looked at when they were alone. */
  function noting(others: readonly StoredRecord[]): boolean {
    watch.lookAgain(others.flatMap(({ key }) => (watch.has(key) ? [] : [key])));
    return others.length > 0;
  }
  /** A lot that nothing came into, or nothing any more, is none that a person has to look at. */
  const isFed = ({ id }: StoredRecord) =>
    sourcesOf(database.reader, id).some(({ quantity }) => quantity > 0n);
  function spelledOtherwise(lot: StoredRecord): StoredRecord[] {
    const { batch_number: number, ...fields } = lot.fields;
    if (typeof number !== 'string' || number === '') return [];
    const others = records
      .findBy('inventory', 'batch_number', number)
      .filter(
        other =>
          other.fields.batch_number !== number &&
          ONE_LOT.every(name => (other.fields[name] ?? null) === (fields[name] ?? null)) &&
          isFed(other),
      );
    return others.length > 0 && isFed(lot) ? others : [];
  }
  function sameUnits({ key, fields }: StoredRecord): StoredRecord[] {
    const isUnit = ({ fields: of }: Pick<StoredRecord, 'fields'>) =>
      kindOf(of) === 'unit' && of.is_active !== false;
    if (!isUnit({ fields })) return [];
    const same = numberedAs(database.reader, records, families.location, 'name', String(fields.name));
    return same.filter(other => other.key !== key && isUnit(other));
  }
  /** A changed number also frees the record that had the same one. */
  function follow({ records: changed, lots }: Committed): void {
    const keys = changed.flatMap(({ family, key }) => (isNumbered(familyOf(family)) ? [key] : []));
    for (const lot of lots) keys.push(`inventory:${lot}`);
    if (keys.length > 0) watch.lookAgain([...keys, ...watch.found()]);
  }
  return { watch, follow };
}

/** Whether records of the family have numbers that are given once. */
function isNumbered(family: Family | undefined): boolean {
  return family !== undefined && (family.unique.length > 0 || OTHERWISE.has(family.name));
}
