import { warmth } from './calendar.ts';
import { people } from './company.ts';
import { partOf } from './parts.ts';
import { createRandom } from './random.ts';
import type { PlannedReceipt } from './receiving.ts';
import type { Site, Step } from './site.ts';
import { characteristicsOf, type Typical } from './templates.ts';

interface PlannedResult {
  lotKey: string;
  part: string;
  template: string;
  day: number;
  /** Age of the lot, in days. */
  age: number;
}

/** What the laboratory found out of limits or typed wrong, by lot and its age. */
const outliers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'brackwell#3/RM-1130@4': { 'Foreign matter': '3.4' },
  'press#11/BO-2050@30': { 'Peroxide value': '11.8' },
  'bottle#8/FG-4610@90': { 'Total aerobic count': '1800', 'Yeasts and moulds': '140' },
  'bottle#16/FG-4310@3': { 'Free fatty acids': '2.31' },
  'press#6/BO-2010@2': { 'Peroxide value': '7.2' },
};

/** Typed wrong and put right the next day. */
const misread = {
  result: 'press#6/BO-2010@2',
  day: 1,
  values: { 'Peroxide value': '2.7' },
  reason: 'Digits turned round: 2.7, not 7.2.',
};

/** Release of every lot of oil and herbs, monthly results of tanks, and one of each bottled lot after three months. */
export function laboratorySteps(receipts: readonly PlannedReceipt[]): Step[] {
  const planned = plannedResults(receipts);
  const steps = planned.map((result, index) => ({
    day: result.day,
    title: `Lab result HL-${1001 + index}`,
    run: (site: Site) => report(site, result, 1001 + index),
  }));
  const wrong = planned.find(result => keyOf(result) === misread.result);
  return wrong ? [...steps, correction(wrong)] : steps;
}

/** Oldest first. */
export function plannedResults(receipts: readonly PlannedReceipt[]): PlannedResult[] {
  return receipts
    .flatMap(resultsOf)
    .filter(({ day }) => day < 0)
    .sort((a, b) => a.day - b.day);
}

function resultsOf(receipt: PlannedReceipt): PlannedResult[] {
  const { key, day, lines } = receipt;
  return lines.flatMap(({ part }) => {
    const { template, ages } = testingOf(part, receipt);
    return ages.map(age => ({ lotKey: `${key}/${part}`, part, template, day: day + age, age }));
  });
}

/** By which template the laboratory tests a received lot, and after how many days. */
function testingOf(
  part: string,
  { supplier, isClosed }: PlannedReceipt,
): { template: string; ages: number[] } {
  const { type } = partOf(part);
  if (type === 'Finished product') return { template: 'LS-4000', ages: [3, 90] };
  if (type === 'Bulk oil')
    return { template: 'LS-2000', ages: supplier === 'press-house' ? [2, 30, 60] : [2] };
  // The newest delivery of herbs still waits for its result.
  return { template: 'LS-1100', ages: supplier === 'brackwell' && isClosed ? [4] : [] };
}

async function report(site: Site, result: PlannedResult, number: number): Promise<void> {
  const { lotKey, part, template, day, age } = result;
  const lot = site.lot(lotKey);
  const date = site.calendar.workday(day);
  const inspection =
    age === 3 && partOf(part).name.endsWith('250 ml') ? site.idOf(`inspection:${lotKey}`) : null;
  await site.create(
    'lab-result',
    {
      specification_id: site.idOf(`template:${template}`),
      testing_id: `HL-${number}`,
      testing_date: date,
      inspector_name: createRandom(`analyst ${number}`).pick(people.laboratory),
      batch_number: lot.number,
      package_id: `S-${number}`,
      product_name: partOf(part).name,
      lab_data: JSON.stringify({ ...measurements(result, date), ...outliers[keyOf(result)] }),
      // A herb's result finds its lot by the number alone.
      ...(part.startsWith('RM') ? {} : { inventory_id: lot.id }),
      ...(inspection !== null && { inspection_id: inspection }),
    },
    `lab:${keyOf(result)}`,
  );
}

function correction(result: PlannedResult): Step {
  return {
    day: result.day + misread.day,
    title: 'Correction of a lab result',
    run: async site => {
      const written = { ...measurements(result, site.calendar.workday(result.day)), ...misread.values };
      await site.client.update('lab-result', site.idOf(`lab:${misread.result}`), {
        lab_data: JSON.stringify(written),
        reason: misread.reason,
      });
    },
  };
}

/** Measurement names and what was found, as text: interface 2.14. */
export function measurements(result: PlannedResult, date: string): Record<string, string> {
  const random = createRandom(`lab ${keyOf(result)}`);
  return Object.fromEntries(
    characteristicsOf(result.template).flatMap(({ name, typical }) =>
      typical === null
        ? []
        : [[name, reported(typical, random.around(expected(typical, result, date), typical.spread))]],
    ),
  );
}

/** Warm stores and age make oils worse. */
function expected(
  { mean, inSummer = 0, perMonth = 0 }: Typical,
  { age }: PlannedResult,
  date: string,
): number {
  return mean + inSummer * warmth(date) + (perMonth * age) / 30;
}

function reported({ quantifiedFrom, decimals }: Typical, value: number): string {
  if (quantifiedFrom !== undefined && value < quantifiedFrom / 4) return 'ND';
  if (quantifiedFrom !== undefined && value < quantifiedFrom) return `<${quantifiedFrom}`;
  return Math.max(0, value).toFixed(decimals);
}

function keyOf({ lotKey, age }: PlannedResult): string {
  return `${lotKey}@${age}`;
}
