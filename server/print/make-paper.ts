import { AppError } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { Language, PaperDocument } from '../../shared/operations/paper-operations.ts';
import type { PickList } from '../../shared/operations/place-operations.ts';
import type { Trace } from '../../shared/operations/trace-schemas.ts';
import type { AnswerContext } from '../rules/answers.ts';
import { FIRST_COMPANY } from '../rules/paperwork.ts';
import { siteSettings } from '../rules/site.ts';
import { clockBlocks, clockNotice } from './clock-blocks.ts';
import type { Describe, PaperContext } from './context.ts';
import { car } from './documents/car.ts';
import { certificatePreview } from './documents/certificate.ts';
import { inspectionReport } from './documents/inspection-report.ts';
import { ncr } from './documents/ncr.ts';
import { packingList } from './documents/packing-list.ts';
import { pickList } from './documents/pick-list.ts';
import { recall } from './documents/recall.ts';
import { receipt } from './documents/receipt.ts';
import { type Block, cellsOf, linesOf, MOST_CELLS, MOST_LINES, type Paper } from './paper.ts';
import { signatureBlocks } from './signature-blocks.ts';
import { wordsOf } from './words.ts';

const documents: Record<PaperDocument, Describe> = {
  receipt,
  'inspection-report': inspectionReport,
  certificate: certificatePreview,
  ncr,
  car,
  'packing-list': packingList,
  'pick-list': pickList,
  recall,
  'part-recall': recall,
};

export interface PaperRequest {
  document: PaperDocument;
  record: StoredRecord;
  language: Language;
  /** Who prints it. */
  user: string;
  /** Of a recall: everything around the record, read beforehand. */
  trace?: Trace | undefined;
  /** Of a pick list: what is to be picked, read beforehand. */
  picks?: PickList | undefined;
}

/**
 * Says a record as a document. The same record at the same moment gives the same document.
 * @throws AppError `conflict` where it cannot be printed, or is too large to be read on paper
 */
export function makePaper(reading: AnswerContext, request: PaperRequest): Paper {
  const { document, record, language, user, trace, picks } = request;
  const words = wordsOf(language, siteSettings(reading.records).time_zone);
  const { say } = words;
  const context = { reading, words, trace, picks };
  const { title, number, blocks } = documents[document](context, record);
  return framed(context, record, {
    title: say(title),
    number,
    link: `holdpoint://${record.family}/${record.id}`,
    identity: `${record.key} · ${say('version', { version: record.version })} · ${record.state.slice(0, 16)}`,
    printed: say('printed', { user: user.slice(0, 60), at: words.moment(reading.now), zone: words.zone }),
    blocks: [...blocks, ...signatureBlocks(context, record), ...clockBlocks(context, [record.key])],
  });
}

/**
 * What stands on every page of a document, around what is said of the record.
 * @throws AppError `conflict` where it is too large to be read on paper
 */
export function framed(
  context: PaperContext,
  record: StoredRecord,
  said: Pick<Paper, 'title' | 'number' | 'link' | 'identity' | 'printed' | 'blocks'>,
): Paper {
  const { reading, words } = context;
  refuseLong(said.blocks, record);
  const company = reading.records.get('company', Number(record.fields.company_id ?? FIRST_COMPANY));
  return {
    ...said,
    blocks: [...clockNotice(context), ...said.blocks],
    language: words.language,
    company: words.text(company?.fields.name),
    pageOf: words.say('page'),
    replaced: words.say('replaced'),
    at: reading.now,
  };
}

function refuseLong(blocks: readonly Block[], { family }: StoredRecord): void {
  const [cells, lines] = [cellsOf(blocks), linesOf(blocks)];
  if (cells <= MOST_CELLS && lines <= MOST_LINES) return;
  const size =
    cells > MOST_CELLS
      ? `${cells} cells, more than ${MOST_CELLS}`
      : `${lines} lines, more than ${MOST_LINES}`;
  throw new AppError(
    'conflict',
    `The document would have ${size}: too long for paper. Export the record instead: GET /api/v2/x/exports/${family}.`,
  );
}
