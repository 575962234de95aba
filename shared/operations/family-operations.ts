import { z } from 'zod';
import { answerSchema, componentName, itemSchema, requestSchema } from '../contract/answer-schema.ts';
import type { Collection, Family, OperationKind } from '../contract/define-family.ts';
import { pageMetaSchema, successSchema } from '../contract/envelope.ts';
import { once } from '../contract/once-per.ts';
import {
  BODY_LIMIT,
  type BodySpec,
  defineOperation,
  idParameter,
  newestFirstQuery,
  type Operation,
  pageQuery,
  type QuerySpec,
  updatedSinceQuery,
} from '../contract/operation.ts';
import { inventoryDetailSchema, inventoryListFields } from '../families/inventory.ts';
import { withCorrections } from '../families/record-corrections.ts';
import { canBeSigned } from '../families/signature-acts.ts';
import { anyText, filterSchema, listQueryOf } from './list-query.ts';
import { signatureInput } from './signature-input.ts';

const reason = z.string().max(10_000).nullable().optional().meta({
  description: 'Why; kept in history. Needed to take back a verdict or a shipment.',
  'x-extension': true,
});

const ORDINARY = { read: 'read', write: 'write' } as const;
const ADMINISTRATIVE = { read: 'admin', write: 'admin' } as const;

/** What the names mean that a family `passes` to its rules. */
const passed: Record<string, string> = {
  esignature_password:
    "Password of the signed-in user. Needed only where the site's settings want it signed; never kept.",
  esignature_reason: 'Reason for the signature. Needed only where the reason setting asks for it.',
  password:
    'What the user signs in with; never kept as it is. Absent: the user cannot sign in until one is set.',
};

/** One of the four operations that every family can have; `section` null: under `/x`. */
export function familyOperation(family: Family, kind: OperationKind, section: string | null): Operation {
  const base = section === null ? `/x${family.path}` : family.path;
  const id = `${section === null ? 'x.' : ''}${family.path.slice(1)}.${kind}`;
  const one = inSentence(family.title);
  // What the document does not show with the record (the samples of an inspection) is read under `/x`.
  const where = kind === 'list' ? 'list' : section === null && kind === 'read' ? 'any' : 'one';
  const collections = collectionsOf(family, where);
  const onWrite = family.operations.isSummaryOnWrite ? [] : collections;
  const { isAdministrative } = family.operations;
  const tooMany = canBeSigned(family) ? [429] : [];
  const scopes = isAdministrative ? ADMINISTRATIVE : ORDINARY;
  const details = { section, family, kind, scope: scopes.read };
  const operation = defineOperation(id, 'GET', base, family.plural, details);
  const insistsOn = family.operations.documented?.requiredOnCreate ?? [];
  const form = section === null && insistsOn.length > 0 ? 'CreateNumbered' : 'Create';
  const body = (mode: 'create' | 'put'): BodySpec => ({
    schema: () =>
      requestSchema(family, mode, {
        extra: bodyExtras(family, mode),
        required: mode === 'create' && section !== null ? insistsOn : [],
      }).meta({ id: `${componentName(family.name)}${mode === 'create' ? form : 'Update'}` }),
    isOptional: false,
    limit: BODY_LIMIT,
    type: 'application/json',
  });
  switch (kind) {
    case 'list': {
      const query = once(() => listQuery(family));
      return {
        ...operation,
        summary: `List ${inSentence(family.plural)}`,
        // Made when it is asked for, as `answer` is: there are some hundred schemas in those of all families.
        get query() {
          return query();
        },
        answer: () => listAnswer(family, collections),
        errors: [422],
      };
    }
    case 'create':
      return {
        ...operation,
        method: 'POST',
        summary: `Create ${oneOf(family)}`,
        body: body('create'),
        answer: () => successSchema(singleRecord(family, onWrite)),
        success: 201,
        errors: [409, 413, 415, 422, ...tooMany, 507],
        scope: scopes.write,
      };
    case 'read':
      return {
        ...operation,
        path: `${base}/{id}`,
        summary: `Read ${oneOf(family)}`,
        parameters: { id: idParameter(`Id of the ${one}`) },
        answer: () => successSchema(singleRecord(family, collections)),
        errors: [404],
      };
    case 'update':
      return {
        ...operation,
        method: 'PUT',
        path: `${base}/{id}`,
        summary: `Update ${oneOf(family)}`,
        parameters: { id: idParameter(`Id of the ${one}`) },
        body: body('put'),
        answer: () => successSchema(singleRecord(family, onWrite)),
        errors: [404, 409, 412, 413, 415, 422, ...tooMany, 507],
        scope: scopes.write,
      };
  }
}

