import { addDays } from '../../shared/contract/dates.ts';
import { LATE_DAYS, NO_DAY, openMatterOf } from '../../shared/contract/open-matters.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { familyOf } from '../../shared/families/registry.ts';
import type {
  Attention,
  AttentionGroup,
  AttentionKind,
} from '../../shared/operations/overview-operations.ts';
import { siteSettings, todayOf } from '../rules/site.ts';
import { countIndexed, type IndexRange, recordsAt, subjectsAt } from '../store/secondary-index.ts';
import type { Store } from '../store/store.ts';
import { attendedLots } from './attended-lots.ts';
import { crossedCounts } from './crossed-counts.ts';
import { ORDER_EXPECTED } from './expected-orders.ts';
import { lowParts } from './low-parts.ts';
import { numbersTwice } from './numbers-twice.ts';
import { groupFrom, titled } from './titles.ts';
import { watchedOrders } from './watched-orders.ts';

export interface AttentionOptions {
  store: Pick<Store, 'records' | 'database' | 'gate'>;
  clock: () => Date;
  /** What does not follow from the records: the exchange with central, and backups. */
  outside: () => Attention;
  /** A look in the background failed. */
  onFault: (error: unknown) => void;
}

/** Shown of each kind. */
const FIRST = 10;
/** Maintenance mends what is derived without a commit. */
const KNOWN_FOR_MS = 60_000;
const FIRST_DAY = '0000-00-00';

type Item = AttentionGroup['items'][number];

/** What needs attention today. What follows from the records is worked out once after each commit. */
export function createAttention(options: AttentionOptions): { read: () => Attention; close: () => void } {
  const { store, clock, onFault } = options;
  const low = lowParts(store, onFault);
  const twice = numbersTwice(store, onFault);
  const orders = watchedOrders(store, onFault);
  const crossed = crossedCounts(store, onFault);
  let known: { today: string; at: number; groups: Attention } | undefined;
  const stop = store.gate.follow(committed => {
    // What the machine notes of itself changes nothing here.
    const { records, lots } = committed;
    if (
      lots.length === 0 &&
      records.length > 0 &&
      records.every(({ family }) => familyOf(family)?.isByMachine)
    )
      return;
    known = undefined;
    low.follow(committed);
    twice.follow(committed);
    orders.follow(committed);
    crossed.follow(committed);
  });
  return {
    read() {
      const now = clock();
      const at = now.getTime();
      const today = todayOf(store.records, now.toISOString());
      const isKnown = known?.today === today && Math.abs(at - known.at) < KNOWN_FOR_MS;
      if (!known || !isKnown) known = { today, at, groups: groupsOf(store, today) };
      const watched = [
        watchedGroup(store, 'parts_low', low.watch.read()),
        watchedGroup(store, 'counts_crossed', crossed.watch.read()),
        watchedGroup(store, 'numbers_twice', twice.watch.read()),
      ];
      const late = lateOrders(store, today, orders.received.read());
      return [
        late,
        watchedGroup(store, 'orders_over', orders.over.read()),
        ...known.groups,
        ...watched,
        ...options.outside(),
      ];
    },
    close() {
      stop();
      low.watch.close();
      twice.watch.close();
      orders.received.close();
      orders.over.close();
      crossed.watch.close();
    },
  };
}

function groupsOf(store: AttentionOptions['store'], today: string): Attention {
  const { records, database } = store;
  const { reader: sql } = database;
  const soon = addDays(today, siteSettings(records).expiry_soon_days);
  const yesterday = addDays(today, -1);
  const late = { from: FIRST_DAY, to: addDays(today, -LATE_DAYS - 1) };
  const past = { from: FIRST_DAY, to: yesterday };
  const all = { from: FIRST_DAY, to: NO_DAY };
  const lots = records.subjectNumber('inventory', 0);
  const inStock = `EXISTS (SELECT 1 FROM stock WHERE lot = lookup.subject - ${lots} AND quantity > 0)`;
  const reports = records.subjectNumber('inspection', 0);
  const unreported = `NOT EXISTS (SELECT 1 FROM lookup AS raised
    WHERE raised.place = 'ncr.inspection_id' AND raised.value = lookup.subject - ${reports})`;

  const group = (
    kind: AttentionKind,
    matter: string,
    days: Omit<IndexRange, 'place'>,
    further: { where?: string; overdue?: Omit<IndexRange, 'place'> } = {},
  ): AttentionGroup => {
    const { where = 'TRUE', overdue } = further;
    const range = { place: `open.${matter}`, ...days };
    const items = recordsAt(sql, records, range, { limit: FIRST, where }).map(record =>
      itemOf(records, record, dayOf(record)),
    );
    return {
      ...groupFrom(kind, items, items.length < FIRST ? items.length : countIndexed(sql, range, where)),
      overdue: overdue ? countIndexed(sql, { place: range.place, ...overdue }, where) : null,
    };
  };
  return [
    group('receipts_open', 'receipt_open', all, { overdue: past }),
    group('counts_open', 'count_open', all, { overdue: past }),
    group('counts_differ', 'count_differs', all),
    group('inspections_open', 'inspection_open', all),
    group('inspections_failed', 'inspection_failed', all, { where: unreported }),
    group('lots_expiring', 'lot_expiry', { from: today, to: soon }, { where: inStock }),
    group('lots_expired', 'lot_expiry', past, { where: inStock }),
    ...attendedLots({ records, sql }, FIRST),
    group('corrections_awaiting', 'correction_awaiting', all),
    group('ncrs_open', 'ncr_open', all, { overdue: late }),
    group('cars_open', 'car_open', all, { overdue: late }),
    group('complaints_open', 'complaint_open', all, { overdue: late }),
    group('shipments_due', 'shipment_open', { from: FIRST_DAY, to: today }, { overdue: past }),
    // Those that are due are told of above.
    group('shipments_open', 'shipment_open', { from: addDays(today, 1), to: NO_DAY }),
    group('shipments_differ', 'shipment_differs', all),
  ];
}

/** @param received orders that wait for nothing any more, though nobody has closed them */
function lateOrders(
  { records, database }: AttentionOptions['store'],
  today: string,
  received: { keys: string[]; isComplete: boolean },
): AttentionGroup {
  const done = new Set(records.subjectNumbersOf(received.keys));
  const range = { place: ORDER_EXPECTED, from: FIRST_DAY, to: addDays(today, -1) };
  const late = subjectsAt(database.reader, range).filter(subject => !done.has(subject));
  const items = late.slice(0, FIRST).flatMap(subject => {
    const record = records.ofSubject(subject);
    return record ? [itemOf(records, record, dayOf(record))] : [];
  });
  const total = late.length;
  return { ...groupFrom('orders_late', items, total), overdue: total, is_complete: received.isComplete };
}

function watchedGroup(
  { records }: Pick<Store, 'records'>,
  kind: AttentionKind,
  { keys, isComplete }: { keys: string[]; isComplete: boolean },
): AttentionGroup {
  const items = keys.slice(0, FIRST).flatMap(key => {
    const record = records.getByKey(key);
    return record ? [itemOf(records, record, null)] : [];
  });
  return { ...groupFrom(kind, items, keys.length), is_complete: isComplete };
}

export function itemOf(
  records: Pick<Store['records'], 'get'>,
  record: StoredRecord,
  date: string | null,
): Item {
  return { ...titled(records, record), date };
}

function dayOf(record: StoredRecord): string | null {
  const day = openMatterOf(record)?.day ?? NO_DAY;
  return day === NO_DAY ? null : day;
}
