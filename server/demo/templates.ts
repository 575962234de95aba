import type { Site, Step } from './site.ts';

export interface SampleCharacteristic {
  name: string;
  /** Nominal or unit, as the template's free text has it. */
  dimensions: string;
  tolerance: string;
  operation?: string;
  /** What is usually measured; null: a person judges. */
  typical: Typical | null;
  isOptional?: true;
}

export interface Typical {
  mean: number;
  /** The furthest that a usual value lies from the mean. */
  spread: number;
  decimals: number;
  /** Added in the warmest days of the year. */
  inSummer?: number;
  /** Added in every month that the lot is kept. */
  perMonth?: number;
  /** Smaller values are reported as below it. */
  quantifiedFrom?: number;
}

interface SampleTemplate {
  name: string;
  notes?: string;
  isDraft?: true;
  characteristics: readonly SampleCharacteristic[];
}

const limits = (
  name: string,
  dimensions: string,
  tolerance: string,
  mean: number,
  spread: number,
  decimals: number,
  more: Partial<SampleCharacteristic> & { typical?: never } = {},
): SampleCharacteristic => ({ name, dimensions, tolerance, ...more, typical: { mean, spread, decimals } });
const byEye = (
  name: string,
  tolerance: string,
  more: Partial<SampleCharacteristic> = {},
): SampleCharacteristic => ({ name, dimensions: '', tolerance, typical: null, ...more });
const lab = (
  name: string,
  dimensions: string,
  tolerance: string,
  mean: number,
  spread: number,
  decimals: number,
  more: Partial<Typical> = {},
): SampleCharacteristic => ({
  name,
  dimensions,
  tolerance,
  operation: 'Laboratory',
  typical: { mean, spread, decimals, ...more },
});

const templates: Readonly<Record<string, SampleTemplate>> = {
  'DW-3020': {
    name: 'Amber bottle 250 ml, goods-in',
    notes: 'Five bottles of each delivery, from different pallets.',
    characteristics: [
      limits('Neck outer diameter', '31.2 mm', '±0.4', 31.2, 0.08, 2, { operation: 'Moulding' }),
      limits('Overall height', '182.0 mm', '+0.8/-0.6', 182.1, 0.45, 1, { operation: 'Moulding' }),
      limits('Brimful capacity', 'ml', 'min 262', 266, 2.5, 1),
      limits('Wall thickness', 'mm', '1.1-2.4', 1.7, 0.4, 2),
      limits('Weight', '195 g', '±4%', 195.6, 5, 1),
      limits('Ovality of the neck', 'mm', '<= 0.5', 0.22, 0.16, 2),
      byEye('Appearance', 'Free of cracks, seeds and sharp edges'),
      byEye('Mould stamp', 'Legible', { isOptional: true }),
    ],
  },
  'DW-3110': {
    name: 'Pourer closure 31.5 x 24, goods-in',
    characteristics: [
      limits('Inside diameter', '30.6 mm', '+0.20/-0.10', 30.64, 0.07, 2, {
        operation: 'Injection moulding',
      }),
      limits('Height', '24.0 mm', '±0.25', 24.02, 0.12, 2, { operation: 'Injection moulding' }),
      limits('Opening torque', 'N.m', '1.1 to 1.9', 1.5, 0.22, 2),
      limits('Weight', '3.90 g', '±6%', 3.92, 0.12, 2),
      byEye('Leak test under water', 'No bubbles within one minute'),
    ],
  },
  'DW-3120': {
    name: 'Dropper insert 18 mm, goods-in',
    characteristics: [
      limits('Skirt diameter', '11.85 mm', '+0.10/-0.05', 11.87, 0.04, 2),
      limits('Drops from one millilitre', '', '20-28', 24, 2.4, 0),
      limits('Pull-out force', 'N', 'min 15', 21, 4, 1),
    ],
  },
  'DW-3400': {
    name: 'Small packaging, goods-in',
    characteristics: [
      limits('Width', '60 mm', '±0.8', 60.1, 0.4, 1, { operation: 'Die cutting' }),
      byEye('Print', 'As the approved proof'),
    ],
  },
  'QS-4250': {
    name: 'Filled bottle 250 ml, in process',
    notes: 'Five bottles of each run: first, last and three between.',
    characteristics: [
      limits('Net content', '250 ml', '+6/-2', 252, 2, 1, { operation: 'Filling' }),
      limits('Closing torque', 'N.m', '1.2-2.0', 1.6, 0.25, 2, { operation: 'Capping' }),
      limits('Label offset', 'mm', 'max 1.5', 0.6, 0.5, 1, { operation: 'Labelling' }),
      limits('Oxygen in the headspace', '%', '<= 2.0', 1.1, 0.5, 2, { operation: 'Blanketing' }),
      byEye('Seal and date code', 'Seal whole, date code legible'),
    ],
  },
  'LS-1100': {
    name: 'Dried botanicals, laboratory',
    characteristics: [
      lab('Moisture', '%', 'max 12.0', 8.6, 1.2, 1, { inSummer: 1.4 }),
      lab('Total ash', '%', '<= 10', 7.4, 1.1, 1),
      lab('Foreign matter', '%', '<= 2.0', 0.7, 0.5, 1),
      lab('Water activity', '', '< 0.60', 0.47, 0.05, 2, { inSummer: 0.05 }),
      lab('Aflatoxin B1', 'µg/kg', '<= 2.0', 0.4, 0.35, 1, { quantifiedFrom: 0.5 }),
      lab('Lead', 'mg/kg', '<= 3.0', 0.3, 0.2, 2),
      lab('Total aerobic count', 'cfu/g', 'max 100000', 21000, 14000, 0, { inSummer: 12000 }),
    ],
  },
  'LS-2000': {
    name: 'Cold-pressed seed oil, laboratory',
    notes: 'At release, and every month while the tank is in use.',
    characteristics: [
      lab('Free fatty acids', '%', '<= 2.0', 0.55, 0.15, 2, { inSummer: 0.25, perMonth: 0.06 }),
      lab('Peroxide value', 'meq/kg', '<= 10', 2.1, 0.6, 1, { inSummer: 2.4, perMonth: 0.5 }),
      lab('Moisture', '%', 'max 0.10', 0.05, 0.02, 3),
      lab('Relative density', 'g/ml', '0.910-0.935', 0.921, 0.006, 4),
      lab('Lead', 'mg/kg', '<= 0.05', 0.012, 0.01, 3, { quantifiedFrom: 0.01 }),
      lab('Benzo(a)pyrene', 'µg/kg', '<= 2.0', 0.35, 0.3, 2, { quantifiedFrom: 0.3 }),
    ],
  },
  'LS-4000': {
    name: 'Bottled oil, release and shelf life, laboratory',
    characteristics: [
      lab('Free fatty acids', '%', '<= 2.0', 0.6, 0.15, 2, { inSummer: 0.25, perMonth: 0.05 }),
      lab('Peroxide value', 'meq/kg', '<= 15', 2.6, 0.7, 1, { inSummer: 2.4, perMonth: 0.7 }),
      lab('Tocopherols', 'mg/kg', 'min 200', 410, 60, 0, { perMonth: -12 }),
      lab('Total aerobic count', 'cfu/g', 'max 1000', 40, 38, 0, { quantifiedFrom: 10 }),
      lab('Yeasts and moulds', 'cfu/g', 'max 100', 9, 8, 0, { quantifiedFrom: 10 }),
    ],
  },
  'EQ-0101': {
    name: 'Torque tester, monthly check',
    characteristics: [
      limits('Reading at the low weight', '0.50 N.m', '±3%', 0.5, 0.012, 3),
      limits('Reading at the high weight', '1.50 N.m', '±2%', 1.504, 0.02, 3),
    ],
  },
  'DW-3310': {
    name: 'Carton for 12 x 250 ml, goods-in (draft)',
    notes: 'Waits for the new board specification.',
    isDraft: true,
    characteristics: [
      limits('Inside length', '268 mm', '±2', 268, 1, 0),
      limits('Board thickness', '4.0 mm', '+0.3/-0.2', 4, 0.15, 1),
      byEye('Print', 'As the approved proof'),
    ],
  },
};

