import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { type FieldErrors, invalid } from '../../shared/contract/errors.ts';
import type { Field } from '../../shared/contract/fields.ts';
import { families, familyOf } from '../../shared/families/registry.ts';
import { indexedFields } from '../store/family-index.ts';
import type { FieldSource, HoldpointStep, ItemSource, MappedStep, Mapping } from './mapping.ts';

/** One field of a record or item, and where its value comes from. */
export interface FieldPlan {
  name: string;
  field: Field;
  source: FieldSource;
  /** Columns that the value is made of. */
  columns: string[];
  /** For a reference: the family of the record that is named, and by what. */
  target: { family: Family; find: string; source: string } | null;
}

interface MembersPlan {
  fields: FieldPlan[];
  items: ItemPlan[];
  key: string[];
}

export interface ItemPlan extends MembersPlan {
  name: string;
  /** Under which the keys of the items are remembered: `order.items`. */
  kind: string;
  file: { name: string; belongsTo: string[] } | null;
  /** The list inside of the record. */
  from: string | null;
}

/** A step whose file is of another program. */
export interface MappedPlan extends MembersPlan {
  form: 'mapped';
  source: string;
  file: string;
  family: Family;
  match: FieldPlan | null;
  isDistinct: boolean;
  leaveOut: Record<string, readonly string[]>;
}

/** A step whose file `export` wrote. */
export interface HoldpointPlan {
  form: 'holdpoint';
  source: string;
  file: string;
  family: Family;
  items: { name: string; collection: Collection; file: string }[];
}

export type StepPlan = MappedPlan | HoldpointPlan;

/** Names that stand for a row's place instead of a column: its line, and its place in its file or list. */
export const LINE = '$line';
export const INDEX = '$index';

/** What a mapping means. @throws AppError 422 where it names a family or field that there is not */
export function planImport(mapping: Mapping): StepPlan[] {
  const errors: FieldErrors = {};
  const plans = mapping.steps.flatMap((step, index): StepPlan[] => {
    const path = `mapping.steps.${index}`;
    const family = familyOf(step.family);
    if (!family) {
      errors[`${path}.family`] = [
        `There is no family "${step.family}". Families: ${Object.keys(families).join(', ')}.`,
      ];
      return [];
    }
    return step.format === 'holdpoint'
      ? [planHoldpoint(mapping, step, family, path, errors)]
      : [planMapped(mapping, step, family, path, errors)];
  });
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return plans;
}

/** The columns of a file that a step reads, without those that stand for a place. */
export function columnsRead(plan: StepPlan, file: string): string[] {
  if (plan.form === 'holdpoint') return file === plan.file ? ['id'] : ['record', 'id'];
  const own = file === plan.file ? [...plan.key, ...Object.keys(plan.leaveOut), ...columnsOf(plan)] : [];
  const ofItems = plan.items.flatMap(item =>
    item.file?.name === file ? [...item.file.belongsTo, ...item.key, ...columnsOf(item)] : [],
  );
  return [...new Set([...own, ...ofItems])].filter(column => column !== LINE && column !== INDEX);
}

/** The plan of the field at a path such as `items.0.quantity` or `lab_data.pH`, and the column that holds its value. */
export function columnAt(
  plan: MappedPlan,
  path: string,
): { field: FieldPlan | undefined; column: string | null } {
  let members: MembersPlan = plan;
  const names = path.split('.');
  for (;;) {
    const item: ItemPlan | undefined = members.items.find(({ name }) => name === names[0]);
    if (!item || names.length < 3) break;
    members = item;
    names.splice(0, 2);
  }
  const field = members.fields.find(
    ({ name, field }) => name === names[0] || field.aliases.includes(names[0] ?? ''),
  );
  const member = names[1] === undefined ? undefined : field?.source.object?.[names[1]];
  return { field, column: member ?? field?.columns[0] ?? null };
}

function columnsOf({ fields, items }: Pick<MembersPlan, 'fields' | 'items'>): string[] {
  return [...fields.flatMap(({ columns }) => columns), ...items.flatMap(({ from }) => from ?? [])];
}

function planHoldpoint(
  mapping: Mapping,
  step: HoldpointStep,
  family: Family,
  path: string,
  errors: FieldErrors,
): HoldpointPlan {
  if (family.isByMachine)
    errors[`${path}.family`] = [
      `Records of "${family.name}" are written by the machine itself. Leave the step out.`,
    ];
  const items = Object.entries(step.items ?? {}).flatMap(([name, { file }]) => {
    const collection = collectionOf(family, name);
    if (collection) return [{ name, collection, file }];
    errors[`${path}.items.${name}`] = [unknown(family.name, name, Object.keys(family.collections))];
    return [];
  });
  return { form: 'holdpoint', source: mapping.source, file: step.file, family, items };
}

