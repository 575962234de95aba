import { type Calendar, shortDate } from './calendar.ts';
import { partOf } from './parts.ts';
import { createRandom } from './random.ts';
import { type PlannedReceipt, type ReceiptLine, receive } from './receiving.ts';
import type { Step } from './site.ts';
import { issue } from './warehouse.ts';

/** The story has four rounds of pressing and bottling; each begins so many days after the one before. */
const rounds = [-262, -197, -132, -67];

/** Own production is received like a delivery, after its material was taken out of stock. */
export interface Run extends PlannedReceipt {
  issues: readonly { part: string; quantity: number; reason: string }[];
}

interface Product {
  part: string;
  quantity: number;
  from: Readonly<Record<string, number>>;
}

/** Seed pressed (kg) and oil won (l), by days after the beginning of a round. */
const pressing: readonly { after: number; products: readonly Product[] }[] = [
  { after: 0, products: [{ part: 'BO-2010', quantity: 300, from: { 'RM-1010': 940 } }] },
  {
    after: 8,
    products: [
      { part: 'BO-2020', quantity: 90, from: { 'RM-1020': 250 } },
      { part: 'BO-2040', quantity: 45, from: { 'RM-1040': 150 } },
    ],
  },
  {
    after: 20,
    products: [
      { part: 'BO-2030', quantity: 140, from: { 'RM-1030': 380 } },
      { part: 'BO-2050', quantity: 140, from: { 'RM-1050': 400 } },
    ],
  },
];

const small = (part: string, herb: Readonly<Record<string, number>> = {}): Product =>
  filled(part, 360, 0.1, ['PK-3010', 'PK-3120'], herb);
const middle = (part: string, herb: Readonly<Record<string, number>> = {}): Product =>
  filled(part, 300, 0.25, ['PK-3020', 'PK-3110'], herb);
const large = (part: string): Product => filled(part, 240, 0.5, ['PK-3030', 'PK-3110'], {});

const bottling: readonly { after: number; products: readonly Product[] }[] = [
  { after: 4, products: [middle('FG-4010'), large('FG-4020')] },
  { after: 17, products: [middle('FG-4110'), small('FG-4310')] },
  { after: 30, products: [large('FG-4210'), large('FG-4410')] },
  { after: 43, products: [middle('FG-4510', { 'RM-1110': 3 }), small('FG-4610', { 'RM-1130': 1 })] },
  { after: 56, products: [middle('FG-4010'), small('FG-4710', { 'RM-1120': 1.2 })] },
];

/** `press#0` and so on. */
export function pressingRuns(calendar: Calendar): Run[] {
  return runs('press', 'P', pressing, calendar);
}

/** `bottle#0` and so on. */
export function bottlingRuns(calendar: Calendar): Run[] {
  return runs('bottle', 'B', bottling, calendar);
}

export function runStep(run: Run): Step {
  return {
    day: run.day,
    title: `Production ${run.po}`,
    run: async site => {
      const date = site.calendar.workday(run.day);
      for (const { part, quantity, reason } of run.issues) await issue(site, part, quantity, date, reason);
      await receive(site, run);
    },
  };
}

function runs(key: string, code: string, plan: typeof pressing, calendar: Calendar): Run[] {
  return rounds.flatMap((begin, round) =>
    plan.map(({ after, products }, index) => {
      const number = round * plan.length + index;
      const day = begin + after;
      const date = shortDate(calendar.workday(day));
      const po = `WO-${date}-${code}`;
      return {
        key: `${key}#${number}`,
        supplier: 'press-house',
        day,
        promisedOn: day,
        po,
        isQuarantined: false,
        releasedOn: null,
        isClosed: true,
        lines: products.map(product => lineOf(product, day, `${code}${date}`, `${key} ${number}`)),
        issues: products.flatMap(({ part, from }) =>
          Object.entries(from).map(([material, quantity]) => ({
            part: material,
            quantity,
            reason: `Used for ${part} in ${po}.`,
          })),
        ),
      };
    }),
  );
}

function lineOf({ part, quantity }: Product, day: number, lot: string, seed: string): ReceiptLine {
  const { type, cost = 0, shelfLife = 365 } = partOf(part);
  const isBottled = type === 'Finished product';
  // Bottles that the line itself throws out.
  const rejected = isBottled ? Math.max(0, createRandom(`${seed} ${part}`).integer(-4, 4)) : 0;
  return {
    part,
    lot: `${lot}-${part.slice(3)}`,
    accepted: quantity - rejected,
    rejected,
    cost,
    location: isBottled ? (part < 'FG-4300' ? 'finished' : 'finished-2') : 'tanks',
    expiresOn: day + shelfLife,
    ...(part.startsWith('FG') && partOf(part).name.endsWith('250 ml') && { template: 'QS-4250' }),
  };
}

function filled(
  part: string,
  quantity: number,
  litres: number,
  packaging: readonly string[],
  herb: Readonly<Record<string, number>>,
): Product {
  const { parent } = partOf(part);
  if (!parent) throw new Error(`Nobody says what ${part} is bottled from.`);
  const oil = Math.round(quantity * litres * 1_000) / 1_000;
  return {
    part,
    quantity,
    from: { [parent]: oil, ...herb, ...Object.fromEntries(packaging.map(each => [each, quantity])) },
  };
}