export const templateNumbers: readonly string[] = Object.keys(templates);

export function characteristicsOf(template: string): readonly SampleCharacteristic[] {
  const found = templates[template];
  if (!found) throw new Error(`The sample company has no template ${template}.`);
  return found.characteristics;
}

/** Templates at the beginning, and one that is tightened on `revisedOn`. */
export function templateSteps(day: number, revisedOn: number): Step[] {
  const made = Object.entries(templates).map(([number, template]) => ({
    day,
    title: `Inspection template ${number}`,
    run: async (site: Site) => {
      const { name, notes, isDraft } = template;
      const { data } = await site.client.call('x.specifications.create', {
        body: {
          identification: number,
          name,
          revision_date: site.calendar.workday(day),
          is_approved: !isDraft,
          ...(notes && { notes }),
          characteristics: template.characteristics.map(toWritten),
        },
      });
      site.count('specification');
      site.remember(`template:${number}`, data.id);
      for (const { id, name: of } of data.characteristics)
        site.remember(`characteristic:${number}/${of}`, id);
    },
  }));
  return [...made, tightening(revisedOn)];
}

/** A change after approval is a new revision, which waits for an approval of its own. */
function tightening(day: number): Step {
  return {
    day,
    title: 'Inspection template DW-3020, revision 2',
    run: async site => {
      const id = site.idOf('template:DW-3020');
      await site.client.update('specification', id, {
        revision_date: site.calendar.workday(day),
        characteristics: characteristicsOf('DW-3020').map((characteristic, index) => ({
          ...toWritten(characteristic, index),
          ...(characteristic.name === 'Neck outer diameter' && { tolerance: '±0.3' }),
        })),
        reason: 'Closures leak on necks above 31.5 mm: tightened after leaking bottles at two customers.',
      });
      await site.client.update('specification', id, {
        is_approved: true,
        reason: 'Agreed with the glassworks.',
      });
    },
  };
}

function toWritten(
  { name, operation, dimensions, tolerance, isOptional, typical }: SampleCharacteristic,
  index: number,
) {
  return {
    name,
    operation: operation ?? null,
    dimensions,
    tolerance,
    order: index + 1,
    is_optional: isOptional === true,
    is_approval_required: typical === null,
  };
}
