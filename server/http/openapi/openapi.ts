import { componentName } from '../../../shared/contract/answer-schema.ts';
import { ANY_CHANGE_PLACE } from '../../../shared/contract/change-place.ts';
import { errorSchema, INTERFACE_VERSION } from '../../../shared/contract/envelope.ts';
import {
  type BodySpec,
  isList,
  type Operation,
  type ParameterSpec,
} from '../../../shared/contract/operation.ts';
import { lowestRole } from '../../../shared/contract/roles.ts';
import { families } from '../../../shared/families/registry.ts';
import { listOperations } from '../../../shared/operations/operations.ts';
import { exampleOf } from './example.ts';
import { createSchemaComponents } from './json-schema.ts';
import type {
  MediaType,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from './openapi-document.ts';
import {
  answerHeaders,
  errorResponses,
  errorsOf,
  headerReferences,
  isRecordWrite,
} from './openapi-errors.ts';

export interface OpenApiOptions {
  /** Where the interface is; a path for the server that the document came from. */
  serverUrl?: string;
  operations?: readonly Operation[];
}

/**
 * The whole interface as an OpenAPI 3.1 document, from the table of operations. What the interface document does not
 * have carries `x-extension: true`; what it has, its section as `x-section`. Takes some 100 ms: build it once.
 */
export function openApiDocument(options: OpenApiOptions = {}): OpenApiDocument {
  const { serverUrl = '/api/v2', operations = listOperations() } = options;
  const schemas = createSchemaComponents();
  schemas.convert(errorSchema);
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const methods = paths[operation.path] ?? {};
    methods[lowerCase(operation.method)] = describeOperation(operation, operations, schemas);
    paths[operation.path] = methods;
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Holdpoint',
      version: INTERFACE_VERSION,
      summary: 'Quality and inventory records: suppliers, stock, inspections, orders, shipments.',
      description,
      contact: { name: 'Whoever administers this installation' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This installation' }],
    security: [{ bearer: [] }],
    tags: listTags(operations),
    paths,
    components: {
      schemas: sorted(schemas.components),
      responses: errorResponses(),
      headers: answerHeaders(),
      parameters: headerParameters,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token of the installation, with scopes; `x-scope` of an operation says which one it needs. `read`: everything that is no secret. `write`: to make and change records. `admin`: users, tokens, settings, webhooks, backups. `station`: the key of a station, which no person has.',
        },
      },
    },
  };
}

const description = [
  'Every answer is JSON in an envelope: `status`, `message` and `data`, and `meta` on lists; an error has `code`, on 422 `errors` by field (all of a request at once), and `request_id`. An absent value is `null`, an absent list `[]`.',
  'Lists come in pages, in the order of the ids. An update is partial: a field that is left out stays as it is, `null` clears it. Names that an operation does not know are not stored; `meta.ignored` tells them.',
  'Timestamps are UTC. Where a moment is given for a day, it is the day at the site (`time_zone` of the settings), but a midnight with any offset, and what has no offset, is the day that is written. Quantities have at most six decimals and add up exactly. Nothing is ever deleted.',
  'A write may carry an `Idempotency-Key`, so that it can be sent again without being done twice, and `If-Match`, so that it is refused when somebody else was faster.',
  'Marked as an extension (`x-extension`) is what the interface document does not have; a client may do without it.',
].join('\n\n');

