import type { Family } from '../../../shared/contract/define-family.ts';
import { pageMeta } from '../../../shared/contract/envelope.ts';
import { AppError, noting, refuse } from '../../../shared/contract/errors.ts';
import { shown } from '../../../shared/contract/field-schemas.ts';
import { readField } from '../../../shared/contract/fields.ts';
import { readInput } from '../../../shared/contract/parse-input.ts';
import type {
  Answered,
  PresentOptions,
  RecordAnswer,
  StoredRecord,
} from '../../../shared/contract/present.ts';
import { isSigned } from '../../../shared/contract/signed.ts';
import { inventoryDetailFields, inventoryListFields } from '../../../shared/families/inventory.ts';
import { canBeSigned, SIGNATURE_INPUT } from '../../../shared/families/signature-acts.ts';
import { collectionsOf } from '../../../shared/operations/family-operations.ts';
import { type AnswerContext, answerOf } from '../../rules/answers.ts';
import { addCorrections } from '../../rules/record-corrections.ts';
import { yieldingToEventLoop } from '../../store/yield-to-event-loop.ts';
import { conditionsIn, orderIn } from '../list-query.ts';
import { expansionsIn, fieldsIn, shaping } from '../list-shape.ts';
import { API_PREFIX, etagOf, success } from '../reply.ts';
import { givenId, idIn, type Reply, type RequestContext } from '../request-context.ts';
import { checkIfMatch } from '../write.ts';
import type { Handler } from './handler.ts';

/** List, create, read and update as every family has them; what differs is said by the family. */

export const list: Handler = async ({ store, reading }, context) => {
  const family = familyOf(context);
  const collections = collectionsOf(family, 'list');
  const { query, faults } = context;
  const pages = noting(faults, () => query.page());
  const selection = noting(faults, () => selectionOf(family, context));
  const since = noting(faults, () => query.moment('updated_since'));
  const { sort, isNewestFirst } = orderIn(family, query, faults);
  const conditions = conditionsIn(family, context);
  const fields = fieldsIn(family, collections, context, faults);
  const expand = expansionsIn(family, collections, context, faults);
  refuse(faults);
  const { page, perPage } = pages ?? query.page();
  if (selection?.keyword) await store.records.gather(family, selection);
  const found = store.records.page(family, {
    page,
    perPage,
    ...selection,
    isNewestFirst,
    since,
    conditions,
    sort,
  });
  const reads = reading();
  const options: PresentOptions = {
    collections,
    ...(family.operations.listForm === 'inventory' ? { fields: inventoryListFields } : {}),
  };
  const shape = shaping(reads, fields, expand);
  const data: Answered[] = [];
  const yieldToEventLoop = yieldingToEventLoop();
  for (const record of found.records) {
    // Only where it is time: each wait costs a page as much as a record.
    const others = yieldToEventLoop();
    if (others) await others;
    data.push(shape(answerOf(reads, record, options), record));
  }
  const meta = {
    ...pageMeta(page, perPage, found.total, data.length),
    ...(expand.refused.length > 0 && { not_expanded: expand.refused }),
  };
  switch (family.operations.listForm) {
    case 'page':
      return success(data, { meta });
    case 'inventory': {
      const lastPage = Math.max(1, Math.ceil(found.total / perPage));
      return success(data, {
        meta: { ...meta, per_page: String(perPage), last_page: lastPage },
        links: {},
      });
    }
    case 'first-record': {
      const answer = context.query.get('as') === 'array' ? data : { ...data[0], items: data };
      return success(answer, { meta });
    }
  }
};

export const read: Handler = ({ store, reading }, context) => {
  const family = familyOf(context);
  const record = requireRecord(store.records.getShared(family.name, idIn(context)), family, idIn(context));
  const options =
    context.operation.section === null
      ? { ...oneOptions(family), collections: collectionsOf(family, 'any') }
      : oneOptions(family);
  return recordReply(family, reading(), record, options);
};

export const create: Handler = ({ write }, context) => {
  const family = familyOf(context);
  const { acceptsId, passes, passesOnCreate } = family.operations;
  const signature = canBeSigned(family) ? SIGNATURE_INPUT : [];
  const allPasses = [...passes, ...passesOnCreate, ...signature, 'reason', ...(acceptsId ? ['id'] : [])];
  const { section } = context.operation;
  const required = section === null ? [] : (family.operations.documented?.requiredOnCreate ?? []);
  const options = { mode: 'create', zone: context.zone, passes: allPasses, required } as const;
  const input = readInput(family, context.body, options, context.faults);
  const wantedId = acceptsId ? wantedIdIn(context) : null;
  return write(context, {
    reason: reasonIn(context),
    work: work => work.create(family, input, wantedId),
    answer: (reads, record) =>
      recordReply(family, reads, record, writeOptions(family), {
        status: 201,
        ignored: input.ignored,
        headers: { Location: `${API_PREFIX}${readPath(family)}/${record.id}` },
      }),
  });
};

export const update: Handler = ({ write, store }, context) => {
  const family = familyOf(context);
  const id = idIn(context);
  // What is not there is signed by nobody: its password is not tried.
  if (isSigned(family)) requireRecord(store.records.get(family.name, id), family, id);
  const mode = context.request.method === 'PATCH' ? 'patch' : 'put';
  const signature = canBeSigned(family) ? SIGNATURE_INPUT : [];
  const passes = [...family.operations.passes, ...signature, 'id', 'reason'];
  const options = { mode: updateMode(family, mode), zone: context.zone, passes };
  checkSameId(context, 'id', id);
  const input = readInput(family, context.body, options, context.faults);
  return write(context, {
    reason: reasonIn(context),
    work: work => {
      checkIfMatch(context, work.require(family.name, id));
      return work.update(family, id, input);
    },
    answer: (reads, record) =>
      recordReply(family, reads, record, writeOptions(family), { ignored: input.ignored }),
  });
};

