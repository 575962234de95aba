import { z } from 'zod';
import type { Family } from '../../../shared/contract/define-family.ts';
import { AppError, invalid, noting, refuse } from '../../../shared/contract/errors.ts';
import type { Actor } from '../../store/unit-of-work.ts';
import { exportLines, STATION_HEADER } from '../../transfer/export-lines.ts';
import type { Imports } from '../../transfer/imports.ts';
import { collectionOf } from '../../transfer/plan.ts';
import { conditionsIn } from '../list-query.ts';
import { familyIn, requireReadable } from '../readable.ts';
import { API_PREFIX, success } from '../reply.ts';
import { actorOf, callerOf, type Query, type RequestContext } from '../request-context.ts';
import { sendLines } from '../send-lines.ts';
import { selectionOf } from './family.ts';
import type { Handlers } from './handler.ts';
import { parseBody } from './parse-body.ts';

/** Import and export: `transferOperations` of the table. */
export function transferHandlers(imports: Imports) {
  return {
    'x.imports.list': () => success(imports.list()),

    'x.imports.create': (_services, context) => {
      const { mapping, skip_bad: skipBad, dry_run: isDry } = parseBody(importBody, context.body);
      // The reason of an import is nobody's word for a single change.
      const actor: Actor = { ...actorOf(context), rights: { ...context.rights, kind: 'import' } };
      const siteZone = context.zone();
      const job = imports.create({ mapping, skipBad, isDry, siteZone, actor, caller: callerOf(context) });
      return success(job, { status: 201, headers: { Location: `${API_PREFIX}/x/imports/${job.id}` } });
    },

    'x.imports.file': async (_services, context) => {
      const { request, operation } = context;
      const limit = operation.body?.limit ?? 0;
      refuseOtherContent(context);
      if (Number(request.headers['content-length'] ?? 0) > limit) {
        throw new AppError('too_large', `The file is larger than ${limit} bytes. Split it.`);
      }
      return success(await imports.putFile(idOf(context), nameOf(context), request, limit));
    },

    'x.imports.run': (_services, context) => success(imports.run(idOf(context))),
    'x.imports.cancel': async (_services, context) => success(await imports.cancel(idOf(context))),
    'x.imports.read': (_services, context) => success(imports.read(idOf(context))),

    'x.exports.read': async ({ store, trail }, context) => {
      const { response } = context;
      const wanted = exportOf(context);
      requireReadable(context, wanted.family, null);
      if (wanted.family.isByMachine)
        throw new AppError(
          'not_found',
          `${wanted.family.plural} are exported by GET ${API_PREFIX}/x/audit/export.`,
        );
      const { query, faults } = context;
      const narrowed = noting(faults, () => selectionOf(wanted.family, context));
      const conditions = conditionsIn(wanted.family, context);
      refuse(faults);
      const selection = { ...narrowed, conditions };
      await store.records.gather(wanted.family, selection);
      const records = store.records.selected(wanted.family, selection);
      const ignored = otherFilters(wanted.family, context);
      const details = { what: wanted.family.name, format: wanted.format, ...narrowedTo(selection, query) };
      await trail.note({ ...callerOf(context), kind: 'exported', details });
      response.statusCode = 200;
      response.setHeader('Content-Type', context.operation.answerType);
      response.setHeader('Content-Disposition', `attachment; filename="${wanted.fileName}"`);
      response.setHeader(STATION_HEADER, store.station);
      if (ignored.length > 0) response.setHeader('Holdpoint-Ignored', ignored.join(', '));
      await sendLines(context, exportLines(records, wanted));
      return undefined;
    },
  } satisfies Partial<Handlers>;
}

/** What of the family an export has, for the trail. */
function narrowedTo(
  { filters, keyword }: Partial<ReturnType<typeof selectionOf>>,
  query: Query,
): Record<string, string> {
  const conditions = query.members('filter').map(({ name, value }): [string, string] => [name, value]);
  const all = [...Object.entries({ ...filters, ...(keyword && { keyword }) }), ...conditions];
  return Object.fromEntries(all.map(([name, value]) => [name, String(value)]));
}

const yesOrNo = z
  .boolean({ error: 'Give true or false.' })
  .nullish()
  .transform(value => value ?? false);

const importBody = z.object({ mapping: z.unknown(), skip_bad: yesOrNo, dry_run: yesOrNo });

function idOf(context: RequestContext): string {
  return context.parameters.id ?? '';
}

/** The guard has seen that it decodes. */
function nameOf(context: RequestContext): string {
  return decodeURIComponent(context.parameters.name ?? '');
}

/** No type that a foreign page's form could send. */
const FILE_TYPES = ['application/octet-stream', 'text/csv', 'application/json', 'application/x-ndjson'];

function refuseOtherContent({ request }: RequestContext): void {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!FILE_TYPES.includes(type.split(';')[0]?.trim().toLowerCase() ?? '')) {
    throw new AppError(
      'unsupported_media_type',
      `Send the file as Content-Type: ${FILE_TYPES.join(' or ')}.`,
    );
  }
  if (encoding.toLowerCase() !== 'identity') {
    throw new AppError('unsupported_media_type', 'Send the file without Content-Encoding.');
  }
}

function exportOf(context: RequestContext) {
  const family = familyIn(context);
  const format = context.query.get('format') ?? 'json';
  if (format !== 'csv' && format !== 'json') throw invalid({ format: ['Give csv or json.'] });
  const items = context.query.get('items');
  const collection = items === undefined ? undefined : collectionOf(family, items);
  if (items !== undefined && (!collection || format !== 'csv')) {
    const known = Object.keys(family.collections).join(', ') || 'none';
    throw invalid({ items: [`Give a collection of ${family.name} (${known}), with format=csv.`] });
  }
  const extension = format === 'csv' ? 'csv' : 'jsonl';
  return {
    family,
    format,
    items: items ?? null,
    hasBom: context.query.flag('bom') ?? false,
    fileName: `${family.name}${items === undefined ? '' : `-${items}`}.${extension}`,
  } as const;
}

/** Filters that other families have: read past, as in lists what an operation does not know, and named in the answer. */
function otherFilters(family: Family, context: RequestContext): string[] {
  const { filters, search, searchThrough } = family;
  const known = new Set(['format', 'items', 'bom', ...Object.keys(filters)]);
  if (search.length + searchThrough.length > 0) known.add('keyword');
  return Object.keys(context.operation.query).filter(name => !known.has(name) && context.query.get(name));
}
