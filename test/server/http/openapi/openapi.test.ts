import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSchemaComponents, type JsonSchema } from '../../../../server/http/openapi/json-schema.ts';
import { openApiDocument } from '../../../../server/http/openapi/openapi.ts';
import type { MediaType, OpenApiOperation } from '../../../../server/http/openapi/openapi-document.ts';
import { errorSchema } from '../../../../shared/contract/envelope.ts';
import { listOperations } from '../../../../shared/operations/operations.ts';

const document = openApiDocument();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Strict: an unknown keyword, or one that means nothing beside its type, throws. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);
for (const keyword of ['x-extension', 'x-reference', 'x-alias-of']) ajv.addKeyword(keyword);
for (const [name, schema] of Object.entries(document.components.schemas))
  ajv.addSchema(localised(schema), name);

function faultsOf(media: MediaType): string {
  const validate = ajv.compile(localised(media.schema ?? {}));
  return validate(media.example) ? '' : ajv.errorsText(validate.errors);
}

/** References as the validator knows the components: by their names. */
function localised(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'));
}

function find(operationId: string): OpenApiOperation {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  if (!found) throw new Error(`There is no operation ${operationId}.`);
  return found.operation;
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(JSON.stringify(document)));
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has every operation of the table, each method of a path once', () => {
    const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    expect(described.toSorted()).toEqual(
      listOperations()
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    );
  });

  it('has the 57 operations of the interface document; every other is marked as an extension', () => {
    const documented = operations.filter(({ operation }) => operation['x-section'] !== undefined);
    expect(documented).toHaveLength(57);
    for (const { path, method, operation } of operations) {
      const marks = [operation['x-section'] !== undefined, operation['x-extension'] === true];
      expect(marks.filter(Boolean), `${method} ${path}`).toHaveLength(1);
      if (path.startsWith('/x/') || method === 'patch') expect(operation['x-extension'], path).toBe(true);
    }
  });

  it('marks additive fields and parameters', () => {
    expect(document.components.schemas.Ncr?.properties?.status?.['x-extension']).toBe(true);
    expect(document.components.schemas.Ncr?.properties?.source?.['x-extension']).toBeUndefined();
    expect(find('inspections.list').parameters).toContainEqual(
      expect.objectContaining({ name: 'as', 'x-extension': true }),
    );
  });

  it('has unique operation ids', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has no reference that leads nowhere, and no component that nothing refers to', () => {
    const used = new Set<string>();
    JSON.stringify(document, (key, value: unknown) => {
      if (key === '$ref') used.add(String(value));
      return value;
    });
    const { securitySchemes: _bySecurity, ...components } = document.components;
    const defined = Object.entries(components).flatMap(([kind, members]) =>
      Object.keys(members).map(name => `#/components/${kind}/${name}`),
    );
    expect([...used].toSorted()).toEqual(defined.toSorted());
  });

  it.each(operations)('$method $path names the parameters of its path', ({ path, operation }) => {
    const named = operation.parameters?.filter(each => 'in' in each && each.in === 'path') ?? [];
    const names = named.map(each => ('name' in each ? each.name : ''));
    expect(names).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]));
  });

  it.each(operations)('$method $path reads well', ({ operation }) => {
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(operation.description).toMatch(/\.$/);
    for (const parameter of operation.parameters ?? []) {
      if ('name' in parameter) expect(parameter.description, parameter.name).toMatch(/^[A-Z`].+\.$/);
    }
  });

  it('describes every field of every record', () => {
    const bare: string[] = [];
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const [field, property] of Object.entries(schema.properties ?? {})) {
        if (!property.description && property.const === undefined && !property.$ref)
          bare.push(`${name}.${field}`);
      }
    }
    expect(bare).toEqual([]);
  });
});

/** Papers that are refused where they would say what is not so. */
const papers = new Set([
  '/x/paper/{document}/{id}',
  '/x/certificates/{id}/paper',
  '/x/records/{family}/{id}/paper',
  '/x/audit/paper',
]);

describe('statuses and headers', () => {
  it.each(operations)('$method $path tells what can go wrong', ({ path, method, operation }) => {
    const statuses = Object.keys(operation.responses);
    const expected = ['400', '403', '429', '500', '503', 'default'];
    if (operation.security?.length !== 0) expected.push('401');
    if (path.includes('{')) expected.push('404');
    if (method !== 'get') expected.push('408', '413', '415', '507');
    if (operation['x-section'] !== undefined && method !== 'get') expected.push('409', '422');
    expect(statuses).toEqual(expect.arrayContaining(expected));
    // What a read answers is there; a document may be refused for what the record says.
    if (method === 'get' && !papers.has(path)) expect(statuses).not.toContain('409');
  });

  it('needs no token for the status, the certificates of central, signing in and enrolment, and a scope for everything else', () => {
    const open = operations.filter(({ operation }) => operation.security?.length === 0);
    expect(open.map(({ path }) => path).toSorted()).toEqual([
      '/status',
      '/x/central-certificate/chain',
      '/x/enrolment',
      '/x/first-administrator',
      '/x/health',
      '/x/session',
      '/x/session',
      '/x/session/end',
      '/x/session/lock',
      '/x/session/resume',
      '/x/session/unlock',
    ]);
    expect(find('x.stations.block')['x-scope']).toBe('station');
    expect(find('suppliers.create')['x-scope']).toBe('write');
    // On the machine itself without one.
    expect(find('openapi.read').security).toEqual([{}, { bearer: [] }]);
  });

  it('offers If-Match and Idempotency-Key on writes only', () => {
    const references = (id: string) =>
      find(id).parameters?.map(each => ('$ref' in each ? each.$ref : each.name));
    expect(references('suppliers.update')).toEqual([
      'id',
      '#/components/parameters/IfMatch',
      '#/components/parameters/IdempotencyKey',
    ]);
    expect(references('suppliers.create')).toEqual(['#/components/parameters/IdempotencyKey']);
    expect(references('suppliers.read')).toEqual(['id', '#/components/parameters/IfNoneMatch']);
    expect(references('x.tokens.revoke')).toEqual(['id']);
  });

  it('names the headers of the answers', () => {
    const headersOf = (id: string, status: string) => {
      const response = find(id).responses[status];
      return response && 'headers' in response ? Object.keys(response.headers ?? {}) : [];
    };
    expect(headersOf('suppliers.create', '201')).toEqual(['X-Request-Id', 'ETag', 'Location']);
    expect(headersOf('suppliers.read', '200')).toEqual(['X-Request-Id', 'ETag']);
    expect(headersOf('suppliers.list', '200')).toEqual(['X-Request-Id', 'ETag']);
    expect(headersOf('shipments.list', '200')).toEqual(['X-Request-Id', 'ETag']);
    expect(find('suppliers.list').responses).toHaveProperty('304');
    expect(find('suppliers.update').responses).not.toHaveProperty('304');
    expect(headersOf('parts.bulk-create', '201')).toEqual(['X-Request-Id']);
    const { Unauthenticated, TooManyRequests, OtherError } = document.components.responses;
    expect(Object.keys(Unauthenticated?.headers ?? {})).toContain('WWW-Authenticate');
    expect(Object.keys(TooManyRequests?.headers ?? {})).toContain('Retry-After');
    expect(Object.keys(OtherError?.headers ?? {})).toContain('Allow');
  });
});

describe('examples', () => {
  const bodies = operations.flatMap(({ path, method, operation }) => {
    const media = operation.requestBody?.content['application/json'];
    return media ? [{ name: `${method} ${path}`, media }] : [];
  });
  const answers = operations.flatMap(({ path, method, operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) => {
      const media = 'content' in response ? response.content?.['application/json'] : undefined;
      return media && path !== '/openapi.json' ? [{ name: `${method} ${path} ${status}`, media }] : [];
    }),
  );

  it.each(bodies)('$name: the body fits its schema', ({ media }) => {
    expect(media.example).toBeDefined();
    expect(faultsOf(media)).toBe('');
  });

  it.each(answers)('$name: the answer fits its schema', ({ media }) => {
    expect(media.example).toBeDefined();
    expect(faultsOf(media)).toBe('');
  });

  it.each(Object.entries(document.components.responses).filter(([name]) => name !== 'NotModified'))(
    '%s: the error fits the envelope',
    (_name, response) => {
      const media = response.content?.['application/json'];
      expect(faultsOf(media ?? {})).toBe('');
      expect(errorSchema.parse(media?.example)).toEqual(media?.example);
    },
  );

  it.each(operations)('$method $path: required parameters have examples that fit', ({ operation }) => {
    for (const parameter of operation.parameters ?? []) {
      if ('schema' in parameter && parameter.required) expect(faultsOf(parameter), parameter.name).toBe('');
    }
  });

  it('are refused by the check when they do not fit', () => {
    expect(faultsOf({ schema: { type: ['string', 'null'] }, example: 7 })).toContain('string');
    expect(faultsOf({ schema: { $ref: '#/components/schemas/Supplier' }, example: {} })).toContain('id');
    expect(faultsOf({ schema: { type: 'string', format: 'date' }, example: '2026-02-30' })).toContain('date');
  });

  it('read like real records', () => {
    const body = find('orders.items.add').requestBody?.content['application/json']?.example;
    expect(body).toEqual({
      order_id: 1,
      part_id: 1,
      drawing_id: 1,
      serial_number: 'LO-2603',
      quantity: 24,
      is_low_inventory: false,
      is_low_materials: false,
      order: 1,
    });
  });
});

describe('schemas', () => {
  const convert = (schema: z.ZodType) => createSchemaComponents().convert(schema);

  it('writes "or null" as a list of types, the words outside', () => {
    const schema = z.string().max(5).describe('A name.').nullable();
    expect(convert(schema)).toEqual({ type: ['string', 'null'], maxLength: 5, description: 'A name.' });
    expect(convert(z.enum(['a', 'b']).nullable())).toEqual({
      type: ['string', 'null'],
      enum: ['a', 'b', null],
    });
    expect(convert(z.union([z.literal(0), z.literal(1)]))).toEqual({ type: 'integer', enum: [0, 1] });
  });

  it('leaves out bounds that every integer has, and patterns that a format says', () => {
    expect(convert(z.int())).toEqual({ type: 'integer' });
    expect(convert(z.iso.date())).toEqual({ type: 'string', format: 'date' });
  });

  it('refers to named schemas, also where they may be null', () => {
    const schemas = createSchemaComponents();
    const named = z.object({ id: z.int() }).meta({ id: 'Named' });
    expect(schemas.convert(z.object({ one: named.nullable() })).properties?.one).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Named' }, { type: 'null' }],
    });
    expect(Object.keys(schemas.components)).toEqual(['Named']);
  });

  it('refuses two different schemas of one name', () => {
    const schemas = createSchemaComponents();
    schemas.convert(z.object({ id: z.int() }).meta({ id: 'Twice' }));
    expect(() => schemas.convert(z.object({ id: z.string() }).meta({ id: 'Twice' }))).toThrow('Twice');
  });
});
