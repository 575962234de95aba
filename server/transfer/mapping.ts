import { z } from 'zod';
import { type FieldErrors, invalid } from '../../shared/contract/errors.ts';

/**
 * A mapping says how the files of an import become records. `examples/README.md` explains it construct by construct.
 * This is its form; what it says about families and fields is checked by `planImport`.
 */
const columns = z.preprocess(
  value => (typeof value === 'string' ? [value] : value),
  z.array(z.string().min(1), { error: 'Give a column, or a list of columns.' }).min(1).max(20),
);

const texts = z.array(z.string(), { error: 'Give a list of texts.' }).max(100);

const dateFormats = z.preprocess(
  value => (typeof value === 'string' ? [value] : value),
  z.array(z.string().min(1), { error: 'Give a date format such as dd.MM.yyyy, or a list of them.' }).min(1),
);

const reading = {
  /** Texts that mean "no value"; compared without the blanks around them. */
  no_value: texts.optional(),
  /** Luxon's tokens; without one, dates are ISO 8601. */
  date: dateFormats.optional(),
  /** The zone of date-times without an offset. */
  zone: z.string().min(1).optional(),
  /** `comma`: 1.234,5. `point`: 1,234.5. Without it: 1234.5. */
  number: z.enum(['comma', 'point']).optional(),
};

const fileOptions = z.strictObject({
  ...reading,
  format: z.enum(['csv', 'json']).optional(),
  encoding: z.enum(['utf-8', 'windows-1252', 'latin1', 'utf-16le', 'utf-16be']).optional(),
  delimiter: z.string().length(1, { error: 'Give one character.' }).optional(),
  /** Empty: the file quotes nothing. */
  quote: z.string().max(1, { error: 'Give one character, or an empty text.' }).optional(),
  /** In a row with too many values, one that begins with a blank goes on with the one before it. */
  space_continues: z.boolean().optional(),
  ignore: texts.optional(),
});

const fieldSource = z.preprocess(
  value => (typeof value === 'string' ? { column: value } : value),
  z.strictObject(
    {
      ...reading,
      column: z.string().min(1).optional(),
      value: z.json().optional(),
      template: z.string().optional(),
      join: z.array(z.string()).min(1).optional(),
      with: z.string().optional(),
      object: z.record(z.string(), z.string()).optional(),
      values: z.record(z.string(), z.json()).optional(),
      otherwise: z.json().optional(),
      default: z.json().optional(),
      split: z.string().min(1).optional(),
      trim: z.boolean().optional(),
      find: z.string().min(1).optional(),
      family: z.string().min(1).optional(),
      source: z.string().min(1).optional(),
    },
    { error: 'Give a column, or an object such as {"value": 5} or {"template": "{first} {last}"}.' },
  ),
);

export type FieldSource = z.infer<typeof fieldSource>;
export type FileOptions = z.infer<typeof fileOptions>;

export interface ItemSource {
  file?: string | undefined;
  belongs_to?: string[] | undefined;
  from?: string | undefined;
  key: string[];
  fields: Record<string, FieldSource>;
  items?: Record<string, ItemSource> | undefined;
}

const fieldSources = z.record(z.string(), fieldSource, {
  error: 'Give an object of fields and their columns.',
}) as z.ZodType<Record<string, FieldSource>>;

const itemSource: z.ZodType<ItemSource> = z.strictObject({
  /** A second file whose rows `belongs_to` leads to their record … */
  file: z.string().min(1).optional(),
  belongs_to: columns.optional() as z.ZodType<string[] | undefined>,
  /** … or the list inside of the record, in JSON. */
  from: z.string().min(1).optional(),
  key: columns as z.ZodType<string[]>,
  fields: fieldSources,
  get items() {
    return z.record(z.string(), itemSource).optional();
  },
});

const mappedStep = z.strictObject({
  format: z.undefined().optional(),
  file: z.string().min(1),
  family: z.string().min(1),
  /** The file's own key: finds the record again when the import is run again, and when other files refer to it. */
  key: columns.optional() as z.ZodType<string[] | undefined>,
  /** A field that names a record by itself, such as a number that people type. */
  match: z.string().min(1).optional(),
  /** Takes the first row of each key and leaves the others out. */
  distinct: z.boolean().optional(),
  /** Rows are left out that have one of these texts in the column. */
  leave_out: z.record(z.string(), texts).optional(),
  fields: fieldSources,
  items: z.record(z.string(), itemSource).optional(),
});

/** A file that `export` wrote. With CSV, `items` names the file of each collection. */
const holdpointStep = z.strictObject({
  format: z.literal('holdpoint'),
  file: z.string().min(1),
  family: z.string().min(1),
  items: z.record(z.string(), z.strictObject({ file: z.string().min(1) })).optional(),
});

const mappingSchema = z.strictObject({
  description: z.string().optional(),
  /** Where the files come from. Keys are remembered under this name. */
  source: z.string({ error: 'Name where the files come from, such as "northwind".' }).min(1).max(200),
  defaults: fileOptions.optional(),
  files: z.record(z.string(), fileOptions).optional(),
  steps: z
    .array(z.discriminatedUnion('format', [mappedStep, holdpointStep]), { error: 'Give a list of steps.' })
    .min(1, { error: 'Give at least one step.' })
    .max(200),
});

export type Mapping = z.infer<typeof mappingSchema>;
export type MappedStep = z.infer<typeof mappedStep>;
export type HoldpointStep = z.infer<typeof holdpointStep>;

/** @throws AppError 422 with a message for every fault, by its path in the mapping (`steps.0.fields`) */
export function readMapping(value: unknown): Mapping {
  const result = mappingSchema.safeParse(value);
  if (result.success) return result.data;
  const errors: FieldErrors = {};
  for (const issue of result.error.issues) {
    const path = ['mapping', ...issue.path].join('.');
    errors[path] = [...(errors[path] ?? []), issue.message];
  }
  throw invalid(errors);
}

/** Names of the files that a mapping reads, each once, in the order of the steps. */
export function filesOf(mapping: Mapping): string[] {
  const names = mapping.steps.flatMap(step => [
    step.file,
    ...Object.values<{ file?: string | undefined }>(step.items ?? {}).flatMap(({ file }) => file ?? []),
  ]);
  return [...new Set(names)];
}

/** How a file is read: its own options over the mapping's defaults over what is usual. */
export function optionsOf(mapping: Mapping, file: string): FileOptions & { no_value: string[] } {
  const options = { ...mapping.defaults, ...mapping.files?.[file] };
  return { ...options, no_value: options.no_value ?? [''] };
}
