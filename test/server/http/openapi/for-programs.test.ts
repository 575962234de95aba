import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { forPrograms } from '../../../../server/http/openapi/for-programs.ts';
import { type JsonSchema, nameOf } from '../../../../server/http/openapi/json-schema.ts';
import { openApiDocument } from '../../../../server/http/openapi/openapi.ts';
import { listOperations } from '../../../../shared/operations/operations.ts';
import { unfolded } from '../../../support/unfolded.ts';

const plain = openApiDocument();
const document = forPrograms(plain);
const text = JSON.stringify(document);
const { schemas } = unfolded(document).components;
const operations = Object.values(document.paths).flatMap(methods => Object.values(methods));

function find(id: string) {
  const found = operations.find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
}

/** What a member is, also where it is a component. */
function memberOf(name: string, member: string): JsonSchema {
  const { $ref, ...own } = schemas[name]?.properties?.[member] ?? {};
  return $ref === undefined ? own : { ...schemas[$ref.slice($ref.lastIndexOf('/') + 1)], ...own };
}

/** What generators of clients and linters stumbled over: `test/build/generators.test.ts` runs them. */
describe('the document for programs', () => {
  it('is valid OpenAPI 3.1, and no reference leads nowhere', async () => {
    expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
    const used = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path));
    for (const path of used) {
      const found = path.split('/').reduce<unknown>((at, name) => Reflect.get(at as object, name), document);
      expect(found, path).toBeDefined();
    }
    for (const kind of ['schemas', 'responses', 'examples', 'headers', 'parameters'] as const)
      for (const name of Object.keys(document.components[kind] ?? {}))
        expect(used, `${kind} ${name}`).toContain(`components/${kind}/${name}`);
  });

  it('has all operations, and no object within another one that has no name', () => {
    expect(operations).toHaveLength(listOperations().length);
    const inside = (schema: JsonSchema): JsonSchema[] =>
      [
        ...Object.values(schema.properties ?? {}),
        ...(schema.items ? [schema.items] : []),
        ...(schema.anyOf ?? []),
      ].flatMap(member => [member, ...inside(member)]);
    const unnamed = Object.entries(schemas).flatMap(([name, schema]) =>
      inside(schema).some(member => Object.keys(member.properties ?? {}).length > 0) ? [name] : [],
    );
    // The first record of a page and the page: the document has it so.
    expect(unnamed.filter(name => !schemas[name]?.anyOf)).toEqual([]);
  });

  it('has no default on a member, which generators take for always there, and says it in words', () => {
    for (const [name, { properties = {} }] of Object.entries(schemas))
      for (const [member, schema] of Object.entries(properties))
        expect(schema.default, `${name}.${member}`).toBeUndefined();
    expect(memberOf('PartCreate', 'is_activity').description).toContain('Absent: `false`.');
  });

  it('has no pattern that some engines do not know, no name of zod, and no name that TypeScript has', () => {
    expect(text).not.toMatch(/\\\\[pP]\{|__schema/);
    expect(Object.keys(schemas)).not.toContain('Error');
  });

  it('says nothing twice: neither what members are, nor what parameters mean, nor when a request is refused', () => {
    const said = new Map<string, string[]>();
    for (const [name, { properties, allOf = [] }] of Object.entries(document.components.schemas))
      for (const members of [properties, ...allOf.map(part => part.properties)])
        for (const [member, schema] of Object.entries(members ?? {})) {
          const isPlain = !schema.$ref && !schema.anyOf && !schema.items && schema.description !== undefined;
          const key = `${member} ${JSON.stringify(schema)}`;
          if (isPlain) said.set(key, [...(said.get(key) ?? []), name]);
        }
    expect([...said].filter(([, names]) => names.length > 2)).toEqual([]);
    const words = operations.flatMap(({ parameters = [] }) =>
      parameters.flatMap(each => ('description' in each ? [each.description] : [])),
    );
    const often = words.filter(text => words.filter(other => other === text).length >= 10);
    expect(often).toEqual([]);
    expect(document.info.description).toContain('- `per_page`: Records on a page');
    expect(find('suppliers.update')['x-errors']).toEqual([401, 404, 409, 412, 422]);
    expect(document.components.schemas.ProblemResponse?.description).toContain('412: The record has changed');
  });

  it('has what a record has beside others as more than what the others have', () => {
    const { SupplierAnswer, SupplierList, CustomerCreate, CustomerUpdate } = document.components.schemas;
    const begins = (schema?: JsonSchema) =>
      (schema?.$ref ?? schema?.allOf?.[0]?.$ref)?.slice('#/components/schemas/'.length);
    expect([SupplierAnswer, SupplierList, CustomerCreate, CustomerUpdate].map(begins)).toEqual([
      'Answer',
      'Page',
      'CustomerFields',
      'CustomerFields',
    ]);
    // One that has nothing of its own is the other one: linters say that `allOf` of one is none.
    expect(CustomerCreate).toEqual({ $ref: '#/components/schemas/CustomerFields' });
    const composed = Object.values(document.components.schemas).flatMap(({ allOf }) =>
      allOf ? [allOf] : [],
    );
    expect(composed.filter(parts => parts.length < 2)).toEqual([]);
    expect(schemas.CustomerCreate?.properties).toHaveProperty('name');
    expect(schemas.CustomerUpdate?.properties).toHaveProperty('reason');
  });

  it('names answers by what they hold', () => {
    const of = (id: string, status: string) => {
      const said = find(id).responses[status];
      const response = said && '$ref' in said ? document.components.responses[nameOf(said.$ref)] : said;
      return response && 'content' in response && response.content?.['application/json']?.schema?.$ref;
    };
    expect(of('suppliers.list', '200')).toBe('#/components/schemas/SupplierList');
    expect(of('suppliers.read', '200')).toBe('#/components/schemas/SupplierAnswer');
    expect(of('suppliers.create', '201')).toBe('#/components/schemas/SupplierAnswer');
    expect(schemas.ReceivingInspectionCreate?.properties?.items?.items).toEqual({
      $ref: '#/components/schemas/ReceivingInspectionCreateItem',
    });
  });

  it('is as wide as the document: part as text, source in capitals, a day with a time, 0 and 1', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    for (const [name, schema] of Object.entries(schemas))
      ajv.addSchema(JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '')), name);
    const takes = (name: string, value: unknown) => ajv.validate({ $ref: name }, value);
    expect(takes('NcrCreate', { ncr_number: 'N', source: 'Internal', part_id: '12' })).toBe(true);
    expect(takes('NcrCreate', { ncr_number: 'N', source: 'elsewhere' })).toBe(false);
    expect(takes('OrderCreate', { order_date: '2026-03-02T08:30:00Z', order_number: 7 })).toBe(true);
    expect(takes('OrderCreate', { order_date: 'tomorrow' })).toBe(false);
    expect(takes('ReceivingInspectionUpdate', { is_closed: 0, is_quarantined: true })).toBe(true);
    const labels = find('x.labels.read').responses['200'];
    const file = labels && '$ref' in labels ? document.components.responses[nameOf(labels.$ref)] : labels;
    expect(file).toHaveProperty('content');
    expect(text).toContain('"text/plain"');
  });

  it('types what an answer shows of others, and says what is never null', () => {
    expect(memberOf('Inventory', 'part').anyOf?.[0]).toEqual({ $ref: '#/components/schemas/Part' });
    expect(memberOf('LabResult', 'inspection').anyOf?.[0]).toEqual({
      $ref: '#/components/schemas/Inspection',
    });
    expect(memberOf('Supplier', 'created_at').type).toBe('string');
    expect(memberOf('Supplier', 'id').type).toBe('integer');
  });

  it('types what lists sort by, choose and expand, as lists with commas', () => {
    const [sort, fields, expand] = ['sort', 'fields', 'expand'].map(name =>
      find('parts.list').parameters?.find(each => 'name' in each && each.name === name),
    );
    expect(sort).toMatchObject({ style: 'form', explode: false, schema: { type: 'array', maxItems: 3 } });
    expect(sort).toMatchObject({
      schema: { items: { enum: expect.arrayContaining(['name', '-name', '-id']) } },
    });
    expect(fields).toMatchObject({ schema: { items: { enum: expect.arrayContaining(['identification']) } } });
    expect(expand).toMatchObject({ schema: { items: { enum: expect.arrayContaining(['supplier']) } } });
  });

  it('says each scope, what each tag is, and leads from a create to what takes its id', () => {
    const { description = '' } = document.components.securitySchemes.bearer ?? {};
    for (const { operationId, security, 'x-scope': scope } of operations) {
      if (security?.length === 0) expect(scope, operationId).toBeUndefined();
      else expect(description, operationId).toContain(`\`${scope}\``);
    }
    expect(document.tags.filter(tag => tag.description === '')).toEqual([]);
    const created = find('orders.create').responses['201'];
    expect(created && 'links' in created ? Object.keys(created.links ?? {}) : []).toEqual([
      'OrdersRead',
      'OrdersUpdate',
      'OrdersItemsAdd',
    ]);
  });
});
