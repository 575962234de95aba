import { z } from 'zod';
import type { Answer, Collection, Family, WithFields } from './define-family.ts';
import type { Field, FieldSource, RequiredOn } from './fields.ts';
import { ARRAY_LIMIT } from './limits.ts';
import { aliasesOf } from './parse-input.ts';
import { returnedFields } from './present.ts';

/**
 * The zod schema of the documented answer, for OpenAPI, the typed client and the tests. Its `id` names the component
 * of the OpenAPI document: the family, and the collections that only some of its answers carry. Chosen fields make
 * another record, which needs a `name` of its own.
 */
export function answerSchema<F extends WithFields, const Options extends AnswerOptions = object>(
  family: F,
  options?: Options,
): AnswerSchema<F, Options>;
export function answerSchema(family: Family, options: AnswerOptions = {}): z.ZodObject {
  const shape: Record<string, z.ZodType> = fieldShape(
    family.fields,
    options.fields ?? returnedFields(family),
  );
  let name = options.name ?? componentName(family.name);
  for (const key of options.collections ?? []) {
    const collection = family.collections[key];
    if (!collection) continue;
    shape[key] = z.array(itemSchema(collection)).describe(`${componentName(key)}, in their order.`);
    if (!collection.shownIn.includes('list')) name += `With${componentName(key)}`;
  }
  return z.object(shape).meta({ id: name, description: family.description });
}

interface AnswerOptions {
  collections?: readonly string[];
  fields?: readonly string[];
  name?: string;
}

/** Of all returned fields, or those chosen; with the items of the collections that are named. */
export type AnswerSchema<F extends WithFields, Options> = z.ZodObject<
  ShapeOf<
    Options extends { fields: readonly (infer Name)[] }
      ? Pick<Answer<F>, Name & keyof Answer<F>>
      : Answer<F, Options extends { collections: readonly string[] } ? 'any' : never>
  >
>;
type ShapeOf<Record> = { [Name in keyof Record]: z.ZodType<Record[Name]> };

export function itemSchema(
  collection: Collection,
  options: { fields?: readonly string[]; name?: string } = {},
): z.ZodObject {
  const shape = fieldShape(collection.fields, options.fields ?? returnedFields(collection));
  for (const [name, nested] of Object.entries(collection.collections)) {
    shape[name] = z.array(itemSchema(nested)).describe(`${componentName(name)}, in their order.`);
  }
  return z.object(shape).meta({ id: options.name ?? componentName(collection.title) });
}

/** The schema of a request body as documented; reading is more liberal (`parseInput`). */
export function requestSchema(
  described: Family | Collection,
  mode: RequiredOn,
  options: { required?: readonly string[]; extra?: Record<string, z.ZodType> } = {},
): z.ZodObject {
  const shape: Record<string, z.ZodType> = { ...options.extra };
  for (const [name, field] of Object.entries(described.fields)) {
    if (!field.writable) continue;
    const isRequired = field.requiredOn.includes(mode) && mode !== 'patch';
    const aliases = aliasesOf(described, field, mode);
    for (const key of [...aliases, name]) {
      const isNeeded = aliases.length === 0 && (isRequired || options.required?.includes(name));
      const schema = describe(field.schemas().request, field, {
        ...(key === name ? {} : { 'x-alias-of': name }),
        ...(mode === 'create' && field.fallback !== undefined ? { default: field.fallback } : {}),
      });
      shape[key] = isNeeded ? schema : schema.nullable().optional();
    }
  }
  for (const [name, collection] of Object.entries(described.collections)) {
    const isCreate = mode === 'create';
    const item = requestSchema(collection, mode, {
      extra: isCreate ? {} : { id: z.int().min(1).optional().describe('Absent: a new item.') },
    });
    const description = isCreate ? '' : ' Those that are left out stay as they are.';
    shape[name] = z
      .array(item)
      .max(Math.min(collection.limit, ARRAY_LIMIT))
      .optional()
      .meta({
        description: `${componentName(name)}, in their order.${description}`,
        ...(collection.isAdditiveOnWrite ? { 'x-extension': true } : {}),
      });
  }
  return z.object(shape);
}

/** `receiving-inspection` or `Receipt line` as the name of a component: `ReceivingInspection`, `ReceiptLine`. */
export function componentName(words: string): string {
  return words
    .split(/[- ]/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function fieldShape(fields: Record<string, Field>, names: readonly string[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    names.flatMap(name => {
      const field = fields[name];
      if (!field) return [];
      const neverAbsent = ALWAYS.has(field.source) || field.absent !== undefined;
      const schema = describe(field.schemas().output, field);
      return [[name, neverAbsent ? schema : schema.nullable()]];
    }),
  );
}

/** What each record has, whoever wrote it. */
const ALWAYS = new Set<FieldSource>(['id', 'created_at', 'updated_at', 'station']);

/** The schema with what a reader of the interface needs: the field's words, and members of the OpenAPI document. */
function describe(schema: z.ZodType, field: Field, members: Record<string, unknown> = {}): z.ZodType {
  const alias = members['x-alias-of'];
  const words = [
    field.reference === undefined ? field.label : `${field.label} (id)`,
    field.description,
    schema.description ?? '',
    alias === undefined ? '' : `Another name of \`${alias}\`; it wins where both are given.`,
  ];
  const sentences = words.filter(text => text !== '').map(text => text.replace(/\.$/, ''));
  return schema.meta({
    description: `${sentences.join('. ')}.`,
    ...(field.isAdditive ? { 'x-extension': true } : {}),
    ...(field.reference === undefined ? {} : { 'x-reference': field.reference }),
    ...members,
  });
}
