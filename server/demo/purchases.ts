import type { Calendar } from './calendar.ts';
import { shortDate } from './calendar.ts';
import type { LocationKey } from './company.ts';
import { partOf } from './parts.ts';
import type { PlannedReceipt, ReceiptLine } from './receiving.ts';
import { SMALL_PACKAGING } from './small-packaging.ts';

interface Schedule {
  supplier: string;
  /** Begins the lot numbers. */
  code: string;
  /** The day of the newest delivery, the days between two, and how many there are. */
  last: number;
  every: number;
  count: number;
  location: LocationKey;
}

const schedules: readonly Schedule[] = [
  { supplier: 'karsholt', code: 'KG', last: -3, every: 24, count: 11, location: 'packaging' },
  { supplier: 'penmarrow', code: 'PC', last: -2, every: 29, count: 9, location: 'packaging-b' },
  { supplier: 'tillerfield', code: 'TS', last: -12, every: 45, count: 6, location: 'silo' },
  { supplier: 'oxmere', code: 'OX', last: -18, every: 63, count: 4, location: 'silo' },
  { supplier: 'norrvik', code: 'NV', last: -9, every: 52, count: 5, location: 'silo' },
  { supplier: 'brackwell', code: 'BB', last: -6, every: 42, count: 6, location: 'quarantine' },
  { supplier: 'valdorine', code: 'MV', last: -20, every: 62, count: 4, location: 'tanks' },
  { supplier: 'aldersyke', code: 'AN', last: -75, every: 130, count: 2, location: 'herbs' },
  { supplier: 'stannery', code: 'SC', last: -31, every: 68, count: 4, location: 'packaging-b' },
  { supplier: 'quillhurst', code: 'QL', last: -50, every: 80, count: 3, location: 'packaging-b' },
  { supplier: SMALL_PACKAGING, code: 'OM', last: -5, every: 24, count: 11, location: 'packaging-b' },
];

interface Goods {
  quantity: number;
  template?: string;
  /** Every so many deliveries, beginning with the first. */
  each?: number;
  samples?: number;
  /** The last delivery that brought it, from 0. */
  until?: number;
}

/** What each delivery of its supplier brings, by part. */
const goods: Readonly<Record<string, Goods>> = {
  'PK-3020': { quantity: 600, template: 'DW-3020' },
  'PK-3010': { quantity: 900, each: 2 },
  'PK-3030': { quantity: 900, each: 3 },
  'PK-3110': { quantity: 1200, template: 'DW-3110' },
  'PK-3120': { quantity: 1300, template: 'DW-3120', each: 2 },
  'RM-1010': { quantity: 1000 },
  'RM-1050': { quantity: 450, each: 2 },
  'RM-1030': { quantity: 450 },
  'RM-1020': { quantity: 300 },
  'RM-1040': { quantity: 180 },
  'RM-1110': { quantity: 12 },
  'RM-1120': { quantity: 10 },
  'RM-1130': { quantity: 10 },
  'RM-1140': { quantity: 8, each: 3 },
  'BO-2060': { quantity: 200 },
  'RM-1210': { quantity: 10 },
  'PK-3310': { quantity: 400 },
  'PK-3320': { quantity: 300 },
  'PK-3210': { quantity: 8000 },
  'PK-3410': { quantity: 1000, template: 'DW-3400', samples: 2 },
  'PK-3420': { quantity: 1000, template: 'DW-3400', samples: 2 },
  'PK-3430': { quantity: 1000, template: 'DW-3400', samples: 2, until: 8 },
};

/** What did not go as agreed, by delivery (`karsholt#2` is its third). */
const surprises: Readonly<
  Record<
    string,
    {
      rejected?: Record<string, number>;
      expiresOn?: Record<string, number>;
      ordered?: number;
      isHeld?: true;
      isOpen?: true;
      notes: string;
    }
  >
