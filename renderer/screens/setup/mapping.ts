import { z } from 'zod';

/** How a file is read: what of it this screen sets; the rest is kept as it is. */
const fileOptionsSchema = z.looseObject({
  format: z.enum(['csv', 'json']).optional(),
  encoding: z.string().optional(),
  delimiter: z.string().optional(),
  number: z.string().optional(),
  date: z.union([z.string(), z.array(z.string())]).optional(),
});
export type FileOptions = z.infer<typeof fileOptionsSchema>;

const sourceSchema = z.union([
  z.string(),
  z.looseObject({ column: z.string().optional(), find: z.string().optional() }),
]);
export type FieldSource = z.infer<typeof sourceSchema>;

const stepSchema = z.looseObject({
  file: z.string(),
  family: z.string(),
  format: z.string().optional(),
  key: z.union([z.string(), z.array(z.string())]).optional(),
  match: z.string().optional(),
  fields: z.record(z.string(), sourceSchema).optional(),
  items: z.record(z.string(), z.looseObject({ file: z.string().optional() })).optional(),
});
export type Step = z.infer<typeof stepSchema>;

const mappingSchema = z.looseObject({
  source: z.string(),
  files: z.record(z.string(), fileOptionsSchema).optional(),
  steps: z.array(stepSchema).min(1),
});

/** A mapping as its file has it. The outline is read here; the server checks what it says when the import is made. */
export type Mapping = z.infer<typeof mappingSchema>;

/** The mapping that a text holds; undefined: the text is none. */
export function parseMapping(text: string): Mapping | undefined {
  try {
    return mappingSchema.safeParse(JSON.parse(text.replace(/^\ufeff/, ''))).data;
  } catch {
    // No JSON: a file of records, or a text that is being typed.
    return undefined;
  }
}

export function mappingText(mapping: Mapping): string {
  return `${JSON.stringify(mapping, null, 2)}\n`;
}

/** Names of the files that it reads, each once. */
export function filesOf({ steps }: Mapping): string[] {
  const names = steps.flatMap(({ file, items = {} }) => [
    file,
    ...Object.values(items).flatMap(item => item.file ?? []),
  ]);
  return [...new Set(names)];
}

/** The one step that can be edited column by column; undefined: there are several, or the file is an export. */
export function editableStep({ steps }: Mapping): Step | undefined {
  const [step, ...others] = steps;
  return others.length === 0 && step?.format === undefined ? step : undefined;
}

/** The field that a column becomes by itself, and by what the record that it names is found. */
export function fieldOfColumn(step: Step, column: string): { name: string; find: string } | undefined {
  for (const [name, source] of Object.entries(step.fields ?? {})) {
    if (source === column) return { name, find: 'key' };
    if (typeof source === 'object' && source.column === column) return { name, find: source.find ?? 'key' };
  }
  return undefined;
}

/** The mapping with the column as this field; null: it is left out. What else makes fields stays. */
export function assignColumn(
  mapping: Mapping,
  column: string,
  field: { name: string; find?: string | undefined } | null,
): Mapping {
  const step = mapping.steps[0];
  if (!step) return mapping;
  const former = fieldOfColumn(step, column)?.name;
  const before = former === undefined ? undefined : step.fields?.[former];
  const { [former ?? '']: _former, ...fields } = step.fields ?? {};
  if (field) {
    // What says how the value is read (dates, texts that mean "no value") stays with the column.
    const { find: _find, ...reading } = typeof before === 'object' ? before : { column };
    const source =
      field.find === undefined || field.find === 'key' ? reading : { ...reading, find: field.find };
    fields[field.name] = Object.keys(source).length === 1 ? column : source;
  }
  const { match, ...rest } = step;
  const isMatched = match !== undefined && fields[match] !== undefined;
  return withStep(mapping, { ...rest, ...(isMatched && { match }), fields });
}

export function withKey(mapping: Mapping, key: string): Mapping {
  const step = mapping.steps[0];
  return step ? withStep(mapping, { ...step, key }) : mapping;
}

/** How the file is read; undefined takes an option away. */
export function withOptions(mapping: Mapping, file: string, options: FileOptions): Mapping {
  const merged = Object.entries({ ...mapping.files?.[file], ...options });
  const kept = Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  return { ...mapping, files: { ...mapping.files, [file]: kept } };
}

function withStep(mapping: Mapping, step: Step): Mapping {
  return { ...mapping, steps: [step, ...mapping.steps.slice(1)] };
}