/** Where a record of the family can be read. */
export function readPath(family: Family): string {
  return family.operations.documented?.kinds.includes('read') ? family.path : `/x${family.path}`;
}

/** What an answer says of one record. */
export function oneAnswer(
  family: Family,
  reads: AnswerContext,
  record: StoredRecord,
  present: PresentOptions,
): RecordAnswer {
  return addCorrections(answerOf(reads, record, present), reads, family, record);
}

/** The answer with one record: its data and corrections, ETag and `meta.id` where the documented record has no id. */
export function recordReply(
  family: Family,
  reads: AnswerContext,
  record: StoredRecord,
  present: PresentOptions,
  {
    status,
    ignored,
    headers,
  }: { status?: 200 | 201; ignored?: readonly string[]; headers?: Record<string, string> } = {},
): Reply<RecordAnswer> {
  const ETag = etagOf(record);
  return success(oneAnswer(family, reads, record, present), {
    status,
    ignored,
    meta: family.operations.hasMetaId ? { id: record.id } : undefined,
    headers: headers ? { ETag, ...headers } : { ETag },
  });
}

export function oneOptions(family: Family): PresentOptions {
  const collections = collectionsOf(family, 'one');
  return family.operations.listForm === 'inventory'
    ? { collections, fields: inventoryDetailFields }
    : { collections };
}

function writeOptions(family: Family): PresentOptions {
  return family.operations.isSummaryOnWrite ? {} : oneOptions(family);
}

export function familyOf(context: RequestContext): Family {
  const { family } = context.operation;
  if (!family) throw new Error(`The operation ${context.operation.id} has no family.`);
  return family;
}

export function requireRecord(record: StoredRecord | undefined, family: Family, id: number): StoredRecord {
  if (record) return record;
  throw new AppError('not_found', `There is no ${family.title.toLowerCase()} with the id ${id}.`);
}

/** Why a change was made, from the body: kept in history. Null where it is at fault, which is noted. */
export function reasonIn({ body, faults }: RequestContext): string | null {
  if (body === null || typeof body !== 'object') return null;
  const { reason, esignature_reason: signed } = body as { reason?: unknown; esignature_reason?: unknown };
  const given = reason ?? signed ?? null;
  if (given === null) return null;
  const field = reason === undefined || reason === null ? 'esignature_reason' : 'reason';
  const isText = typeof given === 'string';
  if (isText && given.length <= 10_000) return given;
  faults[field] ??= [
    isText
      ? 'The reason is too long. The most is 10,000 characters.'
      : `${shown(given)} is not text. Give the reason in quotes.`,
  ];
  return null;
}

/** An id that stands in the path and in the body must be the same. */
export function checkSameId(
  { body, faults }: RequestContext,
  name: string,
  id: number,
  isRequired = false,
): void {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return;
  const given = (body as Record<string, unknown>)[name] ?? null;
  if (given === id || given === String(id) || (given === null && !isRequired)) return;
  faults[name] = [
    given === null
      ? `${name} is missing. Give the one that stands in the path.`
      : `${shown(given)} differs from ${id} in the path. Leave it out or give the same.`,
  ];
}

/** PUT is as partial as PATCH; it only insists on what the document requires of it (a complaint's number). */
function updateMode(family: Family, mode: 'put' | 'patch'): 'put' | 'patch' {
  const insists = Object.values(family.fields).some(field => field.requiredOn.includes('put'));
  return mode === 'put' && insists ? 'put' : 'patch';
}

function wantedIdIn({ body, faults }: RequestContext): number | null {
  const { id } = Object(body) as { id?: unknown };
  if (id === undefined || id === null || id === '') return null;
  const number = givenId(id);
  if (number !== null) return number;
  faults.id = [`${shown(id)} is not an id. Give a whole number from 1, or leave it out.`];
  return null;
}

/** What a list is asked to be narrowed to, by the family's filters and its search. */
export function selectionOf(
  family: Family,
  context: RequestContext,
): { filters: Record<string, string | number>; keyword: string | null } {
  const filters: Record<string, string | number> = {};
  for (const name of Object.keys(family.filters)) {
    const field = family.fields[name];
    const text = context.query.get(name);
    if (!field || text === undefined || text === '') continue;
    const isReference = field.kind === 'reference';
    const value = isReference
      ? context.query.count(name)
      : foldChoice(readField(field, text, context.zone), text);
    if (value !== undefined) filters[name] = value;
  }
  const keyword = context.query.get('keyword') ?? null;
  // The document's inventory list: part_id wins, and the text "null" is its default (interface decisions, 3).
  if (family.operations.listForm === 'inventory' && (filters.part_id !== undefined || keyword === 'null')) {
    return { filters, keyword: null };
  }
  return { filters, keyword };
}

/** A choice is compared as it is stored (NCR source in lower case); a value that is none matches nothing. */
function foldChoice(result: { success: boolean; data?: unknown }, text: string): string {
  return result.success && typeof result.data === 'string' ? result.data : text;
}
