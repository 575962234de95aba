import { parseDate } from '../../../shared/contract/dates.ts';
import { INTERFACE_VERSION, pageMeta } from '../../../shared/contract/envelope.ts';
import { type FieldErrors, invalid, noting, refuse } from '../../../shared/contract/errors.ts';
import { shown } from '../../../shared/contract/field-schemas.ts';
import { type ParsedInput, readMembers } from '../../../shared/contract/parse-input.ts';
import { inventoryDetailFields } from '../../../shared/families/inventory.ts';
import { families } from '../../../shared/families/registry.ts';
import { answerOf, locationsOf } from '../../rules/answers.ts';
import { ChangeFeed } from '../../store/change-feed.ts';
import type { Store } from '../../store/store.ts';
import { isKnown } from '../answer-tags.ts';
import { aroundRows, drained, etagOf, success } from '../reply.ts';
import { givenId, idIn, type RequestContext, withPlus } from '../request-context.ts';
import { reasonIn, requireRecord } from './family.ts';
import type { Handlers, Services } from './handler.ts';

/** The documented operations that do not follow from a family: interface 4.1, 4.4, 4.7 and 4.10. */
export const documentedHandlers = {
  'status.read': () => ({
    status: 200,
    headers: {},
    body: { status: 'success', version: INTERFACE_VERSION, online: true },
  }),

  'inventory.locations': ({ store, reading }, context) => {
    const lot = requireRecord(
      store.records.get('inventory', idIn(context)),
      families.inventory,
      idIn(context),
    );
    const reads = reading();
    const answer = answerOf(reads, lot, { fields: inventoryDetailFields });
    return success({ ...answer, locations: locationsOf(reads, lot) }, { headers: { ETag: etagOf(lot) } });
  },

  'parts.bulk-create': (services, context) => bulkWrite(services, context, 'create'),
  'parts.bulk-write': (services, context) => bulkWrite(services, context, 'write'),

  'shipments.list': async ({ store, reading }, context) => {
    const range = dateRangeIn(context);
    if (isUnchanged(store, context)) return undefined;
    const reads = reading();
    const records = range
      ? store.records.shipmentsBetween(range.from, range.to)
      : store.records.all('shipment');
    await streamList(context, records, record => answerOf(reads, record));
    return undefined;
  },
} satisfies Partial<Handlers>;

/** Many parts in one commit, all or none; errors are named by the place in the list: `0.name`. */
function bulkWrite(services: Services, context: RequestContext, kind: 'create' | 'write') {
  const { part } = families;
  const rows = bulkRows(context, kind);
  return services.write(context, {
    reason: reasonIn(context),
    work: work =>
      rows.map(({ id, input }) => {
        if (id !== null && work.get('part', id)) return work.update(part, id, input);
        if (id !== null)
          work.blame(`${input.path}.id`, `There is no part with the id ${id}. Give an existing one.`);
        return work.create(part, input);
      }),
    answer: (reads, records) => {
      const meta = pageMeta(1, Math.max(1, records.length), records.length, records.length);
      const ignored = [...new Set(rows.flatMap(({ input }) => input.ignored))];
      return success(
        records.map(record => answerOf(reads, record)),
        { status: kind === 'create' ? 201 : 200, meta: { ...meta }, ignored },
      );
    },
  });
}

function bulkRows(
  { body, faults, zone }: RequestContext,
  kind: 'create' | 'write',
): { id: number | null; input: ParsedInput }[] {
  if (!Array.isArray(body)) throw invalid({ body: [`${shown(body)} is not a list. Give a list of parts.`] });
  if (body.length > 1_000) {
    throw invalid({
      body: [`The list has ${body.length} entries. The most is 1,000; send the rest in further writes.`],
    });
  }
  const seen = new Set<number>();
  return body.map((row: unknown, index) => {
    const prefix = `${index}.`;
    const ignored: string[] = [];
    // The document lists the times in the body of a bulk write; they are the server's all the same.
    const passes = kind === 'write' ? ['id', 'created_at', 'updated_at'] : [];
    const options = { mode: 'create', zone, required: ['name', 'identification'], passes } as const;
    const members = readMembers(families.part, row, prefix, options, faults, ignored);
    const id = kind === 'write' ? bulkId(row, prefix, seen, faults) : null;
    return { id, input: { ...members, path: String(index), ignored } };
  });
}

function bulkId(row: unknown, prefix: string, seen: Set<number>, errors: FieldErrors): number | null {
  const id = row !== null && typeof row === 'object' ? (row as { id?: unknown }).id : undefined;
  const number = givenId(id);
  if (number === null) {
    errors[`${prefix}id`] = [`${shown(id)} is not the id of a part. Give a whole number from 1.`];
    return null;
  }
  if (seen.has(number)) {
    errors[`${prefix}id`] = [`${number} stands twice in the list. Give each part once.`];
    return null;
  }
  seen.add(number);
  return number;
}

/** Null: the dates are not looked at. An empty text is an open end (interface decisions, 3). */
function dateRangeIn(context: RequestContext): { from: string; to: string } | null {
  const errors: FieldErrors = {};
  for (const name of ['dateRange', 'fromDate', 'toDate']) {
    if (context.query.get(name) === undefined)
      errors[name] = [`${name} is missing. Give it; a date may be empty.`];
  }
  const isRange = noting(errors, () => context.query.flag('dateRange'));
  const dayOf = (name: string, open: string): string => {
    const text = context.query.get(name) ?? '';
    if (text === '') return open;
    const day = parseDate(withPlus(text), context.zone);
    if (day === null)
      errors[name] = [`${shown(text)} is not a calendar date. Give YYYY-MM-DD, or leave it empty.`];
    return day ?? open;
  };
  const from = dayOf('fromDate', '0000-01-01');
  const to = dayOf('toDate', '9999-12-31');
  refuse(errors);
  return isRange === true ? { from, to } : null;
}

/**
 * Tags what is written before it is known as a whole by the place of the store: it is another one after any commit. Where the
 * client has that already, says only so (304).
 */
function isUnchanged({ database, gate }: Store, { request, response }: RequestContext): boolean {
  const feed = new ChangeFeed(database.reader, () => gate.chain);
  const tag = `W/"${feed.cursorOf(feed.end())}"`;
  response.setHeader('ETag', tag);
  if (!isKnown(request.headers['if-none-match'], tag)) return false;
  response.statusCode = 304;
  response.end();
  return true;
}

/** A list without pages is written as it is read, at the speed of the client. */
async function streamList<Row>(
  context: RequestContext,
  rows: Iterable<Row>,
  answer: (row: Row) => unknown,
): Promise<void> {
  const { response } = context;
  const [before, after] = aroundRows(success([]), context.query.ignored);
  response.statusCode = 200;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.write(before);
  let separator = '';
  for (const row of rows) {
    if (response.destroyed) return;
    const hasRoom = response.write(`${separator}${JSON.stringify(answer(row))}`);
    separator = ',';
    if (!hasRoom) await drained(response);
  }
  response.end(after);
}