const headerParameters: Record<string, OpenApiParameter> = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` that you have read: 412 when the record has changed since. Changes of others that its answer shows refuse no write.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of the answer that you have: 304 while it would be the same.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A name of your own for this write, such as a UUID. The same key with the same body gives the first answer again, for 30 days; with another body 422.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description:
      'The id of the last event that you have read: the stream goes on behind it, without a gap. Where it leads nowhere any more (after a restore) the stream begins with `reset`: list everything again.',
    schema: { type: 'string', pattern: ANY_CHANGE_PLACE.source },
  },
};

type Schemas = ReturnType<typeof createSchemaComponents>;

function describeOperation(
  operation: Operation,
  all: readonly Operation[],
  schemas: Schemas,
): OpenApiOperation {
  const { id, tag, summary, section, scope, body } = operation;
  const parameters = [
    ...Object.entries(operation.parameters).map(entry =>
      describeParameter('path', entry, operation, schemas),
    ),
    ...Object.entries(operation.query).map(entry => describeParameter('query', entry, operation, schemas)),
    ...(operation.errors.includes(412) ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(isRecordWrite(operation) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(isCompared(operation) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(id === 'x.events' ? [{ $ref: '#/components/parameters/LastEventId' }] : []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: wordsOf(operation),
    ...(operation.deprecation && { deprecated: true as const }),
    ...(section === null ? { 'x-extension': true } : { 'x-section': section }),
    ...(scope === 'none' ? { security: [] } : { 'x-scope': scope }),
    ...(id === 'openapi.read' && { security: [{}, { bearer: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !body.isOptional,
        description: `At most ${body.limit / 2 ** 20} MiB.`,
        content: { [body.type]: describeBody(body, operation, schemas) },
      },
    }),
    responses: {
      [operation.success]: describeSuccess(operation, all, schemas),
      ...(isCompared(operation) && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...errorsOf(operation),
    },
  };
}

function describeParameter(
  place: 'path' | 'query',
  [name, spec]: [string, ParameterSpec],
  { family, tag }: Operation,
  schemas: Schemas,
): OpenApiParameter {
  const schema = schemas.convert(spec.schema);
  const owner = family ? componentName(family.name) : componentName(tag).replace(/s$/, '');
  const isRequired = place === 'path' || spec.isRequired === true;
  return {
    name,
    in: place,
    required: isRequired,
    description: spec.description.replace(/[^.]$/, '$&.'),
    schema,
    ...(isRequired && { example: exampleOf(schema, schemas.components, { use: 'request', name, owner }) }),
    ...(spec.isDeep && { style: 'deepObject' as const, explode: true }),
    ...(isList(spec) && { style: 'form' as const, explode: false }),
    ...(spec.isAdditive && { 'x-extension': true }),
  };
}

function describeBody(body: BodySpec, operation: Operation, schemas: Schemas): MediaType {
  // A body that is not JSON is bytes, which OpenAPI 3.1 says by giving no schema.
  if (body.type !== 'application/json')
    return { example: 'name,primary_name\nProvence Botanicals,Claire Fabre\n' };
  const schema = schemas.convert(body.schema());
  const { family, kind, path } = operation;
  // Beside the create of the document, one shows the same without the number that it gives.
  const isExtension = path.startsWith('/x/');
  const isBeside = isExtension && kind === 'create' && family?.operations.documented?.requiredOnCreate;
  const hasAdditions = isExtension && !isBeside;
  const example = exampleOf(schema, schemas.components, { use: 'request', hasAdditions });
  if (isBeside && family.numbered) delete (example as Record<string, unknown>)[family.numbered.field];
  return { schema, example };
}

function describeSuccess(operation: Operation, all: readonly Operation[], schemas: Schemas): OpenApiResponse {
  const { answer, answerType, success } = operation;
  const headers = ['X-Request-Id'];
  if (hasTag(operation, all)) headers.push('ETag');
  if (success === 201 && operation.path !== '/parts/bulk') headers.push('Location');
  const schema = answer ? schemas.convert(answer()) : undefined;
  const example = schema && exampleOf(schema, schemas.components, { use: 'answer' });
  const content = schema ? { schema, example } : (otherAnswers[answerType] ?? {});
  const others = operation.otherAnswerTypes?.map(type => [type, { schema: { type: 'string' } }]) ?? [];
  return {
    description: success === 201 ? 'Created.' : 'Success.',
    headers: headerReferences(headers),
    content: { [answerType]: content, ...Object.fromEntries(others) },
  };
}

const otherAnswers: Record<string, MediaType> = {
  'application/json': { schema: { type: 'object' } },
  'text/event-stream': {
    schema: { type: 'string' },
    example:
      'event: cursor\nid: 4f0c1a2b-1041-0-0-9e107d9d\ndata: {"cursor":"4f0c1a2b-1041-0-0-9e107d9d"}\n\nid: 4f0c1a2b-1042-0-0-8c7dd922\nevent: change\ndata: {"family":"supplier","id":7,"version":3,"user":"ines","change":"changed","at":"2026-03-01T07:30:00.000Z"}\n\n',
  },
};

/** Reads whose answers have a tag of what they say; a list that is written as it is read one of the store's place. */
function isCompared({ method, answer, scope }: Operation): boolean {
  return method === 'GET' && answer !== null && scope !== 'station';
}

/** What is read has a tag, and so have single records that are written; so has what the same path writes under `If-Match`. */
function hasTag(operation: Operation, all: readonly Operation[]): boolean {
  if (isCompared(operation)) return true;
  const { id, kind, path, errors } = operation;
  if (kind !== 'custom') return kind !== 'list';
  if (customRecords.has(id) || errors.includes(412)) return true;
  return all.some(other => other.path === path && other.errors.includes(412));
}

const customRecords = new Set(['inventory.locations', 'x.records.read', 'x.inventory.moves.create']);

function wordsOf({ section, kind, method, scope, family, id }: Operation): string {
  const words = [
    section === null ? 'Not in the interface document.' : `Section ${section} of the interface document.`,
  ];
  if (method === 'PATCH') words.push('Does what PUT does.');
  if (kind === 'update' || kind === 'update-item') {
    words.push('A field that is left out stays as it is; null clears it.');
  }
  if (kind === 'list' && family?.operations.listForm === 'first-record') {
    words.push('`data` is an object: the first record, with the whole page in `items`.');
  }
  const insistsOn = section === null ? [] : (family?.operations.documented?.requiredOnCreate ?? []);
  if (kind === 'create' && family?.numbered && !insistsOn.includes(family.numbered.field))
    words.push(`The server gives \`${family.numbered.field}\` where it is absent.`);
  if (id === 'parts.bulk-create' || id === 'parts.bulk-write')
    words.push('Errors are named by place: `0.name`.');
  if (scope === 'station')
    words.push('Needs the key of a station. The body may be sent with `Content-Encoding: gzip`.');
  else if (scope === 'none') words.push('Needs no token.');
  else {
    const role = lowestRole({ id, scope, family, kind });
    words.push(`Needs a token with the scope ${scope}, or a signed-in user with the role ${role}.`);
  }
  return words.join(' ');
}

