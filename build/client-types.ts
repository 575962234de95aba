import { type JsonSchema, nameOf } from '../server/http/openapi/json-schema.ts';
import { openApiDocument } from '../server/http/openapi/openapi.ts';
import type { OpenApiOperation, OpenApiParameter } from '../server/http/openapi/openapi-document.ts';
import { clientOperations } from './packed-operations.ts';

/** Names that TypeScript has already. */
const TAKEN = new Set([
  'Error',
  'Record',
  'Array',
  'Date',
  'Map',
  'Set',
  'Blob',
  'Response',
  'Request',
  'Location',
  'Event',
  'Lock',
  'Document',
  'Notification',
  'File',
]);

/** The types of the client package: a named one for each record and body, and `Operations` by id. */
export function clientTypes(): string {
  const { paths, components } = openApiDocument({ operations: clientOperations() });
  const schemas = Object.entries(components.schemas).flatMap(([name, schema]) => {
    if (name.startsWith('__schema')) return [];
    const type = typeOf(schema);
    const head = comment(schema.description);
    return `${head}export ${type.startsWith('{') ? `interface ${typeName(name)} ${type}` : `type ${typeName(name)} = ${type};`}\n`;
  });
  const operations = Object.values(paths).flatMap(methods => Object.values(methods).map(operationType));
  return `// Written by \`npm run build:client\` from the table of operations.
import type { RawBody } from './shared/operations/send-operation.js';

${schemas.join('\n')}
/** What each operation is asked and answers, by its id. */
export interface Operations {
${operations.join('\n')}
}
`;
}

function operationType(operation: OpenApiOperation): string {
  const parts: string[] = [];
  const parameters = (operation.parameters ?? []).filter((each): each is OpenApiParameter => 'in' in each);
  for (const [place, name] of [
    ['path', 'params'],
    ['query', 'query'],
  ] as const) {
    const chosen = parameters.filter(each => each.in === place);
    if (chosen.length === 0) continue;
    const required = chosen.filter(each => each.required).map(each => each.name);
    const properties = Object.fromEntries(chosen.map(each => [each.name, queryType(each)]));
    parts.push(
      `${name}${required.length > 0 ? '' : '?'}: ${typeOf({ type: 'object', properties, required }, 3)};`,
    );
  }
  const { requestBody, responses } = operation;
  if (requestBody) {
    const [media] = Object.values(requestBody.content);
    const type = media?.schema ? typeOf(media.schema, 3) : 'RawBody';
    parts.push(`body${requestBody.required ? '' : '?'}: ${type};`);
  }
  const success = responses['200'] ?? responses['201'];
  const content = success && 'content' in success ? success.content?.['application/json'] : undefined;
  const { data, meta } = content?.schema?.properties ?? {};
  const inside = parts.map(part => `\n      ${part}`).join('');
  return `${comment(operation.summary, 1)}  '${operation.operationId}': {
    asked: {${inside && `${inside}\n    `}};
    answer: ${data ? typeOf(data, 2) : content ? 'Record<string, unknown>' : 'never'};
    meta: ${meta ? typeOf(meta, 2) : 'Record<string, unknown>'};
  };`;
}

/** A list may be given as text as well: values with commas between them. */
function queryType({ schema, description = '', style }: OpenApiParameter): JsonSchema {
  return style === 'form' ? { anyOf: [schema, { type: 'string' }], description } : { ...schema, description };
}

/** The type of a schema, `depth` steps in. */
function typeOf(schema: JsonSchema, depth = 0): string {
  // A JSON value of any kind has no name of its own.
  if (schema.$ref?.includes('__schema')) return 'unknown';
  if (schema.$ref) return typeName(nameOf(schema.$ref));
  if (schema.anyOf) return [...new Set(schema.anyOf.map(each => typeOf(each, depth)))].join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ');
  const kinds = Array.isArray(schema.type) ? schema.type : [schema.type];
  return kinds.map(kind => kindOf(kind, schema, depth)).join(' | ');
}

function kindOf(kind: string | undefined, schema: JsonSchema, depth: number): string {
  switch (kind) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return kind;
    case 'array':
      return schema.items ? `(${typeOf(schema.items, depth)})[]`.replace(/^\((\w+)\)/, '$1') : 'unknown[]';
    case 'object':
      return objectOf(schema, depth);
    default:
      return 'unknown';
  }
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  depth: number,
): string {
  const entries = Object.entries(properties);
  if (entries.length === 0) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, depth) : 'unknown';
    return `Record<string, ${values}>`;
  }
  const inside = '  '.repeat(depth + 1);
  const members = entries.map(([name, property]) => {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
    const mark = required.includes(name) ? '' : '?';
    return `${comment(property.description, depth + 1)}${inside}${key}${mark}: ${typeOf(property, depth + 1)};`;
  });
  return `{\n${members.join('\n')}\n${'  '.repeat(depth)}}`;
}

function comment(text: string | undefined, depth = 0): string {
  return text ? `${'  '.repeat(depth)}/** ${text.replaceAll('*/', '* /')} */\n` : '';
}

function typeName(name: string): string {
  return TAKEN.has(name) ? `${name}Record` : name;
}
