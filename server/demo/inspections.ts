import { createRandom } from './random.ts';
import type { PlannedReceipt } from './receiving.ts';
import type { Site, Step } from './site.ts';
import { rejected, SMALL_PACKAGING } from './small-packaging.ts';
import { characteristicsOf, type SampleCharacteristic } from './templates.ts';

const SAMPLES = 5;

/** What an inspection found other than that everything is in order. */
interface Finding {
  /** Sample (from 1) to value, of one characteristic. */
  spoiled?: { characteristic: string; values: Readonly<Record<number, number>> };
  /** What the inspector says; null: not yet. */
  verdict?: boolean | null;
  /** How many samples are measured so far. */
  measured?: number;
  /** Why the inspector says what the measurements do not. */
  reason?: string;
  /** The verdict was first entered the other way and had to be taken back. */
  mistake?: string;
}

const tooWide: Finding = {
  spoiled: { characteristic: 'Width', values: { 1: 61.2, 2: 61 } },
  verdict: false,
};

const findings: Readonly<Record<string, Finding>> = {
  ...Object.fromEntries(
    Object.entries(rejected).flatMap(([part, deliveries]) =>
      deliveries.map(delivery => [`${SMALL_PACKAGING}#${delivery}/${part}`, tooWide]),
    ),
  ),
  'karsholt#4/PK-3020': {
    spoiled: { characteristic: 'Wall thickness', values: { 2: 1.02, 4: 1.06 } },
    verdict: false,
  },
  'karsholt#6/PK-3020': { mistake: 'The verdict of another delivery was entered here.' },
  'karsholt#8/PK-3020': {
    spoiled: { characteristic: 'Neck outer diameter', values: { 3: 31.53 } },
    verdict: true,
    reason: 'Accepted by concession: 0.03 mm over on one bottle, closure torque tried and good.',
  },
  'karsholt#10/PK-3020': { measured: 2, verdict: null },
  'penmarrow#3/PK-3110': {
    spoiled: { characteristic: 'Opening torque', values: { 1: 0.92, 3: 0.98, 5: 1.04 } },
    verdict: false,
  },
  'penmarrow#8/PK-3110': { measured: 0, verdict: null },
  'penmarrow#8/PK-3120': { measured: 0, verdict: null },
  'bottle#9/FG-4010': {
    spoiled: { characteristic: 'Net content', values: { 4: 246.8, 5: 247.2 } },
    verdict: false,
  },
  'bottle#19/FG-4010': { measured: 3, verdict: null },
  'torque-tester#4': {
    spoiled: { characteristic: 'Reading at the high weight', values: { 1: 1.561, 2: 1.558, 3: 1.563 } },
    verdict: false,
  },
};

/** Where something changes from delivery to delivery. The moulds of the 250 ml bottle wear: its neck grows. */
const trends: Readonly<Record<string, (delivery: number) => { mean: number; spread: number }>> = {
  'karsholt/Neck outer diameter': delivery => ({ mean: 31.08 + 0.03 * delivery, spread: 0.06 }),
};

/** The inspections that the lines of a receipt opened, finished the day after it where they are finished at all. */
export function inspectionSteps(receipts: readonly PlannedReceipt[]): Step[] {
  return receipts.flatMap(({ key, day, lines }) =>
    lines.flatMap(({ part, template, lot, samples }) =>
      template === undefined
        ? []
        : [
            {
              day: day + 1,
              title: `Inspection of lot ${lot}`,
              run: (site: Site) =>
                inspect(site, { lotKey: `${key}/${part}`, template, day: day + 1, samples }),
            },
          ],
    ),
  );
}

interface Inspecting {
  lotKey: string;
  template: string;
  day: number;
  samples: number | undefined;
}

async function inspect(site: Site, { lotKey, template, day, samples = SAMPLES }: Inspecting): Promise<void> {
  const { mistake, measured = samples, verdict = true, reason } = findings[lotKey] ?? {};
  const lot = site.lot(lotKey);
  const { data } = await site.client.list('inspection', { inventory_id: lot.id });
  const id = Number(data[0]?.id);
  site.remember(`inspection:${lotKey}`, id);
  site.count('inspection');
  // Also one that nobody has begun has its samples: they are what is waited for.
  await measure(site, { id, template, series: lotKey, serial: lot.number, samples, measured });
  if (measured === 0) return;
  const done = { inspection_date: site.calendar.workday(day) };
  if (mistake !== undefined) {
    await site.client.update('inspection', id, { passed: !verdict });
    await site.client.update('inspection', id, { passed: null, reason: mistake });
  }
  const said = verdict === null ? {} : { passed: verdict, ...(reason && { reason }) };
  await site.client.update('inspection', id, { ...done, ...said });
}

/** The torque tester, every month. */
export function equipmentCheckSteps(): Step[] {
  return [-241, -211, -181, -151, -121, -91, -61, -31].map((day, index) => ({
    day,
    title: 'Monthly check of the torque tester',
    run: async site => {
      const series = `torque-tester#${index}`;
      const entity = { entity_type: 'equipment', entity_id: site.idOf('equipment:EQ-0101') };
      const drawing = {
        drawing_id: site.idOf('template:EQ-0101'),
        sample_size: 1,
        inspection_date: site.calendar.workday(day),
      };
      const id = await site.create('inspection', { ...entity, ...drawing }, `inspection:${series}`);
      const serial = `TT-1/${site.calendar.workday(day)}`;
      await measure(site, { id, template: 'EQ-0101', series, serial, samples: 3, measured: 3 });
      await site.client.update('inspection', id, { passed: findings[series]?.verdict ?? true });
    },
  }));
}

interface Measuring {
  id: number;
  template: string;
  /** Lot or device: what findings and trends are told of. */
  series: string;
  serial: string;
  samples: number;
  measured: number;
}

/** Adds the missing samples to an inspection that has one, and writes what was measured of each. */
async function measure(
  site: Site,
  { id, template, series, serial, samples, measured }: Measuring,
): Promise<void> {
  let ids: number[] = [];
  for (let count = 1; count < samples; count += 1) {
    const { data } = await site.client.call('inspections.samples.add', { params: { id } });
    ids = data.samples.map(sample => sample.id);
  }
  for (const [index, sampleId] of ids.slice(0, measured).entries()) {
    const random = createRandom(`${series} sample ${index}`);
    await site.client.call('inspections.samples.update', {
      params: { id, sample_id: sampleId },
      body: {
        sample_serial: `${serial}-${index + 1}`,
        results: characteristicsOf(template).map(characteristic => ({
          id: site.idOf(`characteristic:${template}/${characteristic.name}`),
          ...resultOf(characteristic, series, index + 1, random),
        })),
      },
    });
  }
}

function resultOf(
  { name, typical }: SampleCharacteristic,
  series: string,
  sample: number,
  random: ReturnType<typeof createRandom>,
): { value: number } | { passed: boolean; comment: string } {
  if (typical === null) return { passed: true, comment: 'In order' };
  const [supplier = '', delivery = ''] = series.split(/[#/]/);
  const { mean, spread } = trends[`${supplier}/${name}`]?.(Number(delivery)) ?? typical;
  const usual = random.around(mean, spread);
  const spoiled = findings[series]?.spoiled;
  const value = (spoiled?.characteristic === name ? spoiled.values[sample] : undefined) ?? usual;
  return { value: Number(value.toFixed(typical.decimals)) };
}
