import { checkDigit } from '../../shared/gs1/check-digit.ts';
import type { Step } from './site.ts';
import { tableRows } from './table-rows.ts';

export interface SamplePart {
  name: string;
  type: string;
  unit: string;
  supplier: string;
  reorderPoint: number | undefined;
  /** Of one unit. */
  cost: number | undefined;
  /** Days from making to the last usable day. */
  shelfLife: number | undefined;
  /** kg per l. */
  density: number | undefined;
  /** What it is bottled from. */
  parent: string | undefined;
  /** Received and kept in kg although the part counts in l. */
  isKeptInKg: boolean;
}

/** What is bottled comes after what it is bottled from. */
const rows = tableRows(
  [
    'number',
    'name',
    'type',
    'unit',
    'supplier',
    'reorder',
    'cost',
    'life',
    'density',
    'parent',
    'isKeptInKg',
  ],
  `
  RM-1010 | Linseed, brown, cleaned | Raw material | kg | tillerfield | 600 | 1.35 | 365 |  |  |
  RM-1020 | Pumpkin seed, shelled | Raw material | kg | norrvik | 250 | 4.9 | 365 |  |  |
  RM-1030 | Sunflower seed, high oleic | Raw material | kg | oxmere | 350 | 1.1 | 365 |  |  |
  RM-1040 | Black cumin seed | Raw material | kg | norrvik | 120 | 5.6 | 365 |  |  |
  RM-1050 | Rapeseed, cold-press quality | Raw material | kg | tillerfield | 350 | 0.85 | 365 |  |  |
  RM-1110 | Rosemary leaf, dried | Raw material | kg | brackwell | 5 | 14.5 | 540 |  |  |
  RM-1120 | Chamomile flower, dried | Raw material | kg | brackwell | 5 | 22.8 | 540 |  |  |
  RM-1130 | Calendula petal, dried | Raw material | kg | brackwell | 5 | 26.4 | 540 |  |  |
  RM-1140 | Thyme leaf, dried | Raw material | kg | brackwell | 5 | 12.9 | 540 |  |  |
  RM-1210 | Tocopherol concentrate | Raw material | kg | aldersyke | 4 | 48 | 720 | 0.95 |  |
  BO-2010 | Linseed oil, cold-pressed, bulk | Bulk oil | l | press-house | 40 | 5.2 | 120 | 0.928 |  |
  BO-2020 | Pumpkin seed oil, bulk | Bulk oil | l | press-house | 40 | 16.4 | 270 | 0.92 |  |
  BO-2030 | Sunflower oil, cold-pressed, bulk | Bulk oil | l | press-house | 40 | 3.6 | 270 | 0.918 |  |
  BO-2040 | Black cumin oil, bulk | Bulk oil | l | press-house | 40 | 21.5 | 300 | 0.921 |  |
  BO-2050 | Rapeseed oil, cold-pressed, bulk | Bulk oil | l | press-house | 40 | 3.1 | 240 | 0.915 |  |
  BO-2060 | Olive oil, extra virgin, bulk | Bulk oil | l | valdorine | 40 | 7.8 | 450 | 0.916 |  | yes
  PK-3010 | Amber bottle 100 ml | Packaging | units | karsholt | 800 | 0.31 |  |  |  |
  PK-3020 | Amber bottle 250 ml | Packaging | units | karsholt | 900 | 0.42 |  |  |  |
  PK-3030 | Amber bottle 500 ml | Packaging | units | karsholt | 600 | 0.58 |  |  |  |
  PK-3110 | Pourer closure 31.5 x 24 | Packaging | units | penmarrow | 1500 | 0.09 |  |  |  |
  PK-3120 | Dropper insert 18 mm | Packaging | units | penmarrow | 900 | 0.12 |  |  |  |
  PK-3210 | Label, blank stock | Packaging | units | quillhurst | 3000 | 0.03 |  |  |  |
  PK-3310 | Carton for 12 x 250 ml | Packaging | units | stannery | 120 | 0.74 |  |  |  |
  PK-3320 | Carton for 6 x 500 ml | Packaging | units | stannery | 120 | 0.69 |  |  |  |
  PK-3410 | Gift box for one bottle | Packaging | units | ottermill | 500 | 0.38 |  |  |  |
  PK-3420 | Shrink capsule 31 mm | Packaging | units | ottermill | 500 | 0.05 |  |  |  |
  PK-3430 | Hang tag with cord | Packaging | units | ottermill | 500 | 0.07 |  |  |  |
  FG-4010 | Linseed oil 250 ml | Finished product | units | press-house | 120 | 2.65 | 165 |  | BO-2010 |
  FG-4020 | Linseed oil 500 ml | Finished product | units | press-house | 60 | 4.4 | 165 |  | BO-2010 |
  FG-4110 | Pumpkin seed oil 250 ml | Finished product | units | press-house | 96 | 5.6 | 365 |  | BO-2020 |
  FG-4210 | Sunflower oil 500 ml | Finished product | units | press-house | 72 | 3.5 | 365 |  | BO-2030 |
  FG-4310 | Black cumin oil 100 ml | Finished product | units | press-house | 96 | 3.4 | 365 |  | BO-2040 |
  FG-4410 | Rapeseed oil 500 ml | Finished product | units | press-house | 72 | 3.2 | 330 |  | BO-2050 |
  FG-4510 | Rosemary olive oil 250 ml | Finished product | units | press-house | 96 | 3.9 | 300 |  | BO-2060 |
  FG-4610 | Calendula oil 100 ml | Finished product | units | press-house | 72 | 2.9 | 270 |  | BO-2060 |
  FG-4710 | Chamomile oil 100 ml | Finished product | units | press-house | 72 | 2.9 | 270 |  | BO-2060 |
  AC-9010 | Nitrogen blanketing of a tank | Activity | units | press-house |  |  |  |  |  |
`,
);