function listTags(operations: readonly Operation[]): OpenApiDocument['tags'] {
  const tags = new Map<string, string>();
  const descriptions = new Map(
    Object.values(families).map(family => [family.plural as string, family.description]),
  );
  for (const { tag } of operations) tags.set(tag, descriptions.get(tag) ?? otherTags[tag] ?? '');
  return [...tags].map(([name, text]) => ({ name, description: text }));
}

const otherTags: Record<string, string> = {
  Status: 'Whether the service is there.',
  Interface: 'The interface itself.',
  Records: 'Whole records of any family, and their history.',
  Events: 'What changes, as it changes.',
  Session: 'Signing in and out of a browser.',
  Tokens: 'Who may call the interface.',
  Maintenance: 'Checks and repairs.',
  'Audit trail':
    'What the system did and what was done to it: its own trail, reviews, and packages for inspectors.',
  Webhooks: 'Addresses that are told of changes, and what became of each message.',
  Drafts: 'What people are typing, kept over crashes.',
  Sync: 'How the exchange with central stands.',
  Overview: 'Finding records of any family, what refers to what, and what needs attention.',
  Recall: 'The whole story of a lot or a part, to hand to somebody.',
  Figures: 'The numbers behind the charts.',
  Sampling: 'How many pieces are looked at, and why.',
  Stations: 'Central and the stations that sync with it.',
  Paper: 'Documents and labels, as PDF and for label printers.',
  'Import and export': 'Many records at once, from and to files.',
};

function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function lowerCase(method: Operation['method']): 'get' | 'post' | 'put' | 'patch' {
  return method.toLowerCase() as 'get';
}
