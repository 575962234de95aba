import { errorStatus } from '../../../shared/contract/errors.ts';
import { COMPONENT_PATH, type JsonSchema } from './json-schema.ts';
import { mapped } from './mapped.ts';
import type {
  MediaType,
  OpenApiDocument,
  OpenApiLink,
  OpenApiOperation,
  OpenApiResponse,
  Reference,
} from './openapi-document.ts';
import { headerReferences } from './openapi-errors.ts';
import { saidOnce } from './said-once.ts';

/**
 * The document as generators of clients make good code of it: what the pages show unfolded has a name of its own (the items of a
 * body, each answer), a default of a field stands in words, since generators take a field with one for always there, errors that
 * every operation can have stand once, examples stand beside the operations, links lead from what creates a record to what takes its id, and
 * nothing is said twice (`saidOnce`).
 */
export function forPrograms(document: OpenApiDocument): OpenApiDocument {
  const examples: Record<string, { value: unknown }> = {};
  const names = new NamedSchemas(document.components.schemas);
  const paths: OpenApiDocument['paths'] = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    paths[path] = Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => {
        const name = pascal(operation.operationId);
        const body = operation.requestBody;
        const described: OpenApiOperation = {
          ...operation,
          ...(body && {
            requestBody: {
              ...body,
              content: mapped(body.content, media => ({
                ...media,
                ...(media.schema && { schema: names.ofMember(media.schema, `${name}Body`) }),
              })),
            },
          }),
          responses: ownResponses(operation, response => answerOf(response, name, names, examples)),
        };
        const links = method === 'post' ? linksOf(path, document) : {};
        if (Object.keys(links).length > 0) addLinks(described, links);
        return [method, described];
      }),
    );
  }
  const schemas = names.all();
  const components = { ...document.components, schemas, examples, responses: answered(document) };
  return saidOnce({ ...document, paths, components });
}

/** Statuses that say something of the operation itself; all others stand as `default`. */
const OWN_ERRORS = new Set<string>(
  (['unauthenticated', 'not_found', 'conflict', 'stale', 'validation_failed'] as const).map(code =>
    String(errorStatus[code]),
  ),
);

function ownResponses(
  { responses, security }: OpenApiOperation,
  answer: (response: OpenApiResponse) => OpenApiResponse,
): OpenApiOperation['responses'] {
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, response]): [string, OpenApiResponse | Reference][] => {
      if (!('$ref' in response)) return [[status, answer(response)]];
      // Who needs no token is refused in some way as well.
      const isOwn = OWN_ERRORS.has(status) || (status === '400' && security?.length === 0);
      return isOwn || status === '304' || status === 'default' ? [[status, response]] : [];
    }),
  );
}

/** The responses that are still referred to. */
function answered({ components, paths }: OpenApiDocument): Record<string, OpenApiResponse> {
  const used = new Set<string>();
  for (const operation of Object.values(paths).flatMap(methods => Object.values(methods)))
    for (const response of Object.values(ownResponses(operation, each => each)))
      if ('$ref' in response) used.add(response.$ref.slice(response.$ref.lastIndexOf('/') + 1));
  const own = Object.entries(components.responses).filter(([name]) => used.has(name));
  const others = components.responses.OtherError;
  return Object.fromEntries(
    own.map(([name, response]) => [name, response === others ? anyOther(response) : response]),
  );
}

function anyOther(response: OpenApiResponse): OpenApiResponse {
  return {
    ...response,
    description: OTHER_ERRORS,
    headers: { ...response.headers, ...headerReferences(['Retry-After']) },
  };
}

const OTHER_ERRORS =
  'Any other error. 400: not HTTP or JSON as it should be. 403: the token lacks the scope, or the host name or the page that asks is refused. 405 with `Allow`: the path exists but not the method. 408: the body was not complete in time. 413, 414, 431: body, address or headers are too large. 415: the body is of another type. 429 and 503 with `Retry-After`: wait and try again. 500: a fault of the server, whose log has the `request_id`. 501: method or transfer coding are unknown. 507: the disk is full, nothing was written.';

function answerOf(
  response: OpenApiResponse,
  name: string,
  names: NamedSchemas,
  examples: Record<string, { value: unknown }>,
): OpenApiResponse {
  const { content } = response;
  if (!content) return response;
  return {
    ...response,
    content: mapped(content, ({ schema, example, ...media }): MediaType => {
      const answer = schema && names.ofAnswer(schema, name);
      const key = answer?.$ref?.slice(COMPONENT_PATH.length) ?? name;
      if (example !== undefined) examples[key] ??= { value: example };
      return {
        ...media,
        ...(answer && { schema: answer }),
        ...(example !== undefined && { examples: { one: { $ref: `#/components/examples/${key}` } } }),
      };
    }),
  };
}

/** Components by their names, to which parts of others and answers are added. */
class NamedSchemas {
  readonly #known = new Map<string, { text: string; schema: JsonSchema }>();
  /** What has no name of its own goes by that of what has the same members. */
  readonly #shapes = new Map<string, string>();

