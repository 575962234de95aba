import { invalid } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { type FamilyName, familyOf } from '../../shared/families/registry.ts';
import { indexedFields } from '../store/family-index.ts';
import type { ImportKeys } from '../store/import-keys.ts';
import type { Records } from '../store/records.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import type { RowReference } from './import-row.ts';
import type { StepPlan } from './plan.ts';

/** The id of the record that a row names. @throws AppError 422 on the row's field */
export function findReferred(
  context: { keys: ImportKeys; names: NameIndex },
  work: UnitOfWork,
  reference: RowReference,
): number {
  const { at, field, family, find, source, text } = reference;
  const path = at === '' ? field : `${at}.${field}`;
  const noun = familyOf(family)?.title.toLowerCase() ?? family;
  if (find === 'id') {
    if (work.get(family, Number(text))) return Number(text);
    throw invalid({ [path]: [`There is no ${noun} with the id ${text}. Give an existing one.`] });
  }
  if (find === 'key') {
    const id = context.keys.find(source, family, JSON.stringify([text.trim()]));
    if (id !== undefined) return id;
    const remedy = 'Import it in an earlier step, or correct the key.';
    throw invalid({
      [path]: [`No ${noun} with the key ${JSON.stringify(text)} was imported from ${source}. ${remedy}`],
    });
  }
  const ids = isIndexed(family, find)
    ? foundBy(work, family as FamilyName, find, text).map(({ id }) => id)
    : context.names.find(family, find, text.trim());
  const [id, another] = ids;
  if (id !== undefined && another === undefined) return id;
  throw invalid({
    [path]: [
      id === undefined
        ? `There is no ${noun} whose ${find} is ${JSON.stringify(text)}. Create it first, or correct the text.`
        : `Several records (${noun}) have ${find} ${JSON.stringify(text)}. Refer to it by its key instead.`,
    ],
  });
}

/** Records by an indexed field; of lots with several spellings of one number the one that is spelled like this. */
export function foundBy(
  work: UnitOfWork,
  family: FamilyName,
  field: string,
  value: string | number,
): StoredRecord[] {
  const found = work.findBy(family, field, value);
  const exact = found.filter(record => record.fields[field] === value);
  return exact.length > 0 ? exact : found;
}

/**
 * Records by a text field without an index, such as locations by their names: read once for each step that refers to
 * them. Of families whose records people name, which are short lists.
 */
export class NameIndex {
  readonly #records: Pick<Records, 'all'>;
  readonly #idsByText = new Map<string, Map<string, number[]>>();

  constructor(records: Pick<Records, 'all'>) {
    this.#records = records;
  }

  async prepare(plan: StepPlan): Promise<void> {
    this.#idsByText.clear();
    if (plan.form !== 'mapped') return;
    const targets = [plan, ...plan.items].flatMap(({ fields }) =>
      fields.flatMap(({ target }) => target ?? []),
    );
    for (const { family, find } of targets) {
      if (find === 'key' || find === 'id' || isIndexed(family.name, find)) continue;
      await this.#load(family.name, find);
    }
  }

  find(family: string, field: string, text: string): readonly number[] {
    return this.#idsByText.get(`${family}.${field}`)?.get(text) ?? [];
  }

  async #load(family: string, field: string): Promise<void> {
    const ids = new Map<string, number[]>();
    let count = 0;
    for (const record of this.#records.all(family)) {
      const text = record.fields[field];
      if (typeof text === 'string')
        ids.set(text.trim(), [...(ids.get(text.trim()) ?? []), record.id].slice(0, 2));
      count += 1;
      if (count % 500 === 0) await new Promise(resolve => setImmediate(resolve));
    }
    this.#idsByText.set(`${family}.${field}`, ids);
  }
}

function isIndexed(family: string, field: string): boolean {
  const known = familyOf(family);
  return known !== undefined && indexedFields(known).includes(field);
}