const numberOf = (cell: string) => (cell === '' ? undefined : Number(cell));

/** By part number. */
export const parts: Readonly<Record<string, SamplePart>> = Object.fromEntries(
  rows.map(({ number, name, type, unit, supplier, parent, ...row }) => [
    number,
    {
      ...{ name, type, unit, supplier, parent: parent || undefined, isKeptInKg: row.isKeptInKg === 'yes' },
      reorderPoint: numberOf(row.reorder),
      cost: numberOf(row.cost),
      shelfLife: numberOf(row.life),
      density: numberOf(row.density),
    },
  ]),
);

export function partOf(number: string): SamplePart {
  const part = parts[number];
  if (!part) throw new Error(`The sample company has no part ${number}.`);
  return part;
}

/** What customers can order. */
export const finishedProducts = Object.keys(parts).filter(
  number => partOf(number).type === 'Finished product',
);

/** The unit that receipts of a part are written in. */
export function receiptUnit(number: string): 'kg' | 'l' | 'EA' {
  const { unit, isKeptInKg } = partOf(number);
  if (isKeptInKg || unit === 'kg') return 'kg';
  return unit === 'units' ? 'EA' : 'l';
}

export function partSteps(day: number): Step[] {
  const numbers = Object.keys(parts);
  const own = numbers.filter(number => partOf(number).parent === undefined);
  const children = numbers.filter(number => partOf(number).parent !== undefined);
  return [own, children].map(batch => ({
    day,
    title: `Parts ${batch[0]} to ${batch.at(-1)}`,
    run: async site => {
      const bodies = batch.map(number => {
        const part = partOf(number);
        const { name, type, unit, supplier, reorderPoint, density, parent } = part;
        return {
          identification: number,
          name,
          part_type_id: site.idOf(`part-type:${type}`),
          is_activity: type === 'Activity',
          is_finished_product: type === 'Finished product',
          supplier_id: site.idOf(`supplier:${supplier}`),
          unit_of_measure: unit,
          ...(unit === 'units' ? {} : { unit_type: unit === 'kg' ? 'Mass' : 'Volume' }),
          ...(density && { density, density_mass_unit: 'kg', density_volume_unit: 'l' }),
          ...(reorderPoint && { reorder_point: reorderPoint }),
          ...(isMeasuredByFives(part) && { sampling_level: 'S-1' as const, sampling_aql: '2.5' as const }),
          ...(parent && { parent_part_id: site.idOf(`part:${parent}`) }),
          ...(type === 'Activity' ? {} : { barcodes: [barcode(number)] }),
        };
      });
      const { data } = await site.client.call('parts.bulk-create', { body: bodies });
      for (const [index, { id }] of data.entries()) {
        site.remember(`part:${batch[index]}`, id);
        site.count('part');
      }
    },
  }));
}

/** Bottles, closures and what is bottled: level S-1 and AQL 2.5 ask for five pieces of any lot of up to 35,000. */
function isMeasuredByFives({ unit, supplier }: SamplePart): boolean {
  return unit === 'units' && ['karsholt', 'penmarrow', 'press-house'].includes(supplier);
}

/** An EAN-13 of the range 20 to 29, which every company may use within its own walls. */
function barcode(number: string): string {
  const digits = `20000000${number.slice(3)}`;
  return digits + checkDigit(digits);
}
