import { daysBetween } from '../../shared/contract/dates.ts';
import { LATE_DAYS, NO_DAY, type OpenMatter, openMatterOf } from '../../shared/contract/open-matters.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { recordTitle } from '../../shared/families/record-title.ts';
import { families } from '../../shared/families/registry.ts';
import {
  BOARD_CLOSED_LIMIT,
  BOARD_LIMIT,
  type Board,
  type BoardCard,
  type BoardFamily,
  boardColumns,
} from '../../shared/operations/board-operations.ts';
import { todayOf } from '../rules/site.ts';
import { recordsAt } from '../store/secondary-index.ts';
import { yieldingToEventLoop } from '../store/yield-to-event-loop.ts';
import type { TraceReads } from './around-lot.ts';
import { supplierOf } from './ncr-figures.ts';
import { numberOf, textOf } from './trace-lot.ts';

export interface BoardFilters {
  part: number | undefined;
  supplier: number | undefined;
  source: string | undefined;
}

const MATTERS: Record<BoardFamily, OpenMatter> = {
  ncr: 'ncr_open',
  car: 'car_open',
  complaint: 'complaint_open',
};
const PAGE = 100;
/** So many of the newest records are looked through for closed ones. */
const MOST_PAGES = 10;

/** What waits for somebody by where it stands, the oldest first, and what was closed last. */
export async function boardOf(
  reads: TraceReads,
  family: BoardFamily,
  { part, supplier, source }: BoardFilters,
): Promise<Board> {
  const { records, sql } = reads;
  const today = todayOf(records, reads.now);
  const yieldToEventLoop = yieldingToEventLoop();
  const isWanted = (card: BoardCard) =>
    (part === undefined || card.part_id === part) &&
    (supplier === undefined || card.supplier_id === supplier) &&
    (source === undefined || card.source === source);
  const columns = new Map<string, BoardCard[]>(boardColumns[family].map(status => [status, []]));

  const range = { place: `open.${MATTERS[family]}`, from: '0000-00-00', to: NO_DAY };
  for (let offset = 0, isMore = true; isMore; offset += PAGE) {
    await yieldToEventLoop();
    const open = recordsAt(sql, records, range, { limit: PAGE, offset });
    for (const record of open) {
      const card = cardOf(reads, record, today);
      if (isWanted(card)) columns.get(statusOf(record))?.push(card);
    }
    isMore = open.length === PAGE;
  }

  const closed: BoardCard[] = [];
  for (let page = 1, isMore = true; isMore && page <= MOST_PAGES; page += 1) {
    await yieldToEventLoop();
    const found = records.page(families[family], { page, perPage: PAGE, isNewestFirst: true });
    for (const record of found.records) {
      if (statusOf(record) !== 'closed' || closed.length === BOARD_CLOSED_LIMIT) continue;
      const card = cardOf(reads, record, today);
      if (isWanted(card)) closed.push(card);
    }
    isMore = found.records.length === PAGE && closed.length < BOARD_CLOSED_LIMIT;
  }
  return {
    as_of: reads.now,
    late_after_days: LATE_DAYS,
    columns: [...columns].map(([status, cards]) =>
      status === 'closed'
        ? { status, total: null, cards: closed }
        : { status, total: cards.length, cards: cards.slice(0, BOARD_LIMIT) },
    ),
  };
}

function cardOf(reads: TraceReads, record: StoredRecord, today: string): BoardCard {
  const { records } = reads;
  const { fields } = record;
  // What a request is about stands in the report that raised it.
  const report = record.family === 'car' ? records.get('ncr', Number(fields.ncr_id)) : undefined;
  const about = report ?? record;
  const partId = numberOf(about.fields.part_id);
  const supplierId = supplierOf(reads, about);
  const nameOf = (name: string, id: number | null) =>
    id === null ? null : textOf(records.get(name, id)?.fields.name);
  const isOpen = openMatterOf(record);
  const day = textOf(fields.date_opened) ?? textOf(fields.complaint_date) ?? record.created_at.slice(0, 10);
  const days = Math.max(0, daysBetween(day, today));
  return {
    id: record.id,
    number: recordTitle(families[record.family as BoardFamily], record),
    description: textOf(about.fields.description) ?? textOf(fields.comments),
    source: textOf(fields.source),
    part_id: partId,
    part: nameOf('part', partId),
    supplier_id: supplierId,
    supplier: nameOf('supplier', supplierId),
    lot_number: textOf(about.fields.lot_number) ?? textOf(fields.batch_number),
    disposition: textOf(fields.disposition),
    ncr_id: report?.id ?? null,
    day,
    days,
    is_late: isOpen !== null && days > LATE_DAYS,
  };
}

function statusOf({ family, fields }: StoredRecord): string {
  if (family === 'ncr') return textOf(fields.status) ?? 'open';
  if (family === 'car') return fields.date_closed ? 'closed' : 'open';
  if (fields.is_closed === true) return 'closed';
  return fields.is_investigated === true ? 'investigated' : 'open';
}