function singleRecord(family: Family, collections: readonly string[]): z.ZodType {
  const record: z.ZodObject =
    family.name === 'inventory' ? inventoryDetailSchema() : answerSchema(family, { collections });
  return withCorrections(family, record);
}

/** Adding and changing an item of a record. */
export function itemOperations(family: Family, name: string): Operation[] {
  const collection = family.collections[name];
  const spec = collection?.operations;
  if (!collection || !spec) return [];
  const parent = `${family.path}/{${spec.parentParameter}}/${spec.segment}`;
  const one = inSentence(collection.title);
  const owner = inSentence(family.title);
  const same = z.int().min(1).describe('The same as in the path.');
  const isSignable = canBeSigned(family, name);
  const writeExtras = { reason, ...(isSignable && signatureInput) };
  const tooMany = isSignable ? [429] : [];
  const extraOf = (isCreate: boolean) => ({
    [spec.parentParameter]: isCreate && spec.required.includes(spec.parentParameter) ? same : same.optional(),
    ...writeExtras,
  });
  const answer = (isUpdate: boolean) => {
    if (spec.answers.kind === 'record') {
      return successSchema(singleRecord(family, collectionsOf(family, 'items')));
    }
    const { fields } = spec.answers;
    const item = itemSchema(
      collection,
      fields === null ? {} : { fields, name: `${componentName(collection.title)}Written` },
    );
    return isUpdate && spec.answers.updateUnderMeta
      ? successSchema(item, { meta: item.loose() })
      : successSchema(item);
  };
  const body = (mode: 'create' | 'put'): BodySpec => ({
    schema: () =>
      requestSchema(collection, mode, {
        required: mode === 'create' ? spec.required : [],
        extra: spec.parentParameter === 'id' ? writeExtras : extraOf(mode === 'create'),
      }).meta({ id: `${componentName(collection.title)}${mode === 'create' ? 'Add' : 'Change'}` }),
    isOptional: spec.isBodyOptional && mode === 'create',
    limit: BODY_LIMIT,
    type: 'application/json',
  });
  const common = { section: spec.section, family, collection: name, scope: 'write' as const };
  const id = `${family.path.slice(1)}.${spec.segment}`;
  return [
    defineOperation(`${id}.add`, 'POST', parent, family.plural, {
      ...common,
      kind: 'add-item',
      summary: `Add ${oneOf(collection)} to ${oneOf(family)}`,
      parameters: { [spec.parentParameter]: idParameter(`Id of the ${owner}`) },
      body: body('create'),
      answer: () => answer(false),
      success: 201,
      errors: [404, 409, 412, 413, 415, 422, ...tooMany, 507],
    }),
    defineOperation(`${id}.update`, 'PUT', `${parent}/{${spec.itemParameter}}`, family.plural, {
      ...common,
      kind: 'update-item',
      summary: `Change ${oneOf(collection)} of ${oneOf(family)}`,
      parameters: {
        [spec.parentParameter]: idParameter(`Id of the ${owner}`),
        [spec.itemParameter]: idParameter(`Id of the ${one}`),
      },
      body: body('put'),
      answer: () => answer(true),
      errors: [404, 409, 412, 413, 415, 422, ...tooMany, 507],
    }),
  ];
}

type Where = Collection['shownIn'][number] | 'any';

/** Worked out once, because every answer asks for them. */
const collections = new WeakMap<Family, Partial<Record<Where, readonly string[]>>>();

/** Names of the collections that an answer of this kind carries. */
export function collectionsOf(family: Family, where: Where): readonly string[] {
  const known = collections.get(family) ?? {};
  collections.set(family, known);
  known[where] ??= Object.entries(family.collections).flatMap(([name, { shownIn }]) =>
    where === 'any' || shownIn.includes(where) ? [name] : [],
  );
  return known[where];
}

