import { people } from './company.ts';
import type { Step } from './site.ts';
import { tableRows } from './table-rows.ts';

/** Which non-conformance report raised it, from 1, and what is known by now. */
const cars = tableRows(
  ['day', 'closedOn', 'ncr', 'type', 'problem', 'cause', 'action'],
  `
  -143 |  | 3 | Corrective | Thin walls of the 250 ml bottle | Worn mould set 7 at the glassworks | Overhaul of the mould; wall measured on ten bottles until then
  -142 | -88 | 4 | Corrective | Closures open too easily | Liner of another thickness after a change of material | Supplier announces changes of material four weeks ahead
  -138 | -96 | 5 | Corrective | Underfilled bottles at the end of a run | Level sensor of the filler tank too low | Run stops at 8 % tank level
  -118 | -57 | 6 | Preventive | Torque tester drifts between calibrations | Temperature of the room | Monthly check with two weights; tester moved to the laboratory
  -60 |  | 11 | Corrective | Microbial growth in calendula oil | Petals with too much moisture |
  -48 |  | 12 | Preventive | Neck of the 250 ml bottle grows from delivery to delivery |  |
`,
);

export function correctiveActionSteps(): Step[] {
  return cars.flatMap(carSteps);
}

function carSteps(
  { ncr, type, problem, cause, action, ...days }: (typeof cars)[number],
  index: number,
): Step[] {
  const day = Number(days.day);
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
  if (days.closedOn === '') return [opening];
  const closedOn = Number(days.closedOn);
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