  constructor(schemas: Record<string, JsonSchema>) {
    const named = Object.entries(schemas).filter(([name]) => !isAnyJson(name));
    for (const [name, schema] of named) {
      this.#known.set(name, { text: '', schema: {} });
      if (!this.#shapes.has(shapeOf(schema))) this.#shapes.set(shapeOf(schema), name);
    }
    for (const [name, schema] of named)
      this.#known.set(name, { text: JSON.stringify(schema), schema: this.#partsNamed(schema, name) });
  }

  all(): Record<string, JsonSchema> {
    const entries = [...this.#known].map(([name, { schema }]) => [name, schema] as const);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** `SupplierAnswer`, `SupplierList`, or by the operation. */
  ofAnswer(schema: JsonSchema, operation: string): JsonSchema {
    if (schema.$ref || !schema.properties) return schema;
    const data = schema.properties.data;
    const [one, many] = [nameOfRef(data), nameOfRef(data?.items)];
    const wished = one ? `${one}Answer` : many ? `${many}List` : `${operation}Answer`;
    const text = JSON.stringify(schema);
    const isFree = (this.#known.get(wished)?.text ?? text) === text;
    return this.#named(isFree ? wished : `${operation}Answer`, text, schema);
  }

  /** What stands within another schema: an object gets a name. */
  ofMember(schema: JsonSchema, name: string): JsonSchema {
    const refers = nameOfRef(schema);
    if (refers !== undefined && isAnyJson(refers)) {
      const { $ref: _any, ...words } = schema;
      return words;
    }
    const { default: absent, items, anyOf, ...rest } = schema;
    const said =
      absent === undefined
        ? rest
        : { ...rest, description: `${rest.description ?? ''} Absent: \`${JSON.stringify(absent)}\`.`.trim() };
    if (items) return { ...said, items: this.ofMember(items, singular(name)) };
    if (anyOf) {
      const branches = anyOf.map(branch => this.ofMember(branch, name));
      // What may be anything may be null as well.
      const isAny = branches.some(branch => Object.keys(branch).length === 0);
      return isAny ? said : { ...said, anyOf: branches };
    }
    if (!said.properties || Object.keys(said.properties).length === 0) return this.#valuesNamed(said, name);
    const { description, type, ...object } = said;
    const isNullable = Array.isArray(type) && type.includes('null');
    const text = JSON.stringify(object);
    const named = this.#named(name, text, { ...object, type: 'object' });
    const words = description === undefined ? {} : { description };
    return isNullable ? { ...words, anyOf: [named, { type: 'null' }] } : { ...named, ...words };
  }

  #named(name: string, text: string, schema: JsonSchema): JsonSchema {
    const alike = this.#shapes.get(shapeOf(schema));
    if (alike !== undefined) return { $ref: COMPONENT_PATH + alike };
    let free = name;
    for (let next = 2; (this.#known.get(free)?.text ?? text) !== text; next += 1) free = `${name}${next}`;
    if (!this.#known.has(free)) {
      this.#known.set(free, { text, schema: {} });
      this.#shapes.set(shapeOf(schema), free);
      this.#known.set(free, { text, schema: this.#partsNamed(schema, free) });
    }
    return { $ref: COMPONENT_PATH + free };
  }

  #valuesNamed(schema: JsonSchema, owner: string): JsonSchema {
    const { additionalProperties } = schema;
    if (typeof additionalProperties !== 'object') return schema;
    return { ...schema, additionalProperties: this.ofMember(additionalProperties, `${owner}Value`) };
  }

  #partsNamed(schema: JsonSchema, owner: string): JsonSchema {
    if (schema.anyOf)
      return { ...schema, anyOf: schema.anyOf.map(branch => this.#partsNamed(branch, owner)) };
    if (schema.items) return { ...schema, items: this.ofMember(schema.items, singular(owner)) };
    const { properties, ...rest } = this.#valuesNamed(schema, owner);
    if (!properties) return rest;
    return {
      ...rest,
      properties: mapped(properties, (member, name) => this.ofMember(member, owner + pascal(name))),
    };
  }
}

function shapeOf({ properties, required, additionalProperties }: JsonSchema): string {
  return JSON.stringify([properties, required, additionalProperties]);
}

/** What takes the id that a create has answered. */
function linksOf(path: string, document: OpenApiDocument): Record<string, OpenApiLink> {
  const links: Record<string, OpenApiLink> = {};
  for (const [other, methods] of Object.entries(document.paths)) {
    const [before, parameter, after = ''] = other.split(/\{(\w+)\}/);
    if (parameter === undefined || other.split('{').length > 2 || after.split('/').length > 2) continue;
    if (before !== `${path}/` && `/x${before}` !== `${path}/`) continue;
    for (const [method, { operationId }] of Object.entries(methods))
      if (method !== 'patch')
        links[pascal(operationId)] = {
          operationId,
          parameters: { [parameter]: '$response.body#/data/id' },
        };
  }
  return links;
}

function addLinks({ responses }: OpenApiOperation, links: Record<string, OpenApiLink>): void {
  const created = responses['201'];
  if (created && !('$ref' in created)) created.links = links;
}

/** zod's name for what refers to itself: JSON of any kind, which generators write as a type that never ends. */
function isAnyJson(name: string): boolean {
  return name.startsWith('__schema');
}

function nameOfRef(schema: JsonSchema | Reference | undefined): string | undefined {
  return schema?.$ref?.slice(COMPONENT_PATH.length);
}

/** `x.trends.read` or `bad_rows` as the name of a type. */
function pascal(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function singular(name: string): string {
  return name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/([^s])s$/, '$1');
}
