import type { Collection, CollectionOperations, Family } from '../../../shared/contract/define-family.ts';
import { AppError, type FieldErrors, invalid } from '../../../shared/contract/errors.ts';
import { type ParsedInput, type ParsedItem, readMembers } from '../../../shared/contract/parse-input.ts';
import { presentItem, type StoredItem, type StoredRecord } from '../../../shared/contract/present.ts';
import { collectionsOf } from '../../../shared/operations/family-operations.ts';
import type { AnswerContext } from '../../rules/answers.ts';
import { derivedOf } from '../../rules/answers.ts';
import { mapOf } from '../../store/changes.ts';
import { API_PREFIX, etagOf, success } from '../reply.ts';
import { idIn, type Reply, type RequestContext } from '../request-context.ts';
import { checkIfMatch } from '../write.ts';
import { checkSameId, familyOf, reasonIn, recordReply } from './family.ts';
import type { Handler } from './handler.ts';

interface ItemTarget {
  family: Family;
  name: string;
  collection: Collection;
  spec: CollectionOperations;
}

/** Adds an item to a record: order, shipment and receipt lines, samples. */
export const addItem: Handler = ({ write }, context) => {
  const target = targetOf(context);
  const { family, collection, spec } = target;
  const parentId = idIn(context, spec.parentParameter);
  return write<{ record: StoredRecord; item: ParsedItem; ignored: string[] }>(context, {
    reason: reasonIn(context.body),
    work: work => {
      checkIfMatch(context, work.require(family.name, parentId));
      if (spec.parentParameter !== 'id') {
        checkSameId(
          context.body,
          spec.parentParameter,
          parentId,
          spec.required.includes(spec.parentParameter),
        );
      }
      const { item, ignored } = readItem(
        collection,
        context.body === undefined ? {} : context.body,
        null,
        'create',
        // Where the path calls the parent's id `id`, that name in the body is of the item, whose id the server gives.
        spec.parentParameter === 'id' ? ['reason'] : [spec.parentParameter, 'reason'],
        spec.required,
      );
      const record = work.update(family, parentId, withItem(target.name, item));
      return { record, item, ignored };
    },
    answer: (context, { record, item, ignored }) => {
      const itemId = item.id ?? lastItemId(record, target.name);
      return itemReply(target, context, record, itemId, {
        status: 201,
        ignored,
        headers: { Location: `${API_PREFIX}${family.path}/${parentId}/${spec.segment}/${itemId}` },
      });
    },
  });
};

/** Changes an item; what the body does not name stays. */
export const updateItem: Handler = ({ write }, context) => {
  const target = targetOf(context);
  const { family, collection, spec } = target;
  const parentId = idIn(context, spec.parentParameter);
  const itemId = idIn(context, spec.itemParameter);
  return write<{ record: StoredRecord; ignored: string[] }>(context, {
    reason: reasonIn(context.body),
    work: work => {
      const before = work.require(family.name, parentId);
      if (mapOf(before.fields[target.name])[itemId] === undefined) {
        throw new AppError(
          'not_found',
          `There is no ${collection.title.toLowerCase()} with the id ${itemId} in it.`,
        );
      }
      checkIfMatch(context, before);
      if (spec.parentParameter !== 'id') checkSameId(context.body, spec.parentParameter, parentId);
      checkSameId(context.body, 'id', itemId);
      const passes = [spec.parentParameter, 'reason', 'id'];
      const { item, ignored } = readItem(collection, context.body, itemId, 'patch', passes, []);
      return { record: work.update(family, parentId, withItem(target.name, item)), ignored };
    },
    answer: (context, { record, ignored }) =>
      itemReply(target, context, record, itemId, { status: 200, ignored, isUpdate: true }),
  });
};

function itemReply(
  { family, name, collection, spec }: ItemTarget,
  context: AnswerContext,
  record: StoredRecord,
  itemId: number,
  options: {
    status: 200 | 201;
    ignored: readonly string[];
    headers?: Record<string, string>;
    isUpdate?: boolean;
  },
): Reply {
  const { isUpdate = false, ...reply } = options;
  if (spec.answers.kind === 'record') {
    return recordReply(family, context, record, { collections: collectionsOf(family, 'items') }, reply);
  }
  const stored = mapOf(mapOf(record.fields[name])[itemId]);
  const item = { ...stored, id: itemId } as StoredItem;
  const derived = derivedOf(context, record)?.items?.[name]?.[itemId];
  const answer = presentItem(collection, item, derived, spec.answers.fields ?? undefined);
  const meta =
    isUpdate && spec.answers.updateUnderMeta ? answer : family.operations.hasMetaId ? { id: itemId } : {};
  return success(answer, { ...reply, meta, headers: { ETag: etagOf(record), ...reply.headers } });
}

/** Errors of a single item are named by its own fields, without a path before them. */
function readItem(
  collection: Collection,
  body: unknown,
  id: number | null,
  mode: 'create' | 'patch',
  passes: readonly string[],
  required: readonly string[],
): { item: ParsedItem; ignored: string[] } {
  const errors: FieldErrors = {};
  const ignored: string[] = [];
  const members = readMembers(collection, body, '', { mode, passes, required }, errors, ignored);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const ownPaths = Object.fromEntries(Object.keys(collection.fields).map(field => [field, field]));
  return { item: { id, path: '', ...members, paths: { ...ownPaths, ...members.paths } }, ignored };
}

function withItem(name: string, item: ParsedItem): ParsedInput {
  return { fields: {}, items: { [name]: [item] }, paths: {}, ignored: [] };
}

/** A rule may have made the item: a sample without a body is built from the template. */
function lastItemId(record: StoredRecord, name: string): number {
  return Math.max(0, ...Object.keys(mapOf(record.fields[name])).map(Number));
}

function targetOf(context: RequestContext): ItemTarget {
  const family = familyOf(context);
  const name = context.operation.collection ?? '';
  const collection = family.collections[name];
  if (!collection?.operations) throw new Error(`The operation ${context.operation.id} has no collection.`);
  return { family, name, collection, spec: collection.operations };
}
