import type { Family } from '../../../shared/contract/define-family.ts';
import type { Field } from '../../../shared/contract/fields.ts';
import { familyOf } from '../../../shared/families/registry.ts';
import { transferOrder } from '../../../shared/families/transfer-order.ts';
import type { FileHead } from './file-head.ts';
import type { FieldSource, FileOptions, Mapping } from './mapping.ts';

/** Columns that usually tell one row from another. */
const KEYS = ['id', 'key', 'number', 'no', 'nr', 'nummer', 'code', 'sku', 'artikelnummer', 'identification'];
/** In place of a column: the number of the line. */
export const LINE = '$line';

export interface Proposal {
  file: string;
  family: Family;
  head: FileHead;
  options: FileOptions;
  /** What the field is called in the language of the screen. */
  labelOf: (field: Field) => string;
}

/** A mapping of one file by the names of its columns: to be looked over by a person. */
export function proposeMapping({ file, family, head, options, labelOf }: Proposal): Mapping {
  const fields: Record<string, FieldSource> = {};
  const left = new Map(head.columns.map(column => [plain(column), column]));
  for (const [name, field] of writableFields(family)) {
    const known = [name, name.replace(/_id$/, ''), field.label, labelOf(field), ...field.aliases];
    const found = known.map(plain).find(each => left.has(each));
    const column = found === undefined ? undefined : left.get(found);
    if (found === undefined || column === undefined) continue;
    left.delete(found);
    const target = field.reference === undefined ? undefined : familyOf(field.reference);
    const find = target && !/id$/.test(found) ? waysToFind(target)[0] : undefined;
    fields[name] = find === undefined ? column : { column, find };
  }
  const match = numbersOf(family).find(name => fields[name] !== undefined);
  const stem = file.replace(/\.\w+$/, '');
  return {
    source: stem,
    ...(Object.keys(options).length > 0 && { files: { [file]: options } }),
    steps: [
      { file, family: family.name, key: proposeKey(head), ...(match !== undefined && { match }), fields },
    ],
  };
}

/** The mapping of files that `export` wrote, each called by its family; undefined: one of them is not. */
export function exportedMapping(files: readonly string[], source = 'holdpoint'): Mapping | undefined {
  const steps = transferOrder().flatMap(({ name, collections }) => {
    const file = files.find(each => each === `${name}.jsonl` || each === `${name}.csv`);
    if (file === undefined) return [];
    const items = Object.keys(collections)
      .map(each => [each, { file: `${name}-${each}.csv` }] as const)
      .filter(([, each]) => file.endsWith('.csv') && files.includes(each.file));
    return [
      { format: 'holdpoint', file, family: name, ...(items.length && { items: Object.fromEntries(items) }) },
    ];
  });
  const named = steps.flatMap(({ file, items = {} }) => [
    file,
    ...Object.values(items).map(item => item.file),
  ]);
  return steps.length > 0 && files.every(file => named.includes(file)) ? { source, steps } : undefined;
}

export function writableFields(family: Family): [name: string, field: Field][] {
  return Object.entries(family.fields).filter(([, field]) => field.writable);
}

/** Text fields by which a record is named in another file, the likeliest first. */
export function waysToFind(family: Family): string[] {
  const named = [...family.nameFields, ...family.unique, ...family.codes, ...family.search];
  return [...new Set(named)].filter(name => family.fields[name]?.kind === 'text');
}

/** By which records that are here already are found, so that a file of the same ones adds none a second time. */
function numbersOf({ unique, codes }: Family): string[] {
  return [...unique, ...codes.filter(name => name === 'identification')];
}

function proposeKey({ columns, rows }: FileHead): string {
  const usual = columns.find(column => KEYS.includes(plain(column)));
  const isUnique = (column: string) => {
    const values = rows.map(row => row[column] ?? '');
    return !values.includes('') && new Set(values).size === values.length;
  };
  if (usual !== undefined && isUnique(usual)) return usual;
  return columns.find(column => /(id|number|no|nr|code)$/i.test(column) && isUnique(column)) ?? LINE;
}

/** A name without what differs between habits of writing: `Supplier ID`, `supplier_id`, `supplierId`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
