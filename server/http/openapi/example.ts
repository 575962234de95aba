import { exampleIds, exampleValues } from './example-values.ts';
import { type JsonSchema, nameOf, resolve } from './json-schema.ts';

export interface ExampleOptions {
  /** A request shows what one would send: no second names, nothing that the path says already. */
  use: 'request' | 'answer';
  /** Whether a request shows what the interface document does not have. */
  hasAdditions?: boolean;
  /** Of the field or parameter. */
  name?: string;
  /** The component that the field belongs to, or the record that an item of a list is. */
  owner?: string;
}

type Components = Record<string, JsonSchema>;

/** A value that the schema takes and that reads like a real one, by the names of fields. */
export function exampleOf(schema: JsonSchema, components: Components, options: ExampleOptions): unknown {
  const { name = '', owner = '' } = options;
  if (schema.examples) return schema.examples[0];
  if (schema.$ref !== undefined) {
    return exampleOf(resolve(schema, components), components, { ...options, owner: nameOf(schema.$ref) });
  }
  const branch = schema.anyOf?.find(({ type }) => type !== 'null');
  const type = [branch?.type ?? schema.type].flat().find(each => each !== 'null');
  const named = asType(namedValue(name, owner), type, schema);
  if (named !== undefined) return named;
  if (branch) return exampleOf(branch, components, options);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (type === 'object') return objectExample(schema, components, options);
  if (type === 'array') {
    return schema.items ? [exampleOf(schema.items, components, { ...options, owner: itemOf(name) })] : [];
  }
  return plainExample(type, schema);
}

function objectExample(schema: JsonSchema, components: Components, options: ExampleOptions): unknown {
  const properties = Object.entries(schema.properties ?? {});
  const aliased = new Set(properties.map(([, property]) => property['x-alias-of']));
  const example: Record<string, unknown> = {};
  for (const [name, property] of properties) {
    const isAddition = property['x-extension'] === true && options.hasAdditions !== true && name !== 'value';
    const isOmitted =
      options.use === 'request'
        ? aliased.has(name) || isAddition || omittedInRequests.has(name) || isOwnId(name, options)
        : omittedInAnswers.has(name);
    if (isOmitted && !schema.required?.includes(name)) continue;
    example[name] = exampleOf(property, components, { ...options, name });
  }
  return example;
}

/** What a first call does without: few installations sign, few changes need a reason, and the usual folder, key and messages are meant. */
const omittedInRequests = new Set([
  'reason',
  'esignature_password',
  'esignature_reason',
  'folder',
  'key',
  'typed',
  'messages',
]);
const omittedInAnswers = new Set(['ignored', 'meta', 'errors']);

/** The path has the id of the record; items of a list are named by theirs. */
function isOwnId(name: string, { name: list = '' }: ExampleOptions): boolean {
  return name === 'id' && list === '';
}

/** By the component, by the record that it is about, by the field alone. */
function namedValue(name: string, owner: string): unknown {
  const record = recordOf(owner);
  for (const key of [`${owner}.${name}`, `${record}.${name}`]) {
    if (Object.hasOwn(exampleValues, key)) return exampleValues[key];
  }
  const idName = name === 'id' ? `${record.replace(/\B[A-Z]/g, '_$&').toLowerCase()}_id` : name;
  if (Object.hasOwn(exampleIds, idName)) return exampleIds[idName];
  return Object.hasOwn(exampleValues, name) ? exampleValues[name] : undefined;
}

/** The value in the type of the schema: some ids and decimals are documented as text. Undefined when it does not fit. */
function asType(value: unknown, type: string | undefined, schema: JsonSchema): unknown {
  if (value === undefined || value === null) return value;
  if (schema.enum) return [value, Number(value)].find(each => schema.enum?.includes(each));
  if (schema.format === 'date-time') return undefined;
  switch (type) {
    case 'string':
      return typeof value === 'number' ? String(value) : ofType('string', value);
    case 'integer':
    case 'number':
      return ofType('number', value);
    case 'boolean':
      return ofType('boolean', value);
    case 'array':
      return Array.isArray(value) ? value : undefined;
    case 'object':
      return Array.isArray(value) ? undefined : ofType('object', value);
    default:
      return value;
  }
}

function ofType(type: string, value: unknown): unknown {
  return typeof value === type ? value : undefined;
}

function plainExample(type: string | undefined, schema: JsonSchema): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return false;
    case 'string':
      return textExample(schema);
    default:
      return {};
  }
}

function textExample({ format, pattern, description = '' }: JsonSchema): string {
  if (format === 'date') return '2026-03-02';
  if (format === 'date-time' || description.includes('ISO 8601')) return '2026-03-02T08:30:00.000Z';
  if (pattern?.includes(' ')) return '2026-03-02 08:30:00';
  return pattern ? '1' : 'text';
}

/** `SupplierCreate`, `ShipmentWithItems`: the record that they are about. */
function recordOf(component: string): string {
  return component.replace(/(Bulk)?(Create|Write|Update|Patch|Add|Change|Written|ListRecord|With\w+)$/, '');
}

/** The record that stands in a list of this name: `characteristics`, `bad_rows`. */
function itemOf(name: string): string {
  const words = name.split('_').map(word => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join('').replace(/s$/, '');
}