> = {
  'karsholt#2': { rejected: { 'PK-3010': 36 }, notes: 'One layer broken in transit, rejected at the dock.' },
  'penmarrow#4': {
    rejected: { 'PK-3120': 150 },
    notes: 'One bag of droppers with flash on the skirt, rejected.',
  },
  'tillerfield#1': { rejected: { 'RM-1010': 50 }, notes: 'Two bags wet, rejected.' },
  'oxmere#2': { rejected: { 'RM-1030': 25 }, notes: 'One bag torn, spilled in the trailer.' },
  'norrvik#2': { rejected: { 'RM-1040': 20 }, notes: 'One bag with stones above the agreed share.' },
  'brackwell#0': { expiresOn: { 'RM-1120': 11 }, notes: 'Chamomile short-dated, accepted at a discount.' },
  'brackwell#1': { expiresOn: { 'RM-1130': 24 }, notes: 'Calendula short-dated, accepted for quick use.' },
  'brackwell#2': { expiresOn: { 'RM-1110': 17 }, notes: 'Rosemary short-dated.' },
  'aldersyke#1': { expiresOn: { 'RM-1210': 28 }, notes: 'Opened container: three months only.' },
  'aldersyke#0': { expiresOn: { 'RM-1210': -20 }, notes: 'Opened container: three months only.' },
  'valdorine#1': { ordered: 180, notes: 'One drum more than ordered; kept after a call with the mill.' },
  'stannery#1': {
    ordered: 750,
    isOpen: true,
    notes: '50 cartons short; the rest comes with the next delivery.',
  },
  'valdorine#3': { isHeld: true, notes: 'Seal of one drum broken. Held until the mill has answered.' },
  'norrvik#4': { isHeld: true, notes: 'Certificate of analysis missing. Held.' },
  'brackwell#5': { isHeld: true, notes: 'Waits for the laboratory.' },
};

/** Every delivery of the story, oldest first for each supplier. */
export function purchases(calendar: Calendar): PlannedReceipt[] {
  return schedules.flatMap(schedule =>
    Array.from({ length: schedule.count }, (_, index) => delivery(schedule, index, calendar)),
  );
}

function delivery(schedule: Schedule, index: number, calendar: Calendar): PlannedReceipt {
  const key = `${schedule.supplier}#${index}`;
  const day = schedule.last - schedule.every * (schedule.count - 1 - index);
  const surprise = surprises[key];
  const isHeld = surprise?.isHeld === true;
  const isQuarantined = schedule.location === 'quarantine';
  const lines = Object.entries(goods)
    .filter(([part]) => partOf(part).supplier === schedule.supplier)
    .filter(([, { each = 1, until = index }]) => index % each === 0 && index <= until)
    .map(([part, { quantity, template, samples }]): ReceiptLine => {
      const { cost, shelfLife } = partOf(part);
      const rejected = surprise?.rejected?.[part] ?? 0;
      const expiresOn =
        surprise?.expiresOn?.[part] ?? (shelfLife === undefined ? undefined : day + shelfLife);
      return {
        part,
        lot: `${schedule.code}${shortDate(calendar.workday(day))}-${part.slice(3)}`,
        accepted: quantity - rejected,
        rejected,
        // Prices rise a little with every third delivery.
        cost: Math.round((cost ?? 0) * (1 + 0.02 * Math.floor(index / 3)) * 10_000) / 10_000,
        location: isHeld ? 'quarantine' : schedule.location,
        ...(expiresOn !== undefined && { expiresOn }),
        ...(template && { template }),
        ...(samples && { samples }),
      };
    });
  return {
    key,
    supplier: schedule.supplier,
    day,
    // Every fourth delivery is late.
    promisedOn: day - (index % 4 === 3 ? 4 : 0),
    po: `PO-${shortDate(calendar.workday(day - 14))}-${schedule.code}`,
    isQuarantined: isQuarantined || isHeld,
    // Herbs are released by the laboratory's result; what is held stays held.
    releasedOn: isQuarantined && !isHeld ? day + 5 : null,
    isClosed: !isHeld && surprise?.isOpen !== true,
    lines,
    ...(surprise?.ordered !== undefined && { ordered: surprise.ordered }),
    ...(surprise && { notes: surprise.notes }),
  };
}
