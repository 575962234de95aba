import { invalid } from '../../../shared/contract/errors.ts';
import { labelResolutions } from '../../../shared/contract/label-printers.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import {
  keysOf,
  type LabelKind,
  labelKinds,
  MOST_COPIES,
  manyLabelKinds,
  type PaperDocument,
  paperDocuments,
} from '../../../shared/operations/paper-operations.ts';
import type { PickList } from '../../../shared/operations/place-operations.ts';
import type { Trace } from '../../../shared/operations/trace-schemas.ts';
import { makeLabel } from '../../print/labels/make-label.ts';
import { makePaper } from '../../print/make-paper.ts';
import type { Printer } from '../../print/printer.ts';
import type { TraceReads } from '../../quality/around-lot.ts';
import { committedReads, pickListOf } from '../../quality/pick-list.ts';
import { traceLot, tracePart } from '../../quality/trace.ts';
import { callerOf, idIn, idsIn, type RequestContext } from '../request-context.ts';
import { requireRecord } from './family.ts';
import type { Handlers, Services } from './handler.ts';
import { choiceIn, chosen } from './parse-body.ts';
import { readsOf } from './quality.ts';

/** Documents and labels: `paperOperations` of the table. */
export function paperHandlers(printer: Printer) {
  return {
    'x.paper.read': async (services, context) => {
      const { store, reading } = services;
      const document = chosen(context.parameters.document, keysOf(paperDocuments), 'document');
      const language = choiceIn(context, 'language', 'en');
      const family = families[paperDocuments[document]];
      const record = requireRecord(store.records.get(family.name, idIn(context)), family, idIn(context));
      const trace = await traceFor(document, readsOf(services), record.id);
      const picks = document === 'pick-list' ? picksFor(services, record) : undefined;
      const paper = makePaper(reading(), { document, record, language, user: context.user, trace, picks });
      if (!UNCONTROLLED.has(document)) await notePrint(services, context, record, document);
      sendFile(context, await printer.print({ kind: 'paper', paper }), {
        type: 'application/pdf',
        name: `${document}-${record.id}.pdf`,
      });
      return undefined;
    },

    'x.labels.read': async (services, context) => {
      const id = idIn(context);
      await sendLabels(printer, services, context, keysOf(labelKinds), [id]);
      return undefined;
    },

    'x.labels.list': async (services, context) => {
      const ids = idsIn(context, 'records', MOST_COPIES);
      await sendLabels(printer, services, context, manyLabelKinds, ids);
      return undefined;
    },
  } satisfies Partial<Handlers>;
}

/** Labels of some records in one file. @throws AppError 404 where one is not there, 422 on what is asked for */
async function sendLabels(
  printer: Printer,
  { store, reading }: Services,
  context: RequestContext<'x.labels.read' | 'x.labels.list'>,
  kinds: readonly LabelKind[],
  ids: readonly number[],
): Promise<void> {
  const { query } = context;
  const kind = chosen(context.parameters.kind, kinds, 'kind');
  const language = choiceIn(context, 'language', 'en');
  const symbol = choiceIn(context, 'symbol', 'datamatrix');
  const format = choiceIn(context, 'format', 'pdf');
  const size = choiceIn(context, 'size', '62x29');
  const dpi = chosen(query.count('dpi') ?? 203, labelResolutions, 'dpi');
  const copies = query.count('copies') ?? 1;
  if (copies * ids.length > MOST_COPIES) {
    throw invalid({
      copies: [`${copies * ids.length} are too many at once. Give at most ${MOST_COPIES}.`],
    });
  }
  const family = families[labelKinds[kind]];
  const line = query.count('line');
  const labels = ids.map(id => {
    const record = requireRecord(store.records.get(family.name, id), family, id);
    return makeLabel(reading(), { kind, record, symbol, language, line });
  });
  const of = ids.length === 1 ? `label-${kind}-${ids[0]}` : `labels-${kind}-${ids.length}`;
  const name = `${of}.${format}`;
  if (format === 'pdf') {
    const file = await printer.print({ kind: 'label-pdf', labels, options: { size, copies } });
    sendFile(context, file, { type: 'application/pdf', name });
  } else {
    const file = await printer.print({ kind: 'label-zpl', labels, options: { size, copies, dpi } });
    sendFile(context, file, { type: 'text/plain; charset=utf-8', name });
  }
}

/** What goes with the goods and says nothing that they do not say themselves. */
const UNCONTROLLED: ReadonlySet<PaperDocument> = new Set(['receipt', 'packing-list', 'pick-list']);

/** Before the paper goes out. */
export function notePrint(
  { trail }: Pick<Services, 'trail'>,
  context: RequestContext,
  { key, version }: Pick<StoredRecord, 'key' | 'version'>,
  document: string,
): Promise<void> {
  return trail.note({ ...callerOf(context), kind: 'printed', subject: key, details: { document, version } });
}

async function traceFor(document: PaperDocument, reads: TraceReads, id: number): Promise<Trace | undefined> {
  if (document === 'recall') return (await traceLot(reads, id)).trace;
  return document === 'part-recall' ? (await tracePart(reads, id)).trace : undefined;
}

function picksFor({ store, clock }: Services, shipment: StoredRecord): PickList {
  const reads = committedReads(store.records, store.database.reader, clock().toISOString());
  return pickListOf(reads, shipment);
}

/** Answers with a file, for the browser to show. */
export function sendFile(
  { response }: RequestContext,
  file: Uint8Array,
  { type, name }: { type: string; name: string },
): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Disposition', `inline; filename="${name}"`);
  response.setHeader('Content-Length', file.byteLength);
  response.end(file);
}
