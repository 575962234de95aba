import { people } from './company.ts';
import type { Step } from './site.ts';

interface SampleCar {
  day: number;
  /** Which non-conformance report raised it, from 1. */
  ncr: number;
  type: 'Corrective' | 'Preventive';
  problem: string;
  cause?: string;
  action?: string;
  closedOn?: number;
}

const cars: readonly SampleCar[] = [
  {
    day: -143,
    ncr: 3,
    type: 'Corrective',
    problem: 'Thin walls of the 250 ml bottle',
    cause: 'Worn mould set 7 at the glassworks',
    action: 'Overhaul of the mould; wall measured on ten bottles until then',
  },
  {
    day: -142,
    ncr: 4,
    type: 'Corrective',
    problem: 'Closures open too easily',
    cause: 'Liner of another thickness after a change of material',
    action: 'Supplier announces changes of material four weeks ahead',
    closedOn: -88,
  },
  {
    day: -138,
    ncr: 5,
    type: 'Corrective',
    problem: 'Underfilled bottles at the end of a run',
    cause: 'Level sensor of the filler tank too low',
    action: 'Run stops at 8 % tank level',
    closedOn: -96,
  },
  {
    day: -118,
    ncr: 6,
    type: 'Preventive',
    problem: 'Torque tester drifts between calibrations',
    cause: 'Temperature of the room',
    action: 'Monthly check with two weights; tester moved to the laboratory',
    closedOn: -57,
  },
  {
    day: -60,
    ncr: 11,
    type: 'Corrective',
    problem: 'Microbial growth in calendula oil',
    cause: 'Petals with too much moisture',
  },
  {
    day: -48,
    ncr: 12,
    type: 'Preventive',
    problem: 'Neck of the 250 ml bottle grows from delivery to delivery',
  },
];

export function correctiveActionSteps(): Step[] {
  return cars.flatMap(carSteps);
}

function carSteps({ day, ncr, type, problem, cause, action, closedOn }: SampleCar, index: number): Step[] {
  const key = `car:${index + 1}`;
  const opening: Step = {
    day,
    title: `Corrective action request ${index + 1}`,
    run: async site => {
      await site.create(
        'car',
        {
          car_number: `${site.series}CAR-${index + 1}`,
          initiator_name: people.qualityManager,
          date_opened: site.calendar.workday(day),
          source: `${site.series}NCR-${ncr}`,
          type,
          description: { problem, ...(cause && { cause }), ...(action && { action }) },
          ncr_id: site.idOf(`ncr:${ncr}`),
        },
        key,
      );
    },
  };
  if (closedOn === undefined) return [opening];
  const closing: Step = {
    day: closedOn,
    title: `Corrective action request ${index + 1} is closed`,
    run: async site => {
      const body = { date_closed: site.calendar.workday(closedOn), reason: 'Effective over two months.' };
      await site.client.update('car', site.idOf(key), body);
    },
  };
  return [opening, closing];
}
