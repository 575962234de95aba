import type { Collection, CollectionOperations, Family } from '../../../shared/contract/define-family.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import {
  type ParsedInput,
  type ParsedItem,
  type ParseOptions,
  readMembers,
} from '../../../shared/contract/parse-input.ts';
import { presentItem, type StoredItem, type StoredRecord } from '../../../shared/contract/present.ts';
import { canBeSigned, SIGNATURE_INPUT } from '../../../shared/families/signature-acts.ts';
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
  const { family, spec } = target;
  const parentId = idIn(context, spec.parentParameter);
  // Where the path calls the parent's id `id`, that name in the body is of the item, whose id the server gives.
  const hasMirror = spec.parentParameter !== 'id';
  if (hasMirror) {
    checkSameId(context, spec.parentParameter, parentId, spec.required.includes(spec.parentParameter));
  }
  const mirror = hasMirror ? [spec.parentParameter] : [];
  const passes = [...mirror, 'reason', ...signatureInput(target)];
  const { item, ignored } = readItem(target, context, null, {
    mode: 'create',
    zone: context.zone,
    passes,
    required: spec.required,
  });
  return write(context, {
    reason: reasonIn(context),
    work: work => {
      checkIfMatch(context, work.require(family.name, parentId));
      return work.update(family, parentId, withItem(target.name, item));
    },
    answer: (context, record) => {
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
  if (spec.parentParameter !== 'id') checkSameId(context, spec.parentParameter, parentId);
  checkSameId(context, 'id', itemId);
  const passes = [spec.parentParameter, 'reason', 'id', ...signatureInput(target)];
  const { item, ignored } = readItem(target, context, itemId, { mode: 'patch', zone: context.zone, passes });
  return write(context, {
    reason: reasonIn(context),
    work: work => {
      const before = work.require(family.name, parentId);
      if (mapOf(before.fields[target.name])[itemId] === undefined) {
        throw new AppError(
          'not_found',
          `There is no ${collection.title.toLowerCase()} with the id ${itemId} in it.`,
        );
      }
      checkIfMatch(context, before);
      return work.update(family, parentId, withItem(target.name, item));
    },
    answer: (context, record) =>
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
  { collection }: ItemTarget,
  { body, faults }: RequestContext,
  id: number | null,
  options: ParseOptions,
): { item: ParsedItem; ignored: string[] } {
  const ignored: string[] = [];
  const given = body === undefined ? {} : body;
  return { item: { id, path: '', ...readMembers(collection, given, '', options, faults, ignored) }, ignored };
}

function signatureInput({ family, name }: ItemTarget): readonly string[] {
  return canBeSigned(family, name) ? SIGNATURE_INPUT : [];
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
