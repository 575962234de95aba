import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { oncePerObject } from '../../shared/contract/once-per.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { isSameNumber } from '../../shared/contract/typed-number.ts';
import { familyOf } from '../../shared/families/registry.ts';
import type { PlannedChange } from './changes.ts';
import { type Fields, mapOf } from './changes.ts';

/** Of the unit of work, what the checks look into, and where they note what is at fault. */
interface Checked {
  get(family: string, id: number): StoredRecord | undefined;
  numbered(family: Family, field: string, number: string): StoredRecord[];
  blame(path: string, message: string): void;
}

/**
 * Every record that the change refers to is there. Only what changed is looked up: a record that refers to something
 * lost can still be mended field by field. Blames each reference that leads nowhere.
 */
export function checkReferences(change: PlannedChange, work: Checked): void {
  const check = (described: Family | Collection, before: Fields, after: Fields, item: number | undefined) => {
    for (const [name, target] of referencesOf(described)) {
      const id = after[name];
      if (typeof id !== 'number' || id === before[name] || work.get(target.name, id)) continue;
      const noun = target.title.toLowerCase();
      const message = `There is no ${noun} with the id ${id}. Give the id of an existing one, or create it first.`;
      work.blame(change.pathOf(name, item), message);
    }
    for (const [name, collection] of Object.entries(described.collections)) {
      const old = mapOf(before[name]);
      for (const [id, entry] of Object.entries(mapOf(after[name]))) {
        if (entry !== old[id]) check(collection, mapOf(old[id]), mapOf(entry), Number(id));
      }
    }
  };
  check(change.family, change.before?.fields ?? {}, change.fields, undefined);
}

const referencesOf = oncePerObject(({ fields }: Family | Collection) =>
  Object.entries(fields).flatMap(([name, { reference }]): [string, Family][] => {
    const target = reference === undefined ? undefined : familyOf(reference);
    return target ? [[name, target]] : [];
  }),
);

/**
 * A typed number names one record of those that this machine knows. Two that stations gave without knowing of each other
 * are both kept (interface decisions, 5.14), and each can be changed but for its number.
 */
export function checkUnique(change: PlannedChange, work: Checked): void {
  for (const name of change.family.unique) {
    const value = change.fields[name];
    if (typeof value !== 'string' || isSameNumber(value, change.before?.fields[name])) continue;
    const others = work.numbered(change.family, name, value);
    const other = others.find(record => record.id !== change.id);
    if (!other) continue;
    const message = `"${value}" is taken by the record ${other.id}. Give another one, or change that record.`;
    work.blame(change.pathOf(name), message);
  }
}