function planMapped(
  mapping: Mapping,
  step: MappedStep,
  family: Family,
  path: string,
  errors: FieldErrors,
): MappedPlan {
  const { operations } = family;
  if (![...(operations.documented?.kinds ?? []), ...operations.extensions].includes('create')) {
    errors[`${path}.family`] = [`Records of "${family.name}" are not created by a mapping.`];
  }
  const members = planMembers(mapping, family, step, family.name, path, errors);
  const match = members.fields.find(({ name }) => name === step.match) ?? null;
  if (step.match !== undefined && !match) {
    errors[`${path}.match`] = [
      `"${step.match}" is not among the step's fields. Map it, or match another one.`,
    ];
  } else if (match && !indexedFields(family).includes(match.name) && !isCodeAlone(family, match.name)) {
    errors[`${path}.match`] = [`Records are not found by ${match.name}. Give the file's own "key" instead.`];
  }
  if (step.key === undefined && !match) {
    errors[`${path}.key`] = [
      'Name the column, or columns, that tell one row from another, so that running the import again doubles nothing.',
    ];
  }
  const joined = members.items.find(({ file }) => file !== null);
  if (joined && step.key === undefined) {
    errors[`${path}.key`] = [`Name the columns that the rows of ${joined.file?.name} refer to.`];
  }
  return {
    form: 'mapped',
    source: mapping.source,
    file: step.file,
    family,
    match,
    isDistinct: step.distinct ?? false,
    leaveOut: step.leave_out ?? {},
    ...members,
    key: step.key ?? [],
  };
}

function planMembers(
  mapping: Mapping,
  described: Family | Collection,
  {
    fields,
    items = {},
  }: { fields: Record<string, FieldSource>; items?: Record<string, ItemSource> | undefined },
  kind: string,
  path: string,
  errors: FieldErrors,
): MembersPlan {
  const fieldPlans = Object.entries(fields).flatMap(([given, source]) => {
    const at = `${path}.fields.${given}`;
    const known = Object.entries(described.fields).find(
      ([name, { aliases }]) => name === given || aliases.includes(given),
    );
    if (!known) {
      const names = Object.entries(described.fields).flatMap(([name, field]) =>
        field.writable ? [name] : [],
      );
      errors[at] = [unknown(kind, given, names)];
      return [];
    }
    const [name, field] = known;
    if (!field.writable) errors[at] = [`${given} is set by the server only. Leave it out.`];
    return [planField(mapping, name, field, source, at, errors)];
  });
  const itemPlans = Object.entries(items).flatMap(([name, source]) => {
    const at = `${path}.items.${name}`;
    const collection = collectionOf(described, name);
    if (!collection) {
      errors[at] = [unknown(kind, name, Object.keys(described.collections))];
      return [];
    }
    if ((source.file === undefined) === (source.from === undefined)) {
      errors[at] = ['Give either "file" and "belongs_to", or "from".'];
    } else if ((source.file === undefined) !== (source.belongs_to === undefined)) {
      errors[at] = ['"file" and "belongs_to" go together: the columns of the file that lead to the record.'];
    } else if (source.file !== undefined && kind.includes('.')) {
      errors[at] = ['Only the items of a record can have a file of their own. Give "from".'];
    }
    const file = source.file === undefined ? null : { name: source.file, belongsTo: source.belongs_to ?? [] };
    const members = planMembers(mapping, collection, source, `${kind}.${name}`, at, errors);
    return [{ name, kind: `${kind}.${name}`, file, from: source.from ?? null, ...members, key: source.key }];
  });
  return { fields: fieldPlans, items: itemPlans, key: [] };
}

function planField(
  mapping: Mapping,
  name: string,
  field: Field,
  source: FieldSource,
  path: string,
  errors: FieldErrors,
): FieldPlan {
  const ways = (['column', 'value', 'template', 'join', 'object'] as const).filter(
    way => source[way] !== undefined,
  );
  if (ways.length !== 1) errors[path] = ['Give one of "column", "value", "template", "join" and "object".'];
  const isReference = field.reference !== undefined && source.value === undefined;
  const target = isReference ? planTarget(mapping, field, source, path, errors) : null;
  if (!isReference && (source.find ?? source.family ?? source.source) !== undefined) {
    errors[path] = [`"find", "family" and "source" are for fields that name a record; ${name} does not.`];
  }
  return { name, field, source, columns: columnsOfSource(source), target };
}

function planTarget(
  mapping: Mapping,
  field: Field,
  source: FieldSource,
  path: string,
  errors: FieldErrors,
): FieldPlan['target'] {
  const name = source.family ?? field.reference ?? '';
  const family = familyOf(name);
  if (!family) {
    errors[path] = ['Give the "family" of the record that is named.'];
    return null;
  }
  const find = source.find ?? 'key';
  const isField = family.fields[find]?.kind === 'text';
  if (find !== 'key' && find !== 'id' && !isField) {
    errors[path] = [
      `"find" is "key" (the file's own), "id", or a text field of ${family.name}; not "${find}".`,
    ];
  }
  return { family, find, source: source.source ?? mapping.source };
}

function columnsOfSource({ column, template, join = [], object = {} }: FieldSource): string[] {
  const inTemplates = [template ?? '', ...join].flatMap(text =>
    [...text.matchAll(PLACE)].map(([, name = '']) => name),
  );
  return [...(column === undefined ? [] : [column]), ...inTemplates, ...Object.values(object)];
}

/** A place for a column's value in a template: `{address}`. */
export const PLACE = /\{([^{}]+)\}/g;

/** Not what every object inherits: the name comes from outside. */
export function collectionOf(described: Family | Collection, name: string): Collection | undefined {
  return Object.hasOwn(described.collections, name) ? described.collections[name] : undefined;
}

function unknown(owner: string, name: string, known: readonly string[]): string {
  return `There is no "${name}" in ${owner}. There is: ${known.join(', ') || 'none'}.`;
}

/** Whether records are found by this field as by a code that people type or scan, and by no index of its own: a part's number. */
export function isCodeAlone(family: Family, name: string): boolean {
  return (
    family.codes.includes(name) &&
    family.fields[name]?.kind === 'text' &&
    !indexedFields(family).includes(name)
  );
}
