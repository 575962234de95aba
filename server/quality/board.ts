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
/** So many pages of the newest records are looked through for closed ones. */
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
  const isWanted = (record: StoredRecord) => {
    const about = part === undefined && supplier === undefined ? record : aboutOf(reads, record);
    return (
      (source === undefined || record.fields.source === source) &&
      (part === undefined || about.fields.part_id === part) &&
      (supplier === undefined || supplierOf(reads, about) === supplier)
    );
  };
  const columns = new Map(
    boardColumns[family].map(status => [status as string, { total: 0, cards: [] as BoardCard[] }]),
  );

  const place = `open.${MATTERS[family]}`;
  // From the last day on, past those that were there of it: a number of pages alone would be gone through anew for each.
  let [from, offset] = ['0000-00-00', 0];
  for (let isMore = true; isMore; ) {
    await yieldToEventLoop();
    const open = recordsAt(sql, records, { place, from, to: NO_DAY }, { limit: PAGE, offset });
    for (const record of open) {
      const column = columns.get(statusOf(record));
      if (!column || !isWanted(record)) continue;
      column.total += 1;
      // Cards ask for others' names, and only these are shown.
      if (column.cards.length < BOARD_LIMIT) column.cards.push(cardOf(reads, record, today));
    }
    const last = open.at(-1);
    const day = (last && openMatterOf(last)?.day) ?? from;
    const ofDay = open.filter(record => openMatterOf(record)?.day === day).length;
    offset = day === from ? offset + ofDay : ofDay;
    from = day;
    isMore = open.length === PAGE;
  }

  const closed: BoardCard[] = [];
  for (let page = 1, isMore = true; isMore && page <= MOST_PAGES; page += 1) {
    await yieldToEventLoop();
    const found = records.page(families[family], { page, perPage: PAGE, isNewestFirst: true });
    for (const record of found.records) {
      if (statusOf(record) !== 'closed' || closed.length === BOARD_CLOSED_LIMIT) continue;
      if (isWanted(record)) closed.push(cardOf(reads, record, today));
    }
    isMore = found.records.length === PAGE && closed.length < BOARD_CLOSED_LIMIT;
  }
  return {
    as_of: reads.now,
    late_after_days: LATE_DAYS,
    columns: [...columns].map(([status, open]) =>
      status === 'closed' ? { status, total: null, cards: closed } : { status, ...open },
    ),
  };
}

/** What a request is about stands in the report that raised it. */
function aboutOf({ records }: TraceReads, record: StoredRecord): StoredRecord {
  if (record.family !== 'car') return record;
  return records.get('ncr', Number(record.fields.ncr_id)) ?? record;
}

function cardOf(reads: TraceReads, record: StoredRecord, today: string): BoardCard {
  const { records } = reads;
  const { fields } = record;
  const about = aboutOf(reads, record);
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
    ncr_id: about === record ? null : about.id,
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