/** PATCH does what PUT does; only what PUT requires (a complaint's number) may be left out. */
export function patchOf(operation: Operation): Operation {
  const { family, body } = operation;
  const isNeeded = Object.values(family?.fields ?? {}).some(field => field.requiredOn.includes('put'));
  const patch = { ...operation, id: `${operation.id}.patch`, method: 'PATCH', section: null } as const;
  if (!isNeeded || !family || !body || operation.kind !== 'update') return patch;
  const schema = () =>
    requestSchema(family, 'patch', { extra: bodyExtras(family, 'put') }).meta({
      id: `${componentName(family.name)}Patch`,
    });
  return { ...patch, body: { ...body, schema } };
}

function listQuery(family: Family): QuerySpec {
  const query: QuerySpec = { ...pageQuery };
  for (const [name, filter] of Object.entries(family.filters)) {
    const { description, isAdditive } = filter;
    query[name] = { schema: filterSchema(family, name), description, isAdditive };
  }
  if (family.search.length + family.searchThrough.length > 0) {
    const description = 'A part of the text, in any case; of one or two characters, the beginning of a word.';
    query.keyword = { schema: anyText, description, isAdditive: family.search.length === 0 };
  }
  query.order = newestFirstQuery;
  query.updated_since = updatedSinceQuery;
  Object.assign(query, listQueryOf(family, collectionsOf(family, 'list')));
  if (family.operations.listForm === 'first-record') {
    const description = '`array`: `data` is the list itself instead of the first record with `items`.';
    query.as = { schema: z.enum(['array']), description, isAdditive: true };
  }
  return query;
}

function listAnswer(family: Family, collections: readonly string[]): z.ZodType {
  if (family.operations.listForm === 'inventory') {
    return successSchema(
      z.array(answerSchema(family, { fields: inventoryListFields, name: 'InventoryListRecord' })),
      {
        meta: pageMetaSchema
          .extend({
            per_page: z.string().regex(/^\d+$/).describe('Records on a page, as text.'),
            last_page: z.int().min(1).describe('Number of the last page.'),
          })
          .meta({ id: 'InventoryPageMeta' }),
        links: z.object({}).describe('Always empty.'),
      },
    );
  }
  const record = answerSchema(family, { collections });
  if (family.operations.listForm === 'first-record') {
    const items = z.array(record).meta({ description: 'All records of the page.', 'x-extension': true });
    const first = record.partial().extend({ items }).describe('The first record of the page, and the page.');
    return successSchema(z.union([first, z.array(record)]), { meta: pageMetaSchema });
  }
  return successSchema(z.array(record), { meta: pageMetaSchema });
}

function bodyExtras(family: Family, mode: 'create' | 'put'): Record<string, z.ZodType> {
  const extras: Record<string, z.ZodType> = {};
  if (mode === 'create' && family.operations.acceptsId) {
    extras.id = z
      .union([z.int(), z.string().regex(/^\d+$/)])
      .optional()
      .describe('Honoured when free, else 409.');
  }
  if (mode === 'put') {
    extras.id = z
      .union([z.int(), z.string().regex(/^\d+$/)])
      .optional()
      .describe('The same as in the path.');
  }
  const { passes, passesOnCreate } = family.operations;
  for (const name of mode === 'put' ? passes : [...passes, ...passesOnCreate]) {
    const isAdditive = mode === 'create' && passes.includes(name);
    extras[name] = z
      .string()
      .nullable()
      .optional()
      .meta({ description: passed[name] ?? '', ...(isAdditive && { 'x-extension': true }) });
  }
  if (canBeSigned(family))
    for (const [name, schema] of Object.entries(signatureInput)) extras[name] ??= schema;
  if (mode === 'put') extras.reason = reason;
  return extras;
}

/** `a supplier`, `an order`, `equipment`. */
function oneOf(named: { title: string; plural?: string }): string {
  const noun = inSentence(named.title);
  if (named.plural === named.title) return noun;
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function inSentence(title: string): string {
  return title.toLowerCase();
}
