import { z } from 'zod';

/** JSON Schema, draft 2020-12: what zod writes of it, and the members that this interface adds. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  /** Only in the document for programs: what another component has, and more. */
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  /** Not in the interface document. */
  'x-extension'?: true;
  /** The family whose record the id names. */
  'x-reference'?: string;
  /** The field that has this second name. */
  'x-alias-of'?: string;
}

export const COMPONENT_PATH = '#/components/schemas/';

/** Turns zod schemas into JSON Schema; those with an `id` of their own become components, each written once. */
export function createSchemaComponents() {
  const components: Record<string, JsonSchema> = {};

  /** Throws when two different schemas go by one id. */
  function convert(schema: z.ZodType): JsonSchema {
    // As input, not as output: an answer may gain members, so its objects are not closed.
    const { $schema, $defs, ...root } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const component = tidy(definition as JsonSchema);
      const known = components[name];
      if (known && JSON.stringify(known) !== JSON.stringify(component)) {
        throw new Error(`Two different schemas are named ${name}.`);
      }
      components[name] = component;
    }
    return tidy(root as JsonSchema);
  }

  return { components, convert };
}

/** The component that a `$ref` names; any other schema is its own. */
export function resolve(schema: JsonSchema, components: Record<string, JsonSchema>): JsonSchema {
  return schema.$ref === undefined ? schema : (components[nameOf(schema.$ref)] ?? {});
}

export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** Writes a schema as a person would: `type: [string, null]`, no bounds that every integer has. */
function tidy(schema: JsonSchema): JsonSchema {
  const tidied: JsonSchema = { ...schema };
  if (tidied.$ref) tidied.$ref = COMPONENT_PATH + nameOf(tidied.$ref);
  if (tidied.minimum === Number.MIN_SAFE_INTEGER) delete tidied.minimum;
  if (tidied.maximum === Number.MAX_SAFE_INTEGER) delete tidied.maximum;
  // zod's patterns for dates say in a hundred characters what the format says.
  if (tidied.format) delete tidied.pattern;
  delete tidied.propertyNames;
  if (tidied.items) tidied.items = tidy(tidied.items);
  if (typeof tidied.additionalProperties === 'object') {
    tidied.additionalProperties = tidy(tidied.additionalProperties);
  }
  if (tidied.properties) {
    const properties = Object.entries(tidied.properties);
    tidied.properties = Object.fromEntries(properties.map(([name, property]) => [name, tidy(property)]));
  }
  return tidied.anyOf ? tidyChoice({ ...tidied, anyOf: tidied.anyOf.map(tidy) }) : tidied;
}

/** "This or null" as one schema; the words of the schema stand outside the choice. */
function tidyChoice({ anyOf, ...rest }: JsonSchema & { anyOf: JsonSchema[] }): JsonSchema {
  const [inner, ...others] = anyOf.filter(branch => branch.type !== 'null');
  const constants = anyOf.map(branch => branch.const);
  if (constants.every(Number.isInteger)) return { ...rest, type: 'integer', enum: constants };
  if (!inner || others.length > 0 || anyOf.length === 1) return { ...rest, anyOf };
  if (typeof inner.type === 'string') {
    const allowed = inner.enum && { enum: [...inner.enum, null] };
    return { ...inner, ...rest, type: [inner.type, 'null'], ...allowed };
  }
  const { anyOf: branches, $ref, ...words } = inner;
  return { ...words, ...rest, anyOf: [...(branches ?? ($ref ? [{ $ref }] : [inner])), { type: 'null' }] };
}
